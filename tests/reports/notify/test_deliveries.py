"""What did not arrive: why, what helps, and sending it again, once however often it is pressed."""

import smtplib
import ssl
from datetime import timedelta

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.urls import reverse
from django.utils import timezone

from reports.models import AuditEntry, Delivery, DeliveryStatus, Event, Notice, Webhook
from reports.notify import delivery
from reports.notify.troubles import trouble_of
from reports.web import outgoing

pytestmark = pytest.mark.django_db
MANY_TRIES = len(delivery.PAUSES)


@pytest.fixture
def hook(listener, allowed, settings):
    settings.SITE_URL = "https://upreg.lab.example"
    return Webhook.objects.create(name="CI", url=listener.url, form="json", kinds=Notice.values)


@pytest.fixture
def dead(db):
    """Return how to make a delivery whose next failure is the last one."""

    def make(**receiver):
        key = f"test:{Event.objects.count()}"
        event = Event.objects.create(key=key, kinds=["test"], facts={"name": "CI"}, told_at=timezone.now())
        return Delivery.objects.create(event=event, due_at=timezone.now(), tries=MANY_TRIES, **receiver)

    return make


@pytest.fixture
def dead_mail(dead, ann):
    row = dead(user=ann)
    row.event.kinds, row.event.facts = ["assigned"], {
        "base": "13.0.9", "new": "13.0.13", "interactions": [], "by": "ben",
    }  # fmt: skip
    row.event.person = ann
    row.event.save()
    return row


def fail(row):
    delivery.deliver(delivery_id=row.pk)
    row.refresh_from_db()
    return row


def press(client, row):
    return client.post(reverse("delivery-again", args=[row.pk]), follow=True).content.decode()


def test_dead_webhook_is_sent_again_once_however_often_it_is_pressed(hook, dead, listener, admin_client, tell):
    listener.answer = (410, {})
    row = fail(dead(webhook=hook))
    assert row.status == "failed"
    page = admin_client.get(reverse("webhook", args=[hook.pk])).content.decode()
    assert reverse("delivery-again", args=[row.pk]) in page
    listener.answer, first = (200, {}), listener.heard[0]

    pages, _ = tell(lambda: [press(admin_client, row) for _ in range(2)])

    assert "on its way again" in pages[0]
    assert "on its way already" in pages[1]
    row.refresh_from_db()
    assert (row.status, row.tries, len(listener.heard)) == ("sent", 1, 2)
    again = listener.heard[1]
    assert (again[1]["webhook-id"], again[2]) == (first[1]["webhook-id"], first[2])  # the receiver can tell
    [entry] = AuditEntry.objects.filter(note__startswith="sent again")
    assert (entry.who, entry.subject, entry.note) == ("admin", "webhook CI", "sent again: a test")


