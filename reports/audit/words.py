"""The audit log in sentences without internals, and what of it is the history of one row or of all people."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db.models import Model, Q

from analysis.verdicts.text import count_text, number_text
from reports.audit.services import KINDS
from reports.models import Action, AuditEntry, Moment, Subject

MOST = 20
MEASURED_FROM = ("masks", "type")
WORDS = {"sorts_as": "order", "channel": "line", "released_on": "date", "note": "note",
         "author": "author of its change", "change": "its change", "category": "category",
         "type": "type", "scenario": "scenario", "name": "name", "role": "role", "email": "mail address",
         "sign_on": "sign-on", "notices": "notices", "at_work": "at work"}  # fmt: skip
FLAGS = {
    "critical": ("marked as critical", "no longer critical"),
    "pinned": ("pinned as the baseline", "no longer pinned"),
    "is_active": ("let in again", "deactivated"),
}


class ChangedMeanwhileError(Exception):
    """Somebody else changed it since the page was loaded; the message says who and what, and what to do.

    ``told`` is who changed what, ``newest`` the id of the last of these changes.
    """

    def __init__(self, told: str, newest: int) -> None:
        super().__init__(
            f"Not saved: somebody else changed this since you loaded the page. {told}. "
            "What you typed is still here: save it again to put it over that."
        )
        self.told, self.newest = told, newest


@dataclass(frozen=True)
class Told:
    """One change in words, with who made it and when."""

    id: int
    words: str
    who: str
    when: datetime


def refuse_if_changed(row: Model, *, seen: int | None, user: AbstractBaseUser) -> None:
    """Raise ChangedMeanwhileError if somebody else has changed a row since change ``seen``; None does not ask.

    Call it in the transaction that writes, with the row locked.
    """
    if seen is None:
        return
    changes = AuditEntry.objects.filter(kind=KINDS[type(row)], object_id=row.pk, action=Action.CHANGED)
    others = [_told(entry) for entry in changes.filter(pk__gt=seen).exclude(user_id=user.pk)[:MOST]]
    if others:
        told = ". ".join(f"{one.who}: {one.words}" for one in reversed(others))
        raise ChangedMeanwhileError(told, newest=max(one.id for one in others))


def changes_of(row: Model, *besides: Model) -> list[Told]:
    """Tell the last changes of a row, newest first; one query.

    Of the rows ``besides``, such as a run's app, only what a run is measured from is told.
    """
    kind = KINDS[type(row)]
    wanted = Q(kind=kind, object_id=row.pk)
    for other in besides:
        wanted |= Q(kind=KINDS[type(other)], object_id=other.pk, field__in=MEASURED_FROM)
    found = AuditEntry.objects.filter(wanted, action=Action.CHANGED)[:MOST]
    return [_told(entry, "" if entry.kind == kind else capital(entry.kind)) for entry in found]


def changes_of_people() -> list[Told]:
    """Tell the last changes of people's accounts with their names, newest first; one query."""
    found = AuditEntry.objects.filter(kind=Subject.PERSON, action__in=[Action.CHANGED, Action.ADDED])[:MOST]
    return [_told(entry, entry.subject or "somebody who has left") for entry in found]


def _told(entry: AuditEntry, about: str = "") -> Told:
    words = change_words(entry)
    return Told(entry.pk, f"{about}: {words}" if about else capital(words), entry.who, entry.made_at)


def capital(words: str) -> str:
    """Return words with a capital in front."""
    return words[:1].upper() + words[1:]


def change_words(entry: AuditEntry) -> str:
    """Say what a change of one field was, without naming the row."""
    words = entry.get_action_display() if not entry.field else field_words(entry.field, entry.before, entry.after)
    again = f"; {count_text(entry.runs, 'run')} measured again" if entry.runs else ""
    return words + again


def field_words(field: str, before: Any, after: Any) -> str:
    """Say how one field changed: ``type changed from “tap” to “launch”``."""
    if field == "action_ms" and before is None:
        return f"action set to {number_text(after, 1)} ms after the first frame"
    if field == "action_ms" and after is None:
        return f"action of {number_text(before, 1)} ms taken back: it is looked for again"
    if field == "action_ms":
        return f"action moved from {number_text(before, 1)} to {number_text(after, 1)} ms after the first frame"
    if field == "masks":
        return _mask_words(before or [], after or [])
    if field == "password":
        return "password set anew"
    if field == "tracker_token":
        return "another token"
    if field == "skipped":
        return f"skipped {after}"
    if field == "answer":
        return "finished without an answer" if after == "none" else f"finished with {after}"
    if field in FLAGS:
        words = FLAGS[field][0 if after else 1]
        return f"{words}: {after}" if isinstance(after, str) else words
    return f"{WORDS.get(field, field.replace('_', ' '))} changed from {_quoted(before)} to {_quoted(after)}"


def _mask_words(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> str:
    added = [mask for mask in after if mask not in before]
    gone = [mask for mask in before if mask not in after]
    parts = [f"no longer judged: {_names(added)}"] if added else []
    parts += [f"judged again: {_names(gone)}"] if gone else []
    return "; ".join(parts) or "areas put in another order"


def _names(masks: Iterable[dict[str, Any]]) -> str:
    return ", ".join(mask.get("name") or "an area without a name" for mask in masks)


def _quoted(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "nothing" if value in (None, "", []) else f"“{str(value)[:80]}”"


def detail_words(entry: AuditEntry) -> str:
    """Say what an entry came to besides who, what and to what: from what to what, why, how many runs."""
    if entry.action == Action.CHANGED and entry.field:
        return "; ".join(filter(None, [change_words(entry), entry.note]))
    unit = " ms" if entry.field in Moment.values else ""
    known = (entry.before, entry.after) != (None, None)
    moved = f"{_value(entry.before)} → {_value(entry.after)}{unit}" if known else ""
    runs = count_text(entry.runs, "run") if entry.runs else ""
    field = WORDS.get(entry.field, entry.field.replace("_", " "))
    return "; ".join(filter(None, [f"{field} {moved}".strip(), runs, entry.note]))


def _value(value: Any) -> str:
    if value in (None, "", [], {}):
        return "nothing"
    if isinstance(value, float):
        return number_text(value, 1)
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
