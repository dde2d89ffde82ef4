"""The evidence of a run in words: why these frames were chosen."""

from dataclasses import dataclass
from typing import Any

from analysis.verdicts.text import number_text

MOMENTS = ("response", "finish")
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
    """The frame that was taken for the response or the finish; times as addresses of stills carry them."""

    name: str
    frame: int
    after_action_ms: float
    time_us: int
    before_us: int  # any instant at which the frame before was on the screen
    ssim_mean: float
    ssim_worst: float
    changed_pct: float
    box: Box | None


@dataclass(frozen=True)
class Fact:
    """One more thing that the evidence says."""

    name: str
    value: str


def chosen_frames(evidence: dict[str, Any], size: tuple[int | None, int | None]) -> list[ChosenFrame]:
    """Return the chosen frames of a run whose screencast has this width and height in px."""
    return [_chosen(name, evidence[name], size) for name in MOMENTS if evidence.get(name)]


def other_facts(evidence: dict[str, Any]) -> list[Fact]:
    """Return all else that the evidence says and that is not empty, in words."""
    plain = {
        key: value for key, value in evidence.items() if key not in MOMENTS and value not in (None, [], "", {})
    }
    nested = {key: value for part in plain.values() if isinstance(part, dict) for key, value in part.items()}
    flat = {key: value for key, value in plain.items() if not isinstance(value, dict)}
    return [Fact(_name(key), _text(key, value)) for key, value in (flat | nested).items()]


def _chosen(name: str, found: dict[str, Any], size: tuple[int | None, int | None]) -> ChosenFrame:
    time_us = round(found["time_ms"] * US_PER_MS)
    return ChosenFrame(
        name=name,
        frame=found["frame"],
        after_action_ms=found["after_action_ms"],
        time_us=time_us,
        before_us=max(time_us - US_PER_MS, 0),
        ssim_mean=found["ssim_mean"],
        ssim_worst=found["ssim_worst"],
        changed_pct=found["changed_pct"],
        box=changed_box(found.get("changed_rect"), size),
    )


def changed_box(rect: list[float] | None, size: tuple[int | None, int | None]) -> Box | None:
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
