"""Render the clip that the speed benchmark times: still, scroll, fade, spinner, in four equal parts.

Text and photographs at the bitrate of a phone's recorder (adb screenrecord and scrcpy: 8 to 20 Mbit/s).
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import numpy as np

WIDTH, HEIGHT, FPS = 1080, 2400, 60
Picture = np.ndarray


def render(path: Path, seconds: float) -> Path:
    """Write an H.264 clip of 1080 × 2400 at 60 fps."""
    count = round(seconds * FPS)
    page = _page()
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=FPS, options={"preset": "veryfast", "crf": "16"})
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        stream.codec_context.gop_size = 2 * FPS
        stream.codec_context.max_b_frames = 0
        for index in range(count):
            frame = av.VideoFrame.from_ndarray(_picture(page, 4 * index / count), "gray").reformat(format="yuv420p")
            frame.pts, frame.time_base = index, Fraction(1, FPS)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path


def _page() -> Picture:
    """Return a tall page of text-like marks, (4 · HEIGHT, WIDTH)."""
    rng = np.random.default_rng(1)
    page = np.full((4 * HEIGHT, WIDTH), 245, np.uint8)
    for top in range(100, 4 * HEIGHT - 100, 48):
        x = 60
        while x < WIDTH - 120:
            length = int(rng.integers(6, 30))
            page[top : top + 24, x : x + length] = int(rng.integers(20, 120))
            x += length + int(rng.integers(6, 16))
    for top in range(300, 4 * HEIGHT - 700, 1200):
        page[top : top + 600, 60:1020] = _photograph(rng, 600, 960)
    return page


def _photograph(rng: np.random.Generator, height: int, width: int) -> Picture:
    """Return detail at every scale, as a photograph has it."""
    total = np.zeros((height, width))
    for size in (4, 8, 20, 60, 120):
        coarse = rng.normal(size=(height // size + 1, width // size + 1))
        total += np.kron(coarse, np.ones((size, size)))[:height, :width] * size**0.5
    return np.clip(128 + 45 * total / total.std(), 0, 255).astype(np.uint8)


def _picture(page: Picture, part: float) -> Picture:
    """Return the picture at a place in the four parts, 0 ≤ part < 4."""
    name, within = int(part), part % 1
    scrolled = 0 if name == 0 else int(2 * HEIGHT * (within if name == 1 else 1))
    picture = page[scrolled : scrolled + HEIGHT].copy()
    if name >= 2:
        shade = within if name == 2 else 1.0
        picture = (picture * (1 - 0.6 * shade)).astype(np.uint8)
    if name == 3:
        angle = 2 * np.pi * 2.5 * within
        y, x = int(HEIGHT / 2 + 60 * np.sin(angle)), int(WIDTH / 2 + 60 * np.cos(angle))
        picture[y - 15 : y + 15, x - 15 : x + 15] = 250
    return picture
