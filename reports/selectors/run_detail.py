"""One run with everything known about it."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404

from analysis.decide.sentences import metric_label
from analysis.metrics import METRICS
from reports.models import FrameSeriesRecord, Run


@dataclass(frozen=True)
class Measured:
    """One metric of the run; ``value`` is None where it applies but has no answer."""

    metric: str
    value: float | None


@dataclass(frozen=True)
class Fact:
    """One thing that the evidence says."""

    name: str
    value: str


@dataclass(frozen=True)
class RunDetail:
    """A run, its metrics in their order, and the evidence in sections."""

    run: Run
    measured: list[Measured]
    evidence: dict[str, list[Fact]]


def load_run(pk: int) -> RunDetail:
    """Load a run: three queries; answers 404 for an unknown one."""
    run = Run.objects.for_list().filter(pk=pk).first()
    if run is None:
        raise Http404(f"There is no run {pk}.")
    values = dict(run.measurements.values_list("metric", "value"))
    stored = FrameSeriesRecord.objects.filter(pk=pk).values_list("evidence", flat=True).first()
    return RunDetail(run, _measured(run, values), _sections(stored or {}))


def _measured(run: Run, values: dict[str, float]) -> list[Measured]:
    expected = [key for key, metric in METRICS.items() if metric.applies_to(run.interaction.type)]
    others = sorted(set(values) - set(expected), key=metric_label)
    return [Measured(key, values.get(key)) for key in [*expected, *others]]


def _sections(evidence: dict[str, Any]) -> dict[str, list[Fact]]:
    """Return nested evidence as sections of facts, plain values first under "measurement"."""
    plain = {key: value for key, value in evidence.items() if not isinstance(value, dict)}
    nested = {_words(key): value for key, value in evidence.items() if isinstance(value, dict) and value}
    sections = {"measurement": plain} | nested if plain else nested
    return {
        name: [Fact(_words(key), _text(value)) for key, value in facts.items()] for name, facts in sections.items()
    }


def _words(key: str) -> str:
    for suffix, unit in (("_ms", " (ms)"), ("_pct", " (%)"), ("_px", " (px)"), ("_hz", " (Hz)")):
        if key.endswith(suffix):
            return key.removesuffix(suffix).replace("_", " ") + unit
    return key.replace("_", " ")


def _text(value: Any) -> str:
    if value is None or value == [] or value == "":
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.5g}"
    if isinstance(value, list):
        return ", ".join(_text(item) for item in value)
    if isinstance(value, dict):
        return "; ".join(f"{_words(key)} {_text(item)}" for key, item in value.items())
    return str(value)
