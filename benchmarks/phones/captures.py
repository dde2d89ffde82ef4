"""What a take becomes in a file: the recorder's clock, what sensors and encoders do to pictures, the codec."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
import av.filter
import cv2
import numpy as np

from benchmarks.phones.filming import Image, Take
from tests.scheduling import scheduled_as_before

TICK = Fraction(1, 90_000)  # s
TICKS = {"gif": Fraction(1, 100), "mpeg4": Fraction(1, 30)}  # s
PIXELS = {"gif": "bgr0", "mjpeg": "yuvj420p"}
SOON = 1e-6  # ms: what rounding may do to a time
Alter = Callable[[Image, float, int], Image]  # a picture, its time in ms and its number to what is recorded of it


@dataclass(frozen=True)
class Capture:
    """How it is recorded: frames per second (None: one for each change), and how it is coded."""

    name: str
    hz: float | None
    options: dict[str, str] = field(default_factory=dict)
    codec: str = "libx264"
    suffix: str = ".mp4"
    scale: float = 1.0  # of the pictures that are coded
    repeats_ms: float = 0.0  # a picture is written again after so long, as recorders for Android do
    lost: float = 0.0  # this share of the frames is not recorded
    jitter_ms: float = 0.0  # so far are timestamps from where they belong (σ)


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
        times = sorted({*take.times_ms, *added_ms, 1000 * take.seconds})
        return times if not capture.repeats_ms else _repeated(times, capture.repeats_ms)
    times = [1000 * frame / capture.hz for frame in range(round(take.seconds * capture.hz))]
    if not capture.lost:
        return times
    kept = np.random.default_rng(round(take.action_ms)).random(len(times)) >= capture.lost
    return [time for time, keep in zip(times, kept, strict=True) if keep or time == 0.0]


def _repeated(times_ms: Sequence[float], after_ms: float) -> list[float]:
    """Return the times and, while nothing new comes, one every so many ms."""
    added = [np.arange(time + after_ms, following - SOON, after_ms) for time, following in pairwise(times_ms)]
    return sorted({*times_ms, *np.concatenate(added).tolist()})


def shown(times_ms: Sequence[float], at_ms: float) -> float:
    """Return when a frame first shows what changed at a time."""
    return next(time for time in times_ms if time >= at_ms - SOON)


def write(
    take: Take, capture: Capture, file: Path, alter: Alter | None = None, added_ms: Sequence[float] = ()
) -> None:
    """Encode a take as it is recorded; `alter` is what became of the pictures before they were coded."""
    file.parent.mkdir(parents=True, exist_ok=True)
    times_ms = recorded_times(take, capture, added_ms)
    jitter = np.random.default_rng(len(times_ms)).normal(0, capture.jitter_ms, len(times_ms)).clip(-6, 6)
    tick = TICKS.get(capture.codec, TICK)
    options = {"movflags": "+faststart"} if capture.suffix in (".mp4", ".mov") else {}
    with scheduled_as_before(), av.open(str(file), "w", options=options) as container:
        coder, at = None, -1
        for number, (time, image) in enumerate(zip(times_ms, on_screen(take, times_ms), strict=True)):
            picture = alter(image, time, number) if alter else image
            if capture.scale != 1:
                picture = _scaled(picture, capture.scale)
            coder = coder or _Coder(container, capture, picture.shape[:2], tick)
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), "rgb24")
            jittered = time + (jitter[number] if number else 0)
            at = max(at + 1, round(jittered / 1000 / tick))  # they rise, however it jitters
            frame.pts, frame.time_base = at, tick
            coder.put(frame)
        if coder:
            coder.end()


class _Coder:
    """Puts frames into a file, those of a GIF as they are shown, with a palette made of all of them."""

    def __init__(self, container: Any, capture: Capture, shape: tuple[int, int], tick: Fraction) -> None:
        codec = "ffv1" if capture.codec == "gif" else capture.codec
        stream = container.add_stream(codec, rate=round(capture.hz or 60), options=capture.options)
        (stream.height, stream.width), stream.pix_fmt = shape, PIXELS.get(capture.codec, "yuv420p")
        stream.codec_context.time_base = tick
        stream.codec_context.thread_count = 1
        self.container, self.stream, self.graph = container, stream, None
        if capture.codec == "gif":
            self.graph = _palette_graph(shape, tick)

    def put(self, frame: av.VideoFrame) -> None:
        """Code one frame, or keep it until the palette is known."""
        if self.graph:
            self.graph.push(frame)
        else:
            self.container.mux(self.stream.encode(frame))

    def end(self) -> None:
        """Code what was kept."""
        if self.graph:
            self.graph.push(None)
            while True:
                try:
                    frame = self.graph.pull()
                    self.container.mux(self.stream.encode(frame.reformat(format="bgr0")))
                except (BlockingIOError, EOFError):
                    break
        self.container.mux(self.stream.encode())


def _palette_graph(shape: tuple[int, int], tick: Fraction) -> Any:
    graph = av.filter.Graph()
    source = graph.add_buffer(width=shape[1], height=shape[0], format="rgb24", time_base=tick)
    split, palette = graph.add("split"), graph.add("palettegen", "stats_mode=diff")
    use, sink = graph.add("paletteuse", "dither=sierra2_4a:diff_mode=rectangle"), graph.add("buffersink")
    source.link_to(split)
    split.link_to(palette, 0)
    split.link_to(use, 1, 0)
    palette.link_to(use, 0, 1)
    use.link_to(sink)
    graph.configure()
    return graph


def _scaled(picture: Image, scale: float) -> Image:
    """Return a picture made smaller or larger, with even sides."""
    height, width = (2 * round(side * scale / 2) for side in picture.shape[:2])
    return cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)


def on_screen(take: Take, times_ms: Sequence[float]) -> Iterator[Image]:
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
        return clipped(image + noise[..., None])

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
        return noise(clipped(scene * gain), time_ms, number)

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
        return clipped(image + textures[turn])

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
        return clipped(image)

    return alter


def clipped(image: Image) -> Image:
    """Return an image as a file can hold it."""
    return np.asarray(np.clip(np.rint(image), 0, 255).astype(np.uint8))
