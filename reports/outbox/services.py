"""Notice what people want to be told of. The one place: an event is written in the transaction that it tells of.

Nothing is sent here. The queue tells each event to whoever wants it (reports.notify), so that what happens never
waits for a mail server, and is told even if the worker dies right after it.
"""

import json
from hashlib import sha256
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from analysis.gate.decision import GateDecision
from analysis.gate.reasons import FAIL
from analysis.gate.waivers import Regression
from reports.models import Comparison, Event, Notice
from reports.queue.services import queue_event

_OUTCOME = ("decision", "sentence", "critical", "regressions")  # told again only when one of them is another


def comparison_event(comparison: Comparison, decision: GateDecision) -> Event:
    """Return, without keeping it, what there is to tell of a computed comparison that nobody was told of."""
    # what regressed, not by how much: a run more moves every number a little, and tells nobody anything
    stored = comparison.summary.get("standing", {}).get("regressions", [])
    regressed = sorted([row.app, row.interaction, row.metric] for row in (Regression(*each) for each in stored))
    facts: dict[str, Any] = {
        "decision": decision.decision,
        "sentence": decision.sentence,
        "reasons": [reason.text for reason in decision.reasons if reason.decides == decision.decision],
        "critical": list(decision.critical_open),
        "regressions": sha256(json.dumps(regressed).encode()).hexdigest(),
    }
    kinds = [Notice.COMPLETE.value]
    kinds += [Notice.GATE_FAILED.value] if decision.decision == FAIL else []
    kinds += [Notice.CRITICAL.value] if facts["critical"] else []
    return Event(comparison=comparison, kinds=kinds, facts=facts)


def comparison_computed(comparison: Comparison, decision: GateDecision) -> Event | None:
    """Write down what a comparison has come to, unless it came to the same the last time.

    That the gate fails, and that a critical app regresses, is told when it was not so before. Call it in the
    transaction that stores the results, while the comparison is claimed: two can then not say the same.
    """
    event = comparison_event(comparison, decision)
    last = Event.objects.filter(comparison=comparison).first()
    if last is not None:
        if all(last.facts.get(name) == event.facts[name] for name in _OUTCOME):
            return None
        event.kinds = _news(event, last)
    event.key = f"comparison:{comparison.pk}:{last.pk if last else 0}"  # each event has one that follows it
    return _keep(event)


def comparison_turned(comparison: Comparison, decision: GateDecision) -> Event | None:
    """Write down that the gate says something else of a comparison that was not computed again.

    A waiver has expired, an app is critical now, another policy is in force. That it passes again is only kept, so
    that the next failure is told. Call it in a transaction that holds the comparison's row.
    """
    event, last = comparison_event(comparison, decision), Event.objects.filter(comparison=comparison).first()
    if last is None or last.facts.get("regressions") != event.facts["regressions"]:
        return None  # of an earlier release, or about to be told
    if all(last.facts.get(name) == event.facts[name] for name in ("decision", "critical")):
        return None
    event.kinds = [kind for kind in _news(event, last) if kind != Notice.COMPLETE]
    event.key = f"comparison:{comparison.pk}:{last.pk}"
    if not event.kinds:
        event.told_at = timezone.now()
        event.save()
        return None
    return _keep(event)


def _news(event: Event, last: Event) -> list[str]:
    """Return the kinds of an event without what was so at the last one."""
    kinds = event.kinds
    if last.facts.get("decision") == FAIL:
        kinds = [kind for kind in kinds if kind != Notice.GATE_FAILED]
    if set(event.facts["critical"]) <= set(last.facts.get("critical", [])):
        kinds = [kind for kind in kinds if kind != Notice.CRITICAL]
    return kinds


def findings_assigned(*, key: str, person_id: int, by: AbstractBaseUser, facts: dict[str, Any]) -> Event | None:
    """Write down that findings are somebody's now; nobody is told of what they took themselves.

    ``facts`` hold ``base`` and ``new``, ``interactions`` (ids) and ``note``; ``key`` names the decision.
    """
    if person_id == by.pk:
        return None
    facts = facts | {"by": by.get_username()}
    return _keep(Event(key=f"assigned:{key}", kinds=[Notice.ASSIGNED.value], person_id=person_id, facts=facts))


def week_is_over(*, week: str, facts: dict[str, Any]) -> Event | None:
    """Write down the digest of a week, such as ``2026-W47``; None if it was written before."""
    with transaction.atomic():
        kinds = [Notice.DIGEST.value]
        event, new = Event.objects.get_or_create(key=f"digest:{week}", defaults={"kinds": kinds, "facts": facts})
        if new:
            queue_event(event_id=event.pk)
    return event if new else None


def _keep(event: Event) -> Event:
    event.save()
    queue_event(event_id=event.pk)
    return event
