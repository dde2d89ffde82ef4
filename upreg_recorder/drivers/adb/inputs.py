"""Steps as commands of the device's `input`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from upreg_recorder.drivers.adb.link import Link
from upreg_recorder.failures import SettledTrialError
from upreg_recorder.plans.model import Step

Place = tuple[float, float]
KEYS = {"back": "KEYCODE_BACK", "home": "KEYCODE_HOME"}
WANT_MS = {"swipe": 300.0, "scroll": 300.0, "draw": 600.0}  # where a step says none
EDGE = 0.02  # of the screen: nearer to its edge a finger calls the system, not the app


def took_ms(step: Step) -> float:
    """Return how long the finger of a step is down, as asked for."""
    return step.ms or WANT_MS.get(step.kind, 0.0)


def touch_command(step: Step, places: Sequence[Place], link: Link) -> str:
    """Return the command of a tap, swipe, scroll or draw through places in px.

    Raises SettledTrialError for a drawing on a device whose `input` sends no single events.
    """
    at = [f"{round(x)} {round(y)}" for x, y in places]
    if step.kind == "tap":
        return f"input tap {at[0]}"
    if len(at) == 2:
        return f"input swipe {at[0]} {at[1]} {round(took_ms(step))}"
    if "motionevent" not in link.sh("input 2>&1"):
        cure = "draw a straight line (two places), or use a device with Android 10 or later"
        raise SettledTrialError(f"line {step.line}: {link.serial} cannot draw through {len(at)} places: {cure}")
    moves = "; ".join(f"input motionevent MOVE {place}" for place in at[1:])
    return f"input motionevent DOWN {at[0]}; {moves}; input motionevent UP {at[-1]}"


def text_command(step: Step) -> str:
    """Return the command that types a text; raises SettledTrialError for what `input` has no key for.

    `input text` takes `%s` for a space, so a text that has it is typed in two.
    """
    if not step.text or re.search(r"[^ -~]", step.text):
        cure = (
            "use letters without marks, digits and signs of ASCII; tap the keys of other scripts and Enter by `tap`"
        )
        raise SettledTrialError(f"line {step.line}: Android's `input text` cannot type {step.text!r}: {cure}")
    parts = step.text.replace("%s", "%\0s").split("\0")
    return "; ".join("input text " + shlex.quote(part.replace(" ", "%s")) for part in parts)


def scroll_path(where: Place, by: Place, size: tuple[int, int]) -> tuple[Place, Place]:
    """Return from where to where the finger moves so that the content goes by `by` shares of the screen, px.

    Half to either side of `where`, moved inside the screen: content goes down when the finger does.
    """
    ends = []
    for middle, share, length in zip(where, by, size, strict=True):
        most = length * (1 - 2 * EDGE)
        way = max(-most, min(most, share * length))
        half = abs(way) / 2
        at = max(length * EDGE + half, min(length * (1 - EDGE) - half, middle))
        ends.append((at - way / 2, at + way / 2))
    (x0, x1), (y0, y1) = ends
    return (x0, y0), (x1, y1)
