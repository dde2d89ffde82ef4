"""Renders clips whose truth is known, through PyAV: the truth of tests comes from here, not from recordings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from pathlib import Path

import av
import numpy as np
from av.video.reformatter import VideoReformatter

from tests.scheduling import scheduled_as_before

Draw = Callable[[np.ndarray, float], None]  # paints the state at a time (ms) onto an RGB picture


@dataclass(frozen=True)
class Screen:
    """A phone's screen: a page of text-like rows, on which scenes paint."""

    width: int = 270
    height: int = 584
    seed: int = 1

    def page(self) -> np.ndarray:
        """Return a (height, width, 3) picture of a light page with rows of dark marks."""
        return _page(self).copy()


@cache
def _page(screen: Screen) -> np.ndarray:
    rng = np.random.default_rng(screen.seed)
    picture = np.full((screen.height, screen.width, 3), 245, np.uint8)
    picture[: screen.height // 14] = (57, 73, 171)
    step = max(12, screen.height // 24)
    for top in range(screen.height // 7, screen.height - step, step):
        x = screen.width // 18
        while x < screen.width * 0.8:
            length = int(rng.integers(2, 9))
            picture[top : top + step // 4, x : x + length] = int(rng.integers(20, 110))
            x += length + int(rng.integers(2, 5))
    return picture


@dataclass(frozen=True)
class Clip:
    """How a scene is filmed."""

    times_ms: Sequence[float]
    codec: str = "libx264"
    options: dict[str, str] = field(default_factory=lambda: {"crf": "23", "preset": "veryfast"})
    pixel_format: str = "yuv420p"
    time_base: Fraction = Fraction(1, 90000)
    gop: int = 250
    b_frames: int = 0
    rotation: int = 0
    full_range: bool = False


def every(hz: float, seconds: float) -> list[float]:
    """Return the times (ms) of a constant-rate capture."""
    return [1000 * index / hz for index in range(round(seconds * hz))]


def on_change(changes_ms: Iterable[float], end_ms: float) -> list[float]:
    """Return the times (ms) of a recorder that writes a frame only when something changes, and one at the end."""
    return sorted({0.0, *changes_ms, end_ms})


def film(path: Path, screen: Screen, draw: Draw, clip: Clip, muxing: dict[str, str] | None = None) -> Path:
    """Render a clip: `draw` paints each frame's state onto a fresh page."""
    page = screen.page()

    def picture(time_ms: float) -> np.ndarray:
        painted = page.copy()
        draw(painted, time_ms)
        return painted

    return write(path, (picture(time) for time in clip.times_ms), clip, muxing)


def write(path: Path, images: Iterable[np.ndarray], clip: Clip, muxing: dict[str, str] | None = None) -> Path:
    """Encode RGB pictures, one per time of the clip; `muxing` are options of the container."""
    converted = _converting(clip.pixel_format)
    with scheduled_as_before(), av.open(str(path), "w", options=muxing or {}) as container:
        stream = None
        for image, time_ms in zip(images, clip.times_ms, strict=True):
            if stream is None:
                stream = _stream(container, image, clip)
            frame = converted(image)
            frame.pts, frame.time_base = round(time_ms / 1000 / clip.time_base), clip.time_base
            container.mux(stream.encode(frame))
        if stream is not None:
            container.mux(stream.encode())
    return path


def _converting(pixel_format: str) -> Callable[[np.ndarray], av.VideoFrame]:
    """Return what makes a frame of a picture; one like the last is not converted again: most of them are."""
    scaler = VideoReformatter()
    last: list[tuple[np.ndarray, av.VideoFrame]] = []

    def converted(image: np.ndarray) -> av.VideoFrame:
        if not last or not np.array_equal(last[0][0], image):
            frame = scaler.reformat(av.VideoFrame.from_ndarray(image, "rgb24"), format=pixel_format)
            last[:] = [(image.copy(), frame)]
        return last[0][1]

    return converted


def _stream(container: av.container.OutputContainer, image: np.ndarray, clip: Clip) -> av.VideoStream:
    stream = container.add_stream(clip.codec, rate=60, options=clip.options)
    stream.height, stream.width = image.shape[:2]
    stream.pix_fmt = clip.pixel_format
    stream.time_base = stream.codec_context.time_base = clip.time_base
    stream.codec_context.gop_size = clip.gop
    stream.codec_context.max_b_frames = clip.b_frames
    if clip.full_range:
        stream.codec_context.color_range = 2
    if clip.rotation:
        stream.set_display_rotation(clip.rotation)
    return stream
