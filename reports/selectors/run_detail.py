"""One run with everything known about it."""

from dataclasses import dataclass

from django.http import Http404

from analysis.metrics import METRICS
from analysis.verdicts.sentences import metric_label
from reports.models import FrameSeriesRecord, Run
from reports.selectors.run_evidence import ChosenFrame, Fact, chosen_frames, other_facts


@dataclass(frozen=True)
class Measured:
    """One metric of the run; ``value`` is None where it applies but has no answer."""

    metric: str
    value: float | None


@dataclass(frozen=True)
class RunDetail:
    """A run, its metrics in their order, the frames that were chosen, and what else the evidence says."""

    run: Run
    measured: list[Measured]
    frames: list[ChosenFrame]
    facts: list[Fact]


def load_run(pk: int) -> RunDetail:
    """Load a run: three queries; answers 404 for an unknown one."""
    run = Run.objects.for_list().filter(pk=pk).first()
    if run is None:
        raise Http404(f"There is no run {pk}.")
    values = dict(run.measurements.values_list("metric", "value"))
    evidence = FrameSeriesRecord.objects.filter(pk=pk).values_list("evidence", flat=True).first() or {}
    frames = chosen_frames(evidence, (run.width_px, run.height_px))
    return RunDetail(run, _measured(run, values), frames, other_facts(evidence))


def _measured(run: Run, values: dict[str, float]) -> list[Measured]:
    expected = [key for key, metric in METRICS.items() if metric.applies_to(run.interaction.type)]
    others = sorted(set(values) - set(expected), key=metric_label)
    return [Measured(key, values.get(key)) for key in [*expected, *others]]
