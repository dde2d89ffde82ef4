"""Single frames of a recording as WebP: one at an instant, or many in one pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np

from analysis.arrays import AnyArray
from analysis.video.opening import UnreadableVideoError, open_container, reason_of

QUALITY = 82
HALF_MS_S = 5e-4  # addresses carry times in microseconds, containers in their own units

Wanted = tuple[int, int]  # µs after the first frame, height in px


class NoSuchFrameError(Exception):
    """The video cannot be read, or ends before this frame."""


def still(path: Path, time_ms: float, height_px: int) -> bytes:
    """Return the frame shown at ``time_ms`` after the first one as WebP.

    It is at most ``height_px`` tall; 0 leaves it as recorded. Raises NoSuchFrameError.
    """
    return _webp(_scaled(read_frame(path, time_ms), height_px))


def stills(path: Path, wanted: Sequence[Wanted], most: int) -> Iterator[tuple[Wanted, bytes]]:
    """Yield the frames on the screen at the wanted times (rising), decoding from the key frame before the first.

    Those that lie more than ``most`` frames behind it are left out. Raises NoSuchFrameError.
    """
    with _open(path) as container:
        stream = container.streams.video[0]
        stream.thread_type = "AUTO"
        start_s = _first_time_s(container)
        due = [(start_s + time_us / 1e6, (time_us, height)) for time_us, height in wanted]
        container.seek(_seek_to(due[0][0] - start_s, stream), stream=stream)
        shown = None
        for count, frame in enumerate(container.decode(stream)):
            if count > most or not due:
                return
            while due and shown is not None and frame.time > due[0][0] + HALF_MS_S:
                yield _small(shown, due.pop(0)[1])
            shown = frame
        for _, want in due:
            if shown is not None:
                yield _small(shown, want)


def frame_times_us(path: Path) -> list[int]:
    """Return when each frame comes, in µs after the first one, rising, as the container's timestamps say.

    They are read without decoding, but of a file whose packets do not carry them all. Raises NoSuchFrameError.
    """
    with _open(path) as container:
        stream = container.streams.video[0]
        base = stream.time_base
        shown = [packet.pts for packet in container.demux(stream) if packet.size and not packet.is_discard]
    if base is None or not shown or None in shown:
        shown, base = _decoded_times(path)
    times = sorted({pts for pts in shown if pts is not None})
    return sorted({round((pts - times[0]) * base * 1_000_000) for pts in times})


def _decoded_times(path: Path) -> tuple[list[int | None], Fraction]:
    with _open(path) as container:
        stream = container.streams.video[0]
        stream.thread_type = "AUTO"
        found = [(frame.pts, frame.time_base) for frame in container.decode(stream)]
    if not found or None in (pts for pts, _ in found):
        raise NoSuchFrameError("its frames carry no times")
    return [pts for pts, _ in found], Fraction(found[0][1] or 1)


def read_frame(path: Path, time_ms: float) -> AnyArray:
    """Decode the frame shown at ``time_ms``: (rows, columns, 3) BGR as a player shows it."""
    with _open(path) as container:
        start_s = _first_time_s(container)
        wanted_s = start_s + time_ms / 1000
        # Containers find key frames by decoding time, which runs ahead of what is shown: go back if too late.
        shown = _frame_at(container, wanted_s, seek_s=wanted_s) or _frame_at(container, wanted_s, seek_s=start_s)
        if shown is None:
            raise NoSuchFrameError(f"the recording has no frame at {time_ms:.0f} ms")
        return np.ascontiguousarray(np.rot90(shown.to_ndarray(format="bgr24"), _turns(shown)))


@contextmanager
def _open(path: Path) -> Iterator[av.container.InputContainer]:
    """Open a recording; NoSuchFrameError if that cannot be, or if it cannot be decoded in the block."""
    try:
        with open_container(path) as container:
            if not container.streams.video:
                raise NoSuchFrameError("the file holds no video")
            yield container
    except (av.FFmpegError, UnreadableVideoError) as error:
        raise NoSuchFrameError(f"the screencast cannot be read: {reason_of(error)}") from error


def _first_time_s(container: av.container.InputContainer) -> float:
    stream = container.streams.video[0]
    start = next((frame.time for frame in container.decode(stream)), None)
    if start is None:
        raise NoSuchFrameError("no frame could be decoded")
    return float(start)


def _frame_at(container: av.container.InputContainer, wanted_s: float, *, seek_s: float) -> av.VideoFrame | None:
    stream = container.streams.video[0]
    container.seek(max(0, int(seek_s / (stream.time_base or 1))), stream=stream)
    shown = None
    for frame in container.decode(stream):
        if frame.time > wanted_s + HALF_MS_S:
            break
        shown = frame
    return shown


def _seek_to(after_first_s: float, stream: av.VideoStream) -> int:
    """Return where to seek: a second early, as containers find key frames by decoding time, which runs ahead."""
    base = stream.time_base or 1
    return (stream.start_time or 0) + max(0, int((after_first_s - 1.0) / base))


def _turns(frame: av.VideoFrame) -> int:
    """Return the quarter turns, anticlockwise, that make a frame upright."""
    return {90: 3, 180: 2, 270: 1}.get(int(frame.rotation) % 360, 0)


def _small(frame: av.VideoFrame, want: Wanted) -> tuple[Wanted, bytes]:
    """Return the frame upright, at most as tall as wanted; scaled before colours are, which is quicker."""
    turns = _turns(frame)
    share = min(1.0, want[1] / (frame.width if turns % 2 else frame.height))
    width, height = (max(1, round(side * share)) for side in (frame.width, frame.height))
    small = frame.reformat(width=width, height=height, format="bgr24", interpolation="AREA")
    return want, _webp(np.ascontiguousarray(np.rot90(small.to_ndarray(), turns)))


def _scaled(picture: AnyArray, height_px: int) -> AnyArray:
    height, width = picture.shape[:2]
    if not height_px or height_px >= height:
        return picture
    size = (max(1, round(width * height_px / height)), height_px)
    return cv2.resize(picture, size, interpolation=cv2.INTER_AREA)


def _webp(picture: AnyArray) -> bytes:
    done, data = cv2.imencode(".webp", picture, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])
    if not done:
        raise NoSuchFrameError("the picture could not be written")
    return data.tobytes()
