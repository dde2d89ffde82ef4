"""A decision of the gate as JSON: what the record keeps, and what every format is made from."""

from collections.abc import Hashable, Mapping
from datetime import date
from typing import Any

import pandas as pd

from analysis.gate.decision import EXIT_CODES, NOT_ENOUGH_DATA, GateDecision
from analysis.gate.waivers import waived_by
from analysis.verdicts.risk import worst_first
from analysis.verdicts.words import REGRESSION
from reports.comparing.gate_inputs import GateInputs
from reports.models import Comparison

_COPIED = (
    *("app", "app_name", "interaction", "interaction_type", "device", "metric", "severity"),
    *("median_base", "median_new", "delta", "delta_pct", "threshold", "times_threshold", "p_value", "cliffs_delta"),
)


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
        "budget_pct": inputs.policy.gate.budget_pct,
        "min_coverage_pct": inputs.policy.gate.min_coverage_pct,
        **{name: getattr(decision, name) for name in ("regressed", "waived", "decided", "expected", "missing")},
        "regressed_pct": decision.regressed_pct,
        "coverage_pct": decision.coverage_pct,
        "reasons": [
            {"rule": reason.rule, "decides": reason.decides, "text": reason.text, "app": reason.app}
            | {"interaction": reason.interaction}
            for reason in decision.reasons
        ],
        "regressions": _regressions(inputs, decision.day),
    }


def _regressions(inputs: GateInputs, today: date) -> list[dict[str, Any]]:
    rows = worst_first(inputs.results[inputs.results["verdict"] == REGRESSION])
    excuses = waived_by(rows, inputs.waivers, today=today)
    return [_regression(row, inputs, excuse) for row, excuse in zip(rows.to_dict("records"), excuses, strict=True)]


def _regression(row: Mapping[Hashable, Any], inputs: GateInputs, excuse: int) -> dict[str, Any]:
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
        "decided": 0,
        "reasons": [{"rule": "nothing", "decides": NOT_ENOUGH_DATA, "text": why, "app": "", "interaction": ""}],
        "regressions": [],
    }
