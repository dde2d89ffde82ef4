"""Webhooks: which services are told what, a test, and what became of each delivery. For administrators."""

from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.db import transaction
from django.db.models import OuterRef, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from reports.audit.services import keep_change, record
from reports.models import Action, Delivery, DeliveryStatus, Event, Notice, Webhook, WebhookForm
from reports.notify.deliveries import delivery_lines, to_list
from reports.notify.forms import WebhookAddForm, WebhookChangeForm
from reports.notify.messages import TEST
from reports.notify.payloads import secret_of
from reports.notify.preferences import kind_words
from reports.queue.services import queue_deliveries
from reports.web.requests import page_context, signed_in_user

_STATES = {each.value: each.label.lower() for each in DeliveryStatus}
_CHANGED = ("name", "form", "kinds", "active")


@require_GET
def webhooks(request: HttpRequest) -> HttpResponse:
    """List the webhooks with what they are told of and what became of the last delivery."""
    last = Delivery.objects.filter(webhook=OuterRef("pk")).order_by("-pk")
    rows = Webhook.objects.annotate(
        last_status=Subquery(last.values("status")[:1]), last_at=Subquery(last.values("made_at")[:1])
    )
    listed = [(row, kind_words(row.kinds), _STATES.get(row.last_status, "")) for row in rows]
    return render(request, "notify/webhooks.html", {"rows": listed})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def webhook_add(request: HttpRequest) -> HttpResponse:
    """Add a webhook, and show its secret this once."""
    form = WebhookAddForm(request.POST or None, initial={"kinds": Notice.values})
    if not form.is_valid():
        return render(request, "notify/webhook_add.html", {"form": form}, status=422 if form.is_bound else 200)
    with transaction.atomic():
        row = Webhook.objects.create(**form.cleaned_data)
        record(Action.ADDED, of=row, user=signed_in_user(request), note=f"to {row.host}: {kind_words(row.kinds)}")
    return _secret_page(request, row)


@require_http_methods(["GET", "HEAD", "POST"])
def webhook(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a webhook with its deliveries, and change it."""
    row = get_object_or_404(Webhook, pk=pk)
    initial = {name: getattr(row, name) for name in _CHANGED}
    form = WebhookChangeForm(request.POST or None, initial=initial, webhook=row)
    if form.is_valid():
        _change(row, form.cleaned_data, signed_in_user(request))
        messages.success(request, f"{row.name} is saved.")
        return redirect("webhook", pk=pk)
    paging = page_context(request, to_list(Delivery.objects.filter(webhook=row)))
    context = {"row": row, "form": form, "lines": delivery_lines(paging["page"].object_list), **paging}
    return render(request, "notify/webhook.html", context, status=422 if form.is_bound else 200)


@transaction.atomic
def _change(row: Webhook, values: dict[str, Any], user: Any) -> None:
    """Change a webhook; its secret stays. An address, which is often a secret itself, is told by its host alone."""
    for name in _CHANGED:
        before, after = getattr(row, name), values[name]
        if before != after:
            setattr(row, name, after)
            shown = [_shown(name, value) for value in (before, after)]
            keep_change(of=row, field=_FIELDS.get(name, name), before=shown[0], after=shown[1], user=user)
            if name == "form":  # what waits, or was given up, is said in the new form
                Delivery.objects.filter(webhook=row, status__in=UNSENT).update(body="")
    if values["url"] and values["url"] != row.url:
        before, row.url = row.host, values["url"]
        note = "another address there" if row.host == before else ""
        record(Action.CHANGED, of=row, field="address", before=before, after=row.host, note=note, user=user)
    row.save(update_fields=[*_CHANGED, "url"])


_FIELDS = {"kinds": "notices", "active": "at_work"}
UNSENT = (DeliveryStatus.WAITING, DeliveryStatus.FAILED)


def _shown(name: str, value: Any) -> Any:
    if name == "kinds":
        return kind_words(value)
    return WebhookForm(value).label if name == "form" else value


@require_POST
def webhook_test(request: HttpRequest, pk: int) -> HttpResponse:
    """Send a test through the queue, the way that everything else goes."""
    row = get_object_or_404(Webhook, pk=pk)
    with transaction.atomic():
        now = timezone.now()
        event = Event.objects.create(key=f"test:{uuid4()}", kinds=[TEST], told_at=now, facts={"name": row.name})
        delivery = Delivery.objects.create(event=event, webhook=row, due_at=now)
        record(Action.CHANGED, of=row, user=signed_in_user(request), note="sent a test")
        queue_deliveries(delivery_ids=[delivery.pk])
    messages.success(request, "A test is on its way. What becomes of it stands below; load the page again.")
    return redirect("webhook", pk=pk)


@never_cache
@require_POST
def webhook_secret(request: HttpRequest, pk: int) -> HttpResponse:
    """Make another secret, show it this once; the old one holds no more."""
    row = get_object_or_404(Webhook, pk=pk)
    with transaction.atomic():
        row.nonce = uuid4()
        row.save(update_fields=["nonce"])
        record(Action.CHANGED, of=row, user=signed_in_user(request), note="another secret")
    return _secret_page(request, row)


@require_POST
def webhook_delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete a webhook with its deliveries."""
    row = get_object_or_404(Webhook, pk=pk)
    with transaction.atomic():
        record(Action.DELETED, of=row, user=signed_in_user(request), note=f"to {row.host}")
        row.delete()
    messages.success(request, f"{row.name} is deleted.")
    return redirect("webhooks")


def _secret_page(request: HttpRequest, row: Webhook) -> HttpResponse:
    return render(request, "notify/webhook_secret.html", {"row": row, "secret": secret_of(row)})
