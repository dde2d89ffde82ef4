"""All that a release report says, gathered from what is stored: as things stand, or as a decision was kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import pandas as pd
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from analysis.gate.waivers import Waiver, ceilings_text
from analysis.policy.policy import Policy
from analysis.policy.policyjson import stored_policy
from analysis.policy.thresholds import ANY_METRIC
from analysis.verdicts.sentences import metric_label
from reports.comparing.gate_inputs import kept_waiver
from reports.comparing.inputs import PairIds
from reports.comparing.revisions import Revisions, revisions_of
from reports.drilldown.selectors import threshold_words
from reports.gate.formats import Report, by_interaction, drift_rows, report_sentence
from reports.gate.selectors import standing_report
from reports.models import App, Comparison, GateRecord
from reports.policies.selectors import EVERYTHING, Part, policy_for, standing_waivers
from reports.ranking.summary import AppRow, VerdictSummary, ranked_apps, verdict_summary
from reports.releasereport.stories import Row, Story, load_stories

MOST_ROWS = 100  # of the regressions below the pictures, and of the interactions that were not compared
Missing = tuple[str, str, str]  # app, interaction, why


@dataclass(frozen=True)
class WaiverLine:
    """A waiver in force on the day of the decision.

    ``limits`` say what it accepts, ``accepted`` names the regressions of this report that it excuses.
    """

    waiver: Waiver
    app: str
    limits: str
    accepted: tuple[str, ...]


@dataclass(frozen=True)
class RuleLine:
    """One θ of the policy: for what, and how much."""

    place: str
    words: str


@dataclass(frozen=True)
class ReleaseReport:
    """A comparison to hand on.

    ``record`` is the kept decision that it shows, None as things stand. ``current`` tells whether the stored
    results are still those that were decided on; where they are not, what no decision keeps (apps, runs, gaps)
    is left out.
    """

    comparison: Comparison
    record: GateRecord | None
    report: Report
    current: bool
    part: Part
    policy: Policy
    summary: VerdictSummary | None
    revisions: Revisions | None
    stories: tuple[Story, ...]
    others: tuple[Row, ...]  # the worst regression of each interaction that has no story
    more_others: int
    drifted: tuple[Row, ...]  # the worst of each interaction that regressed against the pinned version
    more_drifted: int
    apps: tuple[AppRow, ...]
    waivers: tuple[WaiverLine, ...]
    missing: tuple[Missing, ...]
    more_missing: int
    thresholds: tuple[RuleLine, ...]
    written_at: datetime

    @property
    def sentence(self) -> str:
        """What the gate says in a sentence."""
        return report_sentence(self.report)

    @property
    def computed_at(self) -> datetime | None:
        """When the results were computed that were decided on."""
        at = self.report.get("computed_at")
        return parse_datetime(at) if at else None


def load_standing(
    comparison: Comparison, part: Part = EVERYTHING, *, patience_s: float = float("inf")
) -> ReleaseReport:
    """Load the report of a computed comparison as things stand; ``patience_s`` bounds the making of pictures."""
    policy = policy_for(comparison)
    report = standing_report(comparison, policy, part)
    waivers = [waiver for waiver in standing_waivers() if waiver.holds(timezone.localdate())]
    return _gathered(comparison, None, report, part, policy, waivers, patience_s)


def load_recorded(record: GateRecord, *, patience_s: float = float("inf")) -> ReleaseReport:
    """Load the report of a kept decision: its numbers, reasons, policy and waivers are the frozen ones."""
    inputs = record.inputs
    kinds = (frozenset(inputs["scope"][name]) for name in ("apps", "interaction_types"))
    part = Part(record.report["scope"] or "", *kinds)
    policy = stored_policy(inputs["policy"])
    day = timezone.localdate(record.created_at)
    waivers = [waiver for waiver in map(kept_waiver, inputs["waivers"]) if waiver.holds(day)]
    return _gathered(record.comparison, record, record.report, part, policy, waivers, patience_s)


def _gathered(
    comparison: Comparison,
    record: GateRecord | None,
    report: Report,
    part: Part,
    policy: Policy,
    waivers: Sequence[Waiver],
    patience_s: float,
) -> ReleaseReport:
    current = record is None or _still_current(comparison, report)
    names = dict(App.objects.order_by().values_list("package", "name"))
    summary = verdict_summary(comparison) if current else None
    missing, without = _missing(comparison, summary, part, names) if summary else _kept_missing(record, names)
    stories = load_stories(comparison, report["regressions"], patience_s=patience_s)
    others = [lead for lead, *_ in by_interaction(report["regressions"])[len(stories) :]]
    drifted = [lead for lead, *_ in by_interaction(drift_rows(report))]
    return ReleaseReport(
        comparison=comparison,
        record=record,
        report=report,
        current=current,
        part=part,
        policy=policy,
        summary=None if part.name else summary,  # a part speaks with the words of the gate
        revisions=revisions_of(PairIds.of(comparison)) if current else None,
        stories=stories,
        others=tuple(others[:MOST_ROWS]),
        more_others=len(others[MOST_ROWS:]),
        drifted=tuple(drifted[:MOST_ROWS]),
        more_drifted=len(drifted[MOST_ROWS:]),
        apps=tuple(row for row in ranked_apps(comparison) if _inside(row.package, part)) if current else (),
        waivers=tuple(_waiver_line(waiver, report, names) for waiver in waivers if _inside(waiver.app, part)),
        missing=tuple(missing[:MOST_ROWS]),
        more_missing=without - len(missing[:MOST_ROWS]),
        thresholds=_thresholds(policy, names),
        written_at=timezone.now(),
    )


def _still_current(comparison: Comparison, report: Report) -> bool:
    at = comparison.computed_at
    return bool(at and comparison.summary and at.isoformat() == report.get("computed_at"))


def _inside(package: str, part: Part) -> bool:
    return not part.apps or package in part.apps


def _missing(
    comparison: Comparison, summary: VerdictSummary, part: Part, names: Mapping[str, str]
) -> tuple[list[Missing], int]:
    """Name the interactions of a part that were not compared, with the ranking's reason; and how many there are."""
    columns = ["app", "interaction", "kind", "interaction_type"]
    gaps = part.of(pd.DataFrame(comparison.summary["gaps"]["interactions"], columns=columns))
    inside = set(gaps[["app", "interaction"]].itertuples(index=False, name=None))
    named = [(names.get(app, app), name, why) for app, name, why in summary.missing if (app, name) in inside]
    return named, len(inside)


