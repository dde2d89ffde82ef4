"""Decide what becomes of each row of a manifest, before anything is written."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from reports.importing.catalogue import Catalogue
from reports.importing.manifest import SourceFileError, source_file
from reports.importing.rows import EPOCH, ManifestRow, Problem
from reports.media.screencasts import Fingerprint, fingerprint
from reports.models import Run

MEASURED_FROM = ("action_ms", "touch_x_px", "touch_y_px", "show_touches")
COMPARED = (*MEASURED_FROM, "log_name", "trace_name", "metadata")


class Kept(NamedTuple):
    """A file of a row and what it contains."""

    path: Path
    print: Fingerprint


@dataclass(frozen=True, slots=True)
class Candidate:
    """A row whose files were found and hashed."""

    row: ManifestRow
    video: Kept
    log: Kept | None = None
    trace: Kept | None = None

    @property
    def files(self) -> list[tuple[str, Kept]]:
        """Return the files by their column."""
        named = (("video", self.video), ("log", self.log), ("trace", self.trace))
        return [(column, kept) for column, kept in named if kept]

    @property
    def values(self) -> dict[str, Any]:
        """Return the fields of the run that a later manifest may correct; what it leaves out stays."""
        row = self.row
        given = {
            "log_name": self.log and self.log.print.name,
            "trace_name": self.trace and self.trace.print.name,
            "metadata": row.metadata,
        }
        return {
            "action_ms": row.action_ms,
            "touch_x_px": row.x,
            "touch_y_px": row.y,
            "show_touches": row.show_touches,
            **{name: value for name, value in given.items() if value},
        }


@dataclass(slots=True)
class Plan:
    """What a batch of rows comes to."""

    new: list[Candidate] = field(default_factory=list)
    updated: list[tuple[Run, Candidate]] = field(default_factory=list)
    unchanged: list[Candidate] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def find_files(folder: Path, row: ManifestRow) -> Candidate | Problem:
    """Find and hash the files of a row, or say which of them cannot be taken and why."""
    found: dict[str, Kept | None] = {}
    for column, written in (("video", row.video), ("log", row.log), ("trace", row.trace)):
        try:
            found[column] = _kept(folder, written, column) if written else None
        except SourceFileError as problem:
            return Problem(row.line, column, str(problem))
        except OSError as error:
            return Problem(row.line, column, f"{written} cannot be read: {error.strerror}: check its permissions")
    assert found["video"] is not None  # an empty video cell was refused with the row
    return Candidate(row, found["video"], found["log"], found["trace"])


def make_plan(candidates: list[Candidate], catalogue: Catalogue) -> Plan:
    """Sort rows into new, updated, unchanged and refused; two queries however many rows."""
    plan = Plan()
    stored = _stored_runs(candidates, catalogue)
    for candidate in candidates:
        run = stored.get(_key(candidate.row, catalogue))
        if run is None:
            plan.new.append(candidate)
        elif run.sha256 != candidate.video.print.sha256:
            plan.problems.append(_other_video(run, candidate.row))
        elif changed_fields(run, candidate):
            plan.updated.append((run, candidate))
        else:
            plan.unchanged.append(candidate)
    return plan


def changed_fields(run: Run, candidate: Candidate) -> list[str]:
    """Return the names of the fields in which the manifest differs from the stored run."""
    return [name for name, value in candidate.values.items() if getattr(run, name) != value]


def _kept(folder: Path, written: str, column: str) -> Kept:
    path = source_file(folder, written).path
    return Kept(path, fingerprint(path, folder="screencasts" if column == "video" else f"{column}s"))


def _stored_runs(candidates: Iterable[Candidate], catalogue: Catalogue) -> dict[tuple[Any, ...], Run]:
    """Load the runs that may be the same recordings, by their identity."""
    known = [candidate.row for candidate in candidates if None not in catalogue.ids(candidate.row)]
    if not known:
        return {}
    interactions, versions, devices = (set(column) for column in zip(*map(catalogue.ids, known), strict=True))
    found = Run.objects.filter(
        interaction_id__in=interactions,
        os_version_id__in=versions,
        device_id__in=devices,
        repetition__in={row.repetition for row in known},
    ).only("interaction", "os_version", "device", "app_version", "capture", "repetition", "recorded_at", "sha256",
           "status", *COMPARED)  # fmt: skip
    return {_run_key(run): run for run in found}


def _key(row: ManifestRow, catalogue: Catalogue) -> tuple[Any, ...]:
    return *catalogue.ids(row), row.app_version, row.capture, row.repetition, row.recorded_at or EPOCH


def _run_key(run: Run) -> tuple[Any, ...]:
    ids = (run.interaction_id, run.os_version_id, run.device_id)
    return *ids, run.app_version, run.capture, run.repetition, run.recorded_at or EPOCH


def _other_video(run: Run, row: ManifestRow) -> Problem:
    message = (
        f"run {run.pk} is this recording already, with another video: "
        "give the new one its own repetition or recorded_at, and exclude the old run if it is wrong"
    )
    return Problem(row.line, "video", message)
