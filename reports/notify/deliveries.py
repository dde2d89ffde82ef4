"""What was sent to whom, why it did not arrive, and sending it again. For administrators."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from reports.models import Delivery, DeliveryStatus, Event, Notice
from reports.notify.delivery import CannotBeSentError, send_again
from reports.notify.forms import DeliveriesForm
from reports.notify.messages import TEST
from reports.notify.preferences import kind_words
from reports.notify.troubles import Trouble, trouble_of
from reports.web.requests import back_to, clean_address, page_context, signed_in_user


@dataclass(frozen=True)
class DeliveryLine:
    """A delivery as a list shows it."""

    row: Delivery
    words: str
    trouble: Trouble | None

    @property
    def can_be_sent_again(self) -> bool:
        """Tell whether it was given up."""
        return self.row.status == DeliveryStatus.FAILED


def to_list(rows: QuerySet[Delivery]) -> QuerySet[Delivery]:
    """Return deliveries with all that a line of a list shows, in one query."""
    return rows.select_related(
        "event__comparison__base", "event__comparison__new", "event__person", "user", "webhook"
    )


def delivery_lines(rows: Iterable[Delivery]) -> list[DeliveryLine]:
    """Return deliveries as a list shows them."""
    return [DeliveryLine(row, event_words(row.event), trouble_of(row)) for row in rows]


def event_words(event: Event) -> str:
    """Say what a delivery was about."""
    if TEST in event.kinds:
        return "a test"
    if Notice.ASSIGNED in event.kinds:
        return f"{event.facts.get('base')} → {event.facts.get('new')}: assigned to {event.person}"
    about = f"{event.comparison}: " if event.comparison else ""
    return about + kind_words(event.kinds)


@require_GET
@clean_address
def deliveries(request: HttpRequest) -> HttpResponse:
    """List what was sent in the last months, newest first; ``state`` filters it."""
    state = DeliveriesForm(request.GET).values()["state"]
    rows = Delivery.objects.filter(status=state) if state else Delivery.objects.all()
    paging = page_context(request, to_list(rows))
    context: dict[str, Any] = {"state": state, "states": DeliveriesForm.STATES, **paging}
    context["lines"] = delivery_lines(paging["page"].object_list)
    return render(request, "notify/deliveries.html", context)


@require_POST
def delivery_again(request: HttpRequest, pk: int) -> HttpResponse:
    """Send once more what was given up. Pressed twice, it is sent once."""
    row = get_object_or_404(to_list(Delivery.objects.all()), pk=pk)
    try:
        sent = send_again(delivery=row, words=event_words(row.event), user=signed_in_user(request))
    except CannotBeSentError as error:
        messages.error(request, str(error))
    else:
        said = "It is on its way again. What becomes of it stands in the list; load the page again."
        messages.success(request, said if sent else "It is on its way already, or has arrived meanwhile.")
    return redirect(back_to(request, "deliveries"))
