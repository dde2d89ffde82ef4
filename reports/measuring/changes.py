"""What people changed by hand, kept as it is made and told in sentences."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db.models import Model, Q

from analysis.verdicts.text import count_text, number_text
from reports.models import App, Change, Changed, Device, Interaction, OsVersion, Run

KINDS: dict[type[Model], Changed] = {
    Run: Changed.RUN,
    Interaction: Changed.INTERACTION,
    App: Changed.APP,
    Device: Changed.DEVICE,
    OsVersion: Changed.VERSION,
}
MOST = 20
MEASURED_FROM = ("masks", "type")
WORDS = {"sorts_as": "order", "released_on": "date", "note": "note", "category": "category", "type": "type",
         "scenario": "scenario", "name": "name", "role": "role"}  # fmt: skip
FLAGS = {
    "critical": ("marked as critical", "no longer critical"),
    "pinned": ("pinned as the baseline", "no longer pinned"),
    "is_active": ("let in again", "deactivated"),
}


class ChangedMeanwhileError(Exception):
    """Somebody else changed it since the page was loaded; the message says who and what, and what to do."""


@dataclass(frozen=True)
class Told:
    """One change in words, with who made it and when."""

    id: int
    words: str
    who: str
    when: datetime


def keep_change(
    *, of: Model, field: str, before: Any, after: Any, user: AbstractBaseUser | None, runs: int = 0
) -> Change:
    """Add a change to the history; call it in the transaction that makes it."""
    kind = KINDS.get(type(of), Changed.PERSON)
    values: dict[str, Any] = {"before": before, "after": after, "runs": runs, "made_by": user}
    return Change.objects.create(kind=kind, object_id=of.pk, field=field, **values)


def refuse_if_changed(row: Model, *, seen: int | None, user: AbstractBaseUser) -> None:
    """Raise ChangedMeanwhileError if somebody else has changed a row since change ``seen``; None does not ask.

    Call it in the transaction that writes, with the row locked.
    """
    if seen is None:
        return
    later = Change.objects.filter(kind=KINDS[type(row)], object_id=row.pk, pk__gt=seen).exclude(made_by=user.pk)
    told = [f"{one.who}: {one.words}" for one in map(_told, later.select_related("made_by")[:MOST])]
    if told:
        raise ChangedMeanwhileError(
            f"Not saved: somebody else changed this since you loaded the page. {'. '.join(reversed(told))}. "
            "What you typed is still here: save it again to put it over that."
        )


def changes_of(row: Model, *besides: Model) -> list[Told]:
    """Tell the last changes of a row, newest first; one query.

    Of the rows ``besides``, such as a run's app, only what a run is measured from is told.
    """
    wanted = Q(kind=KINDS[type(row)], object_id=row.pk)
    for other in besides:
        wanted |= Q(kind=KINDS[type(other)], object_id=other.pk, field__in=MEASURED_FROM)
    found = Change.objects.filter(wanted).select_related("made_by")[:MOST]
    return [_told(change, "" if change.kind == KINDS[type(row)] else _capital(change.kind)) for change in found]


def changes_of_people() -> list[Told]:
    """Tell the last changes of people's accounts with their names, newest first; two queries."""
    found = list(Change.objects.filter(kind=Changed.PERSON).select_related("made_by")[:MOST])
    names = get_user_model().objects.in_bulk([change.object_id for change in found])
    return [_told(change, str(names.get(change.object_id, "somebody who has left"))) for change in found]


def _told(change: Change, about: str = "") -> Told:
    who = change.made_by.get_username() if change.made_by else "somebody who has left"
    words = f"{about}: {change_words(change)}" if about else _capital(change_words(change))
    return Told(change.pk, words, who, change.made_at)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def change_words(change: Change) -> str:
    """Say what a change was in a sentence without internals."""
    words = _words(change.field, change.before, change.after)
    again = f"; {count_text(change.runs, 'run')} measured again" if change.runs else ""
    return words + again


def _words(field: str, before: Any, after: Any) -> str:
    if field == "action_ms":
        return f"action moved from {number_text(before, 1)} to {number_text(after, 1)} ms after the first frame"
    if field == "masks":
        return _mask_words(before or [], after or [])
    if field == "password":
        return "password set anew"
    if field in ("added", "deleted"):
        return field
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
    return "nothing" if value in (None, "") else f"“{str(value)[:80]}”"
