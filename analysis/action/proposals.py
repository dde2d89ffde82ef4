"""What a recording shows of the user's action, and whether that decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from analysis.options import ASK, CONFIRMED
from analysis.video.grid import Rect

KINDS = {  # the surest first
    "flash": "a marker flash",
    "cross": "a finger that Pointer location shows",
    "dot": "a touch dot",
    "key": "a pressed key",
}
SEVERAL = {
    "flash": "marker flashes",
    "cross": "fingers that Pointer location shows",
    "dot": "touch dots",
    "key": "pressed keys",
}
NO_SIGN = "no touch dot, marker flash, pressed key or lines of Pointer location"
ANY = "any"
MOST_KEPT = 12  # with a run: who has more of them looks at the recording
SAME_MS = 0.6  # addresses and forms round times; no screen shows two pictures so near to each other


@dataclass(frozen=True, slots=True)
class Proposal:
    """An instant at which the user may have acted.

    Parameters
    ----------
    kind : one of `KINDS`.
    time_ms : the first frame that shows it, ms after the first frame of the recording.
    frame : its index. `frame_before` is the one before.
    gone_ms : the first frame that no longer shows it; None if the recording ends before.
    rect : around it, in pixels of the picture as shown.
    uncertain_ms : the action may be so much earlier: a slot of the recorder.
    certain : False where a part of what makes it one is not seen.
    why : what was seen, in words.
    whole_screen : a flash of the whole screen, beside which nothing can be judged.

    """

    kind: str
    time_ms: float
    frame: int
    frame_before: int
    gone_ms: float | None
    rect: Rect
    uncertain_ms: float
    certain: bool
    why: str
    whole_screen: bool = False

    @property
    def middle(self) -> tuple[float, float]:
        """Where it is, in pixels of the picture as shown."""
        x0, y0, x1, y1 = self.rect
        return (x0 + x1) / 2, (y0 + y1) / 2

    def as_dict(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        return asdict(self) | {"rect": list(self.rect)}


def ranked(found: Sequence[Proposal]) -> list[Proposal]:
    """Return the proposals, the surest first: by certainty, by kind, then the earliest."""
    order = list(KINDS)
    return sorted(found, key=lambda one: (not one.certain, order.index(one.kind), one.time_ms))


def choose(found: Sequence[Proposal], mode: str, action_ms: float = 0.0) -> Proposal | None:
    """Return the one that counts without a person, or None: there must be one alone of its kind, and certain.

    Where a person has decided, the one on that frame, if it is any: it marks the action and is no response.
    """
    if mode == CONFIRMED:
        return next((one for one in found if abs(one.time_ms - action_ms) < SAME_MS), None)
    certain = [one for one in ranked(found) if one.certain and mode in (ANY, one.kind)]
    surest = [one for one in certain if one.kind == certain[0].kind]
    return surest[0] if len(surest) == 1 else None


def say(found: Sequence[Proposal], mode: str) -> str:
    """Return why the action is not known, and the cure, in a sentence."""
    asked = [one for one in found if mode in (ANY, ASK, one.kind)]
    if not asked:
        words = NO_SIGN if mode in (ANY, ASK) else KINDS[mode].replace("a ", "no ", 1)
        return f"nobody said when the user acts, and {words} was found: name its frame, or give action_ms"
    parts = []
    for kind in KINDS:
        times = [f"{one.time_ms:.0f}" for one in asked if one.kind == kind]
        if times:
            name = KINDS[kind] if len(times) == 1 else f"{len(times)} {SEVERAL[kind]}"
            parts.append(f"{name} at {', '.join(times[:5])}{' …' if len(times) > 5 else ''} ms")
    doubt = "" if any(one.certain for one in asked) else ", none of them beyond doubt"
    return f"nobody said when the user acts; found: {'; '.join(parts)}{doubt}: confirm one, or name the frame"


def found_words(evidence: Mapping[str, Any]) -> str:
    """Say in a clause by what the action was found, if it was found and not given."""
    chosen = (evidence.get("action") or {}).get("chosen")
    if not chosen or evidence["action"]["mode"] == CONFIRMED:
        return ""
    return f"action at {chosen['time_ms']:.1f} ms: {KINDS[chosen['kind']]}, found and not given"


def account(found: Sequence[Proposal], chosen: Proposal | None, mode: str) -> dict[str, Any]:
    """Return what the evidence keeps: what was found, and which of them counts."""
    return {
        "mode": mode,
        "chosen": chosen.as_dict() if chosen else None,
        "found": len(found),
        "proposals": [one.as_dict() for one in ranked(found)[:MOST_KEPT]],
    }
