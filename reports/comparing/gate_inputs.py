"""The stored results of a comparison as analysis judges them, and all that the release gate decides from."""

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
from reports.policies.selectors import EVERYTHING, Part, standing_waivers

PLACES = {
    "app": "interaction__app__package",
    "app_name": "interaction__app__name",
    "category": "interaction__app__category",
    "interaction": "interaction__name",
    "interaction_type": "interaction__type",
    "device": "device__name",
}
WORDS = ("metric", "verdict", "severity")
NUMBERS = (
    *("n_base", "n_new", "median_base", "median_new", "delta", "delta_pct", "ci_low", "ci_high", "p_value"),
    *("q_value", "cliffs_delta", "threshold", "times_threshold", "runs_needed"),
)


def result_table(comparison: Comparison) -> pd.DataFrame:
    """Return one row per result: app is the package, interaction its name; severity is None where there is none."""
    rows = comparison.results.order_by().values_list(*PLACES.values(), *WORDS, *NUMBERS)
    table = pd.DataFrame.from_records(list(rows), columns=[*PLACES, *WORDS, *NUMBERS])
    numbers = table[list(NUMBERS)].astype(float)
    severity = table["severity"].astype(object).where(table["severity"] != "", None)
    return table.assign(severity=severity, **{name: numbers[name] for name in NUMBERS})


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
