"""What many films ask for, by several processes at once."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")
Answer = TypeVar("Answer")


def in_order(work: Callable[[Item], Answer], items: Iterable[Item], jobs: int) -> Iterator[Answer]:
    """Yield what `work` answers for each item, in their order, by so many processes; by this one if it is one.

    For more than one, `work`, the items and the answers are pickled. What it raises for an item is raised here.
    """
    if jobs <= 1:
        yield from map(work, items)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap(work, items)
