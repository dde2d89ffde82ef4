"""Films judged recordings with cameras: `python -m benchmarks.handheld OUT FOLDER…`.

A FOLDER holds recordings that a person judged, and their `truth.csv` (benchmarks/devices.py). Some, which the seed
draws, are shown on a phone on a desk and filmed at 30 or at 60 Hz by each of `CAMERAS`: held in a hand, held still,
on a tripod in steady light, on a tripod in light that flickers. The moments stay those that the person chose, as
the first frame of the new recording shows them. Writes videos and `truth.csv` into OUT, for
`python -m benchmarks.accuracy --devices OUT`. What shakes or flickers should end as `moving_camera`; a tripod in
steady light may be measured. Dropped frames are not told.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pandas as pd

from benchmarks.devices import read_truth
from benchmarks.phones.captures import Alter, Capture, clipped, grain
from benchmarks.rerecorded import UNKNOWN, record
from benchmarks.sharing import in_order

RATES = {
    hz: {"preset": "veryfast", "b": rate, "maxrate": rate, "bufsize": rate, "g": str(hz)}
    for hz, rate in ((30, "8M"), (60, "12M"))
}
SIDES = (720, 1280)  # px of what a camera records
ON_IT = (0.8, 0.86)  # of the sides that the screen may take
BEZEL_PX = (12, 30)  # beside and above the screen, of its own
SWAYS_HZ = ((0.3, 0.6), (0.9, 1.5), (2.0, 4.0), (5.0, 9.0))  # of a hand: from swaying to trembling …
SWAYS = (1.0, 0.6, 0.25, 0.1)  # … and how far each goes


@dataclass(frozen=True, slots=True)
class Camera:
    """A way to film, each from the least to the most: px that it sways, shares of brightness, levels of grain."""

    sways_px: tuple[float, float]
    flickers: tuple[float, float]
    exposes: tuple[float, float]
    grain: float


CAMERAS = {
    "hand": Camera((3, 8), (0, 0.005), (0, 0.03), 2.0),
    "hand_held_still": Camera((0.7, 2), (0, 0.004), (0, 0.02), 1.5),
    "tripod": Camera((0, 0.15), (0, 0.004), (0, 0.02), 1.5),
    "tripod_in_flicker": Camera((0, 0.1), (0.01, 0.03), (0, 0.1), 2.0),
}


def main(argv: list[str] | None = None) -> int:
    """Film some judged recordings with each camera."""
    parser = _parser()
    asked = parser.parse_args(argv)
    known = [
        (folder, row) for folder in asked.folders for row in read_truth(folder / "truth.csv").to_dict("records")
    ]
    random = np.random.default_rng(asked.seed)
    drawn = random.choice(len(known), min(asked.films, len(known)), replace=False).tolist()
    drawn_hz = {at: random.choice(list(RATES), len(CAMERAS)).tolist() for at in drawn}
    jobs = [
        (*known[at], name, hz)
        for at in drawn
        for name, hz in zip(CAMERAS, drawn_hz[at], strict=True)
        if asked.only in name
    ]
    if not jobs:
        parser.error(f"no camera is called *{asked.only}*: there are {', '.join(CAMERAS)}")
    said = []
    for row in in_order(partial(_film, asked.out, asked.seed), jobs, asked.jobs):
        said.append(row)
        print(row["video"], flush=True)
    pd.DataFrame(said).drop(columns=UNKNOWN).to_csv(asked.out / "truth.csv", index=False)
    return 0


def _film(out: Path, seed: int, job: tuple[Path, Mapping[Any, Any], str, int]) -> dict[str, Any]:
    """Film one recording and return its line of the truth."""
    folder, row, name, hz = job
    capture = Capture(name, hz, RATES[hz])
    random = np.random.default_rng(zlib.crc32(f"{seed} {row['video']} {name}".encode()))
    return record(out, folder, row, capture, seen_by(CAMERAS[name], random)) | {"class": name}


def seen_by(camera: Camera, random: np.random.Generator) -> Alter:
    """Return what a camera makes of each picture of a screen on a desk."""
    sways, flickers, exposes = (
        random.uniform(*span) for span in (camera.sways_px, camera.flickers, camera.exposes)
    )
    hz = random.uniform(*zip(*SWAYS_HZ, strict=True), (3, len(SWAYS)))
    phases = random.uniform(0, 2 * np.pi, hz.shape)
    leans, tilt = random.uniform(-0.03, 0.03, 2), random.uniform(-2, 2)
    beat_hz, beat, exposed_s = random.uniform(3, 14), random.uniform(0, 2 * np.pi), random.uniform(0.3, 2.5)
    noise = grain(camera.grain, int(random.integers(2**31)))
    desks: dict[tuple[int, int], np.ndarray] = {}

    def alter(image: np.ndarray, time_ms: float, number: int) -> np.ndarray:
        second = time_ms / 1000
        x, y, turn = (np.array(SWAYS) * np.sin(2 * np.pi * hz * second + phases)).sum(axis=1) * sways
        size = SIDES if image.shape[0] >= image.shape[1] else SIDES[::-1]
        if size not in desks:
            desks[size] = _desk(size, random)
        scene = np.roll(desks[size], (round(0.8 * y), round(0.8 * x)), (0, 1)).copy()
        place = _placed(image.shape[:2], size, leans, tilt + 0.05 * turn, 1 + 0.0008 * turn, (0.8 * x, 0.8 * y))
        _show(image, place, scene)
        light = (
            1 + flickers * np.sin(2 * np.pi * beat_hz * second + beat) + exposes * np.tanh(2 * (second - exposed_s))
        )
        return noise(clipped(scene * light), time_ms, number)

    return alter


def _desk(size: tuple[int, int], random: np.random.Generator) -> np.ndarray:
    """Return (height, width, 3): wood, more or less."""
    grey = cv2.GaussianBlur(random.uniform(60, 150, (size[1], size[0], 3)).astype(np.float32), (0, 0), 3)
    return 3 * (grey - grey.mean()) + 105


def _placed(
    shape: tuple[int, ...],
    size: tuple[int, int],
    leans: np.ndarray,
    tilt: float,
    zoom: float,
    by: tuple[float, float],
) -> np.ndarray:
    """Return (3, 3): where a camera sees each pixel of a screen."""
    (height, width), middle = shape, np.array(size) / 2
    scale = min(share * side / own for share, side, own in zip(ON_IT, size, (width, height), strict=True))
    wide, high = width * scale / 2, height * scale / 2
    corners = np.array([[-wide, -high], [wide, -high], [wide, high], [-wide, high]])
    corners += np.outer([0, 0, -1, 1], [2 * wide * leans[1], 0]) + np.outer([1, -1, 0, 0], [0, 2 * high * leans[0]])
    cosine, sine = np.cos(np.deg2rad(tilt)), np.sin(np.deg2rad(tilt))
    seen = zoom * corners @ np.array([[cosine, sine], [-sine, cosine]]) + middle + by
    own = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    return cv2.getPerspectiveTransform(own, seen.astype(np.float32))


def _show(image: np.ndarray, place: np.ndarray, scene: np.ndarray) -> None:
    """Draw a screen and its bezel into a scene, both as smooth at their edges as a lens shows them.

    Lines that are drawn in steps of a pixel would jump where a camera moves by a tenth of one.
    """
    beside, above = BEZEL_PX
    phone = cv2.copyMakeBorder(image, above, above, beside, beside, cv2.BORDER_CONSTANT, value=(12, 12, 12))
    of_phone = place @ np.array([[1.0, 0, -beside], [0, 1, -above], [0, 0, 1]])
    size = scene.shape[1], scene.shape[0]
    shown = cv2.warpPerspective(np.ones(phone.shape[:2], np.float32), of_phone, size)[..., None]
    scene *= 1 - shown
    scene += cv2.warpPerspective(phone, of_phone, size) * shown


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.handheld", description=__doc__)
    parser.add_argument("out", type=Path, help="folder for the videos and their truth")
    parser.add_argument("folders", type=Path, nargs="+", help="folders of judged recordings")
    parser.add_argument("--seed", type=int, default=1, help="another one draws other recordings and other hands")
    parser.add_argument("--films", type=int, default=30, help="so many recordings, each by every camera")
    parser.add_argument("--only", default="", help="part of a camera's name")
    parser.add_argument("--jobs", type=int, default=1, help="so many processes")
    return parser


if __name__ == "__main__":
    sys.exit(main())
