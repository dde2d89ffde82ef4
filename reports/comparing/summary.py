"""The counts and the diagnosis of a comparison, kept with it so that pages only read them."""

from collections import Counter
from dataclasses import asdict
from typing import Any

import pandas as pd

from analysis.policy.policy import Policy
from analysis.verdicts.patterns import find_patterns, regression_matrix
from analysis.verdicts.risk import app_risk, interaction_summary
from analysis.verdicts.summary import summarise
from reports.comparing.doubts import doubts_json, doubts_table
from reports.comparing.plan import RULES, Plan
from reports.comparing.results import result_table
from reports.comparing.standing import facts_json
from reports.models import Comparison
from reports.policies.selectors import all_parts

ALL_METRICS = ""
_CELL_COUNTS = ("apps", "regressed_apps", "interactions", "decided", "regressed")
_CELL_NUMBERS = ("regressed_pct", "median_delta", "median_delta_pct")


def summary_json(comparison: Comparison, plan: Plan, policy: Policy) -> dict[str, Any]:
    """Count verdicts, apps, gaps and runs that were left out; each saved scope has the counts of its part."""
    table, known = result_table(comparison), plan.facts.drop_duplicates("app").set_index("app")
    gaps, parts, doubts = _gaps(plan, table), all_parts(), doubts_table(comparison)
    return {
        "rules": RULES,
        **_counts(table, policy, known),
        "standing": facts_json(table, gaps, policy, parts),
        "apps": _apps(table, policy, known),
        "gaps": {"counts": dict(Counter(kind for _, _, kind, _ in gaps)), "interactions": gaps},
        "left_out": _left_out(plan),
        "doubtful": doubts_json(doubts),
        "waiting": plan.waiting,
        **diagnosis_json(table),
        "scopes": {
            part.name: _counts(part.of(table), policy, known) | {"doubtful": doubts_json(part.of(doubts))}
            for part in parts
        },
    }


def _counts(table: pd.DataFrame, policy: Policy, known: pd.DataFrame) -> dict[str, Any]:
    critical = known.loc[known["critical"], "app_name"].to_dict()
    counts = asdict(summarise(table, policy, critical=critical))
    return {**counts, "critical_apps": list(counts["critical_apps"])}


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


def _gaps(plan: Plan, table: pd.DataFrame) -> list[list[str]]:
    """List the interactions without a row: [package, name, kind, type].

    The kind no_answer is said here: there are runs alike on both sides, and none of them has a value.
    """
    facts = plan.facts.assign(kind=plan.facts["interaction"].map(plan.gaps).astype(object))
    known = set(table[["app", "interaction"]].itertuples(index=False, name=None))
    places = facts[["app", "name"]].itertuples(index=False, name=None)
    answered = pd.Series([place in known for place in places], index=facts.index, dtype=bool)
    silent = facts["interaction"].isin(plan.cells["interaction"]) & ~answered
    without = facts.assign(kind=facts["kind"].mask(silent, "no_answer")).dropna(subset="kind")
    return sorted(without[["app", "name", "kind", "interaction_type"]].to_numpy().tolist())


def _left_out(plan: Plan) -> dict[str, dict[str, int]]:
    total: dict[str, Counter[str]] = {}
    for kinds in plan.left_out.values():
        for kind, sides in kinds.items():
            total.setdefault(kind, Counter()).update(sides)
    return {kind: dict(sides) for kind, sides in total.items()}


def _number(value: float) -> float | None:
    return None if pd.isna(value) else float(value)


def diagnosis_json(table: pd.DataFrame) -> dict[str, Any]:
    """Return {"matrix": {metric, "" for all: [cells]}, "patterns": [with their sentence]} of a result table."""
    metrics = sorted(table["metric"].unique())
    each = {metric: _matrix_cells(regression_matrix(table, metric=metric)) for metric in metrics}
    together = each[metrics[0]] if len(metrics) == 1 else _matrix_cells(regression_matrix(table))
    return {
        "matrix": {ALL_METRICS: together, **each},
        "patterns": [{**asdict(pattern), "sentence": pattern.sentence} for pattern in find_patterns(table)],
    }


def _matrix_cells(cells: pd.DataFrame) -> list[dict[str, Any]]:
    return [
        {
            "category": row["category"],
            "interaction_type": row["interaction_type"],
            **{name: int(row[name]) for name in _CELL_COUNTS},
            **{name: None if pd.isna(row[name]) else round(float(row[name]), 3) for name in _CELL_NUMBERS},
        }
        for row in cells.to_dict("records")
    ]
