"""Whether work can be done: the database answers, the storage takes and gives a file, somebody works."""

import logging
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import DatabaseError, connection

from reports.queue.selectors import workers_pace

logger = logging.getLogger(__name__)
KEPT_S = 5.0  # asked more often, the last answer is given: nobody wears the storage out by asking
_WORDS = b"UPReg was here to see whether the storage takes and gives files.\n"


@dataclass(frozen=True)
class Part:
    """One part, and how it stands in words that give nothing away."""

    name: str
    ready: bool
    words: str


def check_database() -> Part:
    """Ask the database for nothing."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        logger.warning("readiness: the database", exc_info=True)
        return Part("database", False, "does not answer: the log says why")
    return Part("database", True, "answers")


def check_storage() -> Part:
    """Write a small file, read it, take it away."""
    try:
        name = default_storage.save(f"ready/{uuid.uuid4().hex}.txt", ContentFile(_WORDS))
        try:
            with default_storage.open(name) as stream:
                came = stream.read()
        finally:
            default_storage.delete(name)
    except Exception:  # an object store fails in ways of its own
        logger.warning("readiness: the storage", exc_info=True)
        return Part("storage", False, "does not take and give files: the log says why")
    if came != _WORDS:
        return Part("storage", False, "gives back something else than it was given")
    return Part("storage", True, "takes and gives files")


def check_queue() -> Part:
    """Look for a worker's sign of life."""
    try:
        pace = workers_pace()
    except DatabaseError:
        return Part("queue", False, "unknown, as the database does not answer")
    if pace.processes:
        return Part("queue", True, pace.obstacle or "a worker is at work")
    return Part("queue", False, pace.obstacle_sentence)


class Readiness:
    """The last answer, renewed by one request at a time."""

    def __init__(
        self,
        checks: tuple[Callable[[], Part], ...] = (check_database, check_storage, check_queue),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._checks, self._clock = checks, clock
        self._lock, self._found, self._until = threading.Lock(), tuple[Part, ...](), float("-inf")

    def state(self) -> tuple[Part, ...]:
        """Return each part, at most five seconds old; while a slow check runs, what was found before it."""
        if self._clock() >= self._until and self._lock.acquire(blocking=False):
            try:
                self._found = tuple(check() for check in self._checks)
                self._until = self._clock() + KEPT_S
            finally:
                self._lock.release()
        return self._found


READINESS = Readiness()
