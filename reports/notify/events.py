"""Which message an event is, and the event that would be told of by what was there last."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Any

from django.utils import timezone

from reports.comparing.selectors import recent_comparisons
from reports.comparing.standing import rules_now, standing
from reports.models import Event, Notice, TriageEntry
from reports.notify.digest import digest, message_of_digest
from reports.notify.messages import (
    TEST,
    Message,
    message_of_assigned,
    message_of_comparison,
    message_of_test,
)
from reports.outbox.services import comparison_event

WRITERS: Mapping[str, Callable[[Event, Any], Message]] = {
    Notice.ASSIGNED: message_of_assigned,
    Notice.CRITICAL: message_of_comparison,
    Notice.GATE_FAILED: message_of_comparison,
    Notice.COMPLETE: message_of_comparison,
    Notice.DIGEST: message_of_digest,
    TEST: message_of_test,
}


def message_of(event: Event, *, to: Any = None) -> Message:
    """Return what to tell of an event: to a person, or (None) to a place where many read it."""
    write = WRITERS[next(kind for kind in WRITERS if kind in event.kinds)]
    return write(event, to)


def last_event(kind: str, person: Any) -> Event | None:
    """Return, without keeping it, the event that a notice of this kind would tell of by what was there last.

    None if nothing of that kind has happened yet.
    """
    if kind == Notice.ASSIGNED:
        return _last_assigned(person)
    if kind == Notice.DIGEST:
        message = digest(timezone.now())
        return Event(kinds=[kind], facts=asdict(message)) if message else None
    computed = [row for row in recent_comparisons() if row.summary]
    rules = rules_now(computed)
    events: Iterable[Event] = (comparison_event(row, standing(row, rules=rules)) for row in computed)
    return next((event for event in events if kind in event.kinds), None)


def _last_assigned(person: Any) -> Event | None:
    mine = TriageEntry.objects.filter(assigned_to=person)
    entry = mine.select_related("base", "new", "made_by").first()
    if entry is None:
        return None
    facts = {"base": entry.base.name, "new": entry.new.name, "interactions": [entry.interaction_id]}
    facts |= {"by": entry.made_by.get_username(), "note": entry.note}
    return Event(kinds=[Notice.ASSIGNED.value], person=person, facts=facts)
