"""Apps, devices and interactions: as lists that can be searched, and one of them with its areas and changes."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db.models import Count, Model, Q, QuerySet
from django.http import Http404

from reports.audit.words import Told, changes_of
from reports.catalogue.versions import RunCounts, counts_by, counts_of
from reports.measuring.areas import OWNERS, Area, areas_of, runs_of
from reports.models import App, Device, Interaction, Run
from reports.models.catalogue import Masked

_NAMES = {
    App: ("name", "package", "category"),
    Device: ("name",),
    Interaction: ("name", "app__name", "app__package", "scenario"),
}
_RUNS_BY = {App: "interaction__app", Device: "device", Interaction: "interaction"}


@dataclass(frozen=True)
class SubjectRow:
    """A row of a list: the app, device or interaction, and its runs. ``interactions`` is None but for apps."""

    row: Any
    counts: RunCounts
    interactions: int | None = None

    @property
    def runs_query(self) -> str:
        """Return the query that lists its runs."""
        return runs_query(self.row)

    @property
    def areas(self) -> int:
        """How many areas of it are never judged."""
        return len(self.row.masks) if isinstance(self.row.masks, list) else 0


# What the list of each can be narrowed to.
_FILTERS: dict[type[Masked], tuple[str, ...]] = {App: ("category", "critical"), Interaction: ("type",)}


def found_subjects(model: type[Masked], wanted: dict[str, Any]) -> QuerySet[Any]:
    """Return what has all words of ``q``; apps by ``category`` and ``critical``, interactions by ``type``."""
    rows: QuerySet[Any] = model._default_manager.all()
    for word in wanted.get("q", "").split():
        match = Q()
        for name in _NAMES[model]:
            match |= Q(**{f"{name}__icontains": word})
        rows = rows.filter(match)
    equal = {name: wanted[name] for name in _FILTERS.get(model, ()) if wanted.get(name)}
    rows = rows.filter(**equal)
    return _with_app(rows)


def subject_rows(model: type[Masked], rows: list[Any]) -> list[SubjectRow]:
    """Count the runs behind the rows of a page: one query, for apps one more."""
    by = _RUNS_BY[model]
    counted = counts_by(Run.objects.filter(**{f"{by}__in": rows}), by)
    scripted: dict[int, int] = {}
    if model is App:
        groups = Interaction.objects.filter(app__in=rows).order_by().values_list("app").annotate(Count("id"))
        scripted = dict(groups)
    return [
        SubjectRow(row, counted.get(row.pk, RunCounts()), scripted.get(row.pk, 0) if model is App else None)
        for row in rows
    ]


def runs_query(row: Any) -> str:
    """Return the query of the list of runs for those of an app, device or interaction."""
    if isinstance(row, App):
        return urlencode({"app": row.package})
    if isinstance(row, Device):
        return urlencode({"device": row.pk})
    return urlencode({"app": row.app.package, "interaction": row.name})


def categories() -> list[str]:
    """Return the categories of all apps; one query."""
    names = App.objects.exclude(category="").order_by("category").values_list("category", flat=True)
    return list(names.distinct())


@dataclass(frozen=True)
class Subject:
    """An app, device or interaction with what is never judged on it, its runs and what people changed."""

    kind: str
    row: Any
    areas: tuple[Area, ...]
    counts: RunCounts
    latest: Run | None
    changes: list[Told]

    @property
    def runs_query(self) -> str:
        """Return the query that lists its runs."""
        return runs_query(self.row)

    @property
    def slot_ms(self) -> float:
        """How often a device can show another picture."""
        return 1000.0 / self.row.refresh_hz


def load_subject(kind: str, **wanted: Any) -> Subject:
    """Load an app, device or interaction: four queries; answers 404 for an unknown one."""
    rows: QuerySet[Any] = model_of(kind)._default_manager.filter(**wanted)
    row = _with_app(rows).first()
    if row is None:
        raise Http404(f"There is no such {kind} in the catalogue.")
    runs = runs_of(row)
    latest = runs.exclude(width_px=None).order_by("-id").first()
    size = (latest.width_px, latest.height_px) if latest else (None, None)
    return Subject(kind, row, areas_of(row, size), counts_of(runs), latest, changes_of(row))


def model_of(kind: str) -> type[Model]:
    """Return the model of a kind, or answer 404."""
    if kind not in OWNERS:
        raise Http404("There is no such page in the catalogue.")
    return OWNERS[kind]


def _with_app(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Load the app with each interaction."""
    return rows.select_related("app") if rows.model is Interaction else rows
