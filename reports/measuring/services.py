"""What a person says about runs: measure again, exclude, include, correct. Pressing twice does no harm."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from analysis.verdicts.text import count_text
from reports.audit.services import keep_change, record, record_each
from reports.audit.words import ChangedMeanwhileError, refuse_if_changed
from reports.media.files import state_words
from reports.models import (
    Action,
    Confidence,
    Correction,
    FrameSeriesRecord,
    InteractionType,
    Measurement,
    Moment,
    Run,
    RunStatus,
    Subject,
)
from reports.models.files import GONE, film_is
from reports.models.measured import SAME_FRAME_MS
from reports.queue.leases import FREE
from reports.queue.services import queue_runs, runs_changed

# What makes a run wait for its measurement, whatever it went through before.
AGAIN: dict[str, Any] = {
    "status": RunStatus.PENDING,
    **FREE,
    "claimed_by": "",
    "attempts": 0,
    "revision": 0,
    "measured_at": None,
    "outcome": "",
    "error": "",
    "settles": None,
}
REASON_LENGTH = Run._meta.get_field("excluded_reason").max_length


@transaction.atomic
def retry_runs(*, run_ids: Iterable[int], queue: bool = True) -> int:
    """Measure runs again that have been judged or have failed; return how many. Waiting ones are left alone.

    So are those that were measured and whose screencast is gone or damaged, or that were never filmed: their
    numbers stand.
    """
    finished = (
        Run.objects.filmed()
        .select_for_update(of=("self",))
        .filter(
            Q(status=RunStatus.FAILED) | Q(status=RunStatus.DONE) & ~film_is(*GONE),
            pk__in=list(run_ids),
        )
    )
    found = dict(finished.values_list("pk", "os_version_id"))
    Run.objects.filter(pk__in=found).update(**AGAIN)
    runs_changed(version_ids=set(found.values()))
    if len(found) == 1:
        record(Action.MEASURED_AGAIN, of=_named(found).get())
    elif found:
        subject = count_text(len(found), "run")
        record(Action.MEASURED_AGAIN, kind=Subject.RUN, subject=subject, after=sorted(found))
    if queue:
        transaction.on_commit(partial(queue_runs, run_ids=list(found)))
    return len(found)


def _named(run_ids: Iterable[int]) -> QuerySet[Run]:
    """Return runs with what their names are made of."""
    return Run.objects.filter(pk__in=list(run_ids)).select_related("interaction__app", "os_version")


@transaction.atomic
def measure_runs_anew(*, runs: QuerySet[Run]) -> int:
    """Measure runs again because what they are measured from has changed; return how many.

    One that is being measured starts again, and what it was about to find is dropped. Those whose screencast is
    gone or damaged, and those that were never filmed, are left alone.
    """
    runs = runs.filter(~film_is(*GONE)).exclude(file_name="")
    found = dict(runs.order_by().select_for_update(of=("self",)).values_list("pk", "os_version_id"))
    runs.order_by().update(**AGAIN)
    runs_changed(version_ids=set(found.values()))
    transaction.on_commit(partial(queue_runs, run_ids=list(found)))
    return len(found)


class BadActionError(ValueError):
    """The action cannot be there; the message tells the cure."""


@transaction.atomic
def set_action(*, run: Run, action_ms: float, user: AbstractBaseUser, seen: int | None = None) -> bool:
    """Say when the user acted, in ms after the first frame, and measure the run again; False if it was there.

    What the manifest said is kept and can be brought back. A corrected response or finish stays on its frame, so
    its time after the action moves; one that would come before the action is withdrawn. ``seen`` is the newest
    change of the run that the user has seen: see refuse_if_changed.
    """
    locked = Run.objects.select_for_update().get(pk=run.pk)
    refuse_if_changed(locked, seen=seen, user=user)
    _check_action(locked, action_ms)
    if gone := state_words(locked):
        raise BadActionError(f"it could not be measured again: {gone}")
    before = locked.action_ms if locked.action_known else None
    settled = not locked.action_from or locked.action_confirmed
    if settled and before is not None and math.isclose(before, action_ms, abs_tol=1e-3):
        return False
    if locked.action_from:
        Run.objects.filter(pk=run.pk).update(action_ms=action_ms, action_confirmed=True)
    else:
        said = locked.action_ms if locked.manifest_action_ms is None else locked.manifest_action_ms
        kept = None if math.isclose(said, action_ms, abs_tol=1e-3) else said
        Run.objects.filter(pk=run.pk).update(action_ms=action_ms, manifest_action_ms=kept)
    if before is not None:
        _move_corrections(locked, action_ms - before, user)
    measure_runs_anew(runs=Run.objects.filter(pk=run.pk))
    keep_change(of=locked, field="action_ms", before=before, after=action_ms, user=user)
    return True


def confirm_actions(*, proposals: Iterable[tuple[int, float]], user: AbstractBaseUser) -> tuple[int, list[str]]:
    """Say of several runs (id, ms after the first frame) when the user acted; return how many, and what hindered.

    A run that a person has settled meanwhile, or that is gone, is left alone.
    """
    done, hindered = 0, []
    waiting = Run.objects.needing_action().select_related("interaction", "os_version")
    wanted = dict(proposals)
    for run in waiting.filter(pk__in=wanted):
        try:
            done += set_action(run=run, action_ms=wanted[run.pk], user=user)
        except (BadActionError, ChangedMeanwhileError) as error:
            hindered.append(f"{run}: {error}")
    return done, hindered


@transaction.atomic
def undo_action(*, run: Run, user: AbstractBaseUser) -> bool:
    """Let the manifest's action count again, and measure the run again; False if nobody had set another."""
    locked = Run.objects.select_for_update().get(pk=run.pk)
    if locked.action_from and locked.action_confirmed:
        _forget_action(locked, user)
        return True
    said = locked.manifest_action_ms
    return said is not None and set_action(run=run, action_ms=said, user=user)


