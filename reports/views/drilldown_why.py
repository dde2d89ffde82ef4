"""Why this verdict: where θ comes from, and the frames that were chosen as response and finish."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from analysis.decide.checks import PolicyError
from analysis.decide.policyjson import policy_from_json
from analysis.decide.sentences import metric_unit
from analysis.decide.text import number_text
from reports.models import Result
from reports.selectors.drilldown import Drilldown
from reports.selectors.drilldown_series import RunSeries
from reports.views.drilldown_screens import frame_url

PICTURE_HEIGHT_PX = 360
KINDS = {"response": "Response", "finish": "Finish"}


@dataclass(frozen=True)
class Box:
    """A rectangle over a picture, in percent of its sides."""

    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True)
class ChosenFrame:
    """One chosen frame of one run with the frame before it: addresses of their pictures, and the evidence."""

    label: str
    frame: int
    after_action_ms: float
    evidence: Mapping[str, Any]
    before: str
    chosen: str
    box: Box | None


@dataclass(frozen=True)
class WhySide:
    """What was found on one side, and what was left out of it."""

    key: str
    label: str
    frames: tuple[ChosenFrame, ...]
    evidence: Mapping[str, Any]
    left_out: tuple[str, ...]


def why(found: Drilldown, series: Iterable[RunSeries | None]) -> list[WhySide]:
    """Collect the evidence of both chosen runs."""
    return [
        WhySide(side.key, side.label, chosen_frames(run), run.evidence, tuple(_left_out(run.evidence)))
        for side, run in zip(found.sides, series, strict=True)
        if run is not None
    ]


def chosen_frames(run: RunSeries) -> tuple[ChosenFrame, ...]:
    """Return response and finish of a run, those that there are."""
    found = [(label, run.evidence.get(kind)) for kind, label in KINDS.items()]
    return tuple(_chosen(run, label, evidence) for label, evidence in found if evidence)


def threshold_origin(found: Drilldown, result: Result) -> str:
    """Say where θ comes from: ``the larger of 50 ms and 20 % of the baseline's median: reason``."""
    try:
        policy = policy_from_json(found.comparison.policy if found.comparison else {})
    except PolicyError:
        return "the policy that this comparison was computed with"
    app, kind = found.interaction.app.package, found.interaction.type
    threshold = policy.threshold(app=app, interaction_type=kind, metric=result.metric)
    unit, decimals = metric_unit(result.metric)
    parts = [f"{number_text(threshold.absolute, decimals)} {unit}".strip()] if threshold.absolute else []
    parts += (
        [f"{number_text(threshold.relative_pct, 1)} % of the baseline's median"] if threshold.relative_pct else []
    )
    text = " and ".join(parts) if len(parts) < 2 else "the larger of " + " and ".join(parts)
    return f"{text} ({threshold.reason})" if threshold.reason else text


def _chosen(run: RunSeries, label: str, evidence: Mapping[str, Any]) -> ChosenFrame:
    frame = int(evidence["frame"])
    before = int(evidence.get("frame_before", max(frame - 1, 0)))
    times = run.series.time_ms
    pictures = [
        f"{frame_url(run.run.pk, float(times[min(at, len(times) - 1)]))}?h={PICTURE_HEIGHT_PX}"
        for at in (before, frame)
    ]
    return ChosenFrame(
        label=label,
        frame=frame,
        after_action_ms=float(evidence["after_action_ms"]),
        evidence=evidence,
        before=pictures[0],
        chosen=pictures[1],
        box=_box(run, evidence.get("changed_rect")),
    )


def _box(run: RunSeries, rect: list[float] | None) -> Box | None:
    width, height = run.run.width_px, run.run.height_px
    if not rect or not width or not height:
        return None
    x0, y0, x1, y1 = rect
    return Box(100 * x0 / width, 100 * y0 / height, 100 * (x1 - x0) / width, 100 * (y1 - y0) / height)


def _left_out(evidence: Mapping[str, Any]) -> Iterable[str]:
    for mask in evidence.get("masks", []):
        yield f"{mask.get('name') or 'an area'} (masked)"
    for area in evidence.get("ignored", []):
        rect = "×".join(str(round(b - a)) for a, b in zip(area["rect"][:2], area["rect"][2:], strict=True))
        yield f"an area of {rect} px: {area['reason']}"
