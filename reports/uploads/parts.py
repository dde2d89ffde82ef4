"""The parts of an upload, read as the one file that they are."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from django.core.files.storage import Storage, default_storage

from reports.media.seeking import SeekingReader


class PartsReader(SeekingReader):
    """Reads stored files one after the other, and can go back. One of them is open at a time.

    Parameters
    ----------
    parts : name in the storage and length in bytes of each, in their order.

    """

    def __init__(self, parts: Sequence[tuple[str, int]], *, storage: Storage = default_storage) -> None:
        self._names = [name for name, _ in parts]
        self._ends = list(accumulate(size for _, size in parts))
        self._storage = storage
        self._opened: tuple[int, Any] | None = None
        super().__init__(self._ends[-1] if self._ends else 0)

    def piece(self, most: int) -> bytes:
        """Read as far as one part goes; raises OSError if the storage does not give it as it was."""
        index = bisect_right(self._ends, self.at)
        found: bytes = self._part(index).read(min(most, self._ends[index] - self.at))
        if not found:
            raise FileNotFoundError(f"{self._names[index]} is shorter than it was")
        return found

    def leave(self) -> None:
        """Give the open part back."""
        if self._opened is not None:
            self._opened[1].close()
            self._opened = None

    def _part(self, index: int) -> Any:
        if self._opened is None or self._opened[0] != index:
            self.leave()
            stream = self._storage.open(self._names[index])
            stream.seek(self.at - (self._ends[index - 1] if index else 0))
            self._opened = index, stream
        return self._opened[1]
