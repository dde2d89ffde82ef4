"""What a ranking is filtered and sorted by, what its filters offer, and which of them are in use."""

from dataclasses import dataclass, replace

from django.db.models import Exists, F, OrderBy, OuterRef, Q, QuerySet

from analysis.gate.drift import ITSELF, SAME
from analysis.verdicts.sentences import metric_label
from analysis.verdicts.text import count_text
from analysis.verdicts.words import VERDICT_WORDS
from reports.comparing.drifted import drifted_results
from reports.comparing.pinned import pinned_pairs
from reports.models import App, Comparison, Device, Interaction, Result, TriageState
from reports.models.comparisons import WORST_FIRST
from reports.policies.selectors import EVERYTHING, Part
from reports.triage.selectors import newest_entries
from reports.web.filters import ActiveFilter, in_use

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
    state: str = ""  # of triage
    assigned_to: int | None = None  # a person
    critical: bool = False
    drift: bool = False  # regressed against the pinned version, though this step was not felt
    min_runs: int | None = None
    device: int | None = None
    every_metric: bool = False
    sort: str = ""
    part: Part = EVERYTHING  # a saved scope

    @property
    def worst_only(self) -> bool:
        """Tell whether one result stands for its interaction."""
        return not self.metric and not self.every_metric

    @property
    def narrowed(self) -> bool:
        """Tell whether anything is left out by a filter."""
        return replace(self, sort="", every_metric=False) != RankingFilter()


def filtered_results(comparison: Comparison, wanted: RankingFilter) -> QuerySet[Result]:
    """Return the wanted results of a comparison in the wanted order."""
    rows = Result.objects.filter(comparison=comparison)
    if wanted.worst_only:
        rows = rows.filter(worst=True)
    chosen = chosen_interactions(wanted)
    if chosen is not None:
        rows = rows.filter(interaction__in=chosen)
    if wanted.state:
        rows = rows.filter(_in_state(comparison, wanted.state))
    if wanted.drift:
        drifted = drifted_results(comparison, pinned_pairs([comparison])[comparison.pk])
        cell = {"interaction": OuterRef("interaction"), "device": OuterRef("device")}
        rows = rows.filter(Exists(drifted.filter(**cell)))
    if wanted.assigned_to:
        newest = newest_entries(base_id=comparison.base_id, new_id=comparison.new_id)
        rows = rows.filter(interaction__in=newest.filter(assigned_to=wanted.assigned_to).values("interaction"))
    return rows.filter(**_equal(wanted)).order_by(*_order(wanted.sort))


def unknown_drift(comparison: Comparison) -> str:
    """Say why no row can be known to have drifted; empty where it is known."""
    pair = pinned_pairs([comparison])[comparison.pk]
    if pair.state in (SAME, ITSELF):
        return f"{pair.pinned} is the pinned version itself"
    return pair.why


def chosen_interactions(wanted: RankingFilter) -> QuerySet[Interaction] | None:
    """Return the interactions that the filters leave, None for all.

    A subquery, so that the database settles these few first and then walks the results by their index alone.
    """
    conditions: dict[str, object] = {
        "app__package": wanted.app,
        "app__category": wanted.category,
        "app__critical": wanted.critical,
        "type": wanted.type,
    }
    given = {key: value for key, value in conditions.items() if value}
    given |= wanted.part.interaction_filter()
    if not given and not wanted.q:
        return None
    rows = Interaction.objects.filter(**given).order_by()
    for word in wanted.q.split():
        rows = rows.filter(Q(name__icontains=word) | Q(app__name__icontains=word) | Q(app__package__icontains=word))
    return rows


def _in_state(comparison: Comparison, state: str) -> Q:
    """Match the results whose interaction has this triage state; what nobody decided about is untriaged."""
    newest = newest_entries(base_id=comparison.base_id, new_id=comparison.new_id)
    if state == TriageState.UNTRIAGED:
        return ~Q(interaction__in=newest.exclude(state=state).values("interaction"))
    return Q(interaction__in=newest.filter(state=state).values("interaction"))


def _equal(wanted: RankingFilter) -> dict[str, object]:
    conditions = {
        "metric": wanted.metric,
        "verdict": wanted.verdict,
        "severity": wanted.severity,
        "device": wanted.device,
        "n_base__gte": wanted.min_runs,
        "n_new__gte": wanted.min_runs,
    }
    return {key: value for key, value in conditions.items() if value}


def _order(sort: str) -> tuple[str | OrderBy, ...]:
    """Return the order; rows without the value come last either way, then the worst first."""
    fields = SORTS.get(sort.removeprefix("-"), ())
    if sort.startswith("-"):
        return (*(F(field).desc(nulls_last=True) for field in fields), *WORST_FIRST)
    return (*(F(field).asc(nulls_last=True) for field in fields), *WORST_FIRST)


@dataclass(frozen=True)
class FilterOptions:
    """What can be chosen."""

    apps: list[App]
    categories: list[str]
    devices: list[Device]


def filter_options() -> FilterOptions:
    """List apps, their categories and devices: two queries."""
    apps = list(App.objects.only("name", "package", "category"))
    return FilterOptions(apps, sorted({app.category for app in apps} - {""}), list(Device.objects.all()))


def active_filters(wanted: RankingFilter, options: FilterOptions) -> list[ActiveFilter]:
    """Name the filters in use, in the page's order; what is searched for stands in its field."""
    apps = {app.package: app.name for app in options.apps}
    devices = {device.pk: str(device) for device in options.devices}
    metric = metric_label(wanted.metric) if wanted.metric else "all of them" if wanted.every_metric else ""
    found = (
        ("metric", "Metric", metric),
        ("verdict", "Verdict", VERDICT_WORDS.get(wanted.verdict, wanted.verdict)),
        ("severity", "Severity", wanted.severity),
        ("state", "Triage", wanted.state),
        ("mine", "Assigned to", "me" if wanted.assigned_to else ""),
        ("app", "App", apps.get(wanted.app, wanted.app)),
        ("category", "Category", wanted.category),
        ("type", "Type", wanted.type),
        ("scope", "Scope", wanted.part.name),
        ("device", "Device", devices.get(wanted.device, str(wanted.device)) if wanted.device else ""),
        ("min_runs", "At least", count_text(wanted.min_runs, "run") if wanted.min_runs else ""),
        ("critical", "Critical apps", "only" if wanted.critical else ""),
        ("drift", "Drifted", "since the pinned version" if wanted.drift else ""),
    )
    return in_use(found)
