"""All that a bug report says of one finding, read once: the drill-down's rows, both frame series, the policy."""

from collections.abc import Mapping
from dataclasses import dataclass

from analysis.verdicts.text import number_text
from reports.drilldown.moments import MomentWords, Opening, Pair, moment_words, opening, pair_of
from reports.drilldown.selectors import Drilldown, Wanted, load_drilldown, threshold_origin
from reports.measuring.series import load_series
from reports.models import Result, TriageEntry
from reports.triage.box import triage_box


@dataclass(frozen=True)
class MetricLine:
    """A result with the values of the two runs that the report shows, and where its θ comes from."""

    result: Result
    base_value: float | None
    new_value: float | None
    origin: str


@dataclass(frozen=True)
class Finding:
    """One interaction of a pair of versions. ``series`` holds the chosen runs that have one, by side.

    ``story`` is the moment that the page opens on, ``words`` say what moments are called here.
    """

    page: Drilldown
    sentence: str
    metrics: tuple[MetricLine, ...]
    series: Pair
    policy: str
    triage: TriageEntry | None
    story: Opening
    words: Mapping[str, MomentWords]
    gate: str  # whether it counts, or who waives it


def load_finding(base: str, new: str, package: str, name: str, wanted: Wanted) -> Finding:
    """Load a finding in a fixed number of queries; raises DoesNotExist of the model that is unknown."""
    page = load_drilldown(base, new, package, name, wanted)
    ids = {side.key: side.chosen.id for side in page.sides if side.chosen}
    found = load_series(*ids.values())
    series = pair_of({key: found.get(run_id) for key, run_id in ids.items()})
    box = triage_box(
        comparison=page.comparison,
        base=page.base_version,
        new=page.new_version,
        interaction=page.interaction,
        device=page.device,
    )
    words = moment_words(page.interaction)
    return Finding(
        page=page,
        sentence=page.sentence,
        metrics=tuple(_line(page, result) for result in page.results),
        series=series,
        policy=_policy(page),
        triage=box.entry,
        gate=box.gate_words,
        story=opening(page.lead, series, words),
        words=words,
    )


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
