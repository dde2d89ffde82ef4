"""Write into the audit log, in the transaction of what is written down. One function for every kind of entry."""

import logging
from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db.models import CharField, Model

from reports.audit.origin import current_origin
from reports.models import (
    Action,
    ApiToken,
    App,
    AuditEntry,
    Batch,
    Bisection,
    Comparison,
    Device,
    Interaction,
    OsVersion,
    PolicyVersion,
    Run,
    Scope,
    Subject,
    Waiver,
)

security = logging.getLogger("upreg.security")
KINDS: dict[type[Model], Subject] = {
    Run: Subject.RUN,
    Interaction: Subject.INTERACTION,
    App: Subject.APP,
    Device: Subject.DEVICE,
    OsVersion: Subject.VERSION,
    PolicyVersion: Subject.POLICY,
    Scope: Subject.SCOPE,
    Waiver: Subject.WAIVER,
    Comparison: Subject.COMPARISON,
    Batch: Subject.BATCH,
    Bisection: Subject.BISECTION,
    ApiToken: Subject.TOKEN,
}
# Also a line in the log of the server, where a guard of the whole machine reads it.
SECURITY = {
    Action.LOGGED_IN: logging.INFO,
    Action.LOGGED_OUT: logging.INFO,
    Action.LOGIN_FAILED: logging.WARNING,
    Action.LOCKED_OUT: logging.WARNING,
    Action.LOCKOUT_LIFTED: logging.INFO,
    Action.SESSIONS_ENDED: logging.INFO,
    Action.LINK_MADE: logging.INFO,
    Action.RESET_ASKED: logging.INFO,
    Action.TOKEN_MADE: logging.INFO,
    Action.TOKEN_REVOKED: logging.INFO,
}
_LENGTHS: dict[str, int] = {
    field.name: field.max_length
    for field in AuditEntry._meta.concrete_fields
    if isinstance(field, CharField) and field.max_length
}


def record(
    action: Action, *, of: Model | None = None, user: AbstractBaseUser | None = None, who: str = "", **facts: Any
) -> AuditEntry:
    """Add an entry; call it in the transaction that makes the change.

    Parameters
    ----------
    action, of
        What was done, and to what: a row, whose kind, id and name are kept.
    user, who
        Who did it; whoever asks (see ``origin``) if neither is given. ``who`` is a name that was only typed.
    facts
        ``field``, ``before``, ``after`` (plain JSON), ``note``, ``runs``; ``subject`` and ``kind`` where
        there is no row.

    """
    entry = _entry(action, of, user, who, facts)
    entry.save()
    if action in SECURITY:
        words = " ".join(filter(None, [entry.get_action_display(), entry.subject, entry.note]))
        # a name was typed by whoever it was: no line break of it may begin a line of the log
        security.log(SECURITY[action], "%r %s, from %s", entry.who, words, entry.address or "an unknown address")
    return entry


def record_each(
    action: Action, rows: Iterable[tuple[Model, dict[str, Any]]], *, user: AbstractBaseUser | None = None
) -> None:
    """Add an entry for each row of a batch, each with its own facts."""
    AuditEntry.objects.bulk_create([_entry(action, row, user, "", facts) for row, facts in rows], batch_size=500)


def keep_change(
    *, of: Model, field: str, before: Any, after: Any, user: AbstractBaseUser | None, runs: int = 0
) -> AuditEntry:
    """Add the change of one field to the log and, by that, to the history of the row."""
    return record(Action.CHANGED, of=of, user=user, field=field, before=before, after=after, runs=runs)


def record_export(name: str, *, of: Model | None = None) -> None:
    """Write down that a file leaves the house; ``of`` is what it is about."""
    record(Action.EXPORTED, of=of, kind=_kind(of) if of else Subject.FILE, subject=name)


def _entry(
    action: Action, of: Model | None, user: AbstractBaseUser | None, who: str, facts: dict[str, Any]
) -> AuditEntry:
    values: dict[str, Any] = {"kind": Subject.OTHER}
    if of is not None:
        values |= {"kind": _kind(of), "object_id": of.pk, "subject": str(of)}
    origin = current_origin()
    values |= {"user_id": origin.user_id, "who": origin.who, "address": origin.address}
    values |= {"request_id": origin.request_id, "token": origin.token}
    if user is not None and user.pk is not None:
        values |= {"user_id": user.pk, "who": user.get_username()}
    if who:
        values |= {"user_id": None, "who": who}
    values |= facts
    return AuditEntry(action=action, **{name: _fitting(name, value) for name, value in values.items()})


def _fitting(name: str, value: Any) -> Any:
    """Shorten what does not fit, and leave out what a database refuses in a text."""
    if not isinstance(value, str) or name in ("before", "after"):
        return value
    return value.replace("\0", "")[: _LENGTHS.get(name, 10_000)]


def _kind(row: Model) -> Subject:
    return KINDS.get(type(row)) or (Subject.PERSON if isinstance(row, AbstractBaseUser) else Subject.OTHER)
