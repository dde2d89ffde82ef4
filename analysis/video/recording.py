"""One pass over a video: when each frame was shown, and every distinct picture as blocks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Protocol

import av
import numpy as np

from analysis.arrays import F32, F64, I64, U8, Bools
from analysis.video.decode import Picture, VideoInfo, pictures, rotation_of
from analysis.video.grid import BlockGrid, Rect, block_size
from analysis.video.margins import cut_out, find_screen_within, is_black_around
from analysis.video.opening import UnreadableVideoError, open_container
from analysis.video.reduce import Reduced, Reducer
from analysis.video.store import BlockStore


class Watcher(Protocol):
    """Looks at the distinct pictures while they stream by."""

    def add(self, picture: Reduced, time_ms: float, key_frame: bool) -> None:
        """Take the next picture, shown `time_ms` after the first frame."""


Watch = Callable[[BlockGrid, int], Watcher]  # of the grid and the number of planes
Pixels = Callable[["Recording", Collection[int], int], Mapping[int, U8]]
"""Of a recording and of numbers of its pictures: which, and around which one if all are too many."""


@dataclass(frozen=True, slots=True)
class RateLimits:
    """What timestamps tell of a recorder."""

    variable: float = 3.0  # times the median interval: no recorder at a constant rate leaves such a gap
    slot: float = 0.1  # of the intervals are no longer than a recorder's own
    slowest_ms: float = 201.0  # no recorder at a constant rate is slower than 5 Hz, and its rounding
    rest: float = 3.0  # times its own interval: longer, it wrote nothing where something was due
    least_rest: float = 0.05  # of the time: less is what a recorder at a constant rate loses
    repeats: float = 0.05  # of the frames may carry the timestamp of the frame before: more hide the true ones
    repeats_in_a_row: int = 6  # more hide a tenth of a second in one place, in which anything may have happened
    same_s: float = 0.0005  # no screen shows two pictures so near to each other: what goes back by less, repeats


RATE = RateLimits()


@dataclass(frozen=True, slots=True)
class KeyLimits:
    """How often a codec that predicts may code a frame on its own.

    Each such frame stirs textured blocks all over the screen, by up to 15 levels, and so does each change of
    quality between two of them. Once or a few times a second that is told from the screen by when it comes; as
    often as the screen itself moves, it is not.
    """

    apart_ms: float = 240.0  # at least: at 60 Hz every 15th frame is measured right, every 10th is not
    most: float = 0.33  # of the frames, where a recorder at a variable rate left long gaps between them
    few: int = 6  # key frames: fewer tell nothing


KEYS = KeyLimits()


@dataclass(frozen=True, eq=False)
class Recording:
    """A video as blocks. n frames show m distinct pictures; a frame equal to the one before shares its picture.

    Attributes
    ----------
    time_ms : (n,) ms after the first frame, strictly rising.
    picture : (n,) index of the picture that frame i shows.
    key_frame : (m,) True where the picture was coded on its own by a codec that predicts others.
    store : block means and strengths of the m pictures.
    median, upper : (m,) median and upper quantile of the blocks' strengths, levels.
    ssim_mean, ssim_worst : (m,) against the picture before.
    notes : what a person should know about the file.
    declared_variable : what the manifest says of the recorder; None where it says nothing.
    start_s : when the first frame is shown, by the file's own clock.
    pixels : decodes the file once more, for the luma of some pictures; None where there is no file.

    """

    info: VideoInfo
    grid: BlockGrid
    time_ms: F64
    picture: I64
    key_frame: Bools
    store: BlockStore
    median: F32
    upper: F32
    ssim_mean: F32
    ssim_worst: F32
    notes: tuple[str, ...] = ()
    declared_variable: bool | None = None
    start_s: float = 0.0
    pixels: Pixels | None = None

    @property
    def variable_rate(self) -> bool:
        """Whether the recorder wrote a frame only when the screen changed, rather than at a constant rate.

        What was declared decides; where nothing was, what it did while the screen rested. One that wrote repeats
        for longer than it wrote nothing is at a constant rate, whatever it lost; one that wrote none, and left
        gaps, is not. Where it wrote some, now and then, a gap of three times the median tells.
        """
        if self.declared_variable is not None:
            return self.declared_variable
        gaps = np.diff(self.time_ms)
        if not len(gaps):
            return False
        slot = float(np.sort(gaps)[int(RATE.slot * len(gaps))])
        repeats, long = np.diff(self.picture) == 0, gaps > RATE.rest * slot
        unwritten = float((gaps[long] - slot).sum())
        if not repeats[:-1].any():  # the last picture is written once more when a recorder is stopped
            return slot > RATE.slowest_ms or unwritten > RATE.least_rest * float(self.time_ms[-1])
        if float(gaps[repeats & ~long].sum()) > unwritten:
            return False
        return bool(gaps.max() > RATE.variable * np.median(gaps))

    @property
    def slot_ms(self) -> float:
        """How long after a change a recorder at a constant rate may show it; 0 at a variable rate."""
        if len(self.time_ms) < 2 or self.variable_rate:
            return 0.0
        return float(np.median(np.diff(self.time_ms)))

    def levels(self, first: int, last: int) -> Iterator[F32]:
        """Yield (planes, rows, columns): the block means of pictures first … last, levels."""
        for means, _ in self.store.span(first, last):
            yield means.reshape(-1, *self.grid.shape).astype(np.float32) / np.float32(64)

    def slots_hz(self, refresh_hz: float) -> float:
        """Return how many slots a second the recording can tell apart: a 30 fps capture shows no more than 30."""
        slot_ms = self.slot_ms
        return min(refresh_hz, 1000 / slot_ms) if slot_ms else refresh_hz

    @cached_property
    def first_frame(self) -> I64:
        """(m,) index of the frame that first shows each picture."""
        return np.nonzero(np.diff(self.picture, prepend=-1) > 0)[0]

    @cached_property
    def picture_ms(self) -> F64:
        """(m,) when each picture was first shown."""
        return self.time_ms[self.first_frame]


class _ShownAroundError(Exception):
    """What was black around the screen comes to show something."""


def read_recording(path: str | Path, threads: int = 0, watch: Watch | None = None) -> Recording:
    """Decode a video into blocks; raises UnreadableVideoError with a message that tells the cure.

    What `watch` returns sees every distinct picture as soon as it is reduced. Black around the screen is cut off;
    reading begins once more, with another watcher and the whole picture, if something is shown there after all.
    """
    try:
        return _read(path, threads, watch, whole=False)
    except _ShownAroundError:
        return _read(path, threads, watch, whole=True)


def _read(path: str | Path, threads: int, watch: Watch | None, *, whole: bool) -> Recording:
    with open_container(path, checked=True) as container, ExitStack() as undo:
        builder, first, screen = None, None, None
        for frame, picture in pictures(container, threads):
            if builder is None:
                first = frame
                screen = None if whole else find_screen_within(picture)
                builder = _start(frame, picture, watch, screen)
                undo.callback(builder.store.close)
            if screen and (picture.luma.width, picture.luma.height) == builder.grid.whole:  # else it is refused
                if not is_black_around(picture, screen):
                    raise _ShownAroundError
                picture = cut_out(picture, screen)
            builder.add(picture)
        if builder is None or first is None:
            raise UnreadableVideoError("no frame could be decoded: record again")
        builder.flush()
        recording = _finish(builder, _info(container, first, builder))
        undo.pop_all()
        return recording


def _start(frame: av.VideoFrame, picture: Picture, watch: Watch | None, screen: Rect | None) -> Builder:
    size, rotation = (picture.luma.width, picture.luma.height), rotation_of(frame)
    grid = BlockGrid(*size, block_size(*size), rotation)
    if screen:
        left, top, right, bottom = screen
        within = right - left, bottom - top
        grid = BlockGrid(*within, block_size(*within), rotation, left, top, size)
        picture = cut_out(picture, screen)
    (rows, columns), planes = grid.shape, len(picture.planes)
    watcher = watch(grid, planes) if watch else None
    return Builder(grid, BlockStore(planes, rows * columns), Reducer(grid, picture), watcher)


def _info(container: av.container.InputContainer, first: av.VideoFrame, builder: Builder) -> VideoInfo:
    width, height = builder.grid.shown_size
    return VideoInfo(
        width=width,
        height=height,
        rotation=builder.grid.rotation,
        duration_ms=(builder.times[-1] - builder.times[0]) * 1000,
        frames=len(builder.times),
        codec=container.streams.video[0].codec_context.name,
        pixel_format=first.format.name,
        full_range=first.format.name.startswith("yuvj") or first.color_range == 2,
        container=container.format.name,
    )


def _finish(builder: Builder, info: VideoInfo) -> Recording:
    repeats = builder.repeats
    if repeats.count > RATE.repeats * builder.frames or repeats.longest > RATE.repeats_in_a_row:
        raise UnreadableVideoError(
            f"{repeats.count} of {builder.frames} frames repeat the timestamp of the frame before, "
            f"{repeats.place(builder.times[0])}: re-mux the file with its true timestamps"
        )
    problem = _keyed_too_often(builder, info.codec)
    if problem:
        raise UnreadableVideoError(problem)
    notes = (repeats.note(builder.times[0]),) if repeats.count else ()
    if builder.grid.whole:
        left, top, right, bottom = builder.grid.screen
        place = f"{right - left} × {bottom - top} px at {left}, {top}"
        notes = (*notes, f"black around the screen is left out: the screen is {place}")
    numbers = np.array(builder.numbers, np.float32)
    return Recording(
        info=info,
        grid=builder.grid,
        time_ms=(np.array(builder.times) - builder.times[0]) * 1000,
        picture=np.array(builder.index, np.int64),
        key_frame=np.array(builder.keys),
        store=builder.store,
        median=numbers[:, 0],
        upper=numbers[:, 1],
        ssim_mean=numbers[:, 2],
        ssim_worst=numbers[:, 3],
        notes=notes,
        start_s=builder.times[0],
    )


def _keyed_too_often(builder: Builder, codec: str) -> str:
    """Return why frames that were coded on their own hide what the screen did, or nothing."""
    count = len(builder.key_times)
    if count < KEYS.few:
        return ""
    gaps_ms = 1000 * np.diff(builder.key_times)
    rarely = gaps_ms.mean() >= KEYS.apart_ms and count <= KEYS.most * len(builder.times)
    if rarely or np.median(gaps_ms) >= KEYS.apart_ms:
        return ""
    return (
        f"{count} of its {len(builder.times)} frames are key frames of {codec}: coded anew so often, noise cannot "
        "be told from the screen; record with a key frame a second, or in MJPEG, ProRes or a lossless codec"
    )


@dataclass(slots=True)
class Repeats:
    """Frames that carry the timestamp of the frame before: how many, how many in a row, and from when to when."""

    count: int = 0
    longest: int = 0
    row: int = 0
    first_s: float = 0.0
    last_s: float = 0.0

    def add(self, time_s: float) -> None:
        """Count one more."""
        self.first_s = self.first_s if self.count else time_s
        self.last_s = time_s
        self.count, self.row = self.count + 1, self.row + 1
        self.longest = max(self.longest, self.row)

    def place(self, start_s: float) -> str:
        """Return where they lie, in seconds after the first frame."""
        first, last = (f"{time - start_s:.3f}" for time in (self.first_s, self.last_s))
        if first == last:
            return f"all at {first} s" if self.count > 1 else f"at {first} s"
        return f"from {first} to {last} s"

    def note(self, start_s: float) -> str:
        """Return what a person should know about the few that are let pass."""
        many = f"{self.count} frames repeat" if self.count > 1 else "1 frame repeats"
        return f"{many} a timestamp, {self.place(start_s)}: the later picture counts"


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
    key_times: list[float] = field(default_factory=list)
    numbers: list[tuple[float, float, float, float]] = field(default_factory=list)
    pending: Picture | None = None
    frames: int = 0
    repeats: Repeats = field(default_factory=Repeats)

    def add(self, picture: Picture) -> None:
        """Take the next frame. One that repeats the time of the frame before takes its place."""
        self._check(picture)
        if self.pending is not None and picture.time_s <= self.pending.time_s:
            self.repeats.add(self.pending.time_s)
            picture = replace(picture, time_s=self.pending.time_s)
        else:
            self.repeats.row = 0
            self.flush()
        self.pending = picture
        self.frames += 1

    def flush(self) -> None:
        """Keep the frame that has been waiting."""
        if self.pending is None:
            return
        self.times.append(self.pending.time_s)
        if self.pending.key_frame:
            self.key_times.append(self.pending.time_s)
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
        if self.pending is not None and picture.time_s < self.pending.time_s - RATE.same_s:
            start = self.times[0] if self.times else self.pending.time_s
            raise UnreadableVideoError(
                f"timestamps go back at frame {self.frames}, from {self.pending.time_s - start:.3f} to "
                f"{picture.time_s - start:.3f} s: re-mux the file with its true timestamps"
            )
