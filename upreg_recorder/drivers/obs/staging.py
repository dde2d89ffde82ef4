"""What OBS is set to: its scene, the phone's place in the film, its rates; refused where a film would mislead."""

from __future__ import annotations

import base64
import binascii
import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from PIL import Image

from upreg_recorder.drivers.obs.connection import MISSING, Connection, RefusedError
from upreg_recorder.drivers.obs.settings import Settings
from upreg_recorder.failures import DeviceGoneError, RecorderError
from upreg_recorder.plans.model import Share

RATE_SLACK = 0.005  # 59.94 counts as 60
BLACK_LEVELS = 32  # black is 16 where a card sends studio levels
LEAST_LEVELS = 8  # between the darkest and the brightest pixel: capture cards send noise without a signal, too


class StageError(RecorderError):
    """OBS is not set up as the plan says; whoever asks makes of it what ends the trial or the device."""


@dataclass(frozen=True)
class Rate:
    """How OBS films: pictures a second, and the sizes of its canvas and of its film, width and height in px."""

    fps: float
    canvas: tuple[int, int]
    film: tuple[int, int]

    @property
    def period_ms(self) -> float:
        """From one picture to the next."""
        return 1000 / self.fps

    @property
    def capture(self) -> str:
        """The manifest's word for a recording at this rate."""
        return f"cfr{self.fps:.0f}"


@dataclass(frozen=True)
class Frame:
    """Where the phone's picture lies on the canvas, px; None where it is cropped, turned or fitted in parts."""

    left: float
    top: float
    width: float
    height: float

    def px(self, at: Share, rate: Rate) -> tuple[float, float]:
        """Return a place of the phone's screen in px of the film."""
        x, y = self.left + at[0] * self.width, self.top + at[1] * self.height
        return x * rate.film[0] / rate.canvas[0], y * rate.film[1] / rate.canvas[1]


def read_rate(obs: Connection) -> Rate:
    """Return how OBS films."""
    video = obs.ask("GetVideoSettings")
    return Rate(
        video["fpsNumerator"] / video["fpsDenominator"],
        (video["baseWidth"], video["baseHeight"]),
        (video["outputWidth"], video["outputHeight"]),
    )


def judge_rate(rate: Rate, refresh_hz: float) -> str:
    """Return what to note of OBS's rate beside the screen's; raises StageError where it would feign lost frames."""
    times = rate.fps / refresh_hz if rate.fps > refresh_hz else refresh_hz / rate.fps
    if abs(times - round(times)) > RATE_SLACK * times:
        raise StageError(
            f"OBS films {rate.fps:.4g} pictures a second and the screen shows {refresh_hz:.4g}: pictures would be "
            "lost or repeated by the recording alone. Set OBS (Settings → Video → FPS) to the screen's rate or to "
            "a whole part of it, or give the rate at which the phone drives the capture card as refresh_hz"
        )
    if round(times) > 1 and rate.fps < refresh_hz:
        return f"the screen shows {refresh_hz:.4g} pictures a second, OBS films {rate.fps:.4g}: it misses some"
    return ""


def check_scene(obs: Connection, settings: Settings) -> Frame | None:
    """Return where the phone is in the film; StageError if OBS films another scene, or the phone is not in it."""
    scenes = obs.ask("GetSceneList")
    names = [scene["sceneName"] for scene in scenes["scenes"]]
    shown = scenes["currentProgramSceneName"]
    if settings.scene not in names:
        raise StageError(f"OBS has no scene {settings.scene!r}: it has {', '.join(map(repr, names))}")
    if shown != settings.scene:
        raise StageError(f"OBS shows the scene {shown!r}: choose {settings.scene!r} there, which the plan films")
    items = obs.ask("GetSceneItemList", sceneName=settings.scene)["sceneItems"]
    item = next((item for item in items if item["sourceName"] == settings.source), None)
    if item is None:
        have = ", ".join(repr(item["sourceName"]) for item in items) or "nothing"
        raise StageError(f"the scene {settings.scene!r} has no source {settings.source!r}: it has {have}")
    if not item["sceneItemEnabled"]:
        raise StageError(f"the source {settings.source!r} is hidden: show it in the scene {settings.scene!r}")
    return _frame(item["sceneItemTransform"])


