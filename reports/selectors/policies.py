"""What the policy pages show: the history, and what another policy would change."""

from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pandas as pd

from analysis.policy.policy import DEFAULT_POLICY, Policy
from analysis.policy.policyjson import policy_changes, policy_from_json
from analysis.verdicts.judging import judge
from analysis.verdicts.risk import worst_first
from reports.comparing.gate_inputs import result_table
from reports.models import Comparison, PolicyVersion


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


def policy_history(name: str) -> list[PolicyChange]:
    """Return the versions of a policy, newest first; one query."""
    versions = list(PolicyVersion.objects.filter(name=name).select_related("author").order_by("number"))
    policies = [DEFAULT_POLICY, *(policy_from_json(version.rules) for version in versions)]
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


def preview_policy(comparison: Comparison, policy: Policy) -> PolicyPreview:
    """Judge the stored statistics of a comparison by another policy; no run is read, nothing is written."""
    old = result_table(comparison)
    new = judge(old, policy)
    moved = (old["verdict"] != new["verdict"]) | (old["severity"].fillna("") != new["severity"].fillna(""))
    pairs = zip(old["verdict"], new["verdict"], strict=True)
    ordered = worst_first(new[moved]).index
    befores, afters = (table.loc[ordered].to_dict("records") for table in (old, new))
    return PolicyPreview(
        results=len(old),
        changed=tuple(map(_changed, befores, afters)),
        counts=dict(Counter(pairs)),
    )


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
