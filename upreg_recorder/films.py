"""Look at what was filmed: that a film plays and is long enough, and whether two pictures show the same screen.

The only place of the recorder that hands a file to FFmpeg: as an open file and to a few demuxers, so that nothing
that the file names is opened.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import av
from av.container import InputContainer

from upreg_recorder.failures import TrialError

DEMUXERS = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi"
BEFORE, AFTER = 0.5, 0.9  # shares of `lead_ms` and `watch_ms` that a film must have: a recorder's frames are coarse
WIDTH, HEIGHT = 36, 64  # cells that two screens are compared by, upright as most screens are
STATUS_BAR = 3  # rows of cells on top, where a clock ticks
MEAN_LEVELS = 4.0  # of 255: what a dimmed screen, another page or a large dialog are above
CELL_LEVELS, CELL_SHARE = 32, 0.02  # a small dialog or a keyboard changes few cells, but these strongly


@dataclass(frozen=True)
class Film:
    """What a file holds: frames, and its length from the first frame to the end of the last, in ms."""

    frames: int
    length_ms: float


@contextmanager
def opened(path: Path) -> Iterator[InputContainer]:
    """Open a film for reading; av's errors pass through."""
    with path.open("rb") as stream, av.open(stream, "r", options={"format_whitelist": DEMUXERS}) as container:
        yield container


def look_at(path: Path) -> Film:
    """Decode a film to its end; raises TrialError if it cannot be played."""
    first = last = None
    frames, own_ms = 0, 0.0
    try:
        with opened(path) as container:
            stream = container.streams.video[0]
            base = stream.time_base
            for frame in container.decode(stream):
                if frame.pts is None or base is None:
                    raise TrialError(f"{path.name} has a frame without a time: the recorder wrote a damaged film")
                at_ms = float(frame.pts * base * 1000)
                first = at_ms if first is None else first
                last, own_ms = at_ms, float((frame.duration or 0) * base * 1000)
                frames += 1
            whole_ms = float((stream.duration or 0) * (base or 0) * 1000)
    except (OSError, av.FFmpegError, IndexError) as error:
        cure = "was the recorder ended before it was done?"
        raise TrialError(f"the film cannot be played ({error}): {cure}") from error
    if first is None or last is None:
        raise TrialError("the film has no frame: the recorder saw no screen")
    return Film(frames, max(last - first + own_ms, whole_ms))


def long_enough(film: Film, action_ms: float | None, *, lead_ms: float, takes_ms: float, watch_ms: float) -> None:
    """Hold a film against what was to be filmed; raises TrialError if it is shorter than that.

    `takes_ms` is how long the action itself goes on. Without `action_ms` the whole is looked at.
    """
    needs_ms = takes_ms + AFTER * watch_ms
    if action_ms is None:
        if film.length_ms < BEFORE * lead_ms + needs_ms:
            raise TrialError(_short("the film", film.length_ms, BEFORE * lead_ms + needs_ms))
        return
    if not 0.0 <= action_ms <= film.length_ms:
        raise TrialError(
            f"the action lies at {action_ms:.0f} ms, outside of the film of {film.length_ms:.0f} ms: "
            "do the clocks of host and device differ?"
        )
    if action_ms < BEFORE * lead_ms:
        raise TrialError(_short("before the action", action_ms, BEFORE * lead_ms))
    if film.length_ms - action_ms < needs_ms:
        raise TrialError(_short("from the action on", film.length_ms - action_ms, needs_ms))


def cells(png: bytes) -> bytes:
    """Return a picture as WIDTH × HEIGHT grey cells, a byte each; raises TrialError if it is no picture."""
    try:
        decoder = av.CodecContext.create("png", "r")
        decoder.open()
        frames = [*decoder.decode(av.Packet(png)), *decoder.decode(None)]
        grey = frames[0].reformat(width=WIDTH, height=HEIGHT, format="gray", interpolation="AREA")
    except (av.FFmpegError, ValueError, IndexError) as error:
        raise TrialError(f"the picture of the screen before the action cannot be read: {error}") from error
    plane = grey.planes[0]
    rows, stride = bytes(plane), plane.line_size
    return b"".join(rows[row * stride : row * stride + WIDTH] for row in range(HEIGHT))


@dataclass(frozen=True)
class Difference:
    """How far two screens differ: the mean in levels of grey (0 to 255), the share of cells that differ much."""

    levels: float
    share: float

    @property
    def other(self) -> bool:
        """Whether it is another screen, and not a ticking clock or a caret."""
        return self.levels > MEAN_LEVELS or self.share > CELL_SHARE


def difference(one: bytes, two: bytes) -> Difference:
    """Compare two screens as `cells` gives them, without their status bars."""
    apart = [abs(a - b) for a, b in zip(one, two, strict=True)][STATUS_BAR * WIDTH :]
    return Difference(sum(apart) / len(apart), sum(each > CELL_LEVELS for each in apart) / len(apart))


def _short(what: str, is_ms: float, needs_ms: float) -> str:
    return f"the film is too short: {what} {is_ms:.0f} ms in place of at least {needs_ms:.0f} ms"
