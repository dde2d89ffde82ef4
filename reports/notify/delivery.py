"""Tell events: make a delivery for each receiver, send it, try again later what could not be sent.

An event has one delivery to each receiver at most (the database refuses a second), and one process at a time
sends it. A worker that dies between sending and writing that down has it sent again, under the same name, by which
whoever gets it twice can tell.
"""

from datetime import timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.html import strip_tags

from reports.audit.services import record
from reports.models import Action, Delivery, DeliveryStatus, Event, Preference, Webhook
from reports.notify.events import message_of
from reports.notify.mails import mail_is_sent, make_mail
from reports.notify.payloads import body_of, secret_of, signature_headers
from reports.notify.preferences import wants
from reports.queue.leases import TAKEN, Lease, lease_over
from reports.queue.services import queue_deliveries, queue_event
from reports.web.outgoing import RefusedTargetError, post, trouble

PAUSES = tuple(timedelta(minutes=each) for each in (1, 5, 15, 60, 240, 480, 720))  # a day, over a broken night
GONE = 410
KEPT = timedelta(days=90)  # what became of a delivery; that an event was told is kept for ever
LOST_AFTER = timedelta(minutes=5)  # what nobody took by then was lost on its way through the queue


@transaction.atomic
def tell(*, event_id: int) -> str:
    """Make the deliveries of an event and queue them; say how many. A second time makes none."""
    event = Event.objects.select_for_update().filter(pk=event_id, told_at=None).first()
    if event is None:
        return TAKEN
    now = timezone.now()
    people = _people(event) if mail_is_sent() else []
    mails = [Delivery(event=event, user=person, due_at=now) for person in people]
    calls = [Delivery(event=event, webhook=webhook, due_at=now) for webhook in _webhooks(event)]
    made = Delivery.objects.bulk_create([*mails, *calls])
    Event.objects.filter(pk=event.pk).update(told_at=now)
    queue_deliveries(delivery_ids=[row.pk for row in made])
    return f"{len(made)} deliveries"


def _people(event: Event) -> list[Any]:
    """Return everybody who wants to be told by mail; two queries."""
    users = get_user_model()._default_manager.filter(is_active=True).exclude(email="").order_by("pk")
    if event.person_id is not None:
        users = users.filter(pk=event.person_id)
    said: dict[int, dict[str, bool]] = {}
    for row in Preference.objects.filter(kind__in=event.kinds):
        said.setdefault(row.user_id, {})[row.kind] = row.wanted
    return [user for user in users if wants(event.kinds, said.get(user.pk, {}))]


def _webhooks(event: Event) -> list[Webhook]:
    """Return the webhooks that take an event; one query."""
    return [row for row in Webhook.objects.filter(active=True) if set(row.kinds) & set(event.kinds)]


def deliver(*, delivery_id: int) -> str:
    """Send one delivery; say in a word how it ended. What fails is tried again later, a day long."""
    lease = Lease.take(Delivery, delivery_id, free=Q(status=DeliveryStatus.WAITING))
    if lease is None:
        return TAKEN
    comparison = [f"event__comparison__{name}" for name in ("base", "new", "device")]
    rows = Delivery.objects.select_related(*comparison, "event__person", "user", "webhook")
    row = rows.get(pk=delivery_id)
    try:
        status, answer = _call(row, row.webhook) if row.webhook else _mail(row, row.user)
    except RefusedTargetError as error:  # no later try makes that another target
        _end(lease, DeliveryStatus.FAILED, row.tries + 1, str(error))
        return DeliveryStatus.FAILED
    except Exception as error:  # of whatever kind: it costs this delivery and no other
        tries = row.tries + 1
        answer = str(error) if isinstance(error, UnwillingError) else trouble(error)
        again = tries <= len(PAUSES)
        status = DeliveryStatus.WAITING if again else DeliveryStatus.FAILED
        due = timezone.now() + PAUSES[min(tries, len(PAUSES)) - 1]
        _end(lease, status, tries, answer, due_at=due)
        return f"{answer}; {'tried again later' if again else 'given up'}"
    _end(lease, status, row.tries + 1, answer)
    return status


def _end(lease: Lease, status: DeliveryStatus, tries: int, answer: str, **values: Any) -> None:
    if status != DeliveryStatus.WAITING:
        values["ended_at"] = timezone.now()
    lease.end(status=status, tries=tries, answer=answer.replace("\0", "")[:300], **values)


