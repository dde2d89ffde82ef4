"""What every overlay of a take needs: what it has to know of it, what it says of itself, and how to draw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from benchmarks.phones.captures import Alter
from benchmarks.phones.filming import Image

SLOT_MS = 1000 / 60
SOON = 1e-6  # ms, by which an instant may be missed


@dataclass(frozen=True)
class Scene:
    """What an overlay has to know of a take: instants in ms from its start, where the user taps, in pixels."""

    action_ms: float
    response_ms: float
    finish_ms: float
    end_ms: float
    at: tuple[float, float]
    shape: tuple[int, int]
    release_ms: float = 0.0  # when the finger leaves
    way: tuple[float, float] = (0.0, 0.0)  # how far it goes until then, in pixels

    def outside(self, random: np.random.Generator) -> float:
        """Return an instant at which something may happen beside the app: before it answers, or well after it."""
        return float(
            random.choice([self.action_ms - random.uniform(50, 300), self.between(random), self.late(random)])
        )

    def between(self, random: np.random.Generator) -> float:
        """Return an instant between the action and the answer."""
        return float(random.uniform(self.action_ms, self.response_ms))

    def late(self, random: np.random.Generator) -> float:
        """Return an instant at least 280 ms after the finish."""
        first = self.finish_ms + 280
        return float(random.uniform(first, max(first + 20, self.end_ms - 30)))


@dataclass(frozen=True)
class Overlay:
    """What is drawn on a picture, and when it changes, ms."""

    draw: Alter
    changes_ms: Sequence[float] = field(default_factory=list)
    goes_on: bool = False  # to the end
    scale: float = 1.0  # of the app in the picture


Making = Callable[[Scene, np.random.Generator], Overlay]


def slots(first_ms: float, last_ms: float, every: int = 1) -> list[float]:
    """Return the slots of a screen at 60 Hz between two times."""
    step = SLOT_MS * every
    return [step * slot for slot in range(int(np.ceil(max(first_ms, 0) / step)), int(last_ms / step) + 1)]


def turns(first_ms: float, every_ms: float, scene: Scene) -> list[float]:
    """Return the instants of something that turns again and again until the take ends."""
    return [first_ms + every_ms * turn for turn in range(int(scene.end_ms / every_ms) + 1)]


def turned(times: Sequence[float], ms: float) -> int:
    """Return how many of some instants are past."""
    return sum(at <= ms + SOON for at in times)


def text(image: Image, words: str, at: tuple[int, int], ink: int, size: float = 0.55) -> None:
    """Write dark or light words, their baseline at `at` (x, y)."""
    cv2.putText(image, words, at, cv2.FONT_HERSHEY_SIMPLEX, size, (ink,) * 3, 1, cv2.LINE_AA)


def blend(image: Image, shape: Callable[[Image], object], alpha: float) -> None:
    """Draw a shape with so much cover."""
    over = image.copy()
    shape(over)
    cv2.addWeighted(over, alpha, image, 1 - alpha, 0, dst=image)
