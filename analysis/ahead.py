"""Run a generator ahead in a thread of its own: the next frames are decoded while this one is looked at."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
DEPTH = 4
_END = object()


def ahead(items: Iterable[T], depth: int = DEPTH) -> Iterator[T]:
    """Yield the items in order, at most `depth` of them taken in advance; an exception arrives in its place."""
    ready: queue.Queue[object] = queue.Queue(depth)
    stop = threading.Event()
    thread = threading.Thread(target=_fill, args=(items, ready, stop), daemon=True)
    thread.start()
    try:
        while (item := ready.get()) is not _END:
            if isinstance(item, BaseException):
                raise item
            yield item  # type: ignore[misc]
    finally:
        stop.set()
        while thread.is_alive():
            _drain(ready)
            thread.join(0.01)


def _fill(items: Iterable[T], ready: queue.Queue[object], stop: threading.Event) -> None:
    try:
        for item in items:
            ready.put(item)
            if stop.is_set():
                return
        ready.put(_END)
    except BaseException as error:
        ready.put(error)


def _drain(ready: queue.Queue[object]) -> None:
    while not ready.empty():
        ready.get_nowait()
