"""Pictures of many frames of one recording in one pass over it; they are kept as those of single frames are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import av
import numpy as np

from analysis.arrays import AnyArray
from analysis.video.opening import UnreadableVideoError, open_container, reason_of
from reports.media.pictures import find_picture, keep_picture, picture_name
from reports.media.screencasts import local_file
from reports.media.stills import (
    HALF_MS_S,
    NoSuchFrameError,
    encode_webp,
    find_proxy,
    first_time_s,
    open_video,
)
from reports.models import Run

MAX_DECODED = 1200  # frames of one recording that a report looks at: 10 s at 120 Hz

Wanted = tuple[int, int]  # µs after the first frame, height in px


def frame_pictures(run: Run, wanted: Iterable[Wanted], *, make: bool = True) -> dict[Wanted, bytes]:
    """Return the pictures that there are or that could be made, as WebP.

    Without ``make`` only those that were kept before. Raises NoSuchFrameError if pictures must be made and the
    recording cannot be read.
    """
    names = {want: picture_name(run, f"{want[0]}-{want[1]}.webp") for want in wanted}
    found = {want: kept for want, name in names.items() if (kept := find_picture(name)) is not None}
    missing = sorted(set(names) - set(found))
    for want, frame in _frames_at(run, missing) if missing and make else ():
        found[want] = encode_webp(_picture(frame, want[1]))
        keep_picture(names[want], found[want])
    return found


def _frames_at(run: Run, wanted: list[Wanted]) -> Iterator[tuple[Wanted, av.VideoFrame]]:
    """Yield the frame on the screen at each wanted time (rising), decoding from the key frame before the first."""
    with _open(run) as container:
        start_s = first_time_s(container)
        stream = container.streams.video[0]
        due = [(start_s + time_us / 1e6, (time_us, height)) for time_us, height in wanted]
        container.seek(_seek_to(due[0][0] - start_s, stream), stream=stream)
        shown = None
        for count, frame in enumerate(container.decode(stream)):
            if count > MAX_DECODED or not due:
                return
            while due and shown is not None and frame.time > due[0][0] + HALF_MS_S:
                yield due.pop(0)[1], shown
            shown = frame
        for _, want in due:
            if shown is not None:
                yield want, shown


def _seek_to(after_first_s: float, stream: av.VideoStream) -> int:
    """Return where to seek: a second early, as containers find key frames by decoding time, which runs ahead."""
    base = stream.time_base or 1
    return (stream.start_time or 0) + max(0, int((after_first_s - 1.0) / base))


@contextmanager
def _open(run: Run) -> Iterator[av.container.InputContainer]:
    """Open the proxy, which is smaller and steps quickly, else the recording."""
    proxy = find_proxy(run)
    if proxy is None:
        with open_video(run) as container:
            container.streams.video[0].thread_type = "AUTO"
            yield container
        return
    try:
        with local_file(proxy) as path, open_container(path) as container:
            container.streams.video[0].thread_type = "AUTO"
            yield container
    except (av.FFmpegError, UnreadableVideoError) as error:
        raise NoSuchFrameError(f"the proxy cannot be read: {reason_of(error)}") from error


def _picture(frame: av.VideoFrame, height_px: int) -> AnyArray:
    """Return the frame as BGR, upright, at most ``height_px`` tall; scaled before colours are, which is quicker."""
    turns = {90: 3, 180: 2, 270: 1}.get(int(frame.rotation) % 360, 0)
    tall = frame.width if turns % 2 else frame.height
    share = min(1.0, height_px / tall)
    width, height = (max(1, round(side * share)) for side in (frame.width, frame.height))
    small = frame.reformat(width=width, height=height, format="bgr24", interpolation="AREA")
    return np.ascontiguousarray(np.rot90(small.to_ndarray(), turns))