def _kept_missing(record: GateRecord | None, names: Mapping[str, str]) -> tuple[list[Missing], int]:
    kept = record.inputs["missing"] if record else []
    return [(names.get(app, app), name, "without a result at that time") for app, name in kept], len(kept)


def _waiver_line(waiver: Waiver, report: Report, names: Mapping[str, str]) -> WaiverLine:
    rows = [row for row in report["regressions"] if waiver.key is not None and row["waiver"] == waiver.key]
    accepted = (f"{row['app_name']} · {row['interaction']}, {metric_label(row['metric'])}" for row in rows)
    return WaiverLine(waiver, names.get(waiver.app, waiver.app), ceilings_text(waiver.ceilings), tuple(accepted))


def _thresholds(policy: Policy, names: Mapping[str, str]) -> tuple[RuleLine, ...]:
    """Put every θ of the policy in words, the exceptions last."""
    rules = [RuleLine(_metric(key), threshold_words(rule, key)) for key, rule in policy.thresholds.items()]
    for rule in policy.overrides:
        app = names.get(rule.app, rule.app) if rule.app else ""
        place = " · ".join(part for part in (app, rule.interaction_type, _metric(rule.metric)) if part)
        rules.append(RuleLine(place, threshold_words(rule.threshold, rule.metric)))
    return tuple(rules)


def _metric(key: str) -> str:
    return "Any other metric" if key == ANY_METRIC else metric_label(key)
