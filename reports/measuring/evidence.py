"""The evidence of a run: which frames were chosen, what was left out of judgement, and all else in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from analysis.verdicts.text import number_text
from reports.measuring.series import RunSeries
from reports.models import Correction

MOMENTS = ("response", "finish")
SEEN = ("ssim_mean", "ssim_worst", "changed_pct")  # what is said of a chosen frame
US_PER_MS = 1000
_UNITS = {"ms": "ms", "pct": "%", "px": "px", "hz": "Hz", "levels": "grey levels"}
OUTCOME_WORDS = {
    "ok": "measured",
    "no_response": "no response",
    "never_settles": "never settles",
    "unreadable": "unreadable",
    "too_short": "too short",
}


@dataclass(frozen=True)
class Box:
    """The changed area, in percent of the picture."""

    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True)
class ChosenFrame:
    """Response or finish of a run: the frame that was chosen for it, and the frame before.

    Times count from the first frame. Where a person corrected the moment it is the frame of the person.
    """

    moment: str
    frame: int
    before: int
    time_ms: float
    before_ms: float
    after_action_ms: float
    ssim_mean: float
    ssim_worst: float
    changed_pct: float
    box: Box | None = None
    correction: Correction | None = None
    found_by: str = ""

    @property
    def time_us(self) -> int:
        """The time of the frame, as addresses of stills carry it."""
        return round(self.time_ms * US_PER_MS)

    @property
    def before_us(self) -> int:
        """The time of the frame before, as addresses of stills carry it."""
        return round(self.before_ms * US_PER_MS)


@dataclass(frozen=True)
class SeenEvent:
    """A change after the action: when (ms after it), where, and what came of it in words.

    One that comes again at its place, with the same outcome, is told once with its number of `times`.
    """

    start_ms: float
    end_ms: float
    place: str
    changed_pct: float
    said: str
    decides: bool
    times: int = 1


@dataclass(frozen=True)
class Fact:
    """One more thing that the evidence says."""

    name: str
    value: str


def chosen_frames(run: RunSeries) -> tuple[ChosenFrame, ...]:
    """Return response and finish of a run, those that there are; a corrected one is the frame of the person."""
    found = (_corrected(run, name) if name in run.corrections else _found(run, name) for name in MOMENTS)
    return tuple(frame for frame in found if frame)


def left_out_areas(evidence: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the areas that did not count, in words with the reason: masks first, then what was ignored."""
    masks = (mask.get("name") if isinstance(mask, dict) else "" for mask in evidence.get("masks", []))
    return (
        *(f"{name or 'an area'} (masked)" for name in masks),
        *(f"{_place(area['rect'])}: {area['reason']}" for area in evidence.get("ignored", [])),
    )


def seen_events(evidence: Mapping[str, Any]) -> tuple[SeenEvent, ...]:
    """Return what changed after the action by its start, with the rule that left it out; empty for older runs."""
    told: dict[tuple[str, str], SeenEvent] = {}
    for event in evidence.get("events", []):
        seen = SeenEvent(
            start_ms=float(event["start_ms"]),
            end_ms=float(event["end_ms"]),
            place=_place(event["rect"]),
            changed_pct=float(event["changed_pct"]),
            said=_said(event["decides"], event["left_out"]),
            decides=bool(event["decides"]),
        )
        known = told.setdefault((seen.place, seen.said), seen)
        if known is not seen:
            told[seen.place, seen.said] = replace(known, end_ms=seen.end_ms, times=known.times + 1)
    return tuple(told.values())


def _place(rect: Sequence[float]) -> str:
    x0, y0, x1, y1 = rect
    return f"{round(x1 - x0)} × {round(y1 - y0)} px at {round(x0)}, {round(y0)}"


def _said(decides: Sequence[str], left_out: Mapping[str, str]) -> str:
    """Say which moments an event decided, or why it did not."""
    if decides:
        return f"decides {' and '.join(decides)}"
    if not left_out:
        return "between response and finish"
    if len(set(left_out.values())) == 1 and len(left_out) == len(MOMENTS):
        return f"left out: {next(iter(left_out.values()))}"
    return "; ".join(f"no {moment}: {reason}" for moment, reason in left_out.items())


def other_facts(evidence: dict[str, Any]) -> list[Fact]:
    """Return all else that the evidence says and that is not empty, in words."""
    shown = (*MOMENTS, "masks", "ignored", "events", "events_found", "moving", "slots_hz", "revision")
    plain = {key: value for key, value in evidence.items() if key not in shown and value not in (None, [], "", {})}
    nested = {key: value for part in plain.values() if isinstance(part, dict) for key, value in part.items()}
    flat = {key: value for key, value in plain.items() if not isinstance(value, dict)}
    return [Fact(_name(key), _text(key, value)) for key, value in (flat | nested).items()]


def _found(run: RunSeries, moment: str) -> ChosenFrame | None:
    found = run.evidence.get(moment)
    if not found:
        return None
    frame = int(found["frame"])
    known: dict[str, Any] = {name: float(found[name]) for name in SEEN if name in found}
    known["found_by"] = str(found.get("found_by", ""))
    known["after_action_ms"] = float(found["after_action_ms"])
    known["box"] = _changed_box(found.get("changed_rect"), (run.run.width_px, run.run.height_px))
    return _chosen(run, moment, frame, before=int(found.get("frame_before", frame - 1)), **known)


def _corrected(run: RunSeries, moment: str) -> ChosenFrame:
    correction = run.corrections[moment]
    frame = run.frame_at(correction.value_ms)
    return _chosen(run, moment, frame, before=frame - 1, after_action_ms=correction.value_ms, correction=correction)


def _chosen(run: RunSeries, moment: str, frame: int, *, before: int, **known: Any) -> ChosenFrame:
    """Fill in what the frame series says of a frame, besides what is known of it."""
    series, last = run.series, len(run.series.time_ms) - 1
    frame, before = min(frame, last), min(max(before, 0), last)
    times: dict[str, Any] = {"time_ms": float(series.time_ms[frame]), "before_ms": float(series.time_ms[before])}
    seen = {name: float(getattr(series, name)[frame]) for name in SEEN}
    return ChosenFrame(moment=moment, frame=frame, before=before, **times | seen | known)


def _changed_box(rect: list[float] | None, size: tuple[int | None, int | None]) -> Box | None:
    """Turn a rectangle in px of a picture of this width and height into percent; None where either is unknown."""
    width, height = size
    if not rect or not width or not height:
        return None
    x0, y0, x1, y1 = rect
    share_x, share_y = 100.0 / width, 100.0 / height
    return Box(x0 * share_x, y0 * share_y, (x1 - x0) * share_x, (y1 - y0) * share_y)


def _name(key: str) -> str:
    words, _, unit = key.rpartition("_")
    return (words if unit in _UNITS else key).replace("_", " ").replace("ssim", "SSIM")


def _text(key: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "; ".join(_text("", item) for item in value)
    if isinstance(value, dict):
        return ", ".join(f"{_name(name)} {_text(name, item)}" for name, item in value.items())
    unit = _UNITS.get(key.rpartition("_")[2], "")
    return f"{number_text(value, 2)} {unit}".strip() if isinstance(value, float) else f"{value} {unit}".strip()


def outcome_words(outcome: str) -> str:
    """Return an outcome in words; one that is not known here is shown as it is stored."""
    return OUTCOME_WORDS.get(outcome, outcome.replace("_", " "))
