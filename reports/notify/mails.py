"""Notices as mails: plain text and HTML without anything to load, and a way out in each of them (RFC 8058)."""

from collections.abc import Collection
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse

from reports.models import Notice
from reports.notify.messages import Message, absolute

_SALT = "reports.notify.off"
LONGEST_SUBJECT = 200  # characters; the names of versions and apps may be long


def mail_is_sent() -> bool:
    """Tell whether there is a mail server and a sender."""
    return bool(settings.EMAIL_HOST and settings.DEFAULT_FROM_EMAIL)


def off_token(person: Any, kinds: Collection[str]) -> str:
    """Return what lets whoever has it switch these notices of a person off, and nothing else."""
    return signing.dumps([person.pk, sorted(kinds)], salt=_SALT)


def read_off_token(token: str) -> tuple[int, list[str]] | None:
    """Return (id of the person, kinds) of a token that was signed here, else None. It does not expire."""
    try:
        pk, kinds = signing.loads(token, salt=_SALT)
    except (signing.BadSignature, ValueError):
        return None
    return pk, [kind for kind in kinds if kind in Notice.values]


def mail_context(message: Message, person: Any, kinds: Collection[str]) -> dict[str, Any]:
    """Return what the templates of a mail need."""
    return {
        "message": message,
        "kinds": [Notice(kind).label for kind in Notice.values if kind in kinds],
        "off": absolute(reverse("notices-off", args=[off_token(person, kinds)])),
        "settings": absolute(reverse("account-notices")),
        "site": urlsplit(settings.SITE_URL).netloc,
    }


def make_mail(message: Message, person: Any, kinds: Collection[str], uid: UUID) -> EmailMultiAlternatives:
    """Return the mail of a notice to a person. ``uid`` names it: a second copy would carry the same Message-ID."""
    context = mail_context(message, person, kinds)
    text, html = (render_to_string(f"notify/mail.{kind}", context) for kind in ("txt", "html"))
    headers = {
        "Message-ID": f"<{uid}@{urlsplit(settings.SITE_URL).hostname}>",
        "List-Unsubscribe": f"<{context['off']}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Auto-Submitted": "auto-generated",
    }
    subject = " ".join(message.subject.split())
    if len(subject) > LONGEST_SUBJECT:
        subject = subject[: LONGEST_SUBJECT - 1] + "…"
    mail = EmailMultiAlternatives(subject, text, None, [person.email], headers=headers)
    mail.attach_alternative(html, "text/html")
    return mail
