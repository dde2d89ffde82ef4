"""How the system schedules this process: what encodes AV1 as root lets it go before everything else, for ever."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

KNOWN = hasattr(os, "sched_setscheduler")  # not on macOS
Scheduling = tuple[int, int]  # policy, real-time priority


def scheduling() -> Scheduling:
    """Return how this thread is scheduled; nothing is known of it on macOS."""
    return (os.sched_getscheduler(0), os.sched_getparam(0).sched_priority) if KNOWN else (0, 0)


def schedule(asked: Scheduling) -> None:
    """Let this thread be scheduled so, if it is not."""
    if scheduling() != asked:
        os.sched_setscheduler(0, asked[0], os.sched_param(asked[1]))


@contextmanager
def scheduled_as_before() -> Iterator[None]:
    """Undo what SVT-AV1 does to a process of root.

    What that process starts inherits it: with a browser and its driver, no other program gets a processor.
    """
    before = scheduling()
    try:
        yield
    finally:
        schedule(before)
