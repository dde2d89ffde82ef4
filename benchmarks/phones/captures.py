"""What a take becomes in a file: the recorder's clock, what sensors and encoders do to pictures, the codec."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np

from benchmarks.phones.filming import Image, Take

TICK = Fraction(1, 90_000)  # s
SOON = 1e-6  # ms: what rounding may do to a time
Alter = Callable[[Image, float, int], Image]  # a picture, its time in ms and its number to what is recorded of it


@dataclass(frozen=True)
class Capture:
    """How it is recorded: frames per second (None: one for each change), and how it is coded."""

    name: str
    hz: float | None
    options: dict[str, str] = field(default_factory=dict)


def _at_rate(kbit: int, gop: int = 120) -> dict[str, str]:
    rate = {"b": f"{kbit}k", "maxrate": f"{kbit}k", "bufsize": f"{kbit // 2}k"}
    return {"preset": "veryfast", "tune": "zerolatency", "g": str(gop), **rate}


GOOD = {"preset": "veryfast", "crf": "24", "bf": "0", "g": "250"}
CAPPED = {
    "preset": "veryfast",
    "tune": "zerolatency",
    "crf": "25",
    "maxrate": "5M",
    "bufsize": "5M",
    "g": "120",
    "sc_threshold": "0",
}
VFR = Capture("vfr", None, GOOD)
CFR60 = Capture("cfr60", 60, CAPPED)
LOW = Capture("cfr60_low", 60, _at_rate(1200))
CFR30 = Capture("cfr30", 30, CAPPED)
CFR10 = Capture("cfr10", 10, CAPPED)
CFR20 = Capture("cfr20", 20, CAPPED)
CFR120 = Capture("cfr120", 120, CAPPED)


def recorded_times(take: Take, capture: Capture, added_ms: Sequence[float] = ()) -> list[float]:
    """Return when the frames of a recording come, ms; `added_ms` are changes that the recorder sees besides."""
    if capture.hz is None:
        return sorted({*take.times_ms, *added_ms, 1000 * take.seconds})
    return [1000 * frame / capture.hz for frame in range(round(take.seconds * capture.hz))]


def shown(times_ms: Sequence[float], at_ms: float) -> float:
    """Return when a frame first shows what changed at a time."""
    return next(time for time in times_ms if time >= at_ms - SOON)


def write(
    take: Take, capture: Capture, file: Path, alter: Alter | None = None, added_ms: Sequence[float] = ()
) -> None:
    """Encode a take as it is recorded; `alter` is what became of the pictures before they were coded."""
    file.parent.mkdir(parents=True, exist_ok=True)
    times_ms = recorded_times(take, capture, added_ms)
    with av.open(str(file), "w", options={"movflags": "+faststart"}) as container:
        stream = None
        for number, (time, image) in enumerate(zip(times_ms, _held(take, times_ms), strict=True)):
            picture = alter(image, time, number) if alter else image
            if stream is None:
                stream = container.add_stream("libx264", rate=round(capture.hz or 60), options=capture.options)
                stream.height, stream.width, stream.pix_fmt = *picture.shape[:2], "yuv420p"
                stream.codec_context.time_base = TICK
                stream.codec_context.thread_count = 1
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), "rgb24")
            frame.pts, frame.time_base = round(time / 1000 / TICK), TICK
            container.mux(stream.encode(frame))
        if stream is not None:
            container.mux(stream.encode())


def _held(take: Take, times_ms: Sequence[float]) -> Iterator[Image]:
    """Yield what is on the screen at each of the times."""
    coming = zip(take.times_ms, take.images(), strict=True)
    _, image = next(coming)
    following = next(coming, None)
    for time in times_ms:
        while following is not None and following[0] <= time + SOON:
            image, following = following[1], next(coming, None)
        yield image


# ---- what becomes of pictures ----


def grain(sigma: float, seed: int) -> Alter:
    """Return a sensor's or a bad encoder's noise of so many levels, another one in every picture."""
    random = np.random.default_rng(seed)
    fields: list[Image] = []

    def alter(image: Image, time_ms: float, number: int) -> Image:
        if not fields:
            fields.extend(random.normal(0, sigma, (4, *image.shape[:2])).astype(np.float32))
        noise = np.roll(fields[number % 4], tuple(random.integers(0, 500, 2)), axis=(0, 1))
        return _clipped(image + noise[..., None])

    return alter


def by_camera(seed: int, *, shake_px: float = 0.0, flicker: float = 0.0, exposure: float = 0.0) -> Alter:
    """Return what a camera makes of a screen on a desk: it sways, light beats with the mains, exposure drifts."""
    random = np.random.default_rng(seed)
    desk = cv2.GaussianBlur(random.uniform(60, 150, (1280, 720, 3)).astype(np.float32), (0, 0), 3)
    desk = 3 * (desk - desk.mean()) + 105
    phases, noise = random.uniform(0, 2 * np.pi, 9), grain(2.0, seed)

    def alter(image: Image, time_ms: float, number: int) -> Image:
        second = time_ms / 1000
        sway = [
            sum(np.sin(2 * np.pi * hz * second + phases[3 * way + at]) for at, hz in enumerate((0.4, 1.1, 2.3)))
            for way in range(3)
        ]
        place = cv2.getRotationMatrix2D((360, 640), 0.08 * shake_px * sway[2], 1.0)
        place[:, 2] += [shake_px * sway[0] / 2, shake_px * sway[1] / 2]
        scene = desk.copy()
        scene[118:1162, 112:608] = 12
        scene[123:1157, 121:599] = cv2.resize(image, (478, 1034), interpolation=cv2.INTER_AREA)
        gain = 1 + flicker * np.sin(2 * np.pi * 9.3 * second + phases[0]) + exposure * np.tanh(2 * (second - 1.5))
        if shake_px:
            scene = cv2.warpAffine(scene, place, (720, 1280), borderMode=cv2.BORDER_REFLECT)
        return noise(_clipped(scene * gain), time_ms, number)

    return alter


def refreshed(times_ms: Sequence[float], seed: int, levels: float = 2.5) -> Alter:
    """Return an encoder's work on a photograph: at each of the times all of it stirs a little, and stays so."""
    random = np.random.default_rng(seed)
    textures: dict[int, Image] = {}

    def alter(image: Image, time_ms: float, number: int) -> Image:
        turn = sum(time <= time_ms + SOON for time in times_ms)
        if turn not in textures:
            noise = cv2.GaussianBlur(random.normal(0, 1, image.shape[:2]).astype(np.float32), (0, 0), 1.5)
            blocks = np.kron(random.uniform(0, 1, (74, 34)) < 0.6, np.ones((16, 16)))[
                : image.shape[0], : image.shape[1]
            ]
            textures[turn] = (levels * noise / noise.std() * blocks).astype(np.float32)[..., None]
        return _clipped(image + textures[turn])

    return alter


