"""Number recordings whose names carry no number: after what is stored of the same, and the same file as before."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from analysis.manifest.columns import TO_IMPORT
from analysis.manifest.reader import Line
from analysis.manifest.rows import ManifestRow, parse_row
from reports.importing.catalogue import Catalogue, Ids
from reports.models import Run, StagedFile

# A line need not be whole to be numbered: what does not tell what was recorded may be lacking still.
_STANDS_IN = {"repetition": "0", "action_ms": "0", "interaction_type": "tap"}
_TOLD_APART = ("os_version", "app", "interaction", "device", "refresh_hz")


class _Stored(NamedTuple):
    """A stored run of the same line: its number, and what else makes it that run."""

    repetition: int
    app_version: str
    capture: str
    recorded_at: str

    @property
    def cells(self) -> dict[str, str]:
        """What a manifest would say of it."""
        return {name: str(value) for name, value in self._asdict().items() if value != ""}


class _Group:
    """The recordings of one interaction of one app, OS version and device: which numbers are taken, and by what."""

    def __init__(self) -> None:
        self.last = 0
        self.stored: dict[str, list[_Stored]] = defaultdict(list)

    def take(self, sha256: str) -> dict[str, str]:
        """Return the cells of a recording without a number: those of the run that it is already, or the next."""
        if self.stored.get(sha256):
            return self.stored[sha256].pop(0).cells
        self.last += 1
        return {"repetition": str(self.last)}


def number_files(files: Sequence[StagedFile]) -> dict[int, dict[str, str]]:
    """Return cells for the recordings that say no repetition, by id; six queries at most.

    A file that is stored as a repetition of the same line already is that repetition again, with the app version,
    capture and time of recording of its run. All others are numbered in their order after the highest number that
    is stored or said.
    """
    if all(file.cells.get("repetition") for file in files):
        return {}
    rows = {file.pk: _row_of(file) for file in files}
    groups: dict[object, _Group] = defaultdict(_Group)
    keys = {file.pk: _key(file, rows[file.pk]) for file in files}
    _look_up(groups, [row for row in rows.values() if row])
    for file in files:
        said = file.cells.get("repetition", "")
        if said.isascii() and said.isdigit():
            groups[keys[file.pk]].last = max(groups[keys[file.pk]].last, int(said[:9]))
    return {file.pk: groups[keys[file.pk]].take(file.sha256) for file in files if not file.cells.get("repetition")}


def _row_of(file: StagedFile) -> ManifestRow | None:
    return parse_row(Line(0, {**file.cells, **_STANDS_IN, "video": file.path}), TO_IMPORT)[0]


def _key(file: StagedFile, row: ManifestRow | None) -> object:
    """Return what two recordings must have alike to be repetitions of one another."""
    if row is None:  # it is refused as it stands, and numbered all the same
        return tuple(file.cells.get(name, "") for name in _TOLD_APART)
    return row.package, row.interaction, row.os_version, row.device, row.refresh_hz


def _look_up(groups: dict[object, _Group], rows: Sequence[ManifestRow]) -> None:
    """Fill in what is stored of these rows' lines; one query beside those of the catalogue."""
    catalogue = Catalogue()
    catalogue.load(rows)
    keys = {
        catalogue.ids(row): (row.package, row.interaction, row.os_version, row.device, row.refresh_hz)
        for row in rows
        if None not in catalogue.ids(row)
    }
    if not keys:
        return
    interactions, versions, devices = (set(column) for column in zip(*keys, strict=True))
    runs = Run.objects.filter(interaction__in=interactions, os_version__in=versions, device__in=devices)
    told = ("app_version", "capture", "recorded_at")
    for *ids, sha256, repetition, app_version, capture, recorded_at in runs.order_by("repetition").values_list(
        "interaction_id", "os_version_id", "device_id", "sha256", "repetition", *told
    ):
        if key := keys.get(Ids(*ids)):
            group = groups[key]
            group.last = max(group.last, repetition)
            when = recorded_at.isoformat() if recorded_at else ""
            group.stored[sha256].append(_Stored(repetition, app_version, capture, when))
