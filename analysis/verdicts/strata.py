"""Compare like with like: which runs of an interaction may be pooled, and what is left out."""

from collections.abc import Hashable
from typing import Any

import pandas as pd

from analysis.verdicts.cells import BASE, NEW
from analysis.verdicts.outcomes import CENSORED

CELL = ["interaction", "device"]
STRATUM = ["app_version", "capture"]
PREFERRED_CAPTURE = "vfr"  # carries the true times; a capture on a fixed grid films the same run again


def choose_strata(groups: pd.DataFrame) -> pd.DataFrame:
    """Choose for every interaction and device the app version and capture to compare.

    Runs of another app version or capture are never pooled with them: chosen is the stratum with most runs on its
    weaker side; among equals vfr, then the one with more runs, then the later app version by name.

    Parameters
    ----------
    groups
        Counts of runs: interaction, device, side, app_version, capture, status, outcome, excluded, runs.

    Returns
    -------
    DataFrame
        One row per interaction and device that has usable runs of both versions alike: interaction, device,
        app_version, capture, n_base, n_new (usable runs, those without an answer among them).

    """
    known = usable(groups)
    sizes: dict[tuple[Any, ...], dict[str, int]] = {}
    names = [*CELL, *STRATUM, "side", "runs"]
    for *stratum, side, runs in zip(*(known[name].tolist() for name in names), strict=True):
        sizes.setdefault(tuple(stratum), {BASE: 0, NEW: 0})[side] += runs
    best: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    for (*cell, app_version, capture), n in sizes.items():
        weaker, total = min(n.values()), sum(n.values())
        if weaker:
            rank = (weaker, capture == PREFERRED_CAPTURE, total, app_version, capture, n[BASE], n[NEW])
            best[tuple(cell)] = max(best.get(tuple(cell), rank), rank)
    rows = [(*cell, *best[cell][-4:]) for cell in sorted(best)]
    kinds = [*(groups[name].dtype for name in [*CELL, *STRATUM]), "int64", "int64"]
    columns = [*zip(*rows, strict=True)] or [()] * len(kinds)
    made = zip([*CELL, *STRATUM, "n_base", "n_new"], columns, kinds, strict=True)
    return pd.DataFrame({name: pd.Series(column, dtype=kind) for name, column, kind in made})


def usable(groups: pd.DataFrame) -> pd.DataFrame:
    """Return the groups whose runs may enter a comparison: measured and not excluded."""
    return groups[(groups["status"] == "done") & ~groups["excluded"].astype(bool)]


def censored_counts(groups: pd.DataFrame, chosen: pd.DataFrame) -> pd.DataFrame:
    """Add to ``chosen`` how many of its runs had no answer on each side: censored_base, censored_new."""
    inside = usable(groups).merge(chosen[CELL + STRATUM], on=CELL + STRATUM)
    without = inside[inside["outcome"].isin(CENSORED)]
    out = chosen.copy()
    for side, column in ((BASE, "censored_base"), (NEW, "censored_new")):
        counts = without[without["side"] == side].groupby(CELL)["runs"].sum()
        out[column] = counts.reindex(pd.MultiIndex.from_frame(chosen[CELL]), fill_value=0).to_numpy()
    return out


def left_out(groups: pd.DataFrame, chosen: pd.DataFrame) -> dict[tuple[Hashable, ...], dict[str, Any]]:
    """Count per interaction and device the runs whose values are not compared, and why.

    ``{(interaction, device): {"failed": {"base": 1, "new": 0}, …}}`` with the kinds failed, waiting, excluded,
    censored (no answer) and other (another app version or capture); kinds without a run are not named.
    """
    marked = groups.merge(chosen[CELL + STRATUM].assign(alike=True), on=CELL + STRATUM, how="left")
    kind = pd.Series("", index=marked.index, dtype=object)
    kind[marked["outcome"].isin(CENSORED)] = "censored"
    kind[marked["alike"].isna()] = "other"
    kind[marked["status"].isin(["pending", "running"])] = "waiting"
    kind[marked["status"] == "failed"] = "failed"
    kind[marked["excluded"].astype(bool)] = "excluded"
    counts = marked.assign(kind=kind)[kind != ""].groupby([*CELL, "kind", "side"])["runs"].sum()
    found: dict[tuple[Hashable, ...], dict[str, Any]] = {}
    for interaction, device, word, side, runs in counts.reset_index().itertuples(index=False):
        found.setdefault((interaction, device), {}).setdefault(word, {BASE: 0, NEW: 0})[side] = int(runs)
    return found


def gaps(groups: pd.DataFrame, chosen: pd.DataFrame) -> dict[Hashable, str]:
    """Name for every interaction that cannot be compared why: only_base, only_new, not_alike or unmeasured."""
    compared = set(chosen["interaction"])
    known = usable(groups)
    sides = {side: set(known.loc[known["side"] == side, "interaction"]) for side in (BASE, NEW)}
    missing = [name for name in groups["interaction"].unique() if name not in compared]
    return {name: _gap(name in sides[BASE], name in sides[NEW]) for name in missing}


def _gap(on_base: bool, on_new: bool) -> str:
    if on_base and on_new:
        return "not_alike"
    if on_base:
        return "only_base"
    return "only_new" if on_new else "unmeasured"
