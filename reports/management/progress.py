"""A progress bar for commands: on standard error, and only where a person watches."""

import sys
import time
from typing import TextIO

_WIDTH = 30
_REDRAW_S = 0.1


class ProgressBar:
    """Draws ``label ████░░░░ 12 / 40``; silent when the stream is no terminal."""

    def __init__(self, label: str, total: int, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._label, self._total, self._done = label, total, 0
        self._shown = self._stream.isatty()
        self._drawn_at = 0.0

    def __enter__(self) -> "ProgressBar":
        return self

    def __exit__(self, *exception: object) -> None:
        if self._shown and self._done:
            self._draw()
            self._stream.write("\n")

    def step(self) -> None:
        """Count one more; draw at most ten times a second."""
        self._done += 1
        if self._shown and time.monotonic() - self._drawn_at > _REDRAW_S:
            self._draw()

    def _draw(self) -> None:
        self._drawn_at = time.monotonic()
        total = max(self._total, self._done)
        filled = _WIDTH * self._done // total
        bar = "█" * filled + "░" * (_WIDTH - filled)
        self._stream.write(f"\r{self._label} {bar} {self._done} / {total}")
        self._stream.flush()
