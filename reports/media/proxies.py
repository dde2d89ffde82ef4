"""Make a proxy when a page first needs one: in the queue, once per file, repeatable.

Every frame of the screencast at its own time, as H.264 with a key frame every few frames.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path

import av
import numpy as np
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django_q.tasks import async_task

from analysis.video.opening import UnreadableVideoError, open_container
from reports.media.playindex import read_index
from reports.media.screencasts import (
    NotNowError,
    StorageAwayError,
    StorageError,
    keep_made,
    local_file,
)
from reports.models import Proxy, ProxyStatus, Run
from reports.queue.broker import LaterBroker
from reports.queue.leases import TAKEN, Lease, is_over

logger = logging.getLogger(__name__)
GOP = 8  # frames that a browser decodes at most for one step back
LONGEST_PX = 1280  # a screen is shown some 700 px tall; frames in full size are pictures of their own
ENCODER_OPTIONS = {
    "preset": "ultrafast", "tune": "fastdecode", "crf": "20", "bf": "0", "g": str(GOP), "sc_threshold": "0",
}  # fmt: skip
FINEST_TIME_BASE = 1_000_000  # units per second; the MP4 header has 32 bits for it
REPORT_EVERY = 20  # frames
TASK = "reports.tasks.make_proxy"


@transaction.atomic
def request_proxy(*, run: Run) -> Proxy:
    """Return the proxy of a run's screencast; queue the work if nobody did, or if it got lost or its file did."""
    proxy, made = Proxy.objects.get_or_create(sha256=run.sha256, defaults={"source_name": run.file_name})
    if made or _is_lost(proxy):
        seen = {"status": proxy.status, "claim": proxy.claim, "claimed_at": proxy.claimed_at}
        waits = {"status": ProxyStatus.PENDING, "claim": None, "claimed_at": timezone.now(), "error": ""}
        # Only as it was seen: of two pages that ask at once, one queues it.
        if Proxy.objects.filter(pk=proxy.pk, **seen).update(**waits):
            transaction.on_commit(partial(async_task, TASK, proxy.pk, task_name=f"proxy {proxy.sha256[:12]}"))
        proxy.refresh_from_db()
    return proxy


def make_proxy(*, proxy_id: int) -> str:
    """Encode a proxy and return in a word what became of it; safe to repeat, safe beside others."""
    lease = Lease.take(Proxy, proxy_id, free=Q(status=ProxyStatus.PENDING), progress_pct=0, error="")
    if lease is None:
        return TAKEN
    proxy = Proxy.objects.get(pk=proxy_id)
    try:
        return "done" if _make(proxy, lease) else TAKEN
    except _TakenOverError:
        return TAKEN
    except (NotNowError, StorageAwayError) as error:
        return _wait(lease, str(error))
    except (CannotEncodeError, StorageError) as error:
        return _fail(lease, str(error))
    except Exception as error:
        logger.exception("proxy %s could not be made", proxy_id)
        return _fail(lease, f"{type(error).__name__}: {error}")


class _TakenOverError(Exception):
    """Another process makes this proxy by now: encoding on would be for nothing."""


def _make(proxy: Proxy, lease: Lease) -> bool:
    with tempfile.TemporaryDirectory() as folder, local_file(proxy.source_name) as source:
        target = Path(folder) / "proxy.mp4"
        encode_proxy(source, target, report=_reporter(proxy, lease))
        index = read_index(target)
        if index is None:
            raise CannotEncodeError("the proxy cannot be read back: see the log of the worker")
        kept = _name(proxy, lease)
        with target.open("rb") as stream:
            keep_made(stream, kept)
    found = {"file_name": kept, "index": index.as_dict(), "progress_pct": 100}
    needless = kept
    try:
        if lease.end(status=ProxyStatus.DONE, **found):
            needless = proxy.file_name  # what this one takes the place of
    finally:
        if needless:
            default_storage.delete(needless)
    return needless != kept


def _name(proxy: Proxy, lease: Lease) -> str:
    """Return a name that no other claim uses, so that nobody overwrites or deletes what another has made."""
    return f"proxies/{proxy.sha256[:2]}/{proxy.sha256}-{lease.name[:12]}.mp4"


