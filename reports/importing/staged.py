"""Look at what was sent before anything is written, say what its files show, see how its runs are afterwards."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from uuid import UUID

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Count, F, QuerySet
from django.http import Http404
from django.utils import timezone

from analysis.manifest.columns import TO_IMPORT
from analysis.manifest.reader import Line, ManifestError, open_manifest
from analysis.manifest.rows import ManifestRow, Problem
from analysis.spreadsheet import csv_line
from reports.importing.archive import safe_path
from reports.importing.files import Candidate, Kept
from reports.importing.numbering import number_files
from reports.importing.services import LineOutcome, import_manifest, read_batch
from reports.importing.summary import ImportSummary
from reports.media.screencasts import Fingerprint, ScreencastMissingError, local_file
from reports.models import Batch, OsVersion, RunStatus, StagedFile, StagedImport, StagedKind, StagedStatus

# What a person says of a file, in the order of the form.
LABELS = {
    "os_version": "Version",
    "app": "App",
    "interaction": "Interaction",
    "interaction_type": "Type",
    "repetition": "Repetition",
    "device": "Device",
    "refresh_hz": "Refresh rate, Hz",
    "action_ms": "Action, ms",
}
ASKED = tuple(LABELS)
BESIDES = ("app_version", "capture", "recorded_at")  # of a file that is a stored run already
NOTHING: Mapping[Any, Any] = {}
LONGEST = {
    "os_version": 80,
    "app": 200,
    "interaction": 160,
    "interaction_type": 10,
    "repetition": 10,
    "device": 120,
    "refresh_hz": 10,
    "action_ms": 16,
}


class NotNowStagedError(ValueError):
    """It cannot be done as it stands; the message says why."""


@dataclass(frozen=True)
class Look:
    """What would become of it: counts, each line, and the manifest's own fault, which lets nothing be imported."""

    summary: ImportSummary
    outcomes: list[LineOutcome]
    fault: str = ""


def staged_of(user: AbstractBaseUser, pk: UUID) -> StagedImport:
    """Return what somebody has sent; raises Http404, also for what another person has sent."""
    found = StagedImport.objects.filter(pk=pk, user_id=user.pk, expires_at__gt=timezone.now()).first()
    if found is None:
        raise Http404("You have sent nothing of this number, or it was dropped. Send the files again.")
    return found


def look_at(staged: StagedImport) -> Look:
    """Say what would become of each line; nothing is written, and no recording is read."""
    outcomes: list[LineOutcome] = []
    try:
        with manifest_of(staged) as given:
            summary = import_manifest(
                **given._asdict(), dry_run=True, on_outcome=outcomes.append, batch=staged.batch
            )
    except ManifestError as error:
        return Look(ImportSummary(dry_run=True), [], str(error))
    return Look(summary, outcomes)


def has_manifest(staged: StagedImport) -> bool:
    """Tell whether a manifest says what the files show; else a person does."""
    return staged.files.filter(kind=StagedKind.MANIFEST).exists()


@transaction.atomic
def say(
    *,
    staged: StagedImport,
    of_all: Mapping[str, str] = NOTHING,
    of_each: Mapping[int, Mapping[str, str]] = NOTHING,
    types: Mapping[int, str] = NOTHING,
    batch: str | None = None,
) -> bool:
    """Keep what a person says of the files: of each by its id, and of all of them where a cell is not empty.

    ``types`` are those of interactions, by the id of one of their files: they fill what is empty afterwards.
    ``batch`` is that of all that names none itself, None leaves it. Returns whether anything is said of a file that
    was not said before. Raises NotNowStagedError once it is being imported, ManifestError for a batch that cannot
    be called so.
    """
    rows = StagedImport.objects.filter(pk=staged.pk, status=StagedStatus.OPEN)
    if not rows.select_for_update().exists():
        raise NotNowStagedError("It is being imported already, or was: nothing was changed.")
    changed = []
    files = list(staged.files.filter(kind=StagedKind.VIDEO))
    types_of = {interaction_of(file): types[file.pk] for file in files if types.get(file.pk)}
    for file in files:
        said = {**file.cells, **of_each.get(file.pk, {}), **{name: cell for name, cell in of_all.items() if cell}}
        said["interaction_type"] = said.get("interaction_type") or types_of.get(interaction_of(file), "")
        cells = {name: said[name][: LONGEST[name]] for name in ASKED if said.get(name)}
        if cells != file.cells:
            file.cells = cells
            changed.append(file)
    StagedFile.objects.bulk_update(changed, ["cells"], batch_size=500)
    if batch is not None:
        rows.update(batch=read_batch(batch))
    return bool(changed)


def interaction_of(file: StagedFile) -> tuple[str, str]:
    """Return the app and the interaction that a file is said to show."""
    return file.cells.get("app", ""), file.cells.get("interaction", "")


def refused_files(staged: StagedImport) -> list[StagedFile]:
    """Return the files that cannot be recordings, with why; of what came with a manifest only those not stored."""
    rows = staged.files.exclude(fault="")
    return list(rows.filter(stored_name="") if has_manifest(staged) else rows)


@dataclass(frozen=True)
class Progress:
    """How far the runs of an import are; ``files`` are those with a run, the names are theirs, oldest first."""

    files: QuerySet[StagedFile]
    counts: dict[str, int]
    versions: list[str]
    batches: list[str]

    @property
    def finished(self) -> int:
        """How many were judged or could not be."""
        return self.counts[RunStatus.DONE] + self.counts[RunStatus.FAILED]

    @property
    def total(self) -> int:
        """How many there are."""
        return sum(self.counts.values())


