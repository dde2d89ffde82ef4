"""Find what a step is aimed at: the middle of an element that can be seen, at rest."""

from __future__ import annotations

import asyncio
import json
import time
from itertools import count

from playwright.async_api import Frame, Locator, Page

from upreg_recorder.drivers.chromium.options import Phone
from upreg_recorder.failures import TrialError
from upreg_recorder.plans.model import Step, Target

WITHIN_MS = 5000.0  # as long as a person would look for it
LOOK_S = 0.05  # between two looks; an element is at rest if it is at the same place in both
LOOKS = 4  # at least, however long one takes on a busy host

Box = tuple[float, float, float, float]


async def place_of(page: Page, step: Step, phone: Phone) -> tuple[float, float]:
    """Return where a step's target is, CSS px; the middle of the screen for a step without one.

    Raises TrialError with target and line of the plan where it does not show up, or is not on the screen.
    """
    if step.target is None or step.target.at is not None:
        return phone.place(step.target.at if step.target and step.target.at else (0.5, 0.5))
    x, y, width, height = await seen(page, step, step.target, WITHIN_MS)
    middle = x + width / 2, y + height / 2
    if not (0 <= middle[0] < phone.size[0] and 0 <= middle[1] < phone.size[1]):
        raise TrialError(f"{named(step)} is not on the screen: scroll to it in the step before")
    return middle


async def seen(page: Page, step: Step, target: Target, within_ms: float) -> Box:
    """Return the place of an element once it can be seen and rests: x, y, width and height, CSS px."""
    ends, before = time.monotonic() + within_ms / 1000, None
    for looks in count(1):
        now = await _look(page, target)
        if now and now == before:
            return now
        if looks >= LOOKS and time.monotonic() > ends:
            break
        before = now
        await asyncio.sleep(LOOK_S)
    if before or now:
        raise TrialError(f"{named(step)} does not rest within {within_ms:g} ms: wait for it in the step before")
    raise TrialError(
        f"{named(step)} was not found within {within_ms:g} ms: does the screen show it, in these words?"
    )


def named(step: Step) -> str:
    """Name a step and its target, as messages do."""
    line = f" (line {step.line} of the plan)" if step.line else ""
    return f"{step.kind}{line}: {step.target}"


async def _look(page: Page, target: Target) -> Box | None:
    for frame in page.frames:
        for element in await _elements(frame, target).all():
            box = await element.bounding_box()
            if box and box["width"] and box["height"] and await element.is_visible():
                return box["x"], box["y"], box["width"], box["height"]
    return None


def _elements(frame: Frame, target: Target) -> Locator:
    if target.id:
        return frame.locator(f"[id={json.dumps(target.id)}]")
    if target.description:
        said = target.description
        return frame.get_by_label(said, exact=True).or_(frame.get_by_alt_text(said, exact=True))
    return frame.get_by_text(target.text, exact=True).or_(frame.get_by_placeholder(target.text, exact=True))
