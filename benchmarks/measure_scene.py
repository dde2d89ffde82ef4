"""Render the clips that the speed benchmark times, at the bitrate of a phone's recorder.

Text and photographs at 8 to 20 Mbit/s, as adb screenrecord and scrcpy write. One clip at a constant rate: still,
scroll, fade, spinner, in four equal parts. One at a variable rate, as those two write it: a frame only where the
screen changed, so that nearly every picture is new. And one of a mirrored phone with a mouse cursor over it.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np

WIDTH, HEIGHT, FPS = 1080, 2400, 60
CHANGING_HEIGHT = 1920
ARROW = 2 * np.array([(0, 0), (0, 16), (4, 12), (7, 18), (9, 17), (6, 11), (11, 11)])
Picture = np.ndarray


def render(path: Path, seconds: float) -> Path:
    """Write an H.264 clip of 1080 × 2400 at 60 fps."""
    count, page = round(seconds * FPS), _page()
    return _write(path, ((index, _picture(page, 4 * index / count)) for index in range(count)), HEIGHT)


def render_changing(path: Path, seconds: float) -> Path:
    """Write an H.264 clip of 1080 × 1920 at a variable rate: flings through a page, each with a short rest.

    An encoder predicts them well, so that decoding is cheap, as it is for what phones record of themselves.
    """
    page, slots = _page(), [slot for slot in range(round(seconds * FPS)) if slot % 90 < 66 and slot % 7]
    places = np.cumsum([3 + 40 * np.exp(-(slot % 90) / 30) for slot in slots]).astype(int)
    tops = places % (len(page) - CHANGING_HEIGHT)
    pictures = (page[top : top + CHANGING_HEIGHT] for top in tops.tolist())
    return _write(path, zip(slots, pictures, strict=True), CHANGING_HEIGHT)


def render_pointed(path: Path, seconds: float) -> Path:
    """Write an H.264 clip of 1080 × 2400 at 60 fps: a page is dimmed after 1.1 s, a cursor moves all the time."""
    page, slots = _page()[:HEIGHT], range(round(seconds * FPS))
    dimmed = (page * 0.6).astype(np.uint8)
    return _write(path, ((slot, _pointed(page if slot < 66 else dimmed, slot)) for slot in slots), HEIGHT)


def _pointed(page: Picture, slot: int) -> Picture:
    """Return a page with an arrow, black with a white rim, where a hand is by then."""
    time = slot / FPS
    place = (
        WIDTH * (0.5 + 0.3 * np.sin(1.7 * time)),
        HEIGHT * (0.5 + 0.3 * np.sin(1.1 * time + 0.4 * np.sin(3 * time))),
    )
    outline, picture = np.rint(ARROW + place).astype(np.int32), page.copy()
    cv2.fillPoly(picture, [outline], 20)
    cv2.polylines(picture, [outline], True, 255, 2)
    return picture


def _write(path: Path, pictures: Iterable[tuple[int, Picture]], height: int) -> Path:
    """Encode grey pictures, each with the slot of 1 / FPS s in which it is shown."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=FPS, options={"preset": "veryfast", "crf": "16"})
        stream.width, stream.height, stream.pix_fmt = WIDTH, height, "yuv420p"
        stream.codec_context.gop_size = 2 * FPS
        stream.codec_context.max_b_frames = 0
        for slot, picture in pictures:
            frame = av.VideoFrame.from_ndarray(picture, "gray").reformat(format="yuv420p")
            frame.pts, frame.time_base = slot, Fraction(1, FPS)
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