def _forget_action(run: Run, user: AbstractBaseUser) -> None:
    """Let the recording tell again when the user acted; what a person corrected counted from that, so it goes."""
    Run.objects.filter(pk=run.pk).update(action_ms=0.0, action_confirmed=False)
    for correction in list(Correction.objects.filter(run=run, withdrawn_at=None)):
        _end_correction(correction, user)
    measure_runs_anew(runs=Run.objects.filter(pk=run.pk))
    keep_change(of=run, field="action_ms", before=run.action_ms, after=None, user=user)


def _check_action(run: Run, action_ms: float) -> None:
    end = run.duration_ms or 1e7
    if not math.isfinite(action_ms) or not 0 <= action_ms <= end:
        shown = f"0 to {end:.0f} ms" if run.duration_ms else "0 ms or later"
        raise BadActionError(f"{action_ms:g} ms is outside of the recording: give {shown} after the first frame")


def _move_corrections(run: Run, later_ms: float, user: AbstractBaseUser) -> None:
    """Keep what a person corrected on its frame while the action, from which it counts, moves."""
    for correction in list(Correction.objects.filter(run=run, withdrawn_at=None)):
        _end_correction(correction, user)
        value_ms = correction.value_ms - later_ms
        if value_ms >= 0:
            values: dict[str, Any] = {"note": correction.note, "made_by_id": correction.made_by_id}
            Correction.objects.create(run=run, moment=correction.moment, value_ms=value_ms, **values)


@transaction.atomic
def exclude_runs(*, run_ids: Iterable[int], reason: str, user: AbstractBaseUser | None) -> int:
    """Keep runs out of every comparison; return how many. The first exclusion and its reason stand."""
    if not reason.strip():
        raise ValueError("an exclusion needs a reason: say what is wrong with the recording")
    values = {
        "excluded": True,
        "excluded_reason": reason.strip()[:REASON_LENGTH],
        "excluded_by": user,
        "excluded_at": timezone.now(),
    }
    return _set_excluded(run_ids, values, already=True, user=user)


@transaction.atomic
def include_runs(*, run_ids: Iterable[int], user: AbstractBaseUser | None = None) -> int:
    """Let excluded runs take part in comparisons again; return how many."""
    values = {"excluded": False, "excluded_reason": "", "excluded_by": None, "excluded_at": None}
    return _set_excluded(run_ids, values, already=False, user=user)


def _set_excluded(
    run_ids: Iterable[int], values: dict[str, Any], *, already: bool, user: AbstractBaseUser | None
) -> int:
    runs = Run.objects.select_for_update().filter(pk__in=list(run_ids), excluded=not already)
    found = dict(runs.values_list("pk", "os_version_id"))
    action = Action.EXCLUDED if already else Action.INCLUDED
    said = values["excluded_reason"]
    told = [(run, {"note": said or f"was excluded: {run.excluded_reason}"}) for run in _named(found)]
    record_each(action, told, user=user)
    Run.objects.filter(pk__in=found).update(**values)
    runs_changed(version_ids=set(found.values()), at_once=True)
    return len(found)


class BadCorrectionError(ValueError):
    """The correction cannot be; the message tells the cure."""