def refined(until_ms: float) -> Alter:
    """Return what an encoder makes of its first pictures, when bits are short: coarse, then finer, then right."""

    def alter(image: Image, time_ms: float, number: int) -> Image:
        if time_ms >= until_ms:
            return image
        quality = 12 + int(60 * time_ms / until_ms)
        _, jpeg = cv2.imencode(".jpg", np.ascontiguousarray(image), [cv2.IMWRITE_JPEG_QUALITY, quality])
        return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR))

    return alter


def limit_cycle(from_ms: float, seed: int, levels: int, blocks: int) -> Alter:
    """Return what some encoders end in: one or two coding blocks that go to and fro from picture to picture."""
    random = np.random.default_rng(seed)
    row, column = 16 * int(random.integers(20, 60)), 16 * int(random.integers(4, 26))
    texture = levels * np.sign(random.normal(0.6, 1, (16, 16 * blocks, 1)))

    def alter(image: Image, time_ms: float, number: int) -> Image:
        if time_ms < from_ms or number % 2:
            return image
        image = image.astype(np.float32)
        image[row : row + 16, column : column + 16 * blocks] += texture
        return _clipped(image)

    return alter


def _clipped(image: Image) -> Image:
    return np.asarray(np.clip(np.rint(image), 0, 255).astype(np.uint8))
