"""Accept a regression until a day, or withdraw that."""

from datetime import date
from functools import partial
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from analysis.metrics import EVERY_METRIC
from analysis.verdicts.outcomes import OUTCOME_METRIC
from reports.models import App, Interaction, Waiver
from reports.services.gate_marks import refresh_gate_marks


class WaiverError(ValueError):
    """A waiver that cannot stand; the message names the field and the cure."""


@transaction.atomic
def add_waiver(
    *,
    app: App,
    expires: date,
    reason: str,
    approver: str,
    interaction: Interaction | None = None,
    metric: str = "",
    ceiling: float | None = None,
    issue_url: str = "",
    user: AbstractBaseUser | None = None,
) -> Waiver:
    """Save a waiver; the gate marks of the comparisons that it may change are refreshed.

    Raises
    ------
    WaiverError
        It names no reason or approver, is over already, or contradicts itself.

    """
    _check(app, interaction, metric, ceiling, expires, reason, approver)
    about: dict[str, Any] = {"app": app, "interaction": interaction, "metric": metric, "ceiling": ceiling}
    who: dict[str, Any] = {"reason": reason.strip(), "approver": approver.strip(), "created_by": user}
    waiver = Waiver.objects.create(**about, **who, expires=expires, issue_url=issue_url)
    transaction.on_commit(partial(refresh_gate_marks, app_id=app.pk))
    return waiver


@transaction.atomic
def withdraw_waiver(*, waiver_id: int, user: AbstractBaseUser | None = None) -> bool:
    """Take a waiver back; False if it was withdrawn before."""
    mine = Waiver.objects.filter(pk=waiver_id, withdrawn_at=None)
    app_id = mine.values_list("app_id", flat=True).first()
    if app_id is None or not mine.update(withdrawn_at=timezone.now(), withdrawn_by=user):
        return False
    transaction.on_commit(partial(refresh_gate_marks, app_id=app_id))
    return True


def _check(
    app: App,
    interaction: Interaction | None,
    metric: str,
    ceiling: float | None,
    expires: date,
    reason: str,
    approver: str,
) -> None:
    if interaction and interaction.app_id != app.pk:
        raise WaiverError(f"interaction: {interaction.name!r} belongs to another app; choose one of {app.name}")
    if metric and metric not in {*EVERY_METRIC, OUTCOME_METRIC}:
        raise WaiverError(f"metric: there is no {metric!r}; leave it empty for every metric")
    if ceiling is not None and not (metric and 0 < ceiling < float("inf")):
        raise WaiverError("ceiling: give a number above 0 together with the metric that it is measured in")
    if expires < timezone.localdate():
        raise WaiverError(f"expires: {expires.isoformat()} is over; choose today or a later day")
    if not reason.strip():
        raise WaiverError("reason: is empty; say why this regression is acceptable")
    if not approver.strip():
        raise WaiverError("approver: is empty; name who accepts it")
