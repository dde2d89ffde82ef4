"""Write what was decided about a batch of rows: files first, then all rows in one transaction."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction

from analysis.manifest.rows import Problem
from analysis.options import ASK
from reports.audit.services import record
from reports.importing.catalogue import Catalogue, save_catalogue
from reports.importing.files import Candidate
from reports.importing.plan import COMPARED, MEASURED_FROM, Plan, changed_fields, make_plan, takes_batch, values_for
from reports.measuring.services import AGAIN
from reports.media.files import files_came_back
from reports.media.screencasts import keep
from reports.models import Action, Run, Subject
from reports.queue.services import queue_runs, runs_changed

_TRIES = 3


def write_batch(
    candidates: list[Candidate],
    catalogue: Catalogue,
    *,
    queue: bool,
    source: str,
    and_note: Callable[[Plan], None] = lambda _: None,
) -> Plan:
    """Store a batch of the manifest ``source`` and return what it came to.

    Another import that is faster with the same rows does no harm. ``and_note`` is told what it came to at the end
    of the transaction that stores it.
    """
    save_catalogue(catalogue, [candidate.row for candidate in candidates])
    for remaining in reversed(range(_TRIES)):
        plan = make_plan(candidates, catalogue)
        _keep_files(plan)
        try:
            _write(plan, catalogue, queue, source, and_note)
        except IntegrityError:  # another process has added one of these runs meanwhile: look again
            if not remaining:
                raise
        else:
            break
    return plan


def _keep_files(plan: Plan) -> None:
    """Put the files of a plan into the storage; a file that vanished meanwhile turns its row into a problem."""
    written: list[str] = []
    plan.new = [candidate for candidate in plan.new if _kept(candidate, plan.problems, written)]
    plan.updated = [pair for pair in plan.updated if _kept(pair[1], plan.problems, written)]
    plan.unchanged = [pair for pair in plan.unchanged if _kept(pair[1], plan.problems, written)]
    plan.healed = files_came_back(written) if written else 0


def _kept(candidate: Candidate, problems: list[Problem], written: list[str]) -> bool:
    for column, file in candidate.files:
        try:
            if keep(file.path, file.print):
                written.append(file.print.name)
        except OSError as error:
            message = f"{file.path.name} {error.strerror}: import it again"
            problems.append(Problem(candidate.row.line, column, message))
            return False
    return True


@transaction.atomic
def _write(plan: Plan, catalogue: Catalogue, queue: bool, source: str, and_note: Callable[[Plan], None]) -> None:
    made = plan.made = Run.objects.bulk_create([_new_run(candidate, catalogue) for candidate in plan.new])
    again = _update(plan, catalogue)
    runs_changed(version_ids={run.os_version_id for run in again})
    if made or plan.updated:
        note = f"{len(made)} new, {len(plan.updated)} updated"
        record(Action.IMPORTED, kind=Subject.FILE, subject=source, note=note, runs=len(made) + len(plan.updated))
    if queue:
        ids = [run.pk for run in (*made, *again)]
        transaction.on_commit(partial(queue_runs, run_ids=ids))
    and_note(plan)


def _new_run(candidate: Candidate, catalogue: Catalogue) -> Run:
    row, video = candidate.row, candidate.video.print
    ids: dict[str, Any] = catalogue.ids(row)._asdict()
    return Run(
        **ids,
        batch_id=catalogue.batches.get(row.batch),
        app_version=row.app_version,
        capture=row.capture,
        repetition=row.repetition,
        recorded_at=row.recorded_at,
        sha256=video.sha256,
        file_name=video.name,
        original_name=row.video,
        file_bytes=video.size_bytes,
        **{"action_ms": 0.0, "action_from": ASK} | candidate.values,
    )


def _update(plan: Plan, catalogue: Catalogue) -> list[Run]:
    """Correct stored runs; return those that must be measured again."""
    again = []
    for run, candidate in plan.updated:
        changed, values = changed_fields(run, candidate), values_for(run, candidate)
        for name in changed:
            setattr(run, name, values[name])
        if takes_batch(run, candidate.row):
            run.batch_id = catalogue.batches[candidate.row.batch]
        if set(changed) & set(MEASURED_FROM):
            again.append(run)
    Run.objects.bulk_update([run for run, _ in plan.updated], [*COMPARED, "batch"])
    Run.objects.filter(pk__in=[run.pk for run in again]).update(**AGAIN)
    return again
