"""Pictures of single frames, made when first asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from django.core.files.storage import default_storage

from analysis.isolation.decoder import BrokenError, RefusedError, UnavailableError
from analysis.isolation.picturing import change_map_apart, still_apart
from analysis.pictures.frames import HALF_MS_S
from analysis.series import FrameSeries
from reports.media.decoding import decoders
from reports.media.files import NO_SCREENCAST
from reports.media.options import WrongMaskError, measure_options
from reports.media.pictures import kept_picture, picture_name
from reports.media.screencasts import NotNowError, ScreencastMissingError, local_file
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


class NoSuchFrameError(Exception):
    """The video cannot be read, or ends before this frame."""


def frame_picture(run: Run, *, time_ms: float, height_px: int = 0) -> bytes:
    """Return the frame shown at ``time_ms`` (after the first frame) as WebP.

    One picture is kept for each frame, whatever instants of it are asked for.
    """
    time_ms = shown_since(run, time_ms)
    name = picture_name(run, f"{round(time_ms * 1000)}-{height_px}.webp")
    return kept_picture(name, lambda: _made(run, time_ms, height_px))


def shown_since(run: Run, time_ms: float) -> float:
    """Return when the frame on the screen at ``time_ms`` came; of a run without a series ``time_ms`` itself."""
    record = FrameSeriesRecord.objects.filter(run=run).only("data").first()
    if record is None:
        return time_ms
    times = FrameSeries.unpack(bytes(record.data)).time_ms
    return float(times[max(0, int(np.searchsorted(times, time_ms + 1000 * HALF_MS_S, side="right")) - 1)])


@contextmanager
def looked_into() -> Iterator[None]:
    """Raise NoSuchFrameError for a recording that is lost or undecodable, NotNowError for lack of a decoder."""
    try:
        yield
    except UnavailableError as error:
        raise NotNowError(str(error)) from error
    except (ScreencastMissingError, BrokenError, RefusedError) as error:
        raise NoSuchFrameError(str(error)) from error


def _made(run: Run, time_ms: float, height_px: int) -> bytes:
    """Have the picture made, a small one from the proxy if there is one: the same frame, found much sooner."""
    small = 0 < height_px <= PROXY_HEIGHT_PX
    with looked_into(), local_file((small and find_proxy(run)) or run.file_name) as path:
        return still_apart(decoders(), path, time_ms, height_px)


def find_proxy(run: Run) -> str | None:
    """Return the stored name of the run's proxy, if it is made and still there."""
    proxy = Proxy.objects.filter(sha256=run.sha256, status=ProxyStatus.DONE).first()
    return proxy.file_name if proxy and default_storage.exists(proxy.file_name) else None


def change_map(run: Run) -> bytes:
    """Return the run's change map as PNG; raises NoSuchFrameError if the screencast cannot be read."""
    if not run.filmed:
        raise NoSuchFrameError(NO_SCREENCAST)
    measured = f"{run.measured_at:%Y%m%d%H%M%S%f}" if run.measured_at else "unmeasured"
    name = picture_name(run, f"changes-{run.pk}-{measured}.png")
    return kept_picture(name, lambda: _made_map(run))


def _made_map(run: Run) -> bytes:
    try:
        options = measure_options(run)
    except WrongMaskError as error:
        raise NoSuchFrameError(str(error)) from error
    with looked_into(), local_file(run.file_name) as path:
        return change_map_apart(decoders(), path, options)
