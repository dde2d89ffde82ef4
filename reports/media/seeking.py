"""What readers of stored files have in common: a position that may be anywhere, and nothing open before a read."""

import io
import os
from abc import abstractmethod
from typing import Any


class SeekingReader(io.RawIOBase):
    """Reads ``size`` bytes of something that is opened anew wherever it is sought to.

    A reader says how a piece is read from ``at`` on, and how what is open is given back.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self.at = 0

    @abstractmethod
    def piece(self, most: int) -> bytes:
        """Return at least one byte from ``at`` on, and no more than so many; raises OSError if there is none."""

    @abstractmethod
    def leave(self) -> None:
        """Give back what is open, if anything is."""

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    def seekable(self) -> bool:
        """Tell that it can be sought in."""
        return True

    def tell(self) -> int:
        """Return the position."""
        return self.at

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to a position; nothing is opened before it is read."""
        at = max(0, offset + {os.SEEK_SET: 0, os.SEEK_CUR: self.at, os.SEEK_END: self._size}[whence])
        if at != self.at:
            self.leave()
        self.at = at
        return at

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer as far as one piece goes."""
        if self.at >= self._size or not len(buffer):
            return 0
        piece = self.piece(min(len(buffer), self._size - self.at))
        buffer[: len(piece)] = piece
        self.at += len(piece)
        return len(piece)

    def close(self) -> None:
        """Give back what is open."""
        self.leave()
        super().close()
