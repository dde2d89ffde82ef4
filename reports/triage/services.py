"""Decide about findings, one or many at once, and take that back."""

import uuid
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import transaction
from django.db.models import QuerySet

from reports.audit.services import record_each
from reports.models import Action, Interaction, OsVersion, TriageEntry, TriageState
from reports.outbox.services import findings_assigned
from reports.triage.selectors import newest_entries

MOST_TOLD = 5  # decisions of others, in one sentence


class BadTriageError(ValueError):
    """The decision cannot be; ``field`` names what is wrong, the message tells the cure."""

    def __init__(self, field: str, words: str) -> None:
        super().__init__(words)
        self.field = field


class DecidedMeanwhileError(Exception):
    """Somebody else decided about some of it since the page was loaded; ``entries`` are those decisions."""

    def __init__(self, entries: list[TriageEntry]) -> None:
        told = "; ".join(_told(entry) for entry in entries[:MOST_TOLD])
        more = f"; and {len(entries) - MOST_TOLD} more" if len(entries) > MOST_TOLD else ""
        super().__init__(f"Not saved: meanwhile {told}{more}.")
        self.entries = entries

    @property
    def seen(self) -> int:
        """What a page has seen that shows these decisions."""
        return max(entry.pk for entry in self.entries)


def _told(entry: TriageEntry) -> str:
    state = f"{entry.state} in {entry.fixed_in}" if entry.fixed_in else entry.state
    return f"{entry.made_by.get_username()} decided that {entry.interaction} is {state}"


@dataclass(frozen=True, kw_only=True)
class Decision:
    """What is decided, the same for every interaction of a batch."""

    state: str
    assignee: str = ""
    note: str = ""
    bug_url: str = ""
    fixed_in: str = ""  # the version that brings the fix, only with the state fixed; it need not exist yet

    def __post_init__(self) -> None:
        """Refuse what no decision can be."""
        if self.state not in TriageState.values:
            raise BadTriageError(
                "state", f"{self.state!r} is no triage state: choose {', '.join(TriageState.values)}"
            )
        if self.state == TriageState.FIXED and not self.fixed_in.strip():
            raise BadTriageError("fixed_in", "name the version that brings the fix; it need not exist yet")
        if self.bug_url:
            try:
                URLValidator(schemes=["http", "https"])(self.bug_url)
            except ValidationError as error:
                raise BadTriageError(
                    "bug_url", "the bug link is no address: give one that begins with https://"
                ) from error


@transaction.atomic
def triage(
    *,
    base: OsVersion,
    new: OsVersion,
    interaction_ids: Collection[int],
    decision: Decision,
    user: AbstractBaseUser,
    seen: int | None = None,
) -> uuid.UUID:
    """Write one decision for many interactions in one transaction; returns the batch, to undo it by.

    ``seen`` is the id of the newest entry that whoever decides has seen. Raises DecidedMeanwhileError if somebody
    else has decided about one of the interactions since; None does not ask.
    """
    if not interaction_ids:
        raise BadTriageError("interaction", "nothing is selected: choose at least one interaction")
    if seen is not None:
        OsVersion.objects.select_for_update().get(pk=new.pk)  # of two that decide at once, one sees the other
        newest = newest_entries(base_id=base.pk, new_id=new.pk, interaction_ids=interaction_ids)
        others = newest.filter(pk__gt=seen).exclude(made_by=user.pk)
        if meanwhile := list(others.select_related("made_by", "interaction__app")):
            raise DecidedMeanwhileError(meanwhile)
    batch = uuid.uuid4()
    _tell_assignee(base, new, interaction_ids, decision, batch, user)
    _record(Action.TRIAGED, base, new, dict.fromkeys(interaction_ids, decision.state), decision.note.strip(), user)
    TriageEntry.objects.bulk_create(
        TriageEntry(
            base=base,
            new=new,
            interaction_id=interaction_id,
            state=decision.state,
            assignee=decision.assignee.strip()[:150],
            note=decision.note.strip()[:2000],
            bug_url=decision.bug_url,
            fixed_in=decision.fixed_in.strip()[:80] if decision.state == TriageState.FIXED else "",
            batch=batch,
            made_by_id=user.pk,
        )
        for interaction_id in sorted(set(interaction_ids))
    )
    return batch


@transaction.atomic
def undo_triage(*, batch: uuid.UUID, user: AbstractBaseUser) -> int:
    """Take a batch back as a whole: each of its interactions returns to the state before; returns how many.

    The history keeps both: an undo is a new entry. Interactions that were decided again since are left alone.
    """
    undone = [row for row in TriageEntry.objects.filter(batch=batch) if _is_newest(row)]
    befores = {row.pk: _entries(row).filter(pk__lt=row.pk).first() for row in undone}
    if undone:  # a batch is of one pair of versions
        states = {row.interaction_id: _state(befores[row.pk]) for row in undone}
        _record(Action.TRIAGE_UNDONE, undone[0].base, undone[0].new, states, "", user)
    again = uuid.uuid4()
    for row in undone:
        before = befores[row.pk]
        TriageEntry.objects.create(
            base_id=row.base_id,
            new_id=row.new_id,
            interaction_id=row.interaction_id,
            state=_state(before),
            assignee=before.assignee if before else "",
            note=f"undone: {row.state}" + (f"; {before.note}" if before and before.note else ""),
            bug_url=before.bug_url if before else "",
            fixed_in=before.fixed_in if before else "",
            batch=again,
            made_by_id=user.pk,
        )
    return len(undone)


def _tell_assignee(
    base: OsVersion,
    new: OsVersion,
    interaction_ids: Collection[int],
    decision: Decision,
    batch: uuid.UUID,
    user: AbstractBaseUser,
) -> None:
    """Tell who is assigned now of what was not theirs before; call it before it is."""
    if not decision.assignee.strip():
        return
    before = newest_entries(base_id=base.pk, new_id=new.pk, interaction_ids=interaction_ids)
    theirs = before.filter(assignee__iexact=decision.assignee.strip()).values_list("interaction_id", flat=True)
    gained = sorted(set(interaction_ids) - set(theirs))
    facts = {"base": base.name, "new": new.name, "interactions": gained, "note": decision.note.strip()[:2000]}
    if gained:
        findings_assigned(key=str(batch), assignee=decision.assignee.strip(), by=user, facts=facts)


def _state(entry: TriageEntry | None) -> str:
    return entry.state if entry else TriageState.UNTRIAGED


def _record(
    action: Action, base: OsVersion, new: OsVersion, states: dict[int, str], note: str, user: AbstractBaseUser
) -> None:
    """Write into the audit log from which state to which each interaction goes; call it before it goes there."""
    entries = TriageEntry.objects.filter(base=base, new=new, interaction__in=states).order_by("pk")
    befores = dict(entries.values_list("interaction_id", "state"))  # the newest entry comes last
    rows = Interaction.objects.filter(pk__in=states).select_related("app").order_by("pk")
    moved: Any = [
        (row, {
            "subject": f"{row} · {base} → {new}", "field": "state", "note": note, "after": states[row.pk],
            "before": befores.get(row.pk, TriageState.UNTRIAGED),
        })
        for row in rows
    ]  # fmt: skip
    record_each(action, moved, user=user)


def _entries(row: TriageEntry) -> QuerySet[TriageEntry]:
    return TriageEntry.objects.filter(base=row.base_id, new=row.new_id, interaction=row.interaction_id)


def _is_newest(row: TriageEntry) -> bool:
    return not _entries(row).filter(pk__gt=row.pk).exists()
