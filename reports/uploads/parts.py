"""The parts of an upload, read as the one file that they are."""

import io
import os
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from django.core.files.storage import Storage, default_storage


class PartsReader(io.RawIOBase):
    """Reads stored files one after the other, and can go back. One of them is open at a time.

    Parameters
    ----------
    parts : name in the storage and length in bytes of each, in their order.

    """

    def __init__(self, parts: Sequence[tuple[str, int]], *, storage: Storage = default_storage) -> None:
        self._names = [name for name, _ in parts]
        self._ends = list(accumulate(size for _, size in parts))
        self._storage = storage
        self._at = 0
        self._opened: tuple[int, Any] | None = None

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    def seekable(self) -> bool:
        """Tell that it can be sought in."""
        return True

    def tell(self) -> int:
        """Return the position."""
        return self._at

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to a position; nothing is opened before it is read."""
        end = self._ends[-1] if self._ends else 0
        self._at = max(0, offset + {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: end}[whence])
        self._leave()
        return self._at

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer as far as one part goes; raises OSError if the storage does not give it as it was."""
        index = bisect_right(self._ends, self._at)
        if index == len(self._ends) or not len(buffer):
            return 0
        piece = self._part(index).read(min(len(buffer), self._ends[index] - self._at))
        if not piece:
            raise FileNotFoundError(f"{self._names[index]} is shorter than it was")
        buffer[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)

    def close(self) -> None:
        """Give the open part back."""
        self._leave()
        super().close()

    def _part(self, index: int) -> Any:
        if self._opened is None or self._opened[0] != index:
            self._leave()
            stream = self._storage.open(self._names[index])
            stream.seek(self._at - (self._ends[index - 1] if index else 0))
            self._opened = index, stream
        return self._opened[1]

    def _leave(self) -> None:
        if self._opened is not None:
            self._opened[1].close()
            self._opened = None
