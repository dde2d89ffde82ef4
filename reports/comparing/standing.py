"""How the release gate stands now: from the stored results, and the rules, waivers and critical apps of today.

A waiver expires by the day, an app becomes critical, a policy is saved: nothing that these decide is ever stored.
Stored with a comparison is only what its results say (``facts_json``), so that a page with ten comparisons decides
on each in three queries for all of them. Facts that were counted by other rules than those in force, or of a scope
that changed since, are counted again from the results; a process does that once, as they stay so until the
comparison is computed again.
"""

from collections import OrderedDict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pandas as pd
from django.utils import timezone

from analysis.gate.decision import GateDecision, decide_on
from analysis.gate.drift import COUNTED, Drift
from analysis.gate.facts import GateFacts, gate_facts
from analysis.gate.waivers import Regression, Waiver
from analysis.policy.checks import PolicyError
from analysis.policy.policy import Policy
from analysis.policy.policyjson import stored_policy, verdict_fingerprint
from analysis.verdicts.judging import judge
from reports.comparing.pinned import PinnedPair, pinned_pairs
from reports.comparing.results import by_measuring_rules, result_table
from reports.models import App, Comparison
from reports.policies.selectors import EVERYTHING, Part, current_policies, policy_for, standing_waivers

_KEPT: OrderedDict[Hashable, GateFacts] = OrderedDict()
_MOST_KEPT = 64


@dataclass(frozen=True)
class RulesNow:
    """All that decides besides the results."""

    policies: dict[str, Policy]
    critical: frozenset[str]  # packages
    waivers: tuple[Waiver, ...]  # expired ones too: the gate says that they expired
    today: date
    pairs: dict[int, PinnedPair] = field(default_factory=dict)  # by comparison; more are loaded when asked for

    def policy_for(self, comparison: Comparison) -> Policy:
        """Return the policy that a comparison is to be decided by."""
        return policy_for(comparison, self.policies)

    def pinned_pair(self, comparison: Comparison) -> PinnedPair:
        """Return its updated version and the pinned one of that version's line; two queries unless it is loaded."""
        if comparison.pk not in self.pairs:
            self.pairs.update(pinned_pairs([comparison]))
        return self.pairs[comparison.pk]

    def drift_of(self, comparison: Comparison, policy: Policy, part: Part = EVERYTHING) -> Drift | None:
        """Return what is known against the pinned version; None, and no query, where a policy does not ask."""
        if policy.gate.drift_budget_pct is None:
            return None
        pair = self.pinned_pair(comparison)
        known = pair.comparison if pair.state == COUNTED else None
        return Drift(
            state=pair.state,
            pinned=str(pair.pinned or ""),
            facts=standing_facts(known, policy, part) if known else None,
            why=pair.why,
        )


def rules_now(comparisons: Iterable[Comparison] = ()) -> RulesNow:
    """Load the rules in force: three queries, two more where the gate of these comparisons asks for drift."""
    policies = current_policies()
    asking = [row for row in comparisons if policy_for(row, policies).gate.drift_budget_pct is not None]
    return RulesNow(
        policies=policies,
        critical=frozenset(App.objects.filter(critical=True).values_list("package", flat=True)),
        waivers=tuple(standing_waivers()),
        today=timezone.localdate(),
        pairs=pinned_pairs(asking) if asking else {},
    )


def standing(comparison: Comparison, part: Part = EVERYTHING, rules: RulesNow | None = None) -> GateDecision:
    """Decide as things stand on a computed comparison, or on a part of it; ``rules`` serve several comparisons."""
    rules = rules or rules_now()
    policy = rules.policy_for(comparison)
    facts, drift = standing_facts(comparison, policy, part), rules.drift_of(comparison, policy, part)
    return decide_on(
        facts, policy.gate, today=rules.today, critical=rules.critical, waivers=rules.waivers, drift=drift
    )


def standing_facts(comparison: Comparison, policy: Policy, part: Part = EVERYTHING) -> GateFacts:
    """Return what the results say by a policy: as it is stored, or counted again where that is out of date."""
    stored = comparison.summary.get("standing", {})
    counts = stored.get("parts", {}).get(_part_key(part))
    if counts is None or stored["rules"] != _rules_key(policy):
        return _kept_facts(comparison, policy, part)
    rows = [Regression(*row) for row in stored["regressions"]]
    return GateFacts(tuple(row for row in rows if part.holds(row.app, row.interaction_type)), **counts)


def facts_json(table: pd.DataFrame, gaps: list[list[str]], policy: Policy, parts: list[Part]) -> dict[str, Any]:
    """Return what ``standing_facts`` reads: regressions once, counts for everything and for each part."""
    facts = {part: facts_of(table, gaps, policy, part) for part in (EVERYTHING, *parts)}
    return {
        "rules": _rules_key(policy),
        "regressions": [list(row) for row in facts[EVERYTHING].regressions],
        "parts": {
            _part_key(part): {"decided": found.decided, "expected": found.expected, "missing": found.missing}
            for part, found in facts.items()
        },
    }


def facts_of(table: pd.DataFrame, gaps: list[list[str]], policy: Policy, part: Part = EVERYTHING) -> GateFacts:
    """Count the facts of a part from judged results; ``gaps`` as the summary of a comparison lists them."""
    return gate_facts(part.of(table), policy.gate, missing=missing_places(gaps, part))


def missing_places(gaps: list[list[str]], part: Part) -> tuple[tuple[str, str], ...]:
    """Return (package, interaction) of the baseline without a result, inside a part."""
    missing = pd.DataFrame(gaps, columns=["app", "interaction", "kind", "interaction_type"])
    missing = part.of(missing[missing["kind"] != "only_new"])
    return tuple(missing[["app", "interaction"]].itertuples(index=False, name=None))


def judged_table(comparison: Comparison, policy: Policy) -> pd.DataFrame:
    """Return the stored results, judged again where another policy than the given one judged them."""
    table = result_table(comparison)
    if verdict_fingerprint(policy) == _stored_fingerprint(comparison):
        return table
    return judge(by_measuring_rules(comparison, table, policy), policy)


def _stored_fingerprint(comparison: Comparison) -> str:
    try:
        return verdict_fingerprint(stored_policy(comparison.policy))
    except PolicyError:  # written by rules that are no longer known
        return ""


def _kept_facts(comparison: Comparison, policy: Policy, part: Part) -> GateFacts:
    """Count from the results, or take what this process counted before from the same ones."""
    key = (comparison.pk, comparison.computed_at, _rules_key(policy), _part_key(part))
    if key not in _KEPT:
        gaps = comparison.summary["gaps"]["interactions"]
        _KEPT[key] = facts_of(judged_table(comparison, policy), gaps, policy, part)
        while len(_KEPT) > _MOST_KEPT:
            _KEPT.popitem(last=False)
    return _KEPT[key]


def _rules_key(policy: Policy) -> str:
    """Name all of a policy that the facts depend on."""
    return f"{verdict_fingerprint(policy)}-{policy.gate.min_runs}-{policy.gate.second_approver_from}"


def _part_key(part: Part) -> str:
    """Name a part by what it holds: a scope that is changed is another one."""
    return ";".join([",".join(sorted(part.apps)), ",".join(sorted(part.interaction_types))])
