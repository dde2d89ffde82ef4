"""One pass over a video: every distinct picture reduced to the means of its blocks."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from analysis.arrays import F32, F64, I64, U8, U16, AnyArray, Bools
from analysis.decode import Picture, UnreadableVideoError, VideoInfo, open_video, pictures
from analysis.grid import BlockGrid, block_size
from analysis.kernels import block_means, compare_blocks, same_plane


@dataclass(frozen=True, slots=True, eq=False)
class Recording:
    """A video as blocks. n frames show m distinct pictures; a frame equal to the one before shares its picture.

    Attributes
    ----------
    time_ms : (n,) ms after the first frame, strictly rising.
    picture : (n,) index of the picture that frame i shows.
    key_frame : (m,) True where the picture was coded on its own.
    planes : (m, k, blocks) block means of luma, and of both chroma planes where there are any, in 1/64 levels.
    residual : (m, blocks) what gain and offset of the picture before do not explain, levels; see kernels.
    ssim_mean, ssim_worst : (m,) against the picture before.

    """

    info: VideoInfo
    grid: BlockGrid
    time_ms: F64
    picture: I64
    key_frame: Bools
    planes: U16
    residual: U8
    ssim_mean: F32
    ssim_worst: F32
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class _Builder:
    """Collects pictures while they stream by; holds no frame but the last."""

    grid: BlockGrid
    times: list[float] = field(default_factory=list)
    index: list[int] = field(default_factory=list)
    keys: list[bool] = field(default_factory=list)
    planes: list[U16] = field(default_factory=list)
    residuals: list[U8] = field(default_factory=list)
    ssims: list[tuple[float, float]] = field(default_factory=list)
    last: Picture | None = None
    repeated: int = 0

    def add(self, picture: Picture) -> None:
        """Take the next frame."""
        self._check(picture)
        if self.times and picture.time_s == self.times[-1]:
            self.repeated += 1
            self.times.pop(), self.index.pop()
        self.times.append(picture.time_s)
        if self.last is None or not _same(self.last, picture):
            self._keep(picture)
        self.index.append(len(self.planes) - 1)
        self.last = picture

    def _check(self, picture: Picture) -> None:
        height, width = picture.luma.shape
        if (width, height) != (self.grid.width, self.grid.height):
            raise UnreadableVideoError(
                f"the picture changes its size at frame {len(self.times)}: record without turning the device"
            )
        if self.times and picture.time_s < self.times[-1]:
            raise UnreadableVideoError(
                f"timestamps go back at frame {len(self.times)} ({self.times[-1]:.3f} s → {picture.time_s:.3f} s): "
                "re-mux the file with its true timestamps"
            )

    def _keep(self, picture: Picture) -> None:
        scale = 1.0 / (1 << (picture.bits - 8))
        rows, columns = self.grid.shape
        means = [np.empty((rows, columns), np.uint16) for _ in range(1 + len(picture.chroma))]
        block_means(picture.luma, self.grid.size, scale, means[0])
        for plane, out in zip(picture.chroma, means[1:], strict=True):
            block_means(*_square(plane, self.grid), scale, out)
        ssim, residual = np.ones((rows, columns), np.float32), np.zeros((rows, columns), np.uint8)
        if self.last is not None:
            compare_blocks(self.last.luma, picture.luma, self.grid.size, scale, ssim, residual)
        self.planes.append(np.stack(means).reshape(len(means), -1))
        self.residuals.append(residual.ravel())
        self.ssims.append((float(ssim.mean()), float(ssim.min())))
        self.keys.append(picture.key_frame)


def read_recording(path: str | Path, threads: int = 0) -> Recording:
    """Decode a video into blocks; raises UnreadableVideoError with a message that tells the cure."""
    container = open_video(path)
    with container:
        builder: _Builder | None = None
        rotation, full_range, pixel_format = 0, False, ""
        for frame, picture in pictures(container, threads):
            if builder is None:
                rotation, pixel_format = int(frame.rotation) % 360, frame.format.name
                full_range = pixel_format.startswith("yuvj") or frame.color_range == 2
                height, width = picture.luma.shape
                builder = _Builder(BlockGrid(width, height, block_size(width, height), rotation))
            builder.add(picture)
        if builder is None:
            raise UnreadableVideoError("no frame could be decoded: record again")
        shown = builder.grid.shown_size
        info = VideoInfo(
            width=shown[0], height=shown[1], rotation=rotation,
            duration_ms=(builder.times[-1] - builder.times[0]) * 1000, frames=len(builder.times),
            codec=container.streams.video[0].codec_context.name, pixel_format=pixel_format,
            full_range=full_range, container=container.format.name,
        )  # fmt: skip
    return _finish(builder, info)


def _finish(builder: _Builder, info: VideoInfo) -> Recording:
    times = (np.array(builder.times) - builder.times[0]) * 1000
    ssims = np.array(builder.ssims, np.float32)
    notes = (f"{builder.repeated} frames repeat a timestamp: the later picture counts",) if builder.repeated else ()
    return Recording(
        info=info, grid=builder.grid, time_ms=times, picture=np.array(builder.index, np.int64),
        key_frame=np.array(builder.keys), planes=np.stack(builder.planes), residual=np.stack(builder.residuals),
        ssim_mean=ssims[:, 0], ssim_worst=ssims[:, 1], notes=notes,
    )  # fmt: skip


def _same(a: Picture, b: Picture) -> bool:
    return bool(same_plane(a.luma, b.luma)) and all(map(same_plane, a.chroma, b.chroma))


def _square(plane: AnyArray, grid: BlockGrid) -> tuple[AnyArray, int]:
    """Return a chroma plane and the block size that gives it the grid's shape."""
    vertical = -(-grid.height // plane.shape[0])
    horizontal = -(-grid.width // plane.shape[1])
    if horizontal > vertical:  # 4:2:2: drop every other row, so that blocks are square again
        plane, vertical = plane[::horizontal], horizontal
    return plane, grid.size // vertical