def progress_of(staged: StagedImport) -> Progress:
    """Return how far the runs of what was imported are; three queries and those of the files."""
    files = staged.files.filter(run__isnull=False)
    found = files.values(status=F("run__status")).annotate(count=Count("pk")).order_by()
    versions = OsVersion.objects.filter(pk__in=files.values("run__os_version")).order_by("sort_key")
    return Progress(
        files=files.select_related("run__interaction__app", "run__os_version"),
        counts=dict.fromkeys(RunStatus.values, 0) | {row["status"]: row["count"] for row in found},
        versions=list(versions.values_list("name", flat=True)),
        batches=list(Batch.objects.filter(pk__in=files.values("run__batch")).values_list("name", flat=True)),
    )


class Given(NamedTuple):
    """The manifest as a file, what finds the files of its rows, and what fills in the actions set on pictures."""

    path: Path
    find: Callable[[ManifestRow], Candidate | Problem]
    amend: Callable[[Line], Line]


@contextmanager
def manifest_of(staged: StagedImport, *, to_read: bool = False) -> Iterator[Given]:
    """Give the manifest, that of a person's words if none was sent; ``to_read``: so that files can be read."""
    with ExitStack() as stack:
        files = {file.path: file for file in staged.files.all()}
        own = next((file for file in files.values() if file.kind == StagedKind.MANIFEST), None)
        if own is not None:
            path = stack.enter_context(local_file(own.stored_name))
        else:
            path = Path(stack.enter_context(TemporaryDirectory())) / "files.csv"
            path.write_text("".join(_lines(files.values())), encoding="utf-8", newline="")
        finder = _Finder(files, _base_of(own), stack if to_read else None)
        yield Given(path, finder.find, finder.amend)


def lines_of(given: Given) -> Iterator[Line]:
    """Yield the lines of a manifest as they are imported; raises ManifestError."""
    with open_manifest(given.path, TO_IMPORT) as reader:
        yield from map(given.amend, reader)


def without_action(staged: StagedImport) -> list[int]:
    """Return the ids of the recordings of which nobody says when the action is, in their order."""
    with manifest_of(staged) as given:
        lines = list(lines_of(given))
    read = path_reader(staged)
    lacking = {read(line.cells.get("video", "")) for line in lines if not line.cells.get("action_ms")}
    rows = staged.files.filter(kind=StagedKind.VIDEO).order_by("pk").values_list("pk", "path")
    return [pk for pk, path in rows if path in lacking]


def _lines(files: Iterable[StagedFile]) -> Iterator[str]:
    videos = [file for file in files if file.kind == StagedKind.VIDEO]
    numbers = number_files(videos)
    columns = (*ASKED, *BESIDES, "video")
    yield csv_line(columns)
    for file in videos:
        cells = {**file.cells, **numbers.get(file.pk, {}), "video": file.path}
        yield csv_line([cells.get(name, "") for name in columns])


def _base_of(manifest: StagedFile | None) -> str:
    return "" if manifest is None else str(PurePosixPath(manifest.path).parent).removeprefix(".")


def path_reader(staged: StagedImport) -> Callable[[str], str]:
    """Return what makes the path of a file as it was sent of a cell that names it; empty if it can name none."""
    return partial(_path, _base_of(staged.files.filter(kind=StagedKind.MANIFEST).first()))


def _path(base: str, written: str) -> str:
    """Return the path of a file as it was sent, of what a cell says; empty if no file can be called so."""
    try:
        return safe_path(f"{base}/{written}" if base else written)
    except ValueError:
        return ""


class _Finder:
    """Finds the files of a row among those that were sent."""

    def __init__(self, files: Mapping[str, StagedFile], base: str, stack: ExitStack | None) -> None:
        self._files, self._base, self._stack = files, base, stack

    def find(self, row: ManifestRow) -> Candidate | Problem:
        """Return the row with its files, or why one of them cannot be taken."""
        found: dict[str, Kept | None] = {}
        for column, written in (("video", row.video), ("log", row.log), ("trace", row.trace)):
            if not written:
                found[column] = None
                continue
            kept = self._kept(column, written)
            if isinstance(kept, str):
                return Problem(row.line, column, f"{written} {kept}")
            found[column] = kept
        assert found["video"] is not None  # an empty cell was refused with the row
        return Candidate(row, found["video"], found["log"], found["trace"])

    def amend(self, line: Line) -> Line:
        """Return a line with the action that was set on the picture, where the manifest says none."""
        if line.problem or line.cells.get("action_ms"):
            return line
        file = self._files.get(_path(self._base, line.cells.get("video", "")))
        said = file.cells.get("action_ms", "") if file else ""
        return replace(line, cells={**line.cells, "action_ms": said}) if said else line

    def _kept(self, column: str, written: str) -> Kept | str:
        path = _path(self._base, written)
        file = self._files.get(path)
        if file is None:
            return "was not sent: send it together with the manifest, under this name"
        if not file.stored_name or (column == "video" and file.kind != StagedKind.VIDEO):
            return file.fault or "is no recording: name the video file"
        folder = "screencasts" if column == "video" else f"{column}s"
        ending = PurePosixPath(file.stored_name).suffix or ".bin"
        name = f"{folder}/{file.sha256[:2]}/{file.sha256}{ending}"
        try:
            local = self._stack.enter_context(local_file(file.stored_name)) if self._stack else Path(file.path)
        except ScreencastMissingError:
            return "is no longer there: send it again"
        return Kept(local, Fingerprint(file.sha256, file.size_bytes, name))
