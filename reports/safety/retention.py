"""Drop old screencasts and keep what was measured on them; what somebody may yet want to see is kept."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.core.files.storage import default_storage
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from analysis.verdicts.words import REGRESSION
from reports.media.files import forget_made, note_state
from reports.models import (
    Correction,
    FileState,
    GateRecord,
    Measurement,
    Result,
    Run,
    RunStatus,
    StoredFile,
    TriageEntry,
    TriageState,
)
from reports.models.files import GONE, film_is

DAYS, FINDING_DAYS = 90, 365  # without and with a regression, where nobody says otherwise
_BATCH = 500


@dataclass(frozen=True)
class Droppable:
    """A screencast that nobody is expected to look at again."""

    name: str
    sha256: str
    size_bytes: int
    what: str  # whose it is, in words


def droppable(*, days: int = DAYS, finding_days: int = FINDING_DAYS) -> list[Droppable]:
    """Return the screencasts that retention drops, the oldest first.

    Every run of such a file was measured and came in more than ``days`` ago, or ``finding_days`` if its interaction
    regressed in a comparison with its version. Kept whatever their age are those of the pinned version, of versions
    that the gate has decided on, of findings that somebody triaged, and those that a person corrected.
    """
    now = timezone.now()
    old = Q(created_at__lt=now - timedelta(days=finding_days)) | (
        Q(created_at__lt=now - timedelta(days=days)) & ~_found(verdict=REGRESSION)
    )
    measured = Exists(Measurement.objects.filter(run=OuterRef("pk")))
    rows = Run.objects.filter(old, measured, status=RunStatus.DONE).exclude(_wanted()).filter(~film_is(*GONE))
    runs = list(
        rows.exclude(file_name="").select_related("interaction__app", "os_version").order_by("created_at", "pk")
    )
    shared = _shared_with_others(runs)
    found = {run.file_name: run for run in runs if run.file_name not in shared}
    return [Droppable(run.file_name, run.sha256, run.file_bytes, str(run)) for run in found.values()]


def drop(films: list[Droppable]) -> int:
    """Delete these screencasts with the pictures and players' copies made of them; return the bytes freed.

    That it was on purpose is written first: a file that a crash has left is deleted the next time.
    """
    _finish()
    freed = 0
    for film in films:
        note_state(name=film.name, state=FileState.DROPPED, sha256=film.sha256)
        _delete(film.name, film.sha256)
        freed += film.size_bytes
    return freed


def _finish() -> None:
    for name, sha256 in StoredFile.objects.filter(state=FileState.DROPPED).values_list("name", "sha256"):
        if default_storage.exists(name):
            _delete(name, sha256)


def _delete(name: str, sha256: str) -> None:
    forget_made(sha256=sha256)
    default_storage.delete(name)


def _found(**conditions: str) -> Exists:
    """Match the runs whose interaction has such a result in a comparison with their version."""
    sides = Q(comparison__base=OuterRef("os_version")) | Q(comparison__new=OuterRef("os_version"))
    return Exists(Result.objects.filter(sides, interaction=OuterRef("interaction"), **conditions))


def _wanted() -> Q:
    """Match the runs that are kept whatever their age."""
    decided = Q(comparison__base=OuterRef("os_version")) | Q(comparison__new=OuterRef("os_version"))
    pair = Q(base=OuterRef("os_version")) | Q(new=OuterRef("os_version"))
    triaged = TriageEntry.objects.filter(pair, interaction=OuterRef("interaction"))
    return (
        Q(os_version__pinned=True)
        | Q(Exists(GateRecord.objects.filter(decided)))
        | Q(Exists(triaged.exclude(state=TriageState.UNTRIAGED)))
        | Q(Exists(Correction.objects.filter(run=OuterRef("pk"), withdrawn_at=None)))
    )


def _shared_with_others(runs: list[Run]) -> set[str]:
    """Return the files of these runs that another run has as well, which keeps them."""
    mine, names = {run.pk for run in runs}, sorted({run.file_name for run in runs})
    shared: set[str] = set()
    for start in range(0, len(names), _BATCH):
        rows: QuerySet[Run] = Run.objects.filter(file_name__in=names[start : start + _BATCH])
        shared |= {name for pk, name in rows.values_list("pk", "file_name") if pk not in mine}
    return shared
