"""A person's word against the measurement: put in force, taken back, put in force again after measuring anew."""

from __future__ import annotations

import math

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from reports.models import Correction, InteractionType, Measurement, Moment, Run
from reports.queue.services import runs_changed


class BadCorrectionError(ValueError):
    """The correction cannot be; the message tells the cure."""


@transaction.atomic
def correct_run(*, run: Run, moment: str, value_ms: float, user: AbstractBaseUser, note: str = "") -> Correction:
    """Put ``value_ms`` (after the action) in the place of what was measured; an earlier correction is withdrawn."""
    Run.objects.select_for_update().get(pk=run.pk)
    _check(run, moment, value_ms)
    before = _in_force(run, moment)
    automatic = before.automatic_ms if before else _measured(run, moment)
    if before:
        _withdraw(before, user)
    made = Correction.objects.create(
        run=run,
        moment=moment,
        value_ms=value_ms,
        automatic_ms=automatic,
        note=note.strip()[:300],
        made_by_id=user.pk,
    )
    _write(run, moment, value_ms)
    runs_changed(version_ids=[run.os_version_id], at_once=True)
    return made


@transaction.atomic
def withdraw_correction(*, run: Run, moment: str, user: AbstractBaseUser) -> bool:
    """Bring back what was measured; False if no correction is in force."""
    Run.objects.select_for_update().get(pk=run.pk)
    found = _in_force(run, moment)
    if found is None:
        return False
    _withdraw(found, user)
    _write(run, moment, found.automatic_ms)
    runs_changed(version_ids=[run.os_version_id], at_once=True)
    return True


def apply_corrections(*, run: Run) -> None:
    """Put the corrections of a run that was just measured anew in force again. Call it in that transaction."""
    for correction in Correction.objects.filter(run=run, withdrawn_at=None):
        correction.automatic_ms = _measured(run, correction.moment)
        correction.save(update_fields=["automatic_ms"])
        _write(run, correction.moment, correction.value_ms)


def metric_of(run: Run, moment: str) -> str:
    """Return the metric that a moment decides: the finish of a launch is its launch time."""
    if moment == Moment.RESPONSE:
        return "response_time_ms"
    return "launch_time_ms" if run.interaction.type == InteractionType.LAUNCH else "finish_time_ms"


def _check(run: Run, moment: str, value_ms: float) -> None:
    if moment not in Moment.values:
        raise BadCorrectionError(f"{moment!r} cannot be corrected: choose {' or '.join(Moment.values)}")
    end = (run.duration_ms or 1e7) - run.action_ms
    if not math.isfinite(value_ms) or not 0 <= value_ms <= end + 1:
        raise BadCorrectionError(
            f"{value_ms:g} ms is outside of the recording: give 0 to {end:.0f} ms after the action"
        )
    other = _measured(run, Moment.FINISH if moment == Moment.RESPONSE else Moment.RESPONSE)
    if other is not None and (value_ms > other if moment == Moment.RESPONSE else value_ms < other):
        raise BadCorrectionError("the finish cannot come before the response: correct the other one first")


def _in_force(run: Run, moment: str) -> Correction | None:
    return Correction.objects.filter(run=run, moment=moment, withdrawn_at=None).first()


def _withdraw(correction: Correction, user: AbstractBaseUser) -> None:
    now = timezone.now()
    Correction.objects.filter(pk=correction.pk).update(withdrawn_by=user, withdrawn_at=now)


def _measured(run: Run, moment: str) -> float | None:
    found = Measurement.objects.filter(run=run, metric=metric_of(run, moment))
    return found.values_list("value", flat=True).first()


def _write(run: Run, moment: str, value_ms: float | None) -> None:
    metric = metric_of(run, moment)
    if value_ms is None:
        Measurement.objects.filter(run=run, metric=metric).delete()
    else:
        Measurement.objects.update_or_create(run=run, metric=metric, defaults={"value": value_ms})
