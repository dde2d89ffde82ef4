"""Films of a model phone: real MP4 with the tracks that `screenrecord` adds, box by box (ISO/IEC 14496-12)."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from fractions import Fraction

import av
from PIL import Image, ImageDraw

TIMESCALE = 90_000
TICK_MS = 100.0  # something on the screen blinks, so that a film has frames to its end
ANSWER_MS = 150.0  # from a touch until the app answers it
OLD, NEW = b"#VV1NSC0PET1ME!#", b"#VV1NSC0PET1ME2#"


def frame_times(first_ms: float, last_ms: float, answers: list[float], hz: float, *, blinks: bool) -> list[float]:
    """Return when a recorder of changes takes frames, BOOTTIME ms: on the grid of the screen's refresh."""
    changes = [first_ms]
    if blinks:
        changes += [first_ms + n * TICK_MS for n in range(1, int((last_ms - first_ms) / TICK_MS) + 1)]
    changes += [answer for answer in answers if first_ms < answer <= last_ms]
    period = 1000 / hz
    grid = {first_ms + -((first_ms - change) // period) * period for change in changes}
    return sorted(grid)


def render(times: list[float], answers: list[float], size: tuple[int, int]) -> bytes:
    """Return an MP4 of these frames: grey, a blinking corner, and a white field from each answer on."""
    target = io.BytesIO()
    with av.open(target, "w", format="mp4") as container:
        stream = container.add_stream("libx264", rate=60, options={"preset": "ultrafast", "bf": "0"})
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        stream.codec_context.time_base = stream.time_base = Fraction(1, TIMESCALE)
        for n, time in enumerate(times):
            frame = av.VideoFrame.from_image(
                picture(size, blink=n % 2 == 1, answered=any(time >= at for at in answers))
            )
            frame.pts = round((time - times[0]) * TIMESCALE / 1000)
            frame.time_base = stream.codec_context.time_base
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return target.getvalue()


def picture(size: tuple[int, int], *, blink: bool = False, answered: bool = False) -> Image.Image:
    """Return the screen as a picture."""
    image = Image.new("RGB", size, (60, 60, 60))
    draw = ImageDraw.Draw(image)
    width, height = size
    if blink:
        draw.rectangle((0, 0, width // 8, width // 8), fill=(200, 200, 200))
    if answered:
        draw.rectangle((width // 4, height // 3, width * 3 // 4, height * 2 // 3), fill=(255, 255, 255))
    return image


def old_track(times: list[float]) -> bytes:
    """What `screenrecord` writes since Android 11: µs of BOOTTIME."""
    return OLD + struct.pack(f"<I{len(times)}Q", len(times), *(round(time * 1000) for time in times))


def new_track(times: list[float], real_ahead_ms: float, version: int = 2) -> bytes:
    """What later ones write: ns, of BOOTTIME in version 2, of MONOTONIC in 1."""
    head = struct.pack("<IqI", version, round(real_ahead_ms * 1e6), len(times))
    return NEW + head + struct.pack(f"<{len(times)}Q", *(round(time * 1e6) for time in times))


def with_tracks(mp4: bytes, tracks: list[bytes]) -> bytes:
    """Put further tracks with one sample each into an MP4 whose moov comes last."""
    boxes = list(_boxes(mp4))
    name, moov = boxes.pop()
    assert name == b"moov"
    out = b"".join(_box(kind, body) for kind, body in boxes)
    traks = b""
    for number, data in enumerate(tracks, 2):
        traks += _trak(number, data, len(out) + 8)
        out += _box(b"mdat", data)
    return out + _box(b"moov", moov + traks)


def _boxes(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 0
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        yield kind, data[at + 8 : at + size]
        at += size


def _box(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I4s", 8 + len(body), kind) + body


def _full(kind: bytes, body: bytes, flags: int = 0) -> bytes:
    return _box(kind, struct.pack(">I", flags) + body)


def _trak(number: int, data: bytes, offset: int) -> bytes:
    """Return a track of timed metadata (`mett`) with one sample at an offset of the file."""
    matrix = struct.pack(">9I", 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
    tkhd = _full(b"tkhd", struct.pack(">IIIII8xHHHH", 0, 0, number, 0, 1, 0, 0, 0, 0) + matrix + bytes(8), 7)
    mdhd = _full(b"mdhd", struct.pack(">IIIIHH", 0, 0, TIMESCALE, 1, 0x55C4, 0))
    hdlr = _full(b"hdlr", struct.pack(">I4s12x", 0, b"meta") + b"MetadHandle\0")
    mett = _box(b"mett", struct.pack(">6xH", 1) + b"\0" + b"application/octet-stream\0")
    stbl = _box(
        b"stbl",
        _full(b"stsd", struct.pack(">I", 1) + mett)
        + _full(b"stts", struct.pack(">III", 1, 1, 1))
        + _full(b"stsc", struct.pack(">IIII", 1, 1, 1, 1))
        + _full(b"stsz", struct.pack(">III", 0, 1, len(data)))
        + _full(b"stco", struct.pack(">II", 1, offset)),
    )
    dinf = _box(b"dinf", _full(b"dref", struct.pack(">I", 1) + _full(b"url ", b"", 1)))
    minf = _box(b"minf", _full(b"nmhd", b"") + dinf + stbl)
    return _box(b"trak", tkhd + _box(b"mdia", mdhd + hdlr + minf))
