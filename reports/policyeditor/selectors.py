"""What the policy editor shows: the history, comparisons to try a policy on, and what it would change there."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pandas as pd

from analysis.gate.decision import GateDecision, decide_on
from analysis.metrics import BENCHMARK, is_judged
from analysis.policy.policy import DEFAULT_POLICY, Policy
from analysis.policy.policyjson import stored_policy
from analysis.verdicts.policywords import policy_changes
from analysis.verdicts.risk import worst_first
from analysis.verdicts.text import number_text, share_text
from analysis.verdicts.words import VERDICTS
from reports.comparing.standing import facts_of, judged_table, rules_now
from reports.models import App, Comparison, Measurement, PolicyVersion
from reports.web.requests import number_of

LISTED = 100


@dataclass(frozen=True)
class PolicyChange:
    """One saved version: who, when, why, and what it changed against the version before."""

    number: int
    author: str
    created_at: datetime
    note: str
    changes: tuple[str, ...]


@dataclass(frozen=True)
class ChangedVerdict:
    """A result that another policy would judge differently."""

    app: str  # package
    interaction: str
    device: str
    metric: str
    delta: float | None
    old_verdict: str
    old_severity: str
    new_verdict: str
    new_severity: str


@dataclass(frozen=True)
class PolicyPreview:
    """What a policy would change in a comparison. ``counts`` are {(old verdict, new verdict): results}."""

    results: int
    changed: tuple[ChangedVerdict, ...]
    counts: dict[tuple[str, str], int]
    before: GateDecision
    after: GateDecision


def policy_history(name: str) -> list[PolicyChange]:
    """Return the versions of a policy, newest first; one query."""
    versions = list(PolicyVersion.objects.filter(name=name).select_related("author").order_by("number"))
    policies = [DEFAULT_POLICY, *(stored_policy(version.rules) for version in versions)]
    return [
        PolicyChange(
            number=version.number,
            author=version.author.get_username() if version.author else "",
            created_at=version.created_at,
            note=version.note,
            changes=tuple(policy_changes(policies[place], policies[place + 1])),
        )
        for place, version in reversed(list(enumerate(versions)))
    ]


def benchmark_metrics() -> list[str]:
    """Return the metrics of benchmarks that are judged and that there are values of; one query."""
    values = Measurement.objects.filter(run__interaction__type=BENCHMARK).order_by("metric")
    return [key for key in values.values_list("metric", flat=True).distinct() if is_judged(key)]


def preview_policy(comparison: Comparison, now: Policy, typed: Policy) -> PolicyPreview:
    """Judge the stored statistics of a comparison by another policy; no run is read, nothing is written."""
    old = judged_table(comparison, now)
    new = judged_table(comparison, typed)
    moved = (old["verdict"] != new["verdict"]) | (old["severity"].fillna("") != new["severity"].fillna(""))
    pairs = zip(old["verdict"], new["verdict"], strict=True)
    ordered = worst_first(new[moved]).index
    befores, afters = (table.loc[ordered].to_dict("records") for table in (old, new))
    return PolicyPreview(
        results=len(old),
        changed=tuple(map(_changed, befores, afters)),
        counts=dict(Counter(pairs)),
        **_gates(comparison, (old, now), (new, typed)),
    )


def _gates(comparison: Comparison, *judged: tuple[pd.DataFrame, Policy]) -> dict[str, GateDecision]:
    """Decide on the same results as two policies judge them."""
    rules, gaps = rules_now(), comparison.summary["gaps"]["interactions"]
    facts = [(facts_of(table, gaps, policy), policy) for table, policy in judged]
    said = [
        decide_on(
            found,
            policy.gate,
            today=rules.today,
            critical=rules.critical,
            waivers=rules.waivers,
            drift=rules.drift_of(comparison, policy),
        )
        for found, policy in facts
    ]
    return dict(zip(("before", "after"), said, strict=True))


def _changed(old: Mapping[Hashable, Any], new: Mapping[Hashable, Any]) -> ChangedVerdict:
    return ChangedVerdict(
        app=new["app"],
        interaction=new["interaction"],
        device=new["device"],
        metric=new["metric"],
        delta=None if pd.isna(new["delta"]) else float(new["delta"]),
        old_verdict=old["verdict"],
        old_severity=old["severity"] or "",
        new_verdict=new["verdict"],
        new_severity=new["severity"] or "",
    )


@dataclass(frozen=True)
class Moved:
    """How many results would go from one verdict to another."""

    old: str
    new: str
    count: int


@dataclass(frozen=True)
class Preview:
    """What the typed policy would change. ``comparison`` is None where none was chosen."""

    changes: tuple[str, ...]
    comparison: Comparison | None
    results: int
    changed: tuple[ChangedVerdict, ...]  # the first of them
    changed_count: int
    moved: tuple[Moved, ...]
    names: dict[str, str]  # package: the app's name
    gates: tuple[GateDecision, GateDecision] | None  # by the policy in force, by the typed one

    @property
    def gate_counts(self) -> tuple[tuple[str, str, str], ...]:
        """The gate's counts that would change: what, before, after."""
        if self.gates is None:
            return ()
        before, after = self.gates
        rows = [
            (what, _gate_text(getattr(old, name, None), unit), _gate_text(getattr(new, name, None), unit))
            for old, new, counts in ((before, after, _GATE_COUNTS), (before.drift, after.drift, _DRIFT_COUNTS))
            for name, what, unit in counts
        ]
        return tuple(row for row in rows if row[1] != row[2])


