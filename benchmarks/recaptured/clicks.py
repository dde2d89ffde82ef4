"""What shows a click or a touch: rings of recorders and simulators, a desktop's window that comes to the front."""

from __future__ import annotations

import cv2
import numpy as np

from benchmarks.phones.filming import Image
from benchmarks.recaptured.drawing import SOON, Making, Overlay, Scene, blend, slots, text

INKS = ((20, 20, 20), (220, 40, 40), (60, 90, 220), (245, 200, 40), (150, 150, 150))  # of rings, red green blue
DRAGS_MS = 110.0  # a finger that stays longer moves
TITLE, EDGE = 30, 24  # px: a window's title, and the ground around it


def spread(scene: Scene, random: np.random.Generator) -> Overlay:
    """Let a ring spread around the click and pale, as screencast software does."""
    ink, thick = INKS[int(random.integers(len(INKS)))], int(random.integers(2, 6))
    first, last, takes = random.uniform(6, 14), random.uniform(24, 48), random.uniform(180, 500)
    cover = random.uniform(0.6, 1.0)
    times = slots(scene.action_ms, scene.action_ms + takes)
    centre = (round(scene.at[0]), round(scene.at[1]))

    def draw(image: Image, ms: float, number: int) -> Image:
        gone = (ms - scene.action_ms) / takes
        if not -SOON <= gone < 1:
            return image
        image, radius = image.copy(), round(first + (last - first) * gone)
        blend(image, lambda over: cv2.circle(over, centre, radius, ink, thick, cv2.LINE_AA), cover * (1 - gone))
        return image

    return Overlay(draw, [scene.action_ms, *times, scene.action_ms + takes])


def held(scene: Scene, random: np.random.Generator) -> Overlay:
    """Show a ring or a disc under the finger, as simulators and recorders do: it grows clear, and goes along."""
    ink, radius = INKS[int(random.integers(len(INKS)))], int(random.integers(16, 34))
    thick, cover = int(random.choice([2, 3, 5, -1])), random.uniform(0.35, 0.9)
    comes, goes = float(random.choice([1, 80])), float(random.choice([1, 120]))
    moves = scene.release_ms - scene.action_ms > DRAGS_MS
    until = scene.release_ms if moves else scene.action_ms + 60
    away = random.uniform(-120, 120, 2) if moves else np.zeros(2)
    drags = slots(scene.action_ms, until) if moves else []

    def draw(image: Image, ms: float, number: int) -> Image:
        if not scene.action_ms - SOON <= ms < until + goes:
            return image
        clear = min(1.0, max(0.35, (ms - scene.action_ms) / comes)) * min(1.0, (until + goes - ms) / goes)
        place = scene.at + away * min(1.0, (ms - scene.action_ms) / (until - scene.action_ms))
        at = (round(float(place[0])), round(float(place[1])))
        image = image.copy()
        blend(image, lambda over: cv2.circle(over, at, radius, ink, thick, cv2.LINE_AA), cover * clear)
        return image

    fades = [*slots(scene.action_ms, scene.action_ms + comes), *slots(until, until + goes)]
    return Overlay(draw, sorted([scene.action_ms, *fades, *drags, until, until + goes]))


def front(scene: Scene, random: np.random.Generator) -> Overlay:
    """Show the app in a window on a desktop, which the click brings to the front: its title and shadow darken."""
    at_ms = scene.action_ms + float(random.choice([0.0, random.uniform(10, 60)]))
    ground, rim = int(random.integers(120, 240)), int(random.choice([1, 2, 8]))
    title = f"Phone {int(random.integers(5, 16))} - {int(random.integers(9, 18))}.{int(random.integers(0, 9))}"

    def draw(image: Image, ms: float, number: int) -> Image:
        height, width = image.shape[:2]
        picture = np.full((EDGE + TITLE + height + EDGE, width + 2 * EDGE, 3), ground, np.uint8)
        active = ms >= at_ms - SOON
        depth = np.zeros(picture.shape[:2], np.float32)
        depth[EDGE : EDGE + TITLE + height, EDGE : EDGE + width] = 1
        shade = cv2.GaussianBlur(depth, (0, 0), 8)[..., None] * (0.5 if active else 0.2)
        picture = (picture * (1 - shade)).astype(np.uint8)
        left, top = EDGE - rim, EDGE - rim
        tone = (214, 212, 214) if active else (246, 246, 246)
        cv2.rectangle(picture, (left, top), (EDGE + width + rim - 1, EDGE + TITLE + height + rim - 1), tone, -1)
        text(picture, title, (EDGE + width // 3, EDGE + 20), 40 if active else 170)
        picture[EDGE + TITLE : EDGE + TITLE + height, EDGE : EDGE + width] = image
        return picture

    return Overlay(draw, [at_ms])


CLICKS: dict[str, Making] = {made.__name__: made for made in (spread, held, front)}