@transaction.atomic
def correct_run(
    *,
    run: Run,
    moment: str,
    value_ms: float,
    user: AbstractBaseUser,
    note: str = "",
    seen: int | None = None,
) -> Correction:
    """Put ``value_ms`` (after the action) in the place of what was measured; an earlier correction is withdrawn.

    ``seen`` is the id of the correction that the user knows of, 0 for none; None does not ask. Raises
    BadCorrectionError, also if somebody else has corrected this since.
    """
    Run.objects.select_for_update().get(pk=run.pk)
    _check_correction(run, moment, value_ms)
    before = _in_force(run, moment)
    if seen is not None and before and before.pk > seen and before.made_by_id != user.pk:
        raise BadCorrectionError(
            f"not saved: {before.made_by} corrected the {moment} to {before.value_ms:g} ms since you loaded the "
            f"page; yours was {value_ms:g} ms. Send it again to put it over that"
        )
    automatic = before.automatic_ms if before else _measured_ms(run, moment)
    if before:
        _end_correction(before, user)
    made = Correction.objects.create(
        run=run,
        moment=moment,
        value_ms=value_ms,
        automatic_ms=automatic,
        note=note.strip()[:300],
        made_by_id=user.pk,
    )
    _write_moment(run, moment, value_ms, Confidence.SETTLED)
    was: dict[str, Any] = {"field": moment, "before": before.value_ms if before else automatic}
    record(Action.CORRECTED, of=run, user=user, **was, after=value_ms, note=made.note)
    runs_changed(version_ids=[run.os_version_id], at_once=True)
    return made


@transaction.atomic
def withdraw_correction(*, run: Run, moment: str, user: AbstractBaseUser) -> bool:
    """Bring back what was measured; False if no correction is in force."""
    Run.objects.select_for_update().get(pk=run.pk)
    found = _in_force(run, moment)
    if found is None:
        return False
    _end_correction(found, user)
    _write_moment(run, moment, found.automatic_ms, _measured_confidence(run, moment))
    was: dict[str, Any] = {"field": moment, "before": found.value_ms, "after": found.automatic_ms}
    record(Action.CORRECTION_WITHDRAWN, of=run, user=user, **was)
    runs_changed(version_ids=[run.os_version_id], at_once=True)
    return True


def apply_corrections(*, run: Run) -> None:
    """Put the corrections of a run that was just measured anew in force again. Call it in that transaction."""
    for correction in Correction.objects.filter(run=run, withdrawn_at=None):
        correction.automatic_ms = _measured_ms(run, correction.moment)
        correction.save(update_fields=["automatic_ms"])
        _write_moment(run, correction.moment, correction.value_ms, Confidence.SETTLED)


def metric_of(run: Run, moment: str) -> str:
    """Return the metric that a moment decides: the finish of a launch is its launch time."""
    if moment == Moment.RESPONSE:
        return "response_time_ms"
    return "launch_time_ms" if run.interaction.type == InteractionType.LAUNCH else "finish_time_ms"


def _check_correction(run: Run, moment: str, value_ms: float) -> None:
    if not run.filmed:
        raise BadCorrectionError(
            "this run has no screencast: there is no moment to correct; exclude it if it is wrong"
        )
    if moment not in Moment.values:
        raise BadCorrectionError(f"{moment!r} cannot be corrected: choose {' or '.join(Moment.values)}")
    end = (run.duration_ms or 1e7) - run.action_ms
    if not math.isfinite(value_ms) or not 0 <= value_ms <= end + 1:
        raise BadCorrectionError(
            f"{value_ms:g} ms is outside of the recording: give 0 to {end:.0f} ms after the action"
        )
    other = _measured_ms(run, Moment.FINISH if moment == Moment.RESPONSE else Moment.RESPONSE)
    if other is not None and (other - value_ms if moment == Moment.RESPONSE else value_ms - other) < -SAME_FRAME_MS:
        raise BadCorrectionError("the finish cannot come before the response: correct the other one first")


def _in_force(run: Run, moment: str) -> Correction | None:
    return Correction.objects.filter(run=run, moment=moment, withdrawn_at=None).first()


def _end_correction(correction: Correction, user: AbstractBaseUser) -> None:
    now = timezone.now()
    Correction.objects.filter(pk=correction.pk).update(withdrawn_by=user, withdrawn_at=now)


def _measured_ms(run: Run, moment: str) -> float | None:
    found = Measurement.objects.filter(run=run, metric=metric_of(run, moment))
    return found.values_list("value", flat=True).first()


def confidence_in(evidence: Mapping[str, Any], moment: str) -> str:
    """Return the word of a moment in the evidence of a run; nothing where measuring gave none."""
    return (evidence.get(moment) or {}).get("confidence") or ""


def _measured_confidence(run: Run, moment: str) -> str:
    evidence = FrameSeriesRecord.objects.filter(run=run).values_list("evidence", flat=True).first()
    return confidence_in(evidence or {}, moment)


def _write_moment(run: Run, moment: str, value_ms: float | None, confidence: str) -> None:
    metric = metric_of(run, moment)
    if value_ms is None:
        Measurement.objects.filter(run=run, metric=metric).delete()
    else:
        said = {"value": value_ms, "confidence": confidence}
        Measurement.objects.update_or_create(run=run, metric=metric, defaults=said)
