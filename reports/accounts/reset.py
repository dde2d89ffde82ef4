"""A password that was forgotten: the link by which somebody sets another one, handed over or sent by mail.

The page that asks does the same for every name: it writes down what was typed and queues a task. Whether anybody is
called so is looked up by the worker, so that neither the answer nor its time tells who has an account.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.auth.tokens import default_token_generator
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlsafe_base64_encode

from reports.audit.services import keep_change, record
from reports.models import Action, AuditEntry, Subject
from reports.queue.services import queue_reset_link
from reports.web.proxies import client_address

WINDOW = timedelta(hours=1)
OF_A_NAME, FROM_AN_ADDRESS = 3, 20  # in that time: more would fill somebody's mail, or try many names
SUBJECT = "Set your UPReg password"


def reset_by_mail() -> bool:
    """Tell whether links can be sent: there is a mail server, and passwords are taken."""
    mail = settings.EMAIL_HOST and settings.DEFAULT_FROM_EMAIL
    return bool(mail and (settings.LOCAL_LOGIN or not settings.OIDC))


def make_link(person: Any, *, base: str, **facts: Any) -> str:
    """Return the address where a person sets the own password, once and for a day; write down that it was made.

    ``base`` is how the site is reached, such as ``https://upreg.example``; ``facts`` go into the audit log.
    """
    names = [urlsafe_base64_encode(str(person.pk).encode()), default_token_generator.make_token(person)]
    record(Action.LINK_MADE, of=person, **facts)
    return base + reverse("account-reset", args=names)


@transaction.atomic
def ask_for_link(*, request: HttpRequest, typed: str) -> bool:
    """Queue a link for whoever has this name or mail address; return False if too many were asked for."""
    asked = AuditEntry.objects.filter(action=Action.RESET_ASKED, made_at__gt=timezone.now() - WINDOW)
    address = client_address(request)
    if asked.filter(who__iexact=typed).count() >= OF_A_NAME:
        return False
    if address and asked.filter(address=address).count() >= FROM_AN_ADDRESS:
        return False
    entry = record(Action.RESET_ASKED, who=typed, kind=Subject.PERSON)
    queue_reset_link(entry_id=entry.pk, base=request.build_absolute_uri("/").rstrip("/"))
    return True


def send_link(*, entry_id: int, base: str) -> int:
    """Send a link to everybody whom a request (its entry in the audit log) names; return how many mails that were.

    Raises OSError or smtplib.SMTPException if the mail server does not take one.
    """
    asked = AuditEntry.objects.get(pk=entry_id)
    found = list(_people(asked.who))
    facts = {"who": asked.who, "address": asked.address, "request_id": asked.request_id, "note": "sent by mail"}
    for person in found:
        context = {"name": person.get_username(), "base": base, "provider": settings.OIDC and settings.OIDC.name}
        if person.has_usable_password():
            context["link"] = make_link(person, base=base, **facts)
        send_mail(SUBJECT, render_to_string("accounts/reset_mail.txt", context), None, [person.email])
    return len(found)


def set_mail(*, person: Any, email: str, by: AbstractBaseUser) -> bool:
    """Change somebody's mail address; return False if it was that already. Links sent to the old one are void."""
    with transaction.atomic():
        person = get_user_model()._default_manager.select_for_update().get(pk=person.pk)
        before, person.email = person.email, email
        if before != email:
            person.save(update_fields=["email"])
            keep_change(of=person, field="email", before=before, after=email, user=by)
    return before != email


def _people(typed: str) -> Iterator[Any]:
    """Find who may come in by this name or mail address; the mail goes to the address that is stored."""
    users = get_user_model()._default_manager.filter(is_active=True).exclude(email="")
    for person in users.filter(Q(username=typed) | Q(email__iexact=typed)):
        if person.get_username() == typed or person.email.lower() == typed.lower():  # databases fold more letters
            yield person
