"""An event loop in a thread of its own: pictures are taken while the caller waits, whatever its thread runs."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from threading import Thread
from typing import Any, TypeVar

from upreg_recorder.failures import DeviceGoneError

T = TypeVar("T")


class Loop:
    """The loop; `run` is called from one thread at a time."""

    def __init__(self, name: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name=name, daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T], within_s: float) -> T:
        """Return what the work returns; raises DeviceGoneError where it takes longer than that."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result(within_s)
        except TimeoutError:
            if future.done():
                raise
            future.cancel()
            raise DeviceGoneError(
                f"the browser has not answered for {within_s:g} s: is the host overloaded?"
            ) from None

    def close(self) -> None:
        """End the thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        if not self._thread.is_alive():
            self._loop.close()