_GATE_COUNTS = (
    ("regressed", "Regressed, not waived", ""),
    ("waived", "Waived", ""),
    ("decided", "Decided", ""),
    ("regressed_pct", "Share regressed", "%"),
    ("budget_pct", "Budget", "%"),
    ("coverage_pct", "Coverage", "%"),
)
_DRIFT_COUNTS = (
    ("regressed", "Regressed against the pinned, not waived", ""),
    ("waived", "Of that waived", ""),
    ("regressed_pct", "Share regressed against it", "%"),
    ("budget_pct", "Drift budget", "%"),
)


def _gate_text(value: float | None, unit: str) -> str:
    return share_text(value) if unit and value is not None else number_text(value)


def comparable() -> list[Comparison]:
    """List the comparisons that have results, newest first; one query."""
    return list(Comparison.objects.for_home().exclude(computed_at=None).exclude(summary={}).defer("summary")[:30])


def load_preview(comparison_id: str, now: Policy, typed: Policy) -> Preview:
    """Compare the typed policy with the one in force, and judge a comparison's stored statistics by it."""
    changes = tuple(policy_changes(now, typed))
    comparison = _find_comparison(comparison_id)
    if comparison is None:
        return Preview(changes, None, 0, (), 0, (), {}, None)
    found = preview_policy(comparison, now, typed)
    listed = found.changed[:LISTED]
    return Preview(
        changes=changes,
        comparison=comparison,
        results=found.results,
        changed=listed,
        changed_count=len(found.changed),
        moved=_moved(found.counts),
        names=_app_names({row.app for row in listed}),
        gates=(found.before, found.after),
    )


def _find_comparison(comparison_id: str) -> Comparison | None:
    number = number_of(comparison_id)
    if number is None:
        return None
    found = Comparison.objects.select_related("base", "new").filter(pk=number).first()
    return found if found and found.summary else None


def _moved(counts: dict[tuple[str, str], int]) -> tuple[Moved, ...]:
    moves = [Moved(old, new, count) for (old, new), count in counts.items() if old != new]
    return tuple(sorted(moves, key=lambda move: (VERDICTS.index(move.new), VERDICTS.index(move.old))))


def _app_names(packages: Iterable[str]) -> dict[str, str]:
    return dict(App.objects.filter(package__in=packages).values_list("package", "name"))
