"""Patterns among the regressions, told only when chance does not explain them."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd
import scipy

from analysis.statistics.effects import q_values
from analysis.verdicts.sentences import metric_label
from analysis.verdicts.words import MORE_RUNS_NEEDED, REGRESSION

GROUP = ["category", "interaction_type"]
LEVEL = 0.05  # false-discovery rate over everything that was looked at
FEWEST_APPS = 3  # that regressed: fewer is a story about these apps
DOING = {
    "tap": ("Tapping", "input dispatch and the building of views"),
    "scroll": ("Scrolling", "rendering and touch handling"),
    "swipe": ("Swiping", "rendering and touch handling"),
    "type": ("Typing", "the keyboard and text input"),
    "draw": ("Drawing", "touch sampling and rendering"),
    "launch": ("Launching", "process start, storage and class loading"),
}


@dataclass(frozen=True)
class Pattern:
    """A group in which more apps regressed than elsewhere. An empty part of the group means all.

    ``inside`` and ``outside`` are (regressed apps, apps); an app counts once per interaction type where the group
    names a type.
    """

    category: str
    interaction_type: str
    metric: str
    inside: tuple[int, int]
    outside: tuple[int, int]
    p_value: float
    q_value: float

    @property
    def sentence(self) -> str:
        """Say it: ``Scrolling is slower in 9 of 11 apps (elsewhere in 4 of 60): look at rendering …``."""
        worse = f"worse ({metric_label(self.metric).lower()})" if self.metric else "slower"
        inside, outside = (f"{hit} of {total}" for hit, total in (self.inside, self.outside))
        if not self.interaction_type:
            counts = f"{inside} apps of the category {self.category} are {worse} (of the others {outside})"
            return f"{counts}: look at what these apps have in common."
        doing, hint = DOING.get(self.interaction_type, (self.interaction_type, "what these interactions share"))
        place = f" in the category {self.category}" if self.category else ""
        return f"{doing}{place} is {worse} in {inside} apps (elsewhere in {outside}): look at {hint}."


def find_patterns(results: pd.DataFrame) -> list[Pattern]:
    """Return the groups in which significantly more apps regressed than elsewhere, the clearest first.

    Looked at are interaction types, categories, both together, and each with one metric. The unit is an app, not an
    interaction: interactions of one app rise and fall together. Fisher's exact test, one-sided, Benjamini–Hochberg
    over all groups. A pattern whose regressions another one tells already is left out.
    """
    worse = results[results["verdict"] == REGRESSION]
    if len(set(zip(worse["category"], worse["app"], strict=True))) < FEWEST_APPS:
        return []
    units = _units(results)
    groups = _groups(units)
    law = groups["all_size"], groups["all_hits"], groups["size"]
    groups["p_value"] = scipy.stats.hypergeom.sf(groups["hits"] - 1, *law)
    groups["q_value"] = q_values(groups["p_value"])
    clear = groups[(groups["q_value"] < LEVEL) & (groups["hits"] >= FEWEST_APPS)]
    ordered = clear.sort_values("p_value", kind="stable").to_dict("records")
    return _without_echoes(units, [_pattern(group) for group in ordered])


def _units(results: pd.DataFrame) -> pd.DataFrame:
    """Return one row per app, type and metric ("" for all together): category, regressed."""
    decided = results[results["verdict"] != MORE_RUNS_NEEDED]
    rows = decided.assign(regressed=decided["verdict"] == REGRESSION)
    both = pd.concat([rows, rows.assign(metric="")])
    return both.groupby(["metric", *GROUP, "app"])["regressed"].any().reset_index()


def _groups(units: pd.DataFrame) -> pd.DataFrame:
    """Return the groups: metric, category, interaction_type, hits of size inside, all_hits of all_size in all."""
    apps = units.groupby(["metric", "category", "app"])["regressed"].any().reset_index()
    cells = _counted(units, ["metric", *GROUP])
    types = _counted(units, ["metric", "interaction_type"]).assign(category="")
    categories = _counted(apps, ["metric", "category"]).assign(interaction_type="")
    return pd.concat([types, categories[categories["category"] != ""], cells[cells["category"] != ""]])


def _counted(units: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    groups = units.groupby(keys)["regressed"].agg(hits="sum", size="size").reset_index()
    everything = units.groupby("metric")["regressed"].agg(all_hits="sum", all_size="size").reset_index()
    return groups.merge(everything, on="metric")


def _pattern(group: Mapping[Hashable, Any]) -> Pattern:
    hits, size = int(group["hits"]), int(group["size"])
    return Pattern(
        category=group["category"],
        interaction_type=group["interaction_type"],
        metric=group["metric"],
        inside=(hits, size),
        outside=(int(group["all_hits"]) - hits, int(group["all_size"]) - size),
        p_value=float(group["p_value"]),
        q_value=float(group["q_value"]),
    )


def _without_echoes(units: pd.DataFrame, found: list[Pattern]) -> list[Pattern]:
    told: set[tuple[str, str]] = set()
    kept = []
    for pattern in found:
        places = _regressed_places(units, pattern)
        if not places <= told:
            kept.append(pattern)
            told |= places
    return kept


def _regressed_places(units: pd.DataFrame, pattern: Pattern) -> set[tuple[str, str]]:
    """Return the (app, interaction type) that regressed inside the group."""
    hit = units[units["regressed"] & (units["metric"] == pattern.metric)]
    for column in GROUP:
        wanted = getattr(pattern, column)
        hit = hit[hit[column] == wanted] if wanted else hit
    return set(hit[["app", "interaction_type"]].itertuples(index=False, name=None))


ROW, COLUMN = "category", "interaction_type"


def regression_matrix(results: pd.DataFrame, *, metric: str | None = None) -> pd.DataFrame:
    """Return one row per app category and interaction type that has results, for one metric or all together.

    ``results`` has app, category, interaction, interaction_type, metric, verdict, delta, delta_pct. The answer:
    category, interaction_type, apps, regressed_apps, interactions, decided, regressed (interactions), regressed_pct
    (of the decided; missing if none is), median_delta (of all results, in the metric's unit; missing over several
    metrics) and median_delta_pct.
    """
    rows = results if metric is None else results[results["metric"] == metric]
    marked = rows.assign(regressed=rows["verdict"] == REGRESSION, decided=rows["verdict"] != MORE_RUNS_NEEDED)
    each = marked.groupby([ROW, COLUMN, "app", "interaction"])[["regressed", "decided"]].any().reset_index()
    cells = each.groupby([ROW, COLUMN]).agg(
        apps=("app", "nunique"),
        interactions=("interaction", "size"),
        decided=("decided", "sum"),
        regressed=("regressed", "sum"),
    )
    hit = each[each["regressed"]].groupby([ROW, COLUMN])["app"].nunique()
    medians = marked.groupby([ROW, COLUMN])[["delta", "delta_pct"]].median().add_prefix("median_")
    cells["regressed_apps"] = hit.reindex(cells.index, fill_value=0)
    cells["regressed_pct"] = 100.0 * cells["regressed"] / cells["decided"].where(cells["decided"] > 0)
    cells = cells.join(medians)
    if rows["metric"].nunique() > 1:
        cells["median_delta"] = float("nan")
    return cells.reset_index()
