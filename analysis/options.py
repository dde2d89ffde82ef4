"""What the caller knows about a recording before it is measured."""

from __future__ import annotations

import math
from dataclasses import dataclass

from analysis.video.masks import Mask

INTERACTION_TYPES = ("tap", "scroll", "swipe", "type", "draw", "launch")

ACTION_FROM = ("any", "cross", "dot", "flash", "key")  # what may decide where nobody gave the action
ASK, CONFIRMED = "ask", "confirmed"  # a person decides; a person has decided


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureOptions:
    """Facts about one recording.

    Parameters
    ----------
    action_ms : instant of the user's action, ms after the first frame; may be fractional.
    interaction_type : one of `INTERACTION_TYPES`; a `launch` has a launch time instead of a finish time.
    refresh_hz : refresh rate of the device's screen.
    touch_xy : where the finger went down, in pixels of the picture as shown; None if unknown.
    show_touches : the platform drew its own dot under the finger: that dot is no response.
    masks : areas of the screen that do not count.
    find_action : where nobody gave `action_ms`, what decides it: one of `ACTION_FROM`, if the recording shows
        exactly one of that kind; "ask" for a person; "confirmed" once a person has, and then `action_ms` is right.
        Empty: `action_ms` was given.
    capture : "vfr" if the recorder wrote a frame only when the screen changed, "cfr" (or "cfr60" …) at a constant
        rate; empty where nobody said.

    """

    action_ms: float = 0.0
    interaction_type: str = "tap"
    refresh_hz: float = 60.0
    touch_xy: tuple[float, float] | None = None
    show_touches: bool = False
    masks: tuple[Mask, ...] = ()
    capture: str = ""
    find_action: str = ""

    @property
    def variable_rate(self) -> bool | None:
        """What `capture` says of the recorder; None where nobody said."""
        return self.capture.startswith("vfr") if self.capture else None

    def __post_init__(self) -> None:
        """Refuse what no recording can have, with a message that tells the cure."""
        if self.interaction_type not in INTERACTION_TYPES:
            raise ValueError(
                f"unknown interaction type {self.interaction_type!r}: use one of {', '.join(INTERACTION_TYPES)}"
            )
        if not (math.isfinite(self.action_ms) and self.action_ms >= 0):
            raise ValueError(f"action_ms is {self.action_ms}: give ms after the first frame, 0 or more")
        if not (math.isfinite(self.refresh_hz) and 1 <= self.refresh_hz <= 1000):
            raise ValueError(f"refresh_hz is {self.refresh_hz}: give the rate of the screen, such as 60")
        if self.capture and self.capture[:3] not in ("vfr", "cfr"):
            raise ValueError(f"capture is {self.capture!r}: use vfr or cfr, or leave it empty")
        if self.find_action not in ("", *ACTION_FROM, ASK, CONFIRMED):
            raise ValueError(
                f"action_from is {self.find_action!r}: use one of {', '.join(ACTION_FROM)}, or give action_ms"
            )
        if self.touch_xy is not None and not all(map(math.isfinite, self.touch_xy)):
            raise ValueError(f"touch_xy is {self.touch_xy}: give two finite pixel coordinates or nothing")
