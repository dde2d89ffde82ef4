"""Read the deviation matrix: which rows it has, in which order, and what stands in their cells."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Max, Q, QuerySet
from django.http import Http404

from analysis.metrics import BENCHMARK
from reports.history.line import versions_with_runs
from reports.models import App, AppLevel, Comparison, Course, Interaction, Level, OsVersion

BY_INTERACTION, BY_APP = "interactions", "apps"
SORTS = {"worst": "worst first", "latest": "newest version first", "name": "by name"}
_LEVEL = (
    *("version_id", "before_id", "n", "p50", "low", "high", "mark", "delta", "gap", "threshold", "times", "felt"),
)
_APP = ("version_id", "interactions", "worse", "better", "worst")
Cells = dict[int, dict[str, Any]]  # version → what stands there


@dataclass(frozen=True)
class Line:
    """A line of versions with runs, oldest first."""

    channel: str = ""
    versions: tuple[OsVersion, ...] = field(default=(), repr=False)

    @property
    def words(self) -> str:
        """Name it for people."""
        return self.channel or "main line"

    @property
    def named(self) -> str:
        """Name it in a sentence: ``the NAMED``."""
        return f"line {self.channel}" if self.channel else self.words


def metrics_of_benchmarks(line: Line) -> list[str]:
    """Return the metrics of benchmarks that a line has courses of; one query."""
    rows = Course.objects.filter(channel=line.channel, interaction__type=BENCHMARK).order_by("metric")
    return list(rows.values_list("metric", flat=True).distinct())


@dataclass(frozen=True)
class Wanted:
    """What is wanted of the matrix."""

    channel: str = ""
    by: str = BY_INTERACTION
    q: str = ""
    app: str = ""
    interaction: int | None = None
    metric: str = ""
    device: int | None = None
    kind: str = ""
    sort: str = "worst"

    @property
    def narrowed(self) -> bool:
        """Tell whether it leaves rows out."""
        return bool(self.q or self.app or self.interaction or self.metric or self.device or self.kind)


def load_lines() -> list[Line]:
    """Return every line that has runs; one query."""
    found: dict[str, list[OsVersion]] = defaultdict(list)
    for version in versions_with_runs():
        found[version.channel].append(version)
    return [Line(channel, tuple(versions)) for channel, versions in found.items()]


def line_called(known: Sequence[Line], channel: str) -> Line:
    """Return the line of that name, without one the first; answers 404 for one that no version belongs to."""
    found = next((line for line in known if line.channel == channel), None)
    if found is None and channel:
        raise Http404(f"No version with runs is in the line {channel}.")
    return found or (known[0] if known else Line())


def wanted_courses(wanted: Wanted, line: Line) -> QuerySet[Course]:
    """Return the rows by interaction, in their order; those that nobody feels last."""
    rows = Course.objects.filter(channel=line.channel).select_related("interaction__app", "device", "since", "back")
    chosen = {"interaction": wanted.interaction, "interaction__app__package": wanted.app, "metric": wanted.metric}
    chosen |= {"device": wanted.device, "kind": wanted.kind}
    rows = rows.filter(**{name: value for name, value in chosen.items() if value})
    for word in wanted.q.split():
        named = Interaction.objects.filter(Q(name__icontains=word) | Q(app__name__icontains=word))
        rows = rows.filter(interaction__in=named.values("pk"))
    if wanted.sort == "name":
        return rows.order_by("interaction__app__name", "interaction__name", "metric", "pk")
    return rows.order_by(f"-{wanted.sort}", "pk")


def wanted_apps(wanted: Wanted, line: Line) -> QuerySet[AppLevel, Any]:
    """Return the ids of the apps that are rows, in their order."""
    found = AppLevel.objects.filter(version__in=_ids(line)).order_by()
    if wanted.app:
        found = found.filter(app__package=wanted.app)
    for word in wanted.q.split():
        found = found.filter(app__name__icontains=word)
    newest = Q(version=line.versions[-1]) if line.versions else Q(pk=None)
    rows = found.values("app").annotate(most=Max("worst"), newest=Max("worst", filter=newest, default=0.0))
    order = {"worst": ["-most", "-newest"], "latest": ["-newest", "-most"], "name": []}[wanted.sort]
    return rows.order_by(*order, "app__name", "app").values_list("app", flat=True)


def cells_of_courses(line: Line, courses: Sequence[Course]) -> list[Cells]:
    """Return for each course its levels by version; one query."""
    interactions = {row.interaction_id for row in courses}
    found = Level.objects.filter(interaction__in=interactions, version__in=_ids(line)).order_by()
    by_course: dict[tuple[Any, ...], Cells] = defaultdict(dict)
    for interaction, device, metric, *values in found.values_list("interaction", "device", "metric", *_LEVEL):
        by_course[interaction, device, metric][values[0]] = dict(zip(_LEVEL, values, strict=True))
    return [by_course[row.interaction_id, row.device_id, row.metric] for row in courses]


def cells_of_apps(line: Line, apps: Sequence[App]) -> list[Cells]:
    """Return for each app what moved in it, by version; one query."""
    found = AppLevel.objects.filter(app__in=[app.pk for app in apps], version__in=_ids(line)).order_by()
    by_app: dict[int, Cells] = defaultdict(dict)
    for app, *values in found.values_list("app", *_APP):
        by_app[app][values[0]] = dict(zip(_APP, values, strict=True))
    return [by_app[app.pk] for app in apps]


def compared(line: Line) -> set[tuple[int, int]]:
    """Return the pairs of versions of a line whose comparison is computed; one query."""
    ids = _ids(line)
    found = Comparison.objects.filter(base__in=ids, new__in=ids, device=None).exclude(summary={})
    return set(found.values_list("base", "new"))


def _ids(line: Line) -> list[int]:
    return [version.pk for version in line.versions]
