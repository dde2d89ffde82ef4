"""What the ranking is filtered and sorted by: all of it comes from the address."""

from dataclasses import dataclass

from django.db.models import F, OrderBy, Q, QuerySet

from reports.models import Comparison, Result

WORST_FIRST = ("place", "-times_threshold", "id")
SORTS = {
    "interaction": ("interaction__name", "interaction__app__name"),
    "app": ("interaction__app__name", "interaction__name"),
    "metric": ("metric",),
    "base": ("median_base",),
    "new": ("median_new",),
    "delta": ("delta",),
    "delta_pct": ("delta_pct",),
    "p": ("p_value",),
    "effect": ("cliffs_delta",),
}


@dataclass(frozen=True)
class RankingFilter:
    """One view of a ranking. An empty value does not filter.

    Without a metric and with ``every_metric`` off, each interaction shows its worst metric only.
    """

    q: str = ""
    app: str = ""  # package
    category: str = ""
    type: str = ""
    metric: str = ""
    verdict: str = ""
    severity: str = ""
    critical: bool = False
    min_runs: int | None = None
    device: int | None = None
    every_metric: bool = False
    sort: str = ""

    @property
    def worst_only(self) -> bool:
        """Tell whether one result stands for its interaction."""
        return not self.metric and not self.every_metric

    @property
    def narrowed(self) -> bool:
        """Tell whether anything is left out by a filter."""
        return (
            any([self.q, self.app, self.category, self.type, self.metric, self.verdict, self.severity])
            or self.critical
            or bool(self.min_runs)
            or bool(self.device)
        )


def filtered_results(comparison: Comparison, wanted: RankingFilter) -> QuerySet[Result]:
    """Return the wanted results of a comparison in the wanted order."""
    rows = Result.objects.filter(comparison=comparison)
    if wanted.worst_only:
        rows = rows.filter(worst=True)
    rows = rows.filter(**_equal(wanted))
    for word in wanted.q.split():
        rows = rows.filter(_named(word))
    return rows.order_by(*_order(wanted.sort))


def _equal(wanted: RankingFilter) -> dict[str, object]:
    conditions = {
        "interaction__app__package": wanted.app,
        "interaction__app__category": wanted.category,
        "interaction__app__critical": wanted.critical,
        "interaction__type": wanted.type,
        "metric": wanted.metric,
        "verdict": wanted.verdict,
        "severity": wanted.severity,
        "device": wanted.device,
        "n_base__gte": wanted.min_runs,
        "n_new__gte": wanted.min_runs,
    }
    return {key: value for key, value in conditions.items() if value}


def _named(word: str) -> Q:
    return (
        Q(interaction__name__icontains=word)
        | Q(interaction__app__name__icontains=word)
        | Q(interaction__app__package__icontains=word)
    )


def _order(sort: str) -> tuple[str | OrderBy, ...]:
    """Return the order; rows without the value come last either way, then the worst first."""
    fields = SORTS.get(sort.removeprefix("-"), ())
    if sort.startswith("-"):
        return (*(F(field).desc(nulls_last=True) for field in fields), *WORST_FIRST)
    return (*(F(field).asc(nulls_last=True) for field in fields), *WORST_FIRST)
