"""All that a bug report says of one finding, read once: the drill-down's rows, both frame series, the policy."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.forms import model_to_dict

from analysis.verdicts.sentences import result_sentence
from analysis.verdicts.text import number_text
from reports.drilldown.selectors import Drilldown, Wanted, load_drilldown, threshold_origin
from reports.measuring.series import RunSeries, load_series
from reports.models import Result, TriageEntry
from reports.triage.selectors import triage_history


@dataclass(frozen=True)
class MetricLine:
    """A result with the values of the two runs that the report shows, and where its θ comes from."""

    result: Result
    base_value: float | None
    new_value: float | None
    origin: str


@dataclass(frozen=True)
class Finding:
    """One interaction of a pair of versions. ``series`` holds the chosen runs that have one, by side."""

    page: Drilldown
    sentence: str
    metrics: tuple[MetricLine, ...]
    series: Mapping[str, RunSeries]
    policy: str
    triage: TriageEntry | None

    @property
    def headline(self) -> str:
        """The sentence up to its numbers."""
        return self.sentence.partition(": ")[0].rstrip(".")

    @property
    def detail(self) -> str:
        """The numbers of the sentence."""
        return self.sentence.partition(": ")[2]


def load_finding(base: str, new: str, package: str, name: str, wanted: Wanted) -> Finding:
    """Load a finding in a fixed number of queries; raises DoesNotExist of the model that is unknown."""
    page = load_drilldown(base, new, package, name, wanted)
    ids = {side.key: side.chosen.id for side in page.sides if side.chosen}
    series = load_series(*ids.values())
    history = triage_history(
        base_id=page.base_version.pk, new_id=page.new_version.pk, interaction_id=page.interaction.pk
    )
    return Finding(
        page=page,
        sentence=result_sentence(model_to_dict(page.worst)) if page.worst else "",
        metrics=tuple(_line(page, result) for result in page.results),
        series={key: series[run_id] for key, run_id in ids.items() if _has_frames(series.get(run_id))},
        policy=_policy(page),
        triage=history[0] if history else None,
    )


def _has_frames(series: RunSeries | None) -> bool:
    return series is not None and len(series.series.time_ms) > 0


def _line(page: Drilldown, result: Result) -> MetricLine:
    base, new = (side.chosen.values.get(result.metric) if side.chosen else None for side in page.sides)
    origin = threshold_origin(page.comparison, page.interaction, result.metric)
    return MetricLine(result, base, new, origin)


def _policy(page: Drilldown) -> str:
    """Name the policy with what decides beside θ: ``default, version 3: α = 0.05, at least 3 runs``."""
    rules = page.comparison.policy if page.comparison else {}
    if not rules:
        return ""
    version = f", version {rules['version']}" if rules.get("version") else ""
    parts = [f"significance level {rules['alpha']:g}"] if "alpha" in rules else []
    parts += [f"at least {number_text(rules['min_runs'])} runs per side"] if "min_runs" in rules else []
    return f"{rules.get('name', 'default')}{version}: {', '.join(parts)}".removesuffix(": ")
