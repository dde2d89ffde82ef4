"""Encode a proxy: every frame of the screencast at its own time, as H.264 with a key frame every few frames."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from analysis.video.opening import UnreadableVideoError, open_container

GOP = 8  # frames that a browser decodes at most for one step back
LONGEST_PX = 1280  # a screen is shown some 700 px tall; frames in full size are pictures of their own
ENCODER_OPTIONS = {
    "preset": "ultrafast", "tune": "fastdecode", "crf": "20", "bf": "0", "g": str(GOP), "sc_threshold": "0",
}  # fmt: skip
FINEST_TIME_BASE = 1_000_000  # units per second; the MP4 header has 32 bits for it
REPORT_EVERY = 20  # frames


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
