"""Pictures of single frames, made through PyAV when first asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import av
import cv2
import numpy as np
from django.core.files.storage import default_storage

from analysis.arrays import AnyArray
from analysis.series import FrameSeries
from analysis.video.opening import UnreadableVideoError, open_container, reason_of
from reports.media.pictures import kept_picture, picture_name
from reports.media.screencasts import ScreencastMissingError, local_file
from reports.models import FrameSeriesRecord, Proxy, ProxyStatus, Run

# Strips, evidence and reports ask for the small ones, posters and moments for the large: each is made once.
SMALL_PX, LARGE_PX = 360, 720
HEIGHTS_PX = (
    96,
    SMALL_PX,
    LARGE_PX,
    0,
)  # 0: as recorded; a short list, so that nobody can fill the disk with sizes
PROXY_HEIGHT_PX = 720  # up to this a proxy shows as much as the recording
QUALITY = 82
HALF_MS_S = 5e-4  # addresses carry times in microseconds, containers in their own units


class NoSuchFrameError(Exception):
    """The video cannot be read, or ends before this frame."""


def frame_picture(run: Run, *, time_ms: float, height_px: int = 0) -> bytes:
    """Return the frame shown at ``time_ms`` (after the first frame) as WebP.

    One picture is kept for each frame, whatever instants of it are asked for.
    """
    time_ms = shown_since(run, time_ms)
    small = 0 < height_px <= PROXY_HEIGHT_PX
    return kept_picture(
        picture_name(run, f"{round(time_ms * 1000)}-{height_px}.webp"),
        lambda: encode_webp(scaled(read_frame(run, time_ms, small=small), height_px)),
    )


def shown_since(run: Run, time_ms: float) -> float:
    """Return when the frame on the screen at ``time_ms`` came; of a run without a series ``time_ms`` itself."""
    record = FrameSeriesRecord.objects.filter(run=run).only("data").first()
    if record is None:
        return time_ms
    times = FrameSeries.unpack(bytes(record.data)).time_ms
    return float(times[max(0, int(np.searchsorted(times, time_ms + 1000 * HALF_MS_S, side="right")) - 1)])


def read_frame(run: Run, time_ms: float, *, small: bool = False) -> AnyArray:
    """Decode the frame shown at ``time_ms``: (rows, columns, 3) BGR as a player shows it.

    ``small`` takes it from the proxy if there is one: the same frame, found much sooner.
    """
    with open_video(run, small=small) as container:
        start_s = first_time_s(container)
        wanted_s = start_s + time_ms / 1000
        # Containers find key frames by decoding time, which runs ahead of what is shown: go back if too late.
        shown = _frame_at(container, wanted_s, seek_s=wanted_s) or _frame_at(container, wanted_s, seek_s=start_s)
    if shown is None:
        raise NoSuchFrameError(f"run {run.pk} has no frame at {time_ms:.0f} ms")
    return upright(shown)


def _frame_at(container: av.container.InputContainer, wanted_s: float, *, seek_s: float) -> av.VideoFrame | None:
    stream = container.streams.video[0]
    container.seek(max(0, int(seek_s / (stream.time_base or 1))), stream=stream)
    shown = None
    for frame in container.decode(stream):
        if frame.time > wanted_s + HALF_MS_S:
            break
        shown = frame
    return shown


def upright(frame: av.VideoFrame) -> AnyArray:
    """Return a frame as BGR with the container's rotation applied."""
    turns = {90: 3, 180: 2, 270: 1}.get(int(frame.rotation) % 360, 0)
    return np.ascontiguousarray(np.rot90(frame.to_ndarray(format="bgr24"), turns))


def first_time_s(container: av.container.InputContainer) -> float:
    """Return the presentation time of the first frame in seconds."""
    stream = container.streams.video[0]
    start = next((frame.time for frame in container.decode(stream)), None)
    if start is None:
        raise NoSuchFrameError("no frame could be decoded")
    return float(start)


@contextmanager
def open_video(run: Run, *, small: bool = False) -> Iterator[av.container.InputContainer]:
    """Open a run's screencast (or, ``small``, its proxy) from the storage; NoSuchFrameError if that cannot be."""
    try:
        with local_file((small and find_proxy(run)) or run.file_name) as path, open_container(path) as container:
            if not container.streams.video:
                raise NoSuchFrameError("the file holds no video")
            yield container
    except ScreencastMissingError as error:
        raise NoSuchFrameError(str(error)) from error
    except (av.FFmpegError, UnreadableVideoError) as error:
        raise NoSuchFrameError(f"the screencast cannot be read: {reason_of(error)}") from error


def find_proxy(run: Run) -> str | None:
    """Return the stored name of the run's proxy, if it is made and still there."""
    proxy = Proxy.objects.filter(sha256=run.sha256, status=ProxyStatus.DONE).first()
    return proxy.file_name if proxy and default_storage.exists(proxy.file_name) else None


def scaled(picture: AnyArray, height_px: int) -> AnyArray:
    """Return a picture at most ``height_px`` tall; 0 leaves it as it is."""
    height, width = picture.shape[:2]
    if not height_px or height_px >= height:
        return picture
    size = (max(1, round(width * height_px / height)), height_px)
    return cv2.resize(picture, size, interpolation=cv2.INTER_AREA)


def encode_webp(picture: AnyArray) -> bytes:
    """Return a BGR picture as WebP."""
    done, data = cv2.imencode(".webp", picture, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])
    if not done:
        raise NoSuchFrameError("the picture could not be written")
    return data.tobytes()
