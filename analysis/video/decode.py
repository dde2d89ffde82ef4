"""Decode a video: a generator of luma and chroma planes with exact presentation times."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

import av
import numpy as np

from analysis.arrays import AnyArray
from analysis.video.opening import UnreadableVideoError, reason_of

# Pixel formats whose planes are read as they lie in memory: name → bits per sample. All others are converted.
PLANAR = {
    "yuv420p": 8, "yuvj420p": 8, "yuv422p": 8, "yuvj422p": 8, "yuv444p": 8, "yuvj444p": 8, "gray": 8,
    "yuv420p10le": 10, "yuv422p10le": 10, "yuv444p10le": 10, "gray10le": 10,
}  # fmt: skip

NO_TIME = Fraction(0)
QUARTER = 0.01  # how far a quarter turn in a display matrix may be off, as the tangent of an angle: rounding


@dataclass(frozen=True, slots=True)
class VideoInfo:
    """What the container and the decoded frames say. Width and height are those of the picture as shown."""

    width: int
    height: int
    rotation: int
    duration_ms: float
    frames: int
    codec: str
    pixel_format: str
    full_range: bool
    container: str

    def as_dict(self) -> dict[str, Any]:
        """Return the fields, ready for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Plane:
    """One plane of a frame, a view of the decoder's memory.

    `samples` is (height, line), uint8 or uint16; the picture is its first `width` columns, the rest is padding.
    """

    samples: AnyArray
    width: int

    @property
    def height(self) -> int:
        """Rows of samples."""
        return int(self.samples.shape[0])


@dataclass(frozen=True, slots=True)
class Picture:
    """One decoded frame; a `key_frame` is one coded on its own by a codec that predicts others (see `predicts`)."""

    time_s: float
    key_frame: bool
    luma: Plane
    chroma: tuple[Plane, ...]
    bits: int

    @property
    def planes(self) -> tuple[Plane, ...]:
        """Luma first."""
        return self.luma, *self.chroma

    @property
    def layout(self) -> tuple[int, ...]:
        """Bits per sample, then width and height of each plane: equal for all pictures of a video."""
        return self.bits, *(length for plane in self.planes for length in (plane.width, plane.height))


def pictures(container: av.container.InputContainer, threads: int = 0) -> Iterator[tuple[av.VideoFrame, Picture]]:
    """Yield every frame in presentation order. Memory stays constant."""
    stream = container.streams.video[0]
    _check_complete(container, stream)
    stream.thread_type = "AUTO"
    stream.codec_context.thread_count = threads
    count, predicting = 0, predicts(stream)
    try:
        for frame in container.decode(stream):
            if frame.pts is None:
                raise UnreadableVideoError(f"frame {count} has no timestamp: re-mux the file with its timestamps")
            if frame.is_corrupt:
                raise UnreadableVideoError(f"frame {count} is damaged: copy the file again or record again")
            if frame.interlaced_frame:
                raise UnreadableVideoError(
                    f"frame {count} is interlaced, two pictures of different times in one: record progressively, "
                    "or deinterlace it to a frame for each field"
                )
            if not count:
                _check_upright(frame)
            yield frame, _picture(frame, predicting)
            count += 1
    except av.FFmpegError as error:
        raise UnreadableVideoError(
            f"the decoder failed after frame {count} ({reason_of(error)}): copy the file again or record again"
        ) from error


def _check_complete(container: av.container.InputContainer, stream: av.VideoStream) -> None:
    """Refuse a file whose index points behind its end: FFmpeg would stop there in silence."""
    size = container.size
    entries = [entry for entry in stream.index_entries if entry.pos >= 0]
    whole = sum(entry.pos + entry.size <= size for entry in entries)
    if whole < len(entries):
        raise UnreadableVideoError(
            f"the file is cut off: it holds {whole} of its {len(entries)} frames; copy it again from the device"
        )


def _check_upright(frame: av.VideoFrame) -> None:
    """Refuse a display matrix that does more than quarter turns: bars and touches would be looked for elsewhere."""
    found: Any = frame.side_data.get("DISPLAYMATRIX")
    if found is None:
        return
    a, b, _, c, d = np.frombuffer(found, "=i4").tolist()[:5]  # 16.16 fixed point, ISO 14496-12, 8.3.2
    if a * d - b * c < 0:
        raise UnreadableVideoError("the picture is mirrored (display matrix): record it as the screen shows it")
    if min(abs(a), abs(b)) > QUARTER * max(abs(a), abs(b)):
        raise UnreadableVideoError(
            f"the picture is turned by {abs(frame.rotation):.0f} degrees (display matrix): record it upright"
        )


def rotation_of(frame: av.VideoFrame) -> int:
    """Return the clockwise turn that a player applies before it shows the frame: 0, 90, 180 or 270 degrees."""
    return round(-frame.rotation / 90) * 90 % 360


def predicts(stream: av.VideoStream) -> bool:
    """Return whether the codec codes some frames as differences to others, and loses something.

    Then a frame coded on its own stirs what it shows. MJPEG, ProRes and their like code every frame on its own and
    the same picture the same way; a lossless codec stirs nothing: there a key frame tells nothing.
    """
    codec = stream.codec_context.codec
    return codec.lossy and not codec.intra_only


def _picture(frame: av.VideoFrame, predicting: bool) -> Picture:
    key_frame = predicting and _coded_alone(frame)
    if frame.format.name not in PLANAR:
        converted = frame.reformat(format="yuv444p")
        converted.pts, converted.time_base = frame.pts, frame.time_base
        frame = converted
    bits = PLANAR[frame.format.name]
    planes = [_plane(plane, bits) for plane in frame.planes]
    base = frame.time_base or NO_TIME
    time_s = (frame.pts or 0) * base.numerator / base.denominator
    return Picture(time_s, key_frame, planes[0], tuple(planes[1:3]), bits)


def _coded_alone(frame: av.VideoFrame) -> bool:
    return bool(frame.key_frame) or frame.pict_type == av.video.frame.PictureType.I


def _plane(plane: Any, bits: int) -> Plane:
    dtype = np.dtype(np.uint8 if bits == 8 else "<u2")
    samples = np.frombuffer(plane, dtype).reshape(-1, plane.line_size // dtype.itemsize)
    return Plane(samples[: plane.height], plane.width)