def _mail(row: Delivery, person: Any) -> tuple[DeliveryStatus, str]:
    """Send a mail and return how that ended; raises whatever the mail server says."""
    event = row.event
    said = dict(Preference.objects.filter(user=person).values_list("kind", "wanted"))
    if not (person.is_active and person.email and mail_is_sent()) or not wants(event.kinds, said):
        return DeliveryStatus.DROPPED, "not wanted any more"
    kinds = [kind for kind in event.kinds if wants([kind], said)]
    make_mail(message_of(event, to=person), person, kinds, row.uid).send()
    return DeliveryStatus.SENT, "the mail server took it"


class UnwillingError(Exception):
    """The other side answered that it does not take it; perhaps it does later."""


def _call(row: Delivery, webhook: Webhook) -> tuple[DeliveryStatus, str]:
    """Send a webhook what it is told, signed anew for this try; raises what the network or the other side says."""
    if not webhook.active:
        return DeliveryStatus.DROPPED, "switched off"
    if not row.body:  # written down before it is sent: a second try says the same under the same name
        row.body = body_of(webhook.form, message_of(row.event), row.event)
        Delivery.objects.filter(pk=row.pk).update(body=row.body)
    body, at = row.body.encode(), int(timezone.now().timestamp())
    headers = signature_headers(secret_of(webhook), uid=str(row.uid), at=at, body=body)
    answer = post(webhook.url, body, headers | {"Content-Type": "application/json", "User-Agent": "UPReg"})
    said = f"{answer.status} {' '.join(strip_tags(answer.text).split())}".strip()  # many answer with a page
    if 200 <= answer.status < 300:
        return DeliveryStatus.SENT, said
    if 300 <= answer.status < 400 or answer.status == GONE:
        why = "is gone" if answer.status == GONE else "leads elsewhere, and no redirect is followed"
        return DeliveryStatus.FAILED, f"{said}: the address {why}"
    raise UnwillingError(said)


class CannotBeSentError(Exception):
    """It would not be sent now either; the message says why, and the cure."""


@transaction.atomic
def send_again(*, delivery: Delivery, words: str, user: AbstractBaseUser) -> bool:
    """Try for another day what was given up; False if that was asked for already. ``words`` say what it is about.

    The receiver gets it under the same name as before, so that it can tell if it has it. Raises CannotBeSentError.
    """
    if problem := _unreachable(delivery):
        raise CannotBeSentError(problem)
    given_up = Delivery.objects.filter(pk=delivery.pk, status=DeliveryStatus.FAILED)
    # due later: it is queued at once, and queued again only if it gets lost on the way
    due = timezone.now() + LOST_AFTER
    if not given_up.update(status=DeliveryStatus.WAITING, tries=0, due_at=due, answer="", ended_at=None):
        return False
    what = {"of": delivery.webhook} if delivery.webhook else {"subject": f"mail to {delivery.user}"}
    record(Action.CHANGED, **what, user=user, note=f"sent again: {words}")
    queue_deliveries(delivery_ids=[delivery.pk])
    return True


def _unreachable(delivery: Delivery) -> str:
    """Say why a receiver cannot be told anything now, and the cure; nothing where it can."""
    if delivery.webhook:
        name = delivery.webhook.name
        return "" if delivery.webhook.active else f"{name} is switched off: tick “at work” on its page first."
    person: Any = delivery.user
    if not mail_is_sent():
        return "UPReg sends no mail here: whoever runs the server names UPREG_EMAIL_HOST and UPREG_EMAIL_FROM."
    if not person.is_active:
        return f"{person.get_username()} may not log in any more: let them in again under People first."
    return "" if person.email else f"{person.get_username()} has no mail address: give one under People first."


@transaction.atomic
def send_what_waits() -> str:
    """Queue again what is due, or was lost on the way, and forget what ended long ago; done every minute."""
    now = timezone.now()
    lost = Event.objects.filter(told_at=None, made_at__lt=now - LOST_AFTER).values_list("pk", flat=True)
    for pk in lost[:100]:
        queue_event(event_id=pk)
    due = list(_due().values_list("pk", flat=True)[:500])
    Delivery.objects.filter(pk__in=due).update(due_at=now + LOST_AFTER)  # not again each minute while it is queued
    queue_deliveries(delivery_ids=due)
    Delivery.objects.filter(ended_at__lt=now - KEPT).delete()
    return f"{len(due)} deliveries queued"


def _due() -> QuerySet[Delivery]:
    held = Q(status=DeliveryStatus.RUNNING) & lease_over()
    waits = Q(status=DeliveryStatus.WAITING, tries__gt=0) | Q(
        status=DeliveryStatus.WAITING, made_at__lt=timezone.now() - LOST_AFTER
    )
    return Delivery.objects.filter(held | waits, due_at__lte=timezone.now()).order_by("due_at")
