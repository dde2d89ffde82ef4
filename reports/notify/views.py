"""One's own notices: a switch for each, how the mails look, and the way out that every mail carries."""

from typing import Any

from django.contrib import messages
from django.contrib.auth import get_user_model
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods

from reports.models import Notice
from reports.notify.events import last_event, message_of
from reports.notify.forms import WantedForm
from reports.notify.mails import mail_context, mail_is_sent, read_off_token
from reports.notify.preferences import set_wanted, switch_off, switches
from reports.web.forms import problem
from reports.web.requests import signed_in_user


@require_http_methods(["GET", "HEAD", "POST"])
def own_notices(request: HttpRequest) -> HttpResponse:
    """Show what one is told of by mail, and change it."""
    user = signed_in_user(request)
    if request.method == "POST":
        form = WantedForm(request.POST)
        if not form.is_valid():
            messages.error(request, problem(form))
        else:
            changed = set_wanted(person=user, wanted=form.cleaned_data["wanted"], by=user)
            messages.success(request, "Saved." if changed else "It was so already.")
        return redirect("account-notices")
    chosen = switches(user)
    context = {
        "switches": chosen,
        "any_wanted": any(each.wanted for each in chosen),
        "mail_is_sent": mail_is_sent(),
    }
    return render(request, "notify/own.html", context)


@require_GET
def own_notice(request: HttpRequest, kind: str) -> HttpResponse:
    """Show the mail of one kind, as it would be by what was there last."""
    if kind not in Notice.values:
        raise Http404("There is no such notice.")
    user = signed_in_user(request)
    event = last_event(kind, user)
    context: dict[str, Any] = {"label": Notice(kind).label, "event": event}
    if event is not None:
        message = message_of(event, to=user)
        parts = mail_context(message, user, [kind])
        context |= parts | {"text": render_to_string("notify/mail.txt", parts)}
    return render(request, "notify/preview.html", context)


@never_cache
@csrf_exempt  # RFC 8058: a mail program posts here by itself, without our cookies; the token says for whom
@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def notices_off(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether to switch off what a mail's link names, and do it when the page or a mail program says so."""
    found = read_off_token(token)
    person = get_user_model()._default_manager.filter(pk=found[0]).first() if found else None
    if found is None or person is None:
        raise Http404("This link is not whole. Copy it from the mail once more, or log in and open your notices.")
    context = {"labels": [Notice(kind).label for kind in found[1]], "done": request.method == "POST"}
    if request.method == "POST":
        switch_off(person=person, kinds=found[1])
    return render(request, "notify/off.html", context)
