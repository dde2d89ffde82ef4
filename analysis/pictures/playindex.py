"""Where each frame lies in a video file: lets a page decode single frames without a demuxer of its own."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import av

from analysis.video.opening import UnreadableVideoError, open_container

LONGEST_GOP = 15  # frames that a page may have to decode for one step back without anyone noticing
LARGEST_PX = 1_000_000  # pixels of a picture that a page decodes at 60 Hz for two sides without help of a GPU
PLAYED = {("mp4", "h264"), ("webm", "vp8"), ("webm", "vp9")}  # by the current versions of every browser, in 8 bits
IDR = 5  # NAL unit type of an instantaneous decoder refresh (ITU-T H.264, table 7-1)


@dataclass(frozen=True)
class PlayIndex:
    """Packets of an H.264 file in MP4, in presentation order. ``offset`` and ``size`` are bytes in the file."""

    codec: str
    description: str
    width_px: int
    height_px: int
    offset: tuple[int, ...]
    size: tuple[int, ...]
    keys: tuple[int, ...]
    time_ms: tuple[float, ...]

    @property
    def longest_gop(self) -> int:
        """Frames from one key frame to the next, at most."""
        bounds = (*self.keys, len(self.time_ms))
        return max((end - start for start, end in pairwise(bounds)), default=0)

    @property
    def steps_quickly(self) -> bool:
        """Whether a step in any direction is instant: a key frame is always near and the pictures are small."""
        return self.longest_gop <= LONGEST_GOP and self.width_px * self.height_px <= LARGEST_PX

    def as_dict(self) -> dict[str, Any]:
        """Return the fields, ready for JSON."""
        return {
            "codec": self.codec,
            "description": self.description,
            "width_px": self.width_px,
            "height_px": self.height_px,
            "offset": list(self.offset),
            "size": list(self.size),
            "keys": list(self.keys),
            "time_ms": list(self.time_ms),
        }


def read_index(path: Path) -> PlayIndex | None:
    """Return the index of a file that a page can decode frame by frame, else None (it needs a proxy).

    None stands for: not H.264 in 8-bit 4:2:0, frames stored out of order, an edit list that hides frames, a
    rotation, no positions in the container.
    """
    try:
        with open_container(path) as container:
            return _index(container) if container.streams.video else None
    except (av.FFmpegError, UnreadableVideoError, ValueError):
        return None


def _index(container: av.container.InputContainer) -> PlayIndex | None:
    stream = container.streams.video[0]
    context = stream.codec_context
    if context.name != "h264" or context.pix_fmt not in ("yuv420p", "yuvj420p") or not context.extradata:
        return None
    if not is_avc_box(context.extradata):
        return None
    packets = [packet for packet in container.demux(stream) if packet.size]
    if not packets or not all(_plain(packet) for packet in packets) or not packets[0].is_keyframe:
        return None
    length_bytes = (context.extradata[4] & 3) + 1
    if not has_idr(bytes(packets[0]), length_bytes):
        return None
    times = [1000 * _seconds(packet) for packet in packets]
    if any(later <= sooner for sooner, later in pairwise(times)):
        return None
    return PlayIndex(
        codec=codec_string(context.extradata),
        description=base64.b64encode(context.extradata).decode(),
        width_px=context.width,
        height_px=context.height,
        offset=tuple(packet.pos or 0 for packet in packets),
        size=tuple(packet.size for packet in packets),
        keys=tuple(
            i for i, packet in enumerate(packets) if packet.is_keyframe and has_idr(bytes(packet), length_bytes)
        ),
        time_ms=tuple(round(time - times[0], 3) for time in times),
    )


def plays_everywhere(path: Path) -> bool:
    """Tell whether every current browser plays the file: H.264 in MP4 or VP8/VP9 in WebM, 8 bits, 4:2:0."""
    try:
        with open_container(path) as container:
            context = container.streams.video[0].codec_context
            kind = "webm" if path.suffix == ".webm" else "mp4" if container.format.name == "mov" else ""
            return (kind, context.name) in PLAYED and context.pix_fmt in ("yuv420p", "yuvj420p")
    except (av.FFmpegError, UnreadableVideoError, IndexError, ValueError):
        return False


def is_avc_box(extradata: bytes) -> bool:
    """Tell whether the stream carries an AVCDecoderConfigurationRecord (ISO/IEC 14496-15), as MP4 does."""
    return len(extradata) > 6 and extradata[0] == 1


def codec_string(extradata: bytes) -> str:
    """Return the RFC 6381 name, such as ``avc1.640028``: profile, constraints and level of the record."""
    return "avc1." + extradata[1:4].hex()


def has_idr(data: bytes, length_bytes: int) -> bool:
    """Tell whether decoding can start here: containers also flag I pictures that later ones refer back over."""
    at = 0
    while at + length_bytes < len(data):
        if data[at + length_bytes] & 31 == IDR:
            return True
        at += length_bytes + int.from_bytes(data[at : at + length_bytes], "big")
    return False


def _seconds(packet: av.Packet[Any]) -> float:
    return float((packet.pts or 0) * (packet.time_base or 0))


def _plain(packet: av.Packet[Any]) -> bool:
    shown = packet.pts is not None and packet.pts == packet.dts and not packet.is_discard
    return shown and packet.pos is not None and packet.pos >= 0 and not packet.is_corrupt