def _frame(transform: Mapping[str, Any]) -> Frame | None:
    if any(transform[f"crop{side}"] for side in ("Left", "Top", "Right", "Bottom")) or transform["rotation"] % 360:
        return None
    left, top = transform["positionX"], transform["positionY"]
    width, height = transform["width"], transform["height"]
    if transform["boundsType"] == "OBS_BOUNDS_NONE":
        return Frame(*_aligned(left, top, width, height, transform["alignment"]), width, height)
    if transform["boundsType"] not in ("OBS_BOUNDS_SCALE_INNER", "OBS_BOUNDS_STRETCH"):
        return None
    wide, tall = transform["boundsWidth"], transform["boundsHeight"]
    left, top = _aligned(left, top, wide, tall, transform["alignment"])
    if transform["boundsType"] == "OBS_BOUNDS_STRETCH":
        return Frame(left, top, wide, tall)
    if not (transform["sourceWidth"] and transform["sourceHeight"]):
        return None
    scale = min(wide / transform["sourceWidth"], tall / transform["sourceHeight"])
    width, height = scale * transform["sourceWidth"], scale * transform["sourceHeight"]
    across, down = _share(transform["boundsAlignment"])
    return Frame(left + across * (wide - width), top + down * (tall - height), width, height)


def _aligned(x: float, y: float, width: float, height: float, alignment: int) -> tuple[float, float]:
    across, down = _share(alignment)
    return x - across * width, y - down * height


def _share(alignment: int) -> tuple[float, float]:
    """Return where an alignment lies, shares of width and height; its bits: left 1, right 2, top 4, bottom 8."""
    return (0.0 if alignment & 1 else 1.0 if alignment & 2 else 0.5), (
        0.0 if alignment & 4 else 1.0 if alignment & 8 else 0.5
    )


def take_picture(obs: Connection, source: str) -> bytes:
    """Return what a source shows, as PNG; StageError if it shows nothing."""
    try:
        data = obs.ask("GetSourceScreenshot", sourceName=source, imageFormat="png")["imageData"]
        return base64.b64decode(data.partition(",")[2], validate=True)
    except RefusedError as error:
        cure = "name it as OBS does" if error.code == MISSING else "is the capture card plugged in?"
        raise StageError(f"OBS has no picture of the source {source!r} ({error}): {cure}") from error
    except binascii.Error as error:
        raise StageError(f"OBS sent no picture of the source {source!r} ({error})") from error


def check_signal(picture: bytes, source: str) -> None:
    """Raise StageError if a picture has one colour all over: so looks a card without a signal, or a screen off."""
    with Image.open(io.BytesIO(picture)) as image:
        bands = [band.tobytes() for band in image.convert("RGB").split()]
    if all(max(band) - min(band) < LEAST_LEVELS for band in bands):
        colour = "black" if max(map(max, bands)) < BLACK_LEVELS else "one colour all over"
        raise StageError(
            f"the source {source!r} is {colour}: wake the phone, look at the cable and the capture card; some apps "
            "forbid that they are filmed (HDCP, protected windows)"
        )


def check_disk(stats: Mapping[str, Any], settings: Settings) -> None:
    """Raise DeviceGoneError if OBS's disk is too full for another film."""
    free = stats["availableDiskSpace"]
    if free < settings.least_free_mb:
        raise DeviceGoneError(
            f"OBS's disk has {free:.0f} MB left, less than {settings.least_free_mb:.0f}: make room where it "
            "records, or choose a folder that is there (Settings → Output → Recording Path)"
        )


def check_profile(obs: Connection) -> None:
    """Raise StageError where OBS would go on with a film after it was taken away."""
    value = obs.ask("GetProfileParameter", parameterCategory="Video", parameterName="AutoRemux")
    if str(value["parameterValue"]).lower() in ("true", "1"):
        raise StageError(
            "OBS remuxes recordings, which are taken away: switch off Settings → Advanced → Automatically remux"
        )