def _reporter(proxy: Proxy, lease: Lease) -> Callable[[int], None]:
    frames = (
        Run.objects.filter(sha256=proxy.sha256, frame_count__gt=0).values_list("frame_count", flat=True).first()
    )

    def report(done: int) -> None:
        if not lease.note(progress_pct=min(99, 100 * done // (frames or 1000))):
            raise _TakenOverError

    return report


def _fail(lease: Lease, message: str) -> str:
    return f"failed: {message}" if lease.end(status=ProxyStatus.FAILED, error=message) else TAKEN


def _wait(lease: Lease, reason: str) -> str:
    """Give the proxy back because its file cannot be reached now; it is tried again until it can be."""
    if not lease.end(status=ProxyStatus.PENDING, claimed_at=timezone.now(), error=reason):
        return TAKEN
    async_task(TASK, lease.pk, task_name=f"proxy {lease.pk} again", broker=LaterBroker())
    return reason


def _is_lost(proxy: Proxy) -> bool:
    if proxy.status == ProxyStatus.DONE:
        return not default_storage.exists(proxy.file_name)
    return proxy.status in (ProxyStatus.PENDING, ProxyStatus.RUNNING) and is_over(proxy)


class CannotEncodeError(Exception):
    """The screencast cannot be turned into a proxy; the message says why."""


def encode_proxy(source: Path, target: Path, *, report: Callable[[int], None] = lambda done: None) -> int:
    """Write the proxy of ``source`` to ``target`` and return its number of frames.

    ``report`` is told how many frames are done, now and then. Raises CannotEncodeError.
    """
    try:
        with (
            open_container(source) as video,
            av.open(str(target), "w", format="mp4", options=_muxing(video)) as out,
        ):
            return _encode(video, out, report)
    except (av.FFmpegError, UnreadableVideoError, ValueError, IndexError) as error:
        raise CannotEncodeError(f"no proxy can be made of this file: {error}") from error


def _muxing(video: av.container.InputContainer) -> dict[str, str]:
    scale = _time_base(video).denominator
    return {"movflags": "+faststart", "video_track_timescale": str(scale)}


def _time_base(video: av.container.InputContainer) -> Fraction:
    base = video.streams.video[0].time_base or Fraction(1, 90_000)
    return base if base.denominator <= FINEST_TIME_BASE else Fraction(1, 90_000)


def _encode(
    video: av.container.InputContainer, out: av.container.OutputContainer, report: Callable[[int], None]
) -> int:
    base, count, stream = _time_base(video), 0, None
    for picture, time in _last_of_each_time(video):
        if stream is None:
            stream = _add_stream(out, picture, base)
        picture.pts, picture.time_base = round(time / base), base
        picture.pict_type = av.video.frame.PictureType.NONE
        out.mux(stream.encode(picture))
        count += 1
        if count % REPORT_EVERY == 0:
            report(count)
    if stream is None:
        raise CannotEncodeError("no proxy can be made of this file: it has no picture")
    out.mux(stream.encode())
    return count


def _add_stream(
    out: av.container.OutputContainer, picture: av.VideoFrame, base: Fraction
) -> av.video.stream.VideoStream:
    stream = out.add_stream("libx264", options=ENCODER_OPTIONS)
    stream.width, stream.height, stream.pix_fmt = picture.width, picture.height, "yuv420p"
    stream.time_base = stream.codec_context.time_base = base
    return stream


def _last_of_each_time(video: av.container.InputContainer) -> Iterator[tuple[av.VideoFrame, Fraction]]:
    """Yield (picture, time in s after the first frame); of frames at one time the last, as measuring does."""
    stream = video.streams.video[0]
    stream.thread_type = "AUTO"
    held: tuple[av.VideoFrame, Fraction] | None = None
    start: Fraction | None = None
    for frame in video.decode(stream):
        time = Fraction(frame.pts or 0) * (frame.time_base or 0)
        start = time if start is None else start
        if held and time - start > held[1]:
            yield held
        held = _plain(frame), time - start
    if held:
        yield held


def _plain(frame: av.VideoFrame) -> av.VideoFrame:
    """Return the frame upright, in 8 bits 4:2:0, as large as ``proxy_size`` says."""
    turns = {90: 3, 180: 2, 270: 1}.get(int(frame.rotation) % 360, 0)
    if turns:
        picture = np.rot90(frame.to_ndarray(format="rgb24"), turns).astype(np.uint8)
        frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format="rgb24")
    width, height = proxy_size(frame.width, frame.height)
    return frame.reformat(width=width, height=height, format="yuv420p", interpolation="AREA")


def proxy_size(width: int, height: int) -> tuple[int, int]:
    """Return width and height of a proxy, px: an even fraction of the picture's that is small enough."""
    parts = -(-max(width, height) // LONGEST_PX)
    return 2 * max(1, round(width / parts / 2)), 2 * max(1, round(height / parts / 2))
