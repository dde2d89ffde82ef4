"""Decisions of the gate: as the JSON that a record keeps, and as the pages show them."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import pandas as pd
from django.db.models import Max, QuerySet
from django.db.models.fields.json import KeyTextTransform
from django.http import Http404
from django.utils import timezone

from analysis.gate.decision import GateDecision
from analysis.gate.facts import regression_rows
from analysis.gate.reasons import EXIT_CODES, FAIL, NOT_ENOUGH_DATA, PASS, passed_words
from analysis.gate.waivers import Regression, Waiver, waived_by
from analysis.policy.policy import Policy
from analysis.verdicts.risk import worst_first
from analysis.verdicts.text import count_text
from analysis.verdicts.words import REGRESSION
from reports.comparing.gate_inputs import GateInputs, load_gate_inputs
from reports.comparing.selectors import recent_comparisons
from reports.comparing.standing import rules_now, standing, standing_facts
from reports.models import Comparison, GateRecord
from reports.policies.selectors import Part, WaiverRow, waive_address, waiver_rows

_COPIED = (
    *("app", "app_name", "interaction", "interaction_type", "device", "metric", "severity"),
    *("median_base", "median_new", "delta", "delta_pct", "threshold", "times_threshold", "p_value", "cliffs_delta"),
)
RECENT = 30
SCALE_PCT = 10.0  # the budget slider reaches at least so far


def gate_report(comparison: Comparison, inputs: GateInputs, decision: GateDecision) -> dict[str, Any]:
    """Return the decision with its reasons, counts and every regression, worst first."""
    return {
        "base": comparison.base.name,
        "new": comparison.new.name,
        "device": str(comparison.device) if comparison.device else None,
        "scope": inputs.part.name or None,
        "policy": inputs.policy.name,
        "policy_version": inputs.policy.version,
        "computed_at": comparison.computed_at.isoformat() if comparison.computed_at else None,
        "stale": comparison.stale,
        "decision": decision.decision,
        "exit_code": decision.exit_code,
        "sentence": decision.sentence,
        "budget_pct": inputs.policy.gate.budget_pct,
        "min_coverage_pct": inputs.policy.gate.min_coverage_pct,
        **{name: getattr(decision, name) for name in ("regressed", "waived", "decided", "expected", "missing")},
        "regressed_pct": decision.regressed_pct,
        "coverage_pct": decision.coverage_pct,
        "reasons": [
            {"rule": reason.rule, "decides": reason.decides, "text": reason.text, "app": reason.app}
            | {"interaction": reason.interaction, "waiver": reason.waiver}
            for reason in decision.reasons
        ],
        "regressions": _regressions(inputs.results, inputs, decision.day),
        "drift": _drift(inputs, decision),
    }


def _drift(inputs: GateInputs, decision: GateDecision) -> dict[str, Any] | None:
    """Return how the rule against the pinned version stands, with every regression against it; None if off."""
    counts = decision.drift
    if counts is None:
        return None
    found = inputs.drift_results
    rows = [] if found is None else _regressions(found, inputs, decision.day)
    step = inputs.results[inputs.results["verdict"] == REGRESSION]
    felt = set(zip(step["app"], step["interaction"], strict=True))
    names = ("state", "pinned", "why", "regressed", "waived", "decided", "expected", "missing", "budget_pct")
    return {
        **{name: getattr(counts, name) for name in names},
        "regressed_pct": counts.regressed_pct,
        "regressions": [{**row, "felt": (row["app"], row["interaction"]) in felt} for row in rows],
    }


def _regressions(results: pd.DataFrame, inputs: GateInputs, today: date) -> list[dict[str, Any]]:
    rows = worst_first(results[results["verdict"] == REGRESSION])
    regressions = list(regression_rows(rows, inputs.policy.gate.second_approver_from))
    excuses = waived_by(regressions, inputs.waivers, today=today)
    waiting = [waiver for waiver in inputs.waivers if waiver.holds(today)]
    return [
        _regression(row, inputs, excuse)
        | {"waits": next((waiver.key for waiver in waiting if excuse < 0 and waiver.waits_for(regression)), None)}
        for row, regression, excuse in zip(rows.to_dict("records"), regressions, excuses, strict=True)
    ]


def _regression(row: Mapping[Hashable, Any], inputs: GateInputs, excuse: int) -> dict[str, Any]:
    """Return a regression with the key of the waiver that takes it out, if one does."""
    values = {name: None if pd.isna(row[name]) else row[name] for name in _COPIED}
    waiver = inputs.waivers[excuse].key if excuse >= 0 else None
    return {**values, "critical": row["app"] in inputs.critical, "waiver": waiver}


def nothing_report(comparison: Comparison, why: str) -> dict[str, Any]:
    """Return the report of two versions that have nothing to compare."""
    return {
        "base": comparison.base.name,
        "new": comparison.new.name,
        "device": str(comparison.device) if comparison.device else None,
        "scope": None,
        "computed_at": None,
        "decision": NOT_ENOUGH_DATA,
        "exit_code": EXIT_CODES[NOT_ENOUGH_DATA],
        "sentence": "Nothing can be said yet.",
        "decided": 0,
        "reasons": [{"rule": "nothing", "decides": NOT_ENOUGH_DATA, "text": why, "app": "", "interaction": ""}],
        "regressions": [],
    }


@dataclass(frozen=True)
class WhatIf:
    """What the gate would say at another budget. ``otherwise`` is its word when the budget is kept."""

    budget_pct: float
    share_pct: float | None
    otherwise: str
    scale_pct: float

    @property
    def decision(self) -> str:
        """The word at this budget."""
        if self.share_pct is not None and self.share_pct > self.budget_pct:
            return FAIL
        return self.otherwise

    @property
    def share_at(self) -> float:
        """Where the regressed share stands on the slider, in percent of its length."""
        return 100.0 * min(self.share_pct or 0.0, self.scale_pct) / self.scale_pct


def what_if(report: dict[str, Any], budget_pct: float | None) -> WhatIf:
    """Judge a kept decision at another budget; None asks for the budget it was made with."""
    decides = {reason["decides"] for reason in report["reasons"] if reason["rule"] != "budget"}
    share = report.get("regressed_pct")
    return WhatIf(
        budget_pct=report.get("budget_pct", 0.0) if budget_pct is None else budget_pct,
        share_pct=share,
        otherwise=next(word for word in (FAIL, NOT_ENOUGH_DATA, PASS) if word in decides or word == PASS),
        scale_pct=min(100.0, max(SCALE_PCT, 5.0 * round(2.0 * (share or 0.0) / 5.0 + 0.5))),
    )


@dataclass(frozen=True)
class Stand:
    """What the gate says as things stand: the report, and what it was made from, both as JSON to be kept."""

    report: dict[str, Any]
    inputs: dict[str, Any]


def load_stand(comparison: Comparison, policy: Policy, part: Part) -> Stand:
    """Decide from the stored results, with every number that the pages show; nothing is kept. Six queries."""
    inputs = load_gate_inputs(comparison, policy, part)
    return Stand(gate_report(comparison, inputs, inputs.decide(timezone.localdate())), inputs.frozen())


def standing_report(comparison: Comparison, policy: Policy, part: Part) -> dict[str, Any]:
    """Return what the gate says as things stand, from the stored results; nothing is kept."""
    return load_stand(comparison, policy, part).report


def latest_record(comparison: Comparison, scope: str) -> GateRecord | None:
    """Return the last decision on a comparison, for a scope or for everything; one query."""
    return _of(comparison, scope).select_related("decided_by", "scope").first()


def recorded_mark(comparison: Comparison, scope: str) -> GateRecord | None:
    """Return the same without its contents, but for the sentence; one query."""
    return _marks(_of(comparison, scope)).first()


def _of(comparison: Comparison, scope: str) -> QuerySet[GateRecord]:
    return GateRecord.objects.filter(comparison=comparison, scope__name=scope or None)


def earlier_records(record: GateRecord) -> list[GateRecord]:
    """List the decisions on the same comparison and scope before this one; one query."""
    records = GateRecord.objects.filter(comparison=record.comparison_id, scope=record.scope_id, pk__lt=record.pk)
    return list(records.select_related("decided_by").defer("inputs")[:RECENT])


def latest_records(comparisons: Iterable[Comparison]) -> dict[int, GateRecord]:
    """Return comparison id → the last decision on it as a whole; one query."""
    mine = GateRecord.objects.filter(comparison__in=comparisons, scope=None)
    newest = mine.order_by().values("comparison").annotate(newest=Max("pk")).values("newest")
    rows = _marks(GateRecord.objects.filter(pk__in=newest))
    return {row.comparison_id: row for row in rows}


def _marks(records: QuerySet[GateRecord]) -> QuerySet[GateRecord]:
    """Load records without their contents, but for the ``sentence``: enough to see that they say something else."""
    said = records.select_related("decided_by").defer("inputs", "report")
    return said.annotate(sentence=KeyTextTransform("sentence", "report"))


def says_otherwise(record: GateRecord | None, decision: str, sentence: str) -> bool:
    """Tell whether the gate says something else now than a record, which ``_marks`` has loaded."""
    if record is None:
        return False
    known: str | None = getattr(record, "sentence", None)  # records of earlier releases have none
    return record.decision != decision or (known is not None and known != sentence)


def regression_lines(rows: Sequence[dict[str, Any]], *, back: str) -> list[dict[str, Any]]:
    """Return regressions of a report, each with the address that waives all metrics of its interaction."""
    deltas: dict[tuple[str, str], list[tuple[str, float]]] = {}
    for row in rows:
        deltas.setdefault((row["app"], row["interaction"]), []).append((row["metric"], row["delta"]))
    waive = {place: waive_address(*place, found, back=back) for place, found in deltas.items()}
    return [{**row, "waive": waive[row["app"], row["interaction"]]} for row in rows]


@dataclass(frozen=True)
class WaiverEffect:
    """What a waiver does in a comparison: how many results it takes out, and a warning where it does not hold."""

    comparison: Comparison
    waived: int
    warning: str
    waits: bool = False  # for a second person, before it takes out all that it speaks about


@dataclass(frozen=True)
class ListedWaiver:
    """A waiver in the list, and what it does in the last comparisons."""

    row: WaiverRow
    effects: tuple[WaiverEffect, ...]

    @property
    def waits(self) -> bool:
        """Tell whether a regression counts until a second person approves this waiver."""
        return any(effect.waits for effect in self.effects)


def listed_waivers() -> list[ListedWaiver]:
    """List all waivers with what they do in the last comparisons: five queries, however many there are."""
    rules = rules_now()
    facts = [
        (row, standing_facts(row, rules.policy_for(row)).regressions) for row in recent_comparisons() if row.summary
    ]
    accepted = {waiver.key: waiver for waiver in rules.waivers}
    return [
        ListedWaiver(
            row, _effects(accepted[row.waiver.pk], facts, rules.today) if row.waiver.pk in accepted else ()
        )
        for row in waiver_rows(today=rules.today)
    ]


def _effects(
    waiver: Waiver, facts: Iterable[tuple[Comparison, Sequence[Regression]]], today: date
) -> tuple[WaiverEffect, ...]:
    found = ((comparison, _effect(waiver, rows, today)) for comparison, rows in facts)
    return tuple(WaiverEffect(comparison, *effect) for comparison, effect in found if effect[:2] != (0, ""))


def _effect(waiver: Waiver, rows: Sequence[Regression], today: date) -> tuple[int, str, bool]:
    about = [row for row in rows if waiver.about(row)]
    if not waiver.holds(today):
        return (
            0,
            f"expired: {count_text(len(about), 'regression counts', 'regressions count')} again" if about else "",
            False,
        )
    past = [row for row in about if not waiver.within(row)]
    waits = [row for row in about if waiver.waits_for(row)]
    warning = passed_words(waiver, past[0]) if past else ""
    if waits:
        count = count_text(len(waits), "regression counts", "regressions count")
        warning = "; ".join(filter(None, [f"waits for a second approval: {count} until then", warning]))
    return len(about) - len(past) - len(waits), warning, bool(waits)


@dataclass(frozen=True)
class ListedComparison:
    """A comparison in the list of the gate: how it stands, and what was recorded last."""

    comparison: Comparison
    stands: GateDecision | None  # None before the first computation
    record: GateRecord | None

    @property
    def out_of_date(self) -> bool:
        """Tell whether the gate says something else now than the record."""
        if self.stands is None:
            return False
        return says_otherwise(self.record, self.stands.decision, self.stands.sentence)


def listed_comparisons() -> list[ListedComparison]:
    """List the last comparisons as they stand: five queries for all of them."""
    comparisons = recent_comparisons()
    rules = rules_now(comparisons)
    records = latest_records(comparisons)
    return [
        ListedComparison(row, standing(row, rules=rules) if row.summary else None, records.get(row.pk))
        for row in comparisons
    ]


def recent_records() -> list[GateRecord]:
    """List the last decisions; one query."""
    return list(GateRecord.objects.select_related("decided_by", "scope").defer("inputs")[:RECENT])


def load_record(pk: int) -> GateRecord:
    """Load one decision with its frozen inputs; answers 404 for an unknown one."""
    record = GateRecord.objects.select_related("comparison__base", "comparison__new", "scope", "decided_by").filter(
        pk=pk
    )
    found = record.first()
    if found is None:
        raise Http404(f"There is no decision {pk} of the gate.")
    return found
