"""Cuts one interaction out of a recording: the coded pictures as they are, or a GIF's without loss."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from PIL import Image, ImageSequence

from analysis.video.opening import open_container

GIF_TICK = Fraction(1, 1000)  # s
USUAL_DELAY_MS = 100  # of a picture that asks for none
LOSSLESS = {"qp": "0", "preset": "veryfast", "bf": "0", "g": "10000"}


def cut(source: Path, target: Path, from_ms: float, to_ms: float) -> None:
    """Write what `source` shows from `from_ms` to `to_ms` of its own clock into `target`.

    A video is cut without coding it anew, from the last key frame at or before `from_ms`; a GIF is written as
    lossless H.264. Raises ValueError if nothing lies between, OSError if it is no picture.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f"part-{target.name}")
    if source.suffix.lower() == ".gif":
        _recode(source, part, from_ms, to_ms)
    else:
        _remux(source, part, from_ms, to_ms)
    part.rename(target)


def _remux(source: Path, target: Path, from_ms: float, to_ms: float) -> None:
    with open_container(source) as film, av.open(str(target), "w") as out:
        stream = film.streams.video[0]
        base = stream.time_base or Fraction(1, 1000)
        first = stream.start_time or 0
        film.seek(first + round(from_ms / 1000 / base), stream=stream)
        copy = out.add_stream_from_template(stream)
        began: int | None = None
        latest = first
        for packet in film.demux(stream):
            if packet.dts is None or packet.pts is None:
                continue
            if began is None:
                if not packet.is_keyframe:
                    continue
                began = packet.pts
            if (packet.dts - first) * base * 1000 >= to_ms:
                break
            if (packet.pts - first) * base * 1000 >= to_ms:
                continue
            latest = max(latest, packet.pts)
            packet.pts, packet.dts, packet.stream = packet.pts - began, packet.dts - began, copy
            out.mux(packet)
        if began is None or (latest - first) * base * 1000 < from_ms:
            raise ValueError(f"{source.name} shows nothing from {from_ms:.0f} ms on")


def _recode(source: Path, target: Path, from_ms: float, to_ms: float) -> None:
    shown = [(begin, end, image) for begin, end, image in _pictures(source, to_ms) if end > from_ms]
    if not shown:
        raise ValueError(f"{source.name} shows nothing from {from_ms:.0f} ms on")
    with av.open(str(target), "w") as out:
        stream = out.add_stream("libx264", rate=60, options=LOSSLESS)
        height, width = (side - side % 2 for side in shown[0][2].shape[:2])
        stream.height, stream.width, stream.pix_fmt = height, width, "yuv444p"
        stream.codec_context.time_base = GIF_TICK
        lasts = {}
        for begin, end, image in shown:
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(image[:height, :width]), "rgb24")
            frame.pts, frame.time_base = round(max(begin - from_ms, 0)), GIF_TICK
            lasts[frame.pts] = round(min(end, to_ms) - max(begin, from_ms))
            out.mux(_lasting(stream.encode(frame), lasts))
        out.mux(_lasting(stream.encode(), lasts))


def _pictures(source: Path, to_ms: float) -> Iterator[tuple[float, float, np.ndarray]]:
    """Yield the pictures of a GIF that begin before `to_ms`: when each is shown, until when, as RGB."""
    end = 0.0
    with Image.open(source) as gif:
        for picture in ImageSequence.Iterator(gif):
            begin, end = end, end + (picture.info.get("duration") or USUAL_DELAY_MS)
            if begin >= to_ms:
                return
            yield begin, end, np.asarray(picture.convert("RGB"))


def _lasting(packets: list[av.Packet], lasts: dict[int, int]) -> list[av.Packet]:
    """Give packets the duration of their pictures, which the encoder forgets."""
    for packet in packets:
        packet.duration = lasts[packet.pts or 0]
    return packets
