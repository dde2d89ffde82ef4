"""All that the release gate decides from, with every number of the results, to be shown and kept."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import pandas as pd

from analysis.gate.decision import GateDecision, evaluate_gate
from analysis.gate.drift import COUNTED, Drift
from analysis.gate.waivers import Waiver
from analysis.policy.policy import Policy
from analysis.policy.policyjson import policy_to_json
from reports.comparing.pinned import pinned_pairs
from reports.comparing.standing import facts_of, judged_table, missing_places
from reports.models import App, Comparison
from reports.policies.selectors import EVERYTHING, Part, standing_waivers


@dataclass(frozen=True)
class GateInputs:
    """``results`` as ``result_table`` gives them, inside the scope and judged by ``policy``."""

    results: pd.DataFrame
    policy: Policy
    critical: frozenset[str]  # packages
    missing: tuple[tuple[str, str], ...]  # (package, interaction) of the baseline without a result
    waivers: tuple[Waiver, ...]
    part: Part
    drift: Drift | None = None  # None: the policy does not ask for it
    drift_results: pd.DataFrame | None = None  # against the pinned version, as ``results``; None where not known

    def decide(self, today: date) -> GateDecision:
        """Evaluate the gate."""
        return evaluate_gate(
            self.results,
            self.policy,
            today=today,
            critical=self.critical,
            missing=self.missing,
            waivers=self.waivers,
            drift=self.drift,
        )

    def frozen(self) -> dict[str, Any]:
        """Return what the decision was made from besides the results, as JSON."""
        return {
            "policy": policy_to_json(self.policy),
            "critical": sorted(self.critical),
            "missing": [list(place) for place in self.missing],
            "waivers": [_waiver_json(waiver) for waiver in self.waivers],
            "scope": {"apps": sorted(self.part.apps), "interaction_types": sorted(self.part.interaction_types)},
        }


def load_gate_inputs(comparison: Comparison, policy: Policy, part: Part = EVERYTHING) -> GateInputs:
    """Read a computed comparison: three queries, three more where the policy asks for drift.

    Another policy judges the stored statistics again.
    """
    drift, drift_results = _load_drift(comparison, policy, part)
    return GateInputs(
        results=part.of(judged_table(comparison, policy)),
        policy=policy,
        critical=frozenset(App.objects.filter(critical=True).values_list("package", flat=True)),
        missing=missing_places(comparison.summary["gaps"]["interactions"], part),
        waivers=tuple(standing_waivers()),
        part=part,
        drift=drift,
        drift_results=drift_results,
    )


def _load_drift(comparison: Comparison, policy: Policy, part: Part) -> tuple[Drift | None, pd.DataFrame | None]:
    if policy.gate.drift_budget_pct is None:
        return None, None
    pair = pinned_pairs([comparison])[comparison.pk]
    drift = Drift(pair.state, str(pair.pinned or ""), why=pair.why)
    if pair.comparison is None or pair.state != COUNTED:
        return drift, None
    table, gaps = judged_table(pair.comparison, policy), pair.comparison.summary["gaps"]["interactions"]
    return replace(drift, facts=facts_of(table, gaps, policy, part)), part.of(table)


def kept_waiver(kept: Mapping[str, Any]) -> Waiver:
    """Read a waiver as ``frozen`` wrote it; the first records have one metric with one ceiling."""
    given = {**kept, "expires": date.fromisoformat(kept["expires"])}
    metric, ceiling = given.pop("metric", None), given.pop("ceiling", None)
    return Waiver(**{"ceilings": {metric: ceiling} if metric else {}, **given})


def _waiver_json(waiver: Waiver) -> dict[str, Any]:
    return {
        "key": waiver.key,
        "app": waiver.app,
        "interaction": waiver.interaction,
        "ceilings": dict(waiver.ceilings),
        "expires": waiver.expires.isoformat(),
        "reason": waiver.reason,
        "issue_url": waiver.issue_url,
        "approver": waiver.approver,
        "seconded": waiver.seconded,
        "second": waiver.second,
    }
