"""Clips whose frames say their own number: bit blocks drawn into the picture, read back after any codec.

The picture is 16 columns wide and 12 rows high in units of a block; the number stands in two rows of 8 bits, the
second inverted, so that a wrong reading shows.
"""

from fractions import Fraction
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import av
import numpy as np

BITS = 8
TIME_BASE = Fraction(1, 90_000)


def numbered_picture(number, *, width=160, height=240, tint=60):
    """Return an RGB picture (height, width, 3) that carries ``number`` (0 … 255)."""
    picture = np.full((height, width, 3), tint, np.uint8)
    block = width // (2 * BITS)
    for bit in range(BITS):
        on = 255 * (number >> bit & 1)
        columns = slice(2 * bit * block, 2 * (bit + 1) * block)
        picture[0 : 2 * block, columns] = on
        picture[2 * block : 4 * block, columns] = 255 - on
    return picture


def read_number(picture):
    """Read the number back from a picture (rows, columns[, colours]) of any size; ValueError if there is none."""
    grey = picture.mean(axis=2) if picture.ndim == 3 else picture
    block = grey.shape[1] / (2 * BITS)
    at = [int((2 * bit + 1) * block) for bit in range(BITS)]
    bits = [grey[int(block), x] > 128 for x in at]
    again = [grey[int(3 * block), x] <= 128 for x in at]
    if bits != again:
        raise ValueError("the picture carries no number")
    return sum(bool(on) << bit for bit, on in enumerate(bits))


def render_numbered(path: Path, times_ms, *, codec="libx264", size=(160, 240), tint=60, **options):
    """Write a clip with one numbered frame at each time (ms); options go to the encoder."""
    path.write_bytes(_encoded(path.suffix, tuple(times_ms), codec, tuple(size), tint, tuple(options.items())))
    return path


@cache  # many tests look at the same few clips
def _encoded(suffix, times_ms, codec, size, tint, options):
    width, height = size
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"clip{suffix}"
        with av.open(str(path), "w") as container:
            stream = container.add_stream(codec, rate=60, options={key: str(value) for key, value in options})
            stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
            stream.time_base = stream.codec_context.time_base = TIME_BASE
            for number, time_ms in enumerate(times_ms):
                picture = numbered_picture(number, width=width, height=height, tint=tint)
                frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
                frame.pts, frame.time_base = round(time_ms * 90), TIME_BASE
                container.mux(stream.encode(frame))
            container.mux(stream.encode())
        return path.read_bytes()
