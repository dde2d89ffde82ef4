"""What a comparison has to compute: which cells there are, and which of them changed since they were stored.

A cell is one interaction on one device. Its fingerprint covers every run of it (state, stratum, identity, revision
of the measuring code), every measured value, the interaction's type and app, and the rules of the policy.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import pandas as pd

from analysis.policy.policy import Policy
from analysis.policy.policyjson import verdict_fingerprint
from analysis.verdicts.strata import CELL, censored_counts, choose_strata, gaps, left_out
from reports.comparing.inputs import PairIds, interaction_facts, measurement_sums, run_groups
from reports.models import Comparison

RULES = "3"  # raise it when the code that decides changes what it says


@dataclass(frozen=True)
class Plan:
    """``cells``: one row per comparable cell with its stratum, counts, facts and fingerprint."""

    pair: PairIds
    cells: pd.DataFrame
    left_out: dict[tuple[Hashable, ...], dict[str, Any]]
    gaps: dict[Hashable, str]
    facts: pd.DataFrame
    waiting: int
    failed: int
    shared: int  # interactions that both versions have runs of, whatever their state
    fingerprint: str  # of everything: runs that cannot be compared and names of apps too


def make_plan(comparison: Comparison, policy: Policy) -> Plan:
    """Read counts and sums (no values): three queries, whatever the number of runs."""
    pair = PairIds.of(comparison)
    groups, facts = run_groups(pair), interaction_facts()
    hashes = _hashes(groups, measurement_sums(pair))
    cells = censored_counts(groups, choose_strata(groups)).merge(facts, on="interaction")
    cells["fingerprint"] = _fingerprints(cells, hashes, policy)
    runs = groups.groupby("status")["runs"].sum()
    return Plan(
        pair=pair,
        cells=cells,
        left_out=left_out(groups, cells),
        gaps=gaps(groups, cells),
        facts=facts,
        waiting=int(runs.get("pending", 0) + runs.get("running", 0)),
        failed=int(runs.get("failed", 0)),
        shared=int((groups.groupby("interaction")["side"].nunique() == 2).sum()),
        fingerprint=f"{hashes.sum():016x}{pd.util.hash_pandas_object(facts, index=False).sum():016x}",
    )


def changed_cells(plan: Plan, stored: dict[tuple[int, int], str]) -> pd.DataFrame:
    """Return the cells whose stored fingerprint is missing or another."""
    known = [stored.get(key) for key in zip(plan.cells["interaction"], plan.cells["device"], strict=True)]
    return plan.cells[plan.cells["fingerprint"] != pd.Series(known, index=plan.cells.index, dtype=object)]


def _hashes(groups: pd.DataFrame, sums: pd.DataFrame) -> pd.Series:
    """Hash each cell's runs and values: the hashes of its rows are added up, so their order does not matter."""
    values = sums.assign(total=sums["total"].map(_digits), weighted=sums["weighted"].map(_digits))
    rows = [table[CELL].assign(hash=pd.util.hash_pandas_object(table, index=False)) for table in (groups, values)]
    return pd.concat(rows).groupby(CELL)["hash"].sum()


def _fingerprints(cells: pd.DataFrame, hashes: pd.Series, policy: Policy) -> list[str]:
    rules = f"{RULES}-{verdict_fingerprint(policy)}"
    kinds = pd.util.hash_pandas_object(cells[["app", "interaction_type"]], index=False)
    runs = hashes.reindex(pd.MultiIndex.from_frame(cells[CELL]))
    return [f"{run:016x}{kind:016x}-{rules}" for run, kind in zip(runs, kinds, strict=True)]


def _digits(value: float) -> str:
    return f"{value:.10g}"  # a database may add floats in any order
