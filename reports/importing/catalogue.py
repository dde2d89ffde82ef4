"""The catalogue while a manifest is imported: what is stored, what the rows before this one have added."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from analysis.manifest.rows import ManifestRow, Problem
from reports.batches.services import batch_called
from reports.models import App, Batch, Device, Interaction, OsVersion, Run
from reports.models.catalogue import version_sort_key

OF_VERSION = ("channel", "released_on")  # what a row tells of its OS version


class Ids(NamedTuple):
    """What a run refers to; None for what a dry run would make."""

    interaction_id: int | None
    os_version_id: int | None
    device_id: int | None


@dataclass(slots=True)
class Catalogue:
    """Ids and the few facts that rows must agree with; None is the id of what a dry run would make.

    Grows with the number of interactions, not with the number of runs.
    """

    versions: dict[str, int | None] = field(default_factory=dict)
    told: dict[str, dict[str, Any]] = field(default_factory=dict)  # version → its line and day
    blank: dict[str, int] = field(default_factory=dict)  # versions of which nothing is told and that have no runs
    devices: dict[tuple[str, float], int | None] = field(default_factory=dict)
    apps: dict[str, int | None] = field(default_factory=dict)
    app_names: dict[str, str] = field(default_factory=dict)
    interactions: dict[tuple[str, str], int | None] = field(default_factory=dict)
    types: dict[tuple[str, str], str] = field(default_factory=dict)
    batches: dict[str, int] = field(default_factory=dict)

    def load(self, rows: Iterable[ManifestRow]) -> None:
        """Read what the database has of these rows: at most five queries, none for ids that are known."""
        rows = list(rows)
        if unknown := self.unknown_batches(rows):
            self.batches |= Batch.objects.filter(name__in=unknown).values_list("name", "id")
        lacking = [row for row in rows if None in self.ids(row) or self.apps.get(row.package) is None]
        if not lacking:
            return
        self._load_versions({row.os_version for row in lacking})
        devices = Device.objects.filter(name__in={row.device for row in lacking})
        self.devices |= {(name, hz): pk for name, hz, pk in devices.values_list("name", "refresh_hz", "id")}
        packages = {row.package for row in lacking}
        for package, name, pk in App.objects.filter(package__in=packages).values_list("package", "name", "id"):
            self.apps[package], self.app_names[package] = pk, name
        found = Interaction.objects.filter(app__package__in=packages, name__in={row.interaction for row in lacking})
        for package, name, type_, pk in found.values_list("app__package", "name", "type", "id"):
            self.interactions[package, name], self.types[package, name] = pk, type_

    def _load_versions(self, names: set[str]) -> None:
        begun = Q(pinned=True) | Exists(Run.objects.filter(os_version=OuterRef("pk")))
        found = OsVersion.objects.filter(name__in=names).annotate(begun=begun)
        for name, pk, begun, *told in found.values_list("name", "id", "begun", *OF_VERSION):
            self.versions[name] = pk
            if begun or any(told):
                self.told[name] = dict(zip(OF_VERSION, told, strict=True))
            elif name not in self.told:
                self.blank[name] = pk

    def unknown_batches(self, rows: Iterable[ManifestRow]) -> set[str]:
        """Return the names of the batches of these rows that are not stored, as far as is known."""
        return {row.batch for row in rows if row.batch} - self.batches.keys()

    def conflict(self, row: ManifestRow) -> Problem | None:
        """Say where a row contradicts the stored interaction."""
        known = self.types.get((row.package, row.interaction))
        if known in (None, row.interaction_type):
            return None
        message = (
            f"{row.interaction!r} of {row.package} is stored as {known}, not {row.interaction_type}: "
            "correct the type or give the interaction another name"
        )
        return Problem(row.line, "interaction_type", message)

    def add(self, row: ManifestRow) -> None:
        """Remember what an accepted row names."""
        self.versions.setdefault(row.os_version)
        self.told.setdefault(row.os_version, _told_by(row))
        self.devices.setdefault((row.device, row.refresh_hz))
        self.apps.setdefault(row.package)
        self.app_names.setdefault(row.package, row.app)
        self.interactions.setdefault((row.package, row.interaction))
        self.types.setdefault((row.package, row.interaction), row.interaction_type)

    def ids(self, row: ManifestRow) -> Ids:
        """Return the ids of the row's interaction, OS version and device; None for what is not stored."""
        return Ids(
            self.interactions.get((row.package, row.interaction)),
            self.versions.get(row.os_version),
            self.devices.get((row.device, row.refresh_hz)),
        )


@transaction.atomic
def save_catalogue(catalogue: Catalogue, rows: list[ManifestRow]) -> None:
    """Create what these rows name and is not stored; another import that does the same at once does no harm."""
    lacking = [row for row in rows if None in catalogue.ids(row)]
    _create_versions(lacking)
    _tell_of_blank(catalogue, rows)
    _open_batches(catalogue, rows)
    if not lacking:
        return
    devices = sorted({(row.device, row.refresh_hz) for row in lacking})
    Device.objects.bulk_create([Device(name=name, refresh_hz=hz) for name, hz in devices], ignore_conflicts=True)
    _create_apps(lacking)
    catalogue.load(lacking)
    _create_interactions(lacking, catalogue)
    catalogue.load(lacking)


def _open_batches(catalogue: Catalogue, rows: list[ManifestRow]) -> None:
    """Open the batches that these rows name, each about the newest OS version of its rows."""
    for name in sorted(catalogue.unknown_batches(rows)):
        newest = max((row.os_version for row in rows if row.batch == name), key=version_sort_key)
        catalogue.batches[name] = batch_called(name=name, os_version=newest).pk


def _create_versions(rows: list[ManifestRow]) -> None:
    """Create the versions that are not stored, each with what its first row tells."""
    first = {row.os_version: row for row in reversed(rows)}
    made = [_version(first[name]) for name in sorted(first)]
    OsVersion.objects.bulk_create(made, ignore_conflicts=True)


def _tell_of_blank(catalogue: Catalogue, rows: list[ManifestRow]) -> None:
    """Write what rows tell of a version that stands there for a batch alone, which was opened before they came."""
    for name in {row.os_version for row in rows} & catalogue.blank.keys():
        if any(catalogue.told[name].values()):
            OsVersion.objects.filter(pk=catalogue.blank[name]).update(**catalogue.told[name])
        del catalogue.blank[name]


def _version(row: ManifestRow) -> OsVersion:
    version = OsVersion(name=row.os_version, **_told_by(row))
    version.sort_key = version.own_sort_key()
    return version


def _told_by(row: ManifestRow) -> dict[str, Any]:
    return {name: getattr(row, name) for name in OF_VERSION}


def _create_apps(rows: list[ManifestRow]) -> None:
    first = {row.package: row for row in reversed(rows)}
    apps = [App(package=row.package, name=row.app, category=row.category) for row in first.values()]
    App.objects.bulk_create(apps, ignore_conflicts=True)


def _create_interactions(rows: list[ManifestRow], catalogue: Catalogue) -> None:
    first = {(row.package, row.interaction): row for row in reversed(rows)}
    made = [_interaction(row, catalogue) for row in first.values()]
    Interaction.objects.bulk_create(made, ignore_conflicts=True)


def _interaction(row: ManifestRow, catalogue: Catalogue) -> Interaction:
    values: dict[str, Any] = {"app_id": catalogue.apps[row.package], "type": row.interaction_type}
    return Interaction(name=row.interaction, scenario=row.scenario, **values)
