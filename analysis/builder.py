"""Collect the frames of a video while they stream by."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from analysis.decode import Picture, UnreadableVideoError
from analysis.grid import BlockGrid
from analysis.reduce import Reduced, Reducer
from analysis.store import BlockStore


class Watcher(Protocol):
    """Looks at the distinct pictures while they stream by."""

    def add(self, picture: Reduced, time_ms: float, key_frame: bool) -> None:
        """Take the next picture, shown `time_ms` after the first frame."""


@dataclass(slots=True)
class Builder:
    """Collects pictures while they stream by; holds no frame but the last two."""

    grid: BlockGrid
    store: BlockStore
    reducer: Reducer
    watcher: Watcher | None = None
    times: list[float] = field(default_factory=list)
    index: list[int] = field(default_factory=list)
    keys: list[bool] = field(default_factory=list)
    numbers: list[tuple[float, float, float, float]] = field(default_factory=list)
    pending: Picture | None = None
    frames: int = 0
    repeated: int = 0

    def add(self, picture: Picture) -> None:
        """Take the next frame. One that repeats the time of the frame before takes its place."""
        self._check(picture)
        if self.pending is not None and picture.time_s == self.pending.time_s:
            self.repeated += 1
        else:
            self.flush()
        self.pending = picture
        self.frames += 1

    def flush(self) -> None:
        """Keep the frame that has been waiting."""
        if self.pending is None:
            return
        self.times.append(self.pending.time_s)
        reduced = self.reducer.next(self.pending)
        if reduced is not None:
            self.store.append(reduced.means, reduced.strength)
            self.numbers.append((reduced.median, reduced.upper, reduced.ssim_mean, reduced.ssim_worst))
            self.keys.append(self.pending.key_frame)
            if self.watcher is not None:
                time_ms = (self.pending.time_s - self.times[0]) * 1000
                self.watcher.add(reduced, time_ms, self.pending.key_frame)
        self.index.append(len(self.store) - 1)

    def _check(self, picture: Picture) -> None:
        if (picture.luma.width, picture.luma.height) != (self.grid.width, self.grid.height):
            raise UnreadableVideoError(
                f"the picture changes its size at frame {self.frames}: record without turning the device"
            )
        if self.pending is not None and picture.layout != self.pending.layout:  # kernels would read past a plane
            raise UnreadableVideoError(
                f"the pixel format changes at frame {self.frames}: give one recording, not several put together"
            )
        if self.pending is not None and picture.time_s < self.pending.time_s:
            raise UnreadableVideoError(
                f"timestamps go back at frame {self.frames}, from {self.pending.time_s:.3f} to "
                f"{picture.time_s:.3f} s: re-mux the file with its true timestamps"
            )
