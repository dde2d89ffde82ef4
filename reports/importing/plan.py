"""Decide what becomes of each row of a manifest, before anything is written."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple

from analysis.manifest.rows import ManifestRow, Problem
from reports.importing.catalogue import Catalogue
from reports.importing.files import Candidate
from reports.models import Run

MEASURED_FROM = ("action_ms", "action_from", "touch_x_px", "touch_y_px", "show_touches")
COMPARED = (*MEASURED_FROM, "action_confirmed", "manifest_action_ms", "log_name", "trace_name", "metadata")
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)  # what the database's unique constraint takes "not given" for


class Identity(NamedTuple):
    """What makes a run the same run: one recording of one interaction on one OS version."""

    package: str
    interaction: str
    os_version: str
    device: str
    refresh_hz: float
    app_version: str
    capture: str
    repetition: int
    recorded_at: datetime


def identity_of(row: ManifestRow) -> Identity:
    """Return what tells the run of this row from every other."""
    names = Identity._fields[:-1]
    return Identity._make([*(getattr(row, name) for name in names), row.recorded_at or EPOCH])


@dataclass(slots=True)
class Plan:
    """What a batch of rows comes to."""

    new: list[Candidate] = field(default_factory=list)
    updated: list[tuple[Run, Candidate]] = field(default_factory=list)
    unchanged: list[tuple[Run, Candidate]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    made: list[Run] = field(default_factory=list)  # of what was new, once it is written
    conflicts: int = 0  # problems that are another video of a stored run
    healed: int = 0  # files that were damaged, lost or dropped and are whole again


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
            plan.conflicts += 1
        elif changed_fields(run, candidate) or takes_batch(run, candidate.row):
            plan.updated.append((run, candidate))
        else:
            plan.unchanged.append((run, candidate))
    return plan


def changed_fields(run: Run, candidate: Candidate) -> list[str]:
    """Return the names of the fields in which the manifest differs from the stored run."""
    return [name for name, value in values_for(run, candidate).items() if getattr(run, name) != value]


def takes_batch(run: Run, row: ManifestRow) -> bool:
    """Tell whether a stored run that came in without a batch is put into that of the row."""
    return bool(row.batch) and run.batch_id is None


def values_for(run: Run, candidate: Candidate) -> dict[str, Any]:
    """Return what a manifest says of a stored run; its action is kept beside one that a person set.

    An action that was given is not looked for again.
    """
    values = candidate.values
    if "action_ms" not in values:
        if not run.action_from or run.action_confirmed:
            values.pop("action_from", None)
    elif run.manifest_action_ms is not None or run.action_confirmed:
        values["manifest_action_ms"] = values.pop("action_ms")
    return values


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
    ).only("interaction", "os_version", "device", "batch", "app_version", "capture", "repetition", "recorded_at",
           "sha256", "status", *COMPARED)  # fmt: skip
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
