"""Decide about findings, one or many at once, and take that back."""

import uuid
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import transaction
from django.db.models import QuerySet

from reports.audit.services import record_each
from reports.models import Action, Interaction, OsVersion, TriageEntry, TriageState
from reports.outbox.services import findings_assigned
from reports.triage.people import NOBODY, Assigned, NoSuchPersonError, person_called
from reports.triage.selectors import issue_links, newest_entries

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
    """What is decided, the same for every interaction of a batch.

    ``assignee`` names an active person by user name or full name. With ``keeps`` an empty assignee, date and bug
    link are those of the decision before, as where many are decided at once; else they are nobody, no day, no link.
    The bug link of a finding that has an issue in a tracker is never empty: it is that issue's.
    """

    state: str
    assignee: str = ""
    due: date | None = None
    note: str = ""
    bug_url: str = ""
    fixed_in: str = ""  # the version that brings the fix, only with the state fixed; it need not exist yet
    keeps: bool = False

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
    else has decided about one of the interactions since; None does not ask. Raises BadTriageError if the assignee
    is nobody, unless that is how it was before.
    """
    if not interaction_ids:
        raise BadTriageError("interaction", "nothing is selected: choose at least one interaction")
    newest = newest_entries(base_id=base.pk, new_id=new.pk, interaction_ids=interaction_ids)
    if seen is not None:
        OsVersion.objects.select_for_update().get(pk=new.pk)  # of two that decide at once, one sees the other
        others = newest.filter(pk__gt=seen).exclude(made_by=user.pk)
        if meanwhile := list(others.select_related("made_by", "interaction__app")):
            raise DecidedMeanwhileError(meanwhile)
    befores = {entry.interaction_id: entry for entry in newest}
    assigned = _assigned(decision, interaction_ids, befores)
    issues = issue_links(base_id=base.pk, new_id=new.pk, interaction_ids=interaction_ids)
    batch = uuid.uuid4()
    _tell_assignee(base, new, assigned, befores, decision, batch, user)
    states = {key: (_state(befores.get(key)), decision.state) for key in interaction_ids}
    _record(Action.TRIAGED, base, new, states, _told_note(decision, assigned.values()), user)
    TriageEntry.objects.bulk_create(
        TriageEntry(
            base=base,
            new=new,
            interaction_id=interaction_id,
            state=decision.state,
            assignee=assigned[interaction_id].name[:150],
            assigned_to_id=assigned[interaction_id].person_id,
            due=decision.due or _kept(decision, befores.get(interaction_id), "due"),
            note=decision.note.strip()[:2000],
            bug_url=decision.bug_url
            or _kept(decision, befores.get(interaction_id), "bug_url")
            or issues.get(interaction_id, ""),
            fixed_in=decision.fixed_in.strip()[:80] if decision.state == TriageState.FIXED else "",
            batch=batch,
            made_by_id=user.pk,
        )
        for interaction_id in sorted(set(interaction_ids))
    )
    return batch


def _kept(decision: Decision, before: TriageEntry | None, name: str) -> Any:
    return getattr(before, name) if decision.keeps and before else None


def _assigned(
    decision: Decision, interaction_ids: Collection[int], befores: Mapping[int, TriageEntry]
) -> dict[int, Assigned]:
    """Return whom each interaction is given; a name that stood there before may stay, whoever it names by now."""
    words = " ".join(decision.assignee.split())
    before = {key: _before(befores.get(key)) for key in interaction_ids}
    if decision.keeps and not words:
        return before
    try:
        return dict.fromkeys(interaction_ids, person_called(words))
    except NoSuchPersonError as error:
        if all(each.name.casefold() == words.casefold() for each in before.values()):
            return before
        raise BadTriageError("assignee", str(error)) from error


def _before(entry: TriageEntry | None) -> Assigned:
    return Assigned(entry.assignee, entry.assigned_to_id) if entry else NOBODY


def _told_note(decision: Decision, assigned: Iterable[Assigned]) -> str:
    """Say for the audit log what is decided beside the state."""
    names = sorted({each.name for each in assigned} - {""}) if not decision.keeps or decision.assignee else []
    parts = [decision.note.strip(), f"assigned to {', '.join(names)}" if names else ""]
    parts += [f"due {decision.due.isoformat()}" if decision.due else ""]
    return "; ".join(filter(None, parts))


@transaction.atomic
def undo_triage(*, batch: uuid.UUID, user: AbstractBaseUser) -> int:
    """Take a batch back as a whole: each of its interactions returns to the state before; returns how many.

    The history keeps both: an undo is a new entry. Interactions that were decided again since are left alone.
    """
    undone = [row for row in TriageEntry.objects.filter(batch=batch) if _is_newest(row)]
    befores = {row.pk: _entries(row).filter(pk__lt=row.pk).first() for row in undone}
    issues: dict[int, str] = {}
    if undone:  # a batch is of one pair of versions
        states = {row.interaction_id: (row.state, _state(befores[row.pk])) for row in undone}
        ids = [row.interaction_id for row in undone]
        issues = issue_links(base_id=undone[0].base_id, new_id=undone[0].new_id, interaction_ids=ids)
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
            assigned_to_id=before.assigned_to_id if before else None,
            due=before.due if before else None,
            note=f"undone: {row.state}" + (f"; {before.note}" if before and before.note else ""),
            bug_url=(before.bug_url if before else "") or issues.get(row.interaction_id, ""),
            fixed_in=before.fixed_in if before else "",
            batch=again,
            made_by_id=user.pk,
        )
    return len(undone)


@transaction.atomic
def link_issue(*, base: OsVersion, new: OsVersion, interaction: Interaction, url: str) -> bool:
    """Give the newest decision about a finding its issue as the bug link, if it has none; tell whether it did.

    Where nobody decided yet the link waits for the first decision. Call it in the transaction that keeps the issue.
    """
    OsVersion.objects.select_for_update().get(pk=new.pk)  # a decision that is being made sees the issue, or is seen
    newest = newest_entries(base_id=base.pk, new_id=new.pk, interaction_ids=[interaction.pk])
    return bool(TriageEntry.objects.filter(pk__in=newest.values("pk"), bug_url="").update(bug_url=url[:500]))


def _tell_assignee(
    base: OsVersion,
    new: OsVersion,
    assigned: Mapping[int, Assigned],
    befores: Mapping[int, TriageEntry],
    decision: Decision,
    batch: uuid.UUID,
    user: AbstractBaseUser,
) -> None:
    """Tell who is assigned now of what was not theirs before."""
    given = {
        key: each.person_id
        for key, each in assigned.items()
        if each.person_id != _before(befores.get(key)).person_id
    }
    person = next(filter(None, given.values()), None)  # one decision names one person
    if person is None:
        return
    facts = {
        "base": base.name,
        "new": new.name,
        "interactions": sorted(given),
        "note": decision.note.strip()[:2000],
    }
    findings_assigned(key=str(batch), person_id=person, by=user, facts=facts)


def _state(entry: TriageEntry | None) -> str:
    return entry.state if entry else TriageState.UNTRIAGED


def _record(
    action: Action,
    base: OsVersion,
    new: OsVersion,
    states: Mapping[int, tuple[str, str]],
    note: str,
    user: AbstractBaseUser,
) -> None:
    """Write into the audit log from which state to which each interaction goes."""
    rows = Interaction.objects.filter(pk__in=states).select_related("app").order_by("pk")
    moved: Any = [
        (row, {
            "subject": f"{row} · {base} → {new}", "field": "state", "note": note,
            "before": states[row.pk][0], "after": states[row.pk][1],
        })
        for row in rows
    ]  # fmt: skip
    record_each(action, moved, user=user)


def _entries(row: TriageEntry) -> QuerySet[TriageEntry]:
    return TriageEntry.objects.filter(base=row.base_id, new=row.new_id, interaction=row.interaction_id)


def _is_newest(row: TriageEntry) -> bool:
    return not _entries(row).filter(pk__gt=row.pk).exists()
