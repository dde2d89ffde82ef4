"""Why this verdict: the frames that were chosen as response and finish."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from reports.drilldown.players import frame_url
from reports.drilldown.runs import Side
from reports.drilldown.selectors import Drilldown
from reports.measuring.evidence import Box, changed_box
from reports.measuring.series import RunSeries
from reports.models import Correction

PICTURE_HEIGHT_PX = 360
KINDS = {"response": "Response", "finish": "Finish"}


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
    moment: str
    correction: Correction | None


@dataclass(frozen=True)
class MissingFrame:
    """A moment that was not found; a person may still say when it was."""

    label: str
    moment: str
    after_action_ms: float = 0.0
    correction: None = None


@dataclass(frozen=True)
class WhySide:
    """What was found on one side, and what was left out of it."""

    key: str
    label: str
    run_id: int
    frames: tuple[ChosenFrame, ...]
    evidence: Mapping[str, Any]
    left_out: tuple[str, ...]
    missing: tuple[MissingFrame, ...]


def why(found: Drilldown, series: Iterable[RunSeries | None]) -> list[WhySide]:
    """Collect the evidence of both chosen runs."""
    return [_side(side, run) for side, run in zip(found.sides, series, strict=True) if run is not None]


def _side(side: Side, run: RunSeries) -> WhySide:
    frames = chosen_frames(run)
    shown = {frame.moment for frame in frames}
    return WhySide(
        key=side.key,
        label=side.label,
        run_id=run.run.pk,
        frames=frames,
        evidence=run.evidence,
        left_out=tuple(_left_out(run.evidence)),
        missing=tuple(MissingFrame(label, kind) for kind, label in KINDS.items() if kind not in shown),
    )


def chosen_frames(run: RunSeries) -> tuple[ChosenFrame, ...]:
    """Return response and finish of a run, those that there are; a corrected one shows the frame of the person."""
    found = [(kind, run.corrections.get(kind), run.evidence.get(kind)) for kind in KINDS]
    return tuple(
        _corrected(run, kind, correction) if correction else _chosen(run, kind, evidence or {})
        for kind, correction, evidence in found
        if correction or evidence
    )


def _corrected(run: RunSeries, kind: str, correction: Correction) -> ChosenFrame:
    frame = run.frame_at(correction.value_ms)
    evidence = {
        "frame": frame,
        "after_action_ms": correction.value_ms,
        "ssim_mean": float(run.series.ssim_mean[frame]),
        "ssim_worst": float(run.series.ssim_worst[frame]),
        "changed_pct": float(run.series.changed_pct[frame]),
    }
    return _chosen(run, kind, evidence, correction)


def _chosen(
    run: RunSeries, kind: str, evidence: Mapping[str, Any], correction: Correction | None = None
) -> ChosenFrame:
    frame = int(evidence["frame"])
    before = int(evidence.get("frame_before", max(frame - 1, 0)))
    times = run.series.time_ms
    pictures = [
        f"{frame_url(run.run.pk, float(times[min(at, len(times) - 1)]))}?h={PICTURE_HEIGHT_PX}"
        for at in (before, frame)
    ]
    return ChosenFrame(
        label=KINDS[kind],
        frame=frame,
        after_action_ms=float(evidence["after_action_ms"]),
        evidence=evidence,
        before=pictures[0],
        chosen=pictures[1],
        box=changed_box(evidence.get("changed_rect"), (run.run.width_px, run.run.height_px)),
        moment=kind,
        correction=correction,
    )


def _left_out(evidence: Mapping[str, Any]) -> Iterable[str]:
    for mask in evidence.get("masks", []):
        yield f"{mask.get('name') or 'an area'} (masked)"
    for area in evidence.get("ignored", []):
        rect = "×".join(str(round(b - a)) for a, b in zip(area["rect"][:2], area["rect"][2:], strict=True))
        yield f"an area of {rect} px: {area['reason']}"
