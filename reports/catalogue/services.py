"""Changes to the catalogue: each is kept with who made it, and what follows from it is put right at once."""

from collections.abc import Collection
from datetime import date
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Model
from django.utils import timezone

from reports.audit.services import keep_change
from reports.audit.words import refuse_if_changed
from reports.comparing.services import compare_with_pinned
from reports.history.services import queue_what_is_behind
from reports.measuring.areas import Outcome, set_type
from reports.models import App, Interaction, OsVersion
from reports.queue.services import queue_complete_batches, recount_comparisons


class LineIsPinnedError(ValueError):
    """A line of versions has a pinned one already; the message names it and the cure."""


@transaction.atomic
def save_version(
    *,
    version: OsVersion,
    sorts_as: str,
    channel: str,
    released_on: date | None,
    note: str,
    user: AbstractBaseUser,
    seen: int | None = None,
    **change: str,
) -> bool:
    """Save the line of a version and its place in it, its day and note; False if nothing is different.

    ``change`` may hold its ``author`` and the ``change`` itself; what is not given stays as it is.
    ``seen`` is the newest change that the user has seen: see refuse_if_changed, here and below. Raises
    LineIsPinnedError for a pinned version that would come into a line which has another one.
    """
    locked = OsVersion.objects.select_for_update().get(pk=version.pk)
    refuse_if_changed(locked, seen=seen, user=user)
    other = OsVersion.objects.baselines(channel).exclude(pk=version.pk).first()
    if locked.pinned and other:
        raise LineIsPinnedError(f"{other} is pinned there already: unpin one of the two first.")
    values = {"sorts_as": sorts_as.strip(), "channel": channel, "released_on": released_on, "note": note.strip()}
    values |= {name: change[name].strip() for name in ("author", "change") if name in change}
    changed = _set(locked, values, user)
    if "sorts_as" in changed:
        locked.sort_key = locked.own_sort_key()
        locked.save(update_fields=["sort_key"])
    if {"sorts_as", "channel"} & set(changed):
        transaction.on_commit(queue_what_is_behind)
        transaction.on_commit(queue_complete_batches)
    return bool(changed)


@transaction.atomic
def pin_version(*, version: OsVersion, reason: str, user: AbstractBaseUser) -> OsVersion | None:
    """Make a version the pinned baseline; return the one that was pinned before, None if it was none or this.

    Pinned once more for the same reason, it stays pinned by whom and since when it was.
    """
    if not reason.strip():
        raise ValueError("a pin needs a reason: say why this version is the baseline")
    if OsVersion.objects.select_for_update().pinned().filter(pk=version.pk, pinned_reason=reason.strip()).exists():
        return None
    others = OsVersion.objects.select_for_update().baselines(version.channel).exclude(pk=version.pk)
    before = others.first()
    if before:
        _unpin(before, user)
    values = {"pinned": True, "pinned_at": timezone.now(), "pinned_by": user, "pinned_reason": reason.strip()}
    OsVersion.objects.filter(pk=version.pk).update(**values)
    keep_change(of=version, field="pinned", before=None, after=reason.strip(), user=user)
    transaction.on_commit(queue_complete_batches)
    transaction.on_commit(compare_with_pinned)
    transaction.on_commit(queue_what_is_behind)
    return before


@transaction.atomic
def unpin_version(*, version: OsVersion, user: AbstractBaseUser) -> bool:
    """Let no version be pinned any more; False if this one was not."""
    pinned = OsVersion.objects.select_for_update().pinned().filter(pk=version.pk).first()
    if pinned:
        _unpin(pinned, user)
    return pinned is not None


def _unpin(version: OsVersion, user: AbstractBaseUser) -> None:
    reason = version.pinned_reason
    values: dict[str, Any] = {"pinned": False, "pinned_at": None, "pinned_by": None, "pinned_reason": ""}
    OsVersion.objects.filter(pk=version.pk).update(**values)
    keep_change(of=version, field="pinned", before=reason, after=None, user=user)


@transaction.atomic
def save_app(*, app: App, user: AbstractBaseUser, seen: int | None = None, **values: Any) -> bool:
    """Save name, category or critical of an app; False if nothing is different.

    Critical apps pass no regression: the gate asks when it is read; every comparison counts its apps anew.
    """
    locked = App.objects.select_for_update().get(pk=app.pk)
    refuse_if_changed(locked, seen=seen, user=user)
    changed = _set(locked, values, user)
    app_changed(app=locked, fields=changed)
    return bool(changed)


def app_changed(*, app: App, fields: Collection[str]) -> None:
    """Put right what follows from other values of these fields; call it in the transaction that writes them."""
    if {"critical", "name", "category"} & set(fields):
        transaction.on_commit(recount_comparisons)


@transaction.atomic
def save_interaction(
    *,
    interaction: Interaction,
    scenario: str,
    type: str,
    again: bool,
    user: AbstractBaseUser,
    seen: int | None = None,
) -> Outcome:
    """Save scenario and type of an interaction; the runs that another type concerns are measured again if asked."""
    locked = Interaction.objects.select_for_update().get(pk=interaction.pk)
    refuse_if_changed(locked, seen=seen, user=user)
    written = _set(locked, {"scenario": scenario.strip()}, user)
    outcome = set_type(interaction=locked, type=type, again=again, user=user)
    if outcome.changed or not written:
        return outcome
    return Outcome(changed=True, concerned=0, again=0)


def _set(row: Model, values: dict[str, Any], user: AbstractBaseUser) -> list[str]:
    """Write what differs and keep each change; return the names of the fields."""
    changed = [name for name, value in values.items() if getattr(row, name) != value]
    for name in changed:
        before, after = getattr(row, name), values[name]
        setattr(row, name, after)
        keep_change(of=row, field=name, before=_plain(before), after=_plain(after), user=user)
    if changed:
        row.save(update_fields=changed)
    return changed


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value
