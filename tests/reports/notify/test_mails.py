"""Mails: who gets which, once, with the pages' own words; and the way out in each of them."""

import re
import smtplib
from datetime import timedelta

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from reports.comparing.services import compute_comparison, notice_turned_gates, open_comparison
from reports.comparing.standing import standing
from reports.models import AuditEntry, Comparison, Delivery, Event, Preference, Run, Waiver
from reports.notify import delivery
from reports.notify.mails import off_token
from reports.notify.preferences import set_wanted
from reports.queue.leases import lease_time
from reports.triage.services import Decision, triage, undo_triage
from tests import factories

pytestmark = pytest.mark.django_db
SLOW, FAST = [350.0 + step for step in range(8)], [100.0 + step for step in range(8)]


@pytest.fixture
def runs():
    """Make the runs of two versions: the critical app regressed, another one not."""
    base, new = factories.os_version("13.0.9"), factories.os_version("13.0.13")
    for name, critical, after in (("Mail", True, SLOW), ("Feed", False, FAST)):
        interaction = factories.interaction("open inbox", of=factories.app(name, critical=critical))
        factories.runs(FAST, version=base, of=interaction)
        factories.runs(after, version=new, of=interaction)
    return open_comparison(base=base, new=new)


def compute(comparison):
    return lambda: compute_comparison(comparison_id=comparison.pk)


def assign(comparison, name, by, **more):
    ids = list(comparison.results.filter(worst=True).order_by("pk").values_list("interaction_id", flat=True))
    decision = Decision(state="investigating", assignee=name, **more)
    versions = {"base": comparison.base, "new": comparison.new}
    return triage(**versions, interaction_ids=ids[:1], decision=decision, user=by)


def test_one_mail_tells_all_that_a_comparison_came_to_in_the_words_of_the_pages(runs, ann, tell):
    comparison, _ = tell(compute(runs))

    [letter] = mail.outbox
    sentence = standing(comparison).sentence
    assert letter.to == ["ann@lab.example"]
    assert letter.subject == "NO-GO 13.0.9 → 13.0.13: Mail regressed"
    assert sentence in letter.body
    assert "Mail · open inbox (Severe)" in letter.body
    assert "Updated responds 250 ms later" in letter.body
    assert "https://upreg.lab.example/compare/13.0.9/13.0.13/" in letter.body
    [(html, kind)] = letter.alternatives
    assert kind == "text/html"
    assert sentence in html
    assert not re.search(r"<img|<link|<script|url\(|<style", html)
    assert "the release gate fails and when a critical app regresses" in letter.body


def test_comparison_computed_again_with_the_same_outcome_tells_nobody_twice(runs, ann, tell):
    tell(compute(runs))
    Comparison.objects.update(fingerprint="", stale=True)
    tell(compute(runs))
    factories.runs([351.0], version=runs.new, of=factories.interaction("open inbox", of=factories.app("Mail")))
    again, _ = tell(compute(runs))

    assert (len(mail.outbox), Event.objects.count()) == (1, 1)
    assert again.results.get(interaction__app__name="Mail").n_new == 9  # it was computed anew all the same


def test_gate_that_fails_still_is_told_to_who_wants_every_comparison_alone(runs, ann, ben, tell):
    set_wanted(person=ben, wanted=["complete"], by=ben)
    tell(compute(runs))
    mail.outbox.clear()
    Run.objects.filter(interaction__app__name="Feed", os_version=runs.new).delete()
    factories.runs(SLOW, version=runs.new, of=factories.interaction("open inbox", of=factories.app("Feed")))
    tell(compute(runs))

    assert [(letter.to, letter.subject) for letter in mail.outbox] == [
        (["ben@lab.example"], "NO-GO 13.0.9 → 13.0.13")
    ]


def test_gate_that_turns_by_itself_is_told_once_each_time_it_fails(runs, ann, tell, monkeypatch):
    app, day = factories.app("Mail"), timezone.localdate()
    waiver = factories.accepted_waiver(app=app, expires=day + timedelta(days=3), reason="known", approver="boss")
    tell(compute(runs))
    assert mail.outbox == []  # the waiver takes it out

    assert tell(notice_turned_gates)[0] == 0
    Waiver.objects.update(expires=day - timedelta(days=1))
    assert [tell(notice_turned_gates)[0] for _ in range(2)] == [1, 0]
    Waiver.objects.update(expires=waiver.expires)
    assert tell(notice_turned_gates)[0] == 0  # that it passes again is no notice
    Waiver.objects.update(expires=day - timedelta(days=1))
    assert tell(notice_turned_gates)[0] == 1
    assert [letter.subject for letter in mail.outbox] == ["NO-GO 13.0.9 → 13.0.13: Mail regressed"] * 2


def test_nobody_is_told_without_an_address_an_account_or_the_wish(runs, ann, ben, django_user_model, tell):
    django_user_model.objects.create_user(username="without")
    django_user_model.objects.create_user(username="out", email="out@lab.example", is_active=False)
    set_wanted(person=ben, wanted=[], by=ben)
    tell(compute(runs))

    assert [letter.to for letter in mail.outbox] == [["ann@lab.example"]]


def test_without_a_mail_server_nothing_is_queued_and_the_comparison_is_done(runs, ann, tell, settings):
    settings.EMAIL_HOST = ""
    comparison, said = tell(compute(runs))

    assert (comparison.status, said, mail.outbox) == ("done", ["0 deliveries"], [])


