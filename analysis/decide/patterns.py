"""Patterns among the regressions, told only when chance does not explain them."""

from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd
from scipy.stats import hypergeom

from analysis.decide.effects import q_values
from analysis.decide.sentences import metric_label
from analysis.decide.words import MORE_RUNS_NEEDED, REGRESSION

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
    units = _units(results)
    tested = [(group, *_test(units, group)) for group in _groups(units)]
    if not tested:
        return []
    q = q_values([p for *_, p in tested])
    found = [
        (Pattern(*group, inside, outside, p, float(level)), group)
        for (group, inside, outside, p), level in zip(tested, q, strict=True)
        if level < LEVEL and inside[0] >= FEWEST_APPS
    ]
    return _without_echoes(units, sorted(found, key=lambda item: item[0].p_value))


Group = tuple[str, str, str]  # category, interaction type, metric; empty means all


def _units(results: pd.DataFrame) -> pd.DataFrame:
    """Return one row per app, type and metric ("" for all together): category, regressed."""
    decided = results[results["verdict"] != MORE_RUNS_NEEDED]
    rows = decided.assign(regressed=decided["verdict"] == REGRESSION)
    both = pd.concat([rows, rows.assign(metric="")])
    keys = ["category", "interaction_type", "metric", "app"]
    return both.groupby(keys)["regressed"].any().reset_index()


def _groups(units: pd.DataFrame) -> Iterator[Group]:
    for metric in units["metric"].unique():
        here = units[units["metric"] == metric]
        types, categories = sorted(here["interaction_type"].unique()), sorted(set(here["category"]) - {""})
        yield from (("", kind, metric) for kind in types)
        yield from ((category, "", metric) for category in categories)
        pairs = here[here["category"] != ""][["category", "interaction_type"]].drop_duplicates()
        yield from ((category, kind, metric) for category, kind in pairs.itertuples(index=False, name=None))


def _inside(units: pd.DataFrame, group: Group) -> tuple[pd.DataFrame, pd.Series]:
    category, kind, metric = group
    same = units[units["metric"] == metric]
    if not kind:
        same = same.groupby(["category", "app"])["regressed"].any().reset_index()
    inside = pd.Series(True, index=same.index)
    if category:
        inside &= same["category"] == category
    if kind:
        inside &= same["interaction_type"] == kind
    return same, inside


def _test(units: pd.DataFrame, group: Group) -> tuple[tuple[int, int], tuple[int, int], float]:
    same, inside = _inside(units, group)
    here, there = same.loc[inside, "regressed"], same.loc[~inside, "regressed"]
    hits, total = int(here.sum()), int(same["regressed"].sum())
    p = float(hypergeom.sf(hits - 1, len(same), total, len(here)))
    return (hits, len(here)), (int(there.sum()), len(there)), p


def _without_echoes(units: pd.DataFrame, found: list[tuple[Pattern, Group]]) -> list[Pattern]:
    told: set[tuple[str, str]] = set()
    kept = []
    for pattern, group in found:
        places = _regressed_places(units, group)
        if not places <= told:
            kept.append(pattern)
            told |= places
    return kept


def _regressed_places(units: pd.DataFrame, group: Group) -> set[tuple[str, str]]:
    """Return the (app, interaction type) that regressed inside the group."""
    hit = units[units["regressed"] & (units["metric"] == group[2])]
    for column, wanted in zip(("category", "interaction_type"), group[:2], strict=True):
        hit = hit[hit[column] == wanted] if wanted else hit
    return set(hit[["app", "interaction_type"]].itertuples(index=False, name=None))
