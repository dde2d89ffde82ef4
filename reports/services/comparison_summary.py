"""The counts of a comparison, kept with it so that pages only read them."""

from collections import Counter
from collections.abc import Hashable
from dataclasses import asdict
from typing import Any

import pandas as pd
from django.utils import timezone

from analysis.decide.gate import evaluate_gate
from analysis.decide.policy import Policy
from analysis.decide.risk import app_risk, interaction_summary
from analysis.decide.summary import summarise
from reports.models import Comparison
from reports.services.comparison_plan import Plan

_WORDS = ["metric", "verdict", "severity"]
_NUMBERS = [
    *("n_base", "n_new", "median_base", "median_new", "delta", "delta_pct", "ci_low", "ci_high", "p_value"),
    *("q_value", "cliffs_delta", "threshold", "times_threshold"),
]


def result_table(comparison: Comparison) -> pd.DataFrame:
    """Return the stored rows as ``analysis.decide`` takes them: app is the package, interaction its name."""
    fields = ["interaction__app__package", "interaction__name", "interaction__type", "device__name"]
    rows = list(comparison.results.order_by().values_list(*fields, *_WORDS, *_NUMBERS))
    names = ["app", "interaction", "interaction_type", "device", *_WORDS, *_NUMBERS]
    table = pd.DataFrame.from_records(rows, columns=names)
    table[_NUMBERS] = table[_NUMBERS].astype(float)
    return table.assign(severity=table["severity"].astype(object).where(table["severity"] != "", None))


def summary_json(comparison: Comparison, plan: Plan, policy: Policy) -> dict[str, Any]:
    """Count verdicts, apps, gaps and runs that were left out."""
    table = result_table(comparison)
    known = plan.facts.drop_duplicates("app").set_index("app")
    critical = known.loc[known["critical"], "app_name"].to_dict()
    counts = asdict(summarise(table, policy, critical=critical))
    return {
        **counts | {"critical_apps": list(counts["critical_apps"])},
        "apps": _apps(table, policy, known),
        "gaps": _gaps(plan, table),
        "gate": _gate(table, plan, policy, set(critical)),
        "left_out": _left_out(plan),
        "waiting": plan.waiting,
    }


def _apps(table: pd.DataFrame, policy: Policy, known: pd.DataFrame) -> list[dict[str, Any]]:
    critical = set(known.index[known["critical"]])
    rows = app_risk(interaction_summary(table), policy, critical=critical).to_dict("records")
    words = [word for word, _ in policy.ladder]
    return [
        {
            "app": row["app"],
            "name": known.at[row["app"], "app_name"],
            "category": known.at[row["app"], "category"],
            "critical": bool(row["critical"]),
            **{name: int(row[name]) for name in ("interactions", "decided", "regressed", "improved")},
            **{name: _number(row[name]) for name in ("regressed_pct", "risk")},
            "severity": row["severity"] if isinstance(row["severity"], str) else "",
            "severities": {word: int(row[word]) for word in words},
        }
        for row in rows
    ]


def missing_interactions(summary: dict[str, Any]) -> list[tuple[str, str]]:
    """Return (package, interaction) of the baseline that a stored comparison could say nothing about."""
    return [(app, name) for app, name, kind in summary["gaps"]["interactions"] if kind != "only_new"]


def _gaps(plan: Plan, table: pd.DataFrame) -> dict[str, Any]:
    """List the interactions without a row: [package, name, kind]; no_answer: no run of either side has a value."""
    places = zip(plan.facts["app"], plan.facts["name"], strict=True)
    names: dict[Hashable, tuple[str, str]] = dict(zip(plan.facts["interaction"], places, strict=True))
    listed = [[*names[interaction], kind] for interaction, kind in plan.gaps.items()]
    compared = plan.cells[["app", "name"]].itertuples(index=False, name=None)
    without = set(compared) - set(table[["app", "interaction"]].itertuples(index=False, name=None))
    listed += [[*place, "no_answer"] for place in without]
    return {"counts": dict(Counter(kind for *_, kind in listed)), "interactions": sorted(listed)}


def _gate(table: pd.DataFrame, plan: Plan, policy: Policy, critical: set[str]) -> str:
    missing = [tuple(place[:2]) for place in _gaps(plan, table)["interactions"] if place[2] != "only_new"]
    return evaluate_gate(table, policy, today=timezone.localdate(), critical=critical, missing=missing).decision


def _left_out(plan: Plan) -> dict[str, dict[str, int]]:
    total: dict[str, Counter[str]] = {}
    for kinds in plan.left_out.values():
        for kind, sides in kinds.items():
            total.setdefault(kind, Counter()).update(sides)
    return {kind: dict(sides) for kind, sides in total.items()}


def _number(value: float) -> float | None:
    return None if pd.isna(value) else float(value)
