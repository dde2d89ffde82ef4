"""Everything that the release gate decides from, read from the stored results."""

from dataclasses import dataclass
from datetime import date
from typing import Any

import pandas as pd

from analysis.gate.decision import GateDecision, evaluate_gate
from analysis.gate.waivers import Waiver
from analysis.policy.policy import Policy
from analysis.policy.policyjson import policy_from_json, policy_to_json, verdict_fingerprint
from analysis.verdicts.judging import judge
from reports.models import App, Comparison
from reports.selectors.result_table import result_table
from reports.selectors.scopes import EVERYTHING, Part
from reports.selectors.waivers import standing_waivers


@dataclass(frozen=True)
class GateInputs:
    """``results`` as ``result_table`` gives them, inside the scope and judged by ``policy``."""

    results: pd.DataFrame
    policy: Policy
    critical: frozenset[str]  # packages
    missing: tuple[tuple[str, str], ...]  # (package, interaction) of the baseline without a result
    waivers: tuple[Waiver, ...]
    part: Part

    def decide(self, today: date) -> GateDecision:
        """Evaluate the gate."""
        return evaluate_gate(
            self.results,
            self.policy,
            today=today,
            critical=self.critical,
            missing=self.missing,
            waivers=self.waivers,
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
    """Read a computed comparison: four queries. Another policy judges the stored statistics again."""
    table = result_table(comparison)
    if verdict_fingerprint(policy) != verdict_fingerprint(policy_from_json(comparison.policy)):
        table = judge(table, policy)
    return gate_inputs(table, comparison.summary["gaps"]["interactions"], policy, part)


def gate_inputs(table: pd.DataFrame, gaps: list[list[str]], policy: Policy, part: Part = EVERYTHING) -> GateInputs:
    """Put together the inputs from results at hand; ``gaps`` as the summary of a comparison lists them."""
    missing = pd.DataFrame(gaps, columns=["app", "interaction", "kind", "interaction_type"])
    missing = part.of(missing[missing["kind"] != "only_new"])
    return GateInputs(
        results=part.of(table),
        policy=policy,
        critical=frozenset(App.objects.filter(critical=True).values_list("package", flat=True)),
        missing=tuple(missing[["app", "interaction"]].itertuples(index=False, name=None)),
        waivers=tuple(standing_waivers()),
        part=part,
    )


def _waiver_json(waiver: Waiver) -> dict[str, Any]:
    return {
        "key": waiver.key,
        "app": waiver.app,
        "interaction": waiver.interaction,
        "metric": waiver.metric,
        "ceiling": waiver.ceiling,
        "expires": waiver.expires.isoformat(),
        "reason": waiver.reason,
        "issue_url": waiver.issue_url,
        "approver": waiver.approver,
    }