def test_dead_mail_is_sent_again_under_the_same_name(dead_mail, admin_client, tell, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(EmailBackend, "send_messages", lambda *_: 1 / 0)
        assert fail(dead_mail).status == "failed"

    tell(lambda: [press(admin_client, dead_mail) for _ in range(2)])

    [letter] = mail.outbox
    assert letter.extra_headers["Message-ID"] == f"<{dead_mail.uid}@upreg.lab.example>"
    [entry] = AuditEntry.objects.filter(note__startswith="sent again")
    assert (entry.subject, entry.note) == ("mail to ann", "sent again: 13.0.9 → 13.0.13: assigned to ann")


def test_what_is_sent_again_is_tried_for_another_day(hook, dead, listener, admin_client, tell):
    listener.answer = (500, {})
    row = fail(dead(webhook=hook))
    assert row.status == "failed"

    tell(lambda: press(admin_client, row))

    row.refresh_from_db()
    assert (row.status, row.tries) == ("waiting", 1)
    assert row.due_at <= timezone.now() + delivery.PAUSES[0]


def test_what_gets_lost_on_its_way_again_is_found(hook, dead, listener, admin_client, tell):
    listener.answer = (410, {})
    row = fail(dead(webhook=hook))
    listener.answer = (200, {})
    press(admin_client, row)  # and the queue forgets it
    assert delivery.send_what_waits() == "0 deliveries queued"

    long_ago = timezone.now() - 2 * delivery.LOST_AFTER
    Delivery.objects.update(due_at=long_ago, made_at=long_ago)
    tell(delivery.send_what_waits)

    row.refresh_from_db()
    assert row.status == "sent"


def test_what_would_not_be_sent_now_either_says_why_and_what_to_do_first(
    hook, dead, dead_mail, admin_client, ann, settings
):
    Delivery.objects.update(status=DeliveryStatus.FAILED)
    call = dead_mail.event.deliveries.create(webhook=hook, due_at=timezone.now(), status=DeliveryStatus.FAILED)
    Webhook.objects.update(active=False)
    assert "CI is switched off: tick “at work” on its page first." in press(admin_client, call)
    ann.email = ""
    ann.save()
    assert "ann has no mail address: give one under People first." in press(admin_client, dead_mail)
    ann.is_active = False
    ann.save()
    assert "ann may not log in any more" in press(admin_client, dead_mail)
    settings.EMAIL_HOST = ""
    assert "UPREG_EMAIL_HOST" in press(admin_client, dead_mail)

    assert set(Delivery.objects.values_list("status", flat=True)) == {"failed"}
    assert not AuditEntry.objects.filter(note__startswith="sent again").exists()


@pytest.mark.parametrize(
    ("answer", "why", "cure"),
    [
        (302, "leads elsewhere", "change the address"),
        (401, "refuses this address", "Copy it from the service"),
        (404, "nothing at this address", "change the address"),
        (410, "nothing at this address", "change the address"),
        (400, "in this form", "Choose the form"),
        (429, "for now", "Wait"),
        (503, "in trouble itself", "until it runs"),
        (418, "did not take it", "what it answered"),
    ],
)
def test_answer_of_a_service_is_said_in_words_with_what_helps(hook, dead, listener, answer, why, cure):
    listener.answer = (answer, {"Location": "http://127.0.0.1/"})
    trouble = trouble_of(fail(dead(webhook=hook)))

    assert why in trouble.why
    assert cure in trouble.cure


def test_service_that_cannot_be_reached_is_said_in_words_with_what_helps(
    hook, dead, listener, settings, monkeypatch
):
    def now_at(url):
        Webhook.objects.update(url=url)
        return trouble_of(fail(dead(webhook=Webhook.objects.create(name=url, url=url, form="json", kinds=[]))))

    unused = now_at("http://127.0.0.1:1/x")
    assert unused.why == "The service cannot be reached."
    plain = now_at(listener.url.replace("http://", "https://"))  # it speaks no TLS
    assert plain.why == "The service cannot be reached."
    listener.answer = "hang"
    with monkeypatch.context() as patch:
        patch.setattr(delivery, "post", lambda *args: outgoing.post(*args, timeout_s=0.2))
        assert now_at(listener.url).why == "The service took too long to answer."
    assert now_at("http://nobody.invalid/x").why == "The name of the host is not known."
    settings.WEBHOOK_LOCAL = []
    assert "UPREG_WEBHOOK_LOCAL" in now_at(listener.url + "&local").cure


@pytest.mark.parametrize(
    ("error", "why", "cure"),
    [
        (smtplib.SMTPAuthenticationError(535, b"no"), "refuses the name and password", "UPREG_EMAIL_USER"),
        (smtplib.SMTPSenderRefused(550, b"no", "u@lab.example"), "refuses the sender", "UPREG_EMAIL_FROM"),
        (smtplib.SMTPRecipientsRefused({"a@x": (550, b"no")}), "refuses the address of this person", "People"),
        (smtplib.SMTPDataError(554, b"spam"), "refuses the mail", "what it answered"),
        (smtplib.SMTPServerDisconnected("gone"), "cannot be reached", "UPREG_EMAIL_HOST"),
        (ConnectionRefusedError(111, "Connection refused"), "cannot be reached", "UPREG_EMAIL_PORT"),
        (TimeoutError("timed out"), "cannot be reached", "UPREG_EMAIL_HOST"),
        (smtplib.SMTPNotSupportedError("STARTTLS extension not supported by server."), "safe", "UPREG_EMAIL_TLS"),
        (ssl.SSLCertVerificationError("CERTIFICATE_VERIFY_FAILED"), "safe", "UPREG_EMAIL_TLS"),
        (ValueError("what nobody thought of"), "could not be sent", "noted below"),
    ],
)
def test_mail_server_is_said_in_words_with_what_helps(dead_mail, monkeypatch, error, why, cure):
    def refuse(*_):
        raise error

    monkeypatch.setattr(EmailBackend, "send_messages", refuse)
    trouble = trouble_of(fail(dead_mail))

    assert why in trouble.why
    assert cure in trouble.cure


def test_list_says_why_each_failed_and_what_helps_in_few_queries(
    hook, dead, dead_mail, ann, listener, admin_client, django_assert_num_queries
):
    listener.answer = (410, {})
    fail(dead(webhook=hook))

    def asked():
        with django_assert_num_queries(5):
            return " ".join(admin_client.get(reverse("deliveries")).content.decode().split())

    page = asked()
    assert "There is nothing at this address any more." in page
    assert 'ann <span class="soft">by mail</span>' in page
    for number in range(3):
        event = Event.objects.create(key=f"test:more {number}", kinds=["complete"], comparison_id=None)
        Delivery.objects.create(event=event, user=ann, due_at=timezone.now() + timedelta(days=1))
    asked()
    assert "by mail" not in admin_client.get(reverse("deliveries"), {"state": "failed"}).content.decode()
    assert "Nothing is in this state" in admin_client.get(reverse("deliveries"), {"state": "sent"}).content.decode()


def test_list_is_for_administrators_and_says_when_it_is_empty(admin_client, signed_in):
    assert "Nothing was sent yet" in admin_client.get(reverse("deliveries")).content.decode()
    assert signed_in.get(reverse("deliveries")).status_code == 403