def test_whoever_is_assigned_is_told_and_nobody_else_not_again_and_not_of_what_they_took(compared, ann, ben, tell):
    tell(lambda: assign(compared, "Ann", ben, note="the cold start"))
    [letter] = mail.outbox
    assert letter.to == ["ann@lab.example"]
    assert letter.subject == "Assigned to you: Mail · open inbox, 13.0.9 → 13.0.13"
    assert "ben wrote: the cold start" in letter.body
    assert "/compare/13.0.9/13.0.13/org.example.mail/open%20inbox/" in letter.body

    batch, _ = tell(lambda: assign(compared, "ann", ben, note="once more"))
    tell(lambda: undo_triage(batch=batch, user=ben))
    tell(lambda: assign(compared, "ben", ben))
    tell(lambda: assign(compared, "", ben))
    assert len(mail.outbox) == 1


def test_what_the_mail_server_refuses_is_tried_again_and_given_up_after_a_day(runs, ann, tell, monkeypatch):
    def away(self, letters):
        raise smtplib.SMTPServerDisconnected("gone")

    monkeypatch.setattr(EmailBackend, "send_messages", away)
    comparison, _ = tell(compute(runs))
    [row] = Delivery.objects.all()
    assert (comparison.status, row.status, row.tries) == ("done", "waiting", 1)
    assert row.answer == "SMTPServerDisconnected: gone"
    assert timezone.now() < row.due_at <= timezone.now() + delivery.PAUSES[0]

    for _ in delivery.PAUSES:
        Delivery.objects.update(due_at=timezone.now())
        tell(delivery.send_what_waits)
    row.refresh_from_db()
    assert (row.status, row.tries) == ("failed", len(delivery.PAUSES) + 1)
    assert delivery.send_what_waits() == "0 deliveries queued"


def test_what_could_not_be_sent_arrives_later_once_under_the_same_name(runs, ann, tell, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(EmailBackend, "send_messages", lambda *_: 1 / 0)
        tell(compute(runs))
    Delivery.objects.update(due_at=timezone.now())
    tell(delivery.send_what_waits)
    row = Delivery.objects.get()
    said = delivery.deliver(delivery_id=row.pk), delivery.tell(event_id=row.event_id)

    assert said == ("another process got there first",) * 2
    [letter] = mail.outbox
    assert letter.extra_headers["Message-ID"] == f"<{row.uid}@upreg.lab.example>"


def test_what_was_lost_on_its_way_through_the_queue_is_found(runs, ann, tell):
    compute(runs)()  # the process ends before it could queue anything
    Event.objects.update(made_at=timezone.now() - 2 * delivery.LOST_AFTER)
    tell(delivery.send_what_waits)
    assert len(mail.outbox) == 1

    long_ago = timezone.now() - lease_time() - timedelta(minutes=1)  # a worker died while it sent
    Delivery.objects.update(status="running", claimed_at=long_ago, due_at=long_ago)
    tell(delivery.send_what_waits)
    assert [each.extra_headers["Message-ID"] for each in mail.outbox][1:] == [
        mail.outbox[0].extra_headers["Message-ID"]
    ]


def test_who_does_not_want_it_any_more_when_it_is_sent_gets_none(runs, ann, tell, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(EmailBackend, "send_messages", lambda *_: 1 / 0)
        tell(compute(runs))
    set_wanted(person=ann, wanted=[], by=ann)
    Delivery.objects.update(due_at=timezone.now())
    tell(delivery.send_what_waits)

    assert (Delivery.objects.get().status, mail.outbox) == ("dropped", [])


def test_link_of_a_mail_switches_off_what_it_was_sent_for_without_a_login(runs, ann, tell):
    tell(compute(runs))
    headers = mail.outbox[0].extra_headers
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = headers["List-Unsubscribe"].strip("<>").removeprefix("https://upreg.lab.example")
    stranger = Client(enforce_csrf_checks=True)

    page = stranger.get(link).content.decode()
    assert "the release gate fails" in page
    assert not Preference.objects.exists()  # who only looks (a scanner of links) changes nothing
    answer = stranger.post(link, {"List-Unsubscribe": "One-Click"})

    assert (answer.status_code, "Switched off" in answer.content.decode()) == (200, True)
    said = dict(Preference.objects.filter(user=ann).values_list("kind", "wanted"))
    assert said == {"gate_failed": False, "critical": False}
    entry = AuditEntry.objects.get(field="notices")
    assert (entry.who, entry.after) == ("ann", "something is assigned to you, a week is over (the digest)")


@pytest.mark.parametrize("harm", [lambda token: token[:-1], lambda token: "x" + token, lambda token: "1"])
def test_link_that_is_not_whole_changes_nothing(ann, client, harm):
    address = reverse("notices-off", args=[harm(off_token(ann, ["assigned"]))])

    assert client.post(address).status_code == 404
    assert not Preference.objects.exists()


def test_mail_shows_names_and_notes_letter_by_letter(compared, ann, ben, tell):
    tell(lambda: assign(compared, "ann", ben, note="<img src=//x>\r\nBcc: eve@x.example"))

    letter = mail.outbox[0]
    assert "<img" not in letter.alternatives[0][0]
    assert "&lt;img src=//x&gt;" in letter.alternatives[0][0]
    assert "Bcc" not in letter.message().as_string().split("\n\n")[0]
