"""Why this verdict: the frames that were chosen as response and finish."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from reports.drilldown.moments import MomentWords
from reports.drilldown.players import frame_url
from reports.drilldown.runs import Side
from reports.drilldown.selectors import Drilldown
from reports.measuring.evidence import ChosenFrame, SeenEvent, chosen_frames, left_out_areas, seen_events
from reports.measuring.series import RunSeries
from reports.media.stills import SMALL_PX
from reports.models import Run


@dataclass(frozen=True)
class WhyFrame:
    """A chosen frame with the addresses of its picture and of the picture before."""

    label: str
    chosen: ChosenFrame
    before: str
    picture: str


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
    run: Run
    frames: tuple[WhyFrame, ...]
    evidence: Mapping[str, Any]
    left_out: tuple[str, ...]
    events: tuple[SeenEvent, ...]
    missing: tuple[MissingFrame, ...]

    @property
    def run_id(self) -> int:
        """The run's primary key."""
        return self.run.pk


def why(found: Drilldown, series: Iterable[RunSeries | None], words: Mapping[str, MomentWords]) -> list[WhySide]:
    """Collect the evidence of both chosen runs; ``words`` say what moments are called here."""
    return [_side(side, run, words) for side, run in zip(found.sides, series, strict=True) if run is not None]


def _side(side: Side, run: RunSeries, words: Mapping[str, MomentWords]) -> WhySide:
    frames = chosen_frames(run)
    shown = {frame.moment for frame in frames}
    return WhySide(
        key=side.key,
        label=side.label,
        run=run.run,
        frames=tuple(_pictured(run, frame, words[frame.moment].label) for frame in frames),
        evidence=run.evidence,
        left_out=left_out_areas(run.evidence),
        events=seen_events(run.evidence),
        missing=tuple(MissingFrame(word.label, kind) for kind, word in words.items() if kind not in shown),
    )


def _pictured(run: RunSeries, frame: ChosenFrame, label: str) -> WhyFrame:
    before, picture = (
        f"{frame_url(run.run.pk, time_ms)}?h={SMALL_PX}" for time_ms in (frame.before_ms, frame.time_ms)
    )
    return WhyFrame(label, frame, before, picture)
