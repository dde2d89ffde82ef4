"""Wait for a database server that is away for a moment: it was restarted, or another took its place."""

import logging
import time
from collections.abc import Callable
from typing import TypeVar

from django.db import InterfaceError, OperationalError, connection

logger = logging.getLogger(__name__)
T = TypeVar("T")
PATIENCE_S = 60.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 5.0


def patiently(act: Callable[[], T], *, patience_s: float = PATIENCE_S) -> T:
    """Do something in the database, again on a new connection if the old one was cut; return what it returns.

    What is done must be safe to repeat: it may have been done just before the connection was cut. SQLite has no
    server that could come back, and within a transaction only the whole of it can be repeated: there the error is
    raised at once, elsewhere when ``patience_s`` seconds have passed.
    """
    end, pause = time.monotonic() + patience_s, FIRST_PAUSE_S
    while True:
        try:
            return act()
        except (OperationalError, InterfaceError) as error:
            if connection.vendor == "sqlite" or connection.in_atomic_block or time.monotonic() + pause > end:
                raise
            logger.warning("the database is away, tried again in %s s: %s", pause, str(error).strip())
            connection.close()
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)
