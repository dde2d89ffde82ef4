"""Webhooks: signed, in four forms, told once; one that hangs costs its own delivery alone."""

import json
import re
from pathlib import Path

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from reports.comparing.services import compute_comparison
from reports.comparing.standing import standing
from reports.models import AuditEntry, Comparison, Delivery, Notice, Webhook
from reports.notify import delivery
from reports.notify.payloads import secret_of, signature_headers
from reports.triage.services import Decision, triage
from reports.web import outgoing

pytestmark = pytest.mark.django_db
DOCS = Path(__file__).resolve().parents[3] / "docs" / "notifications.md"
# The example of the specification (Standard Webhooks): its secret, id, time, body and signature.
EXAMPLE = {"uid": "msg_p5jXN8AQM9LWM0D4loKWxJek", "at": 1614265330, "body": b'{"test": 2432232314}'}
SECRET, SIGNATURE = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


@pytest.fixture
def hook(listener, allowed, settings):
    settings.SITE_URL = "https://upreg.lab.example"
    return Webhook.objects.create(name="CI", url=listener.url, form="json", kinds=Notice.values)


@pytest.fixture
def again(compared, tell):
    """Return how to have the comparison computed as if nobody had been told of it."""

    def _again():
        compared.events.all().delete()
        Comparison.objects.update(fingerprint="", stale=True)
        return tell(lambda: compute_comparison(comparison_id=compared.pk))

    return _again


def example_of_the_page():
    """Return the function of the example in docs/notifications.md."""
    names = {}
    [code] = re.findall(r"```python\n(.*?)```", DOCS.read_text(), re.DOTALL)
    exec(code, names)
    return names["checked"]


def test_signature_is_that_of_the_specification():
    assert signature_headers(SECRET, **EXAMPLE)["webhook-signature"] == SIGNATURE


def test_example_of_the_page_takes_what_is_ours_and_refuses_the_rest(hook, listener, again):
    again()
    [(path, headers, body)] = listener.heard
    secret, now, checked = secret_of(hook), timezone.now().timestamp(), example_of_the_page()

    assert (path, headers["content-type"]) == ("/hook?key=of-it", "application/json")
    assert checked(headers, body, secret, now)["data"]["decision"] == "fail"
    for wrong in [
        (headers, body + b" ", secret, now),
        (headers | {"webhook-id": "another"}, body, secret, now),
        (headers | {"webhook-timestamp": "1"}, body, secret, now),
        (headers, body, SECRET, now),
        (headers, body, secret, now + 3600),
    ]:
        with pytest.raises(ValueError, match=r"not from UPReg|too old"):
            checked(*wrong)


def test_json_says_what_the_pages_say(hook, listener, again):
    comparison, _ = again()
    told = json.loads(listener.heard[0][2])

    assert told["type"] == "critical"
    data = told["data"]
    assert data["kinds"] == ["complete", "gate_failed", "critical"]
    assert (data["base"], data["new"], data["device"]) == ("13.0.9", "13.0.13", None)
    assert data["sentence"] == standing(comparison).sentence
    assert data["address"] == "https://upreg.lab.example/compare/13.0.9/13.0.13/"
    assert data["sections"][-1]["lines"][0]["title"] == "Mail · open inbox"


@pytest.mark.parametrize("form", ["slack", "mattermost", "teams"])
def test_chats_are_told_in_their_own_form_letter_by_letter(hook, listener, compared, ann, ben, tell, form):
    Webhook.objects.update(form=form)
    found = list(compared.results.filter(worst=True).values_list("interaction_id", flat=True))[:1]
    decision = Decision(state="investigating", assignee="ann", note="<!channel> @all *bold* [x](https://x.example)")
    tell(lambda: triage(base=compared.base, new=compared.new, interaction_ids=found, decision=decision, user=ben))

    told = json.loads(listener.heard[0][2])
    shapes = {"slack": {"text", "blocks"}, "mattermost": {"text"}, "teams": {"type", "attachments"}}
    assert set(told) == shapes[form]
    text = json.dumps(told, ensure_ascii=False)
    assert "Mail · open inbox" in text
    assert "Assigned to ann" in text
    for live in ("<!channel>", " @all", " *bold*", *(["[x](https"] if form != "slack" else [])):
        assert live not in text
    if form == "teams":
        card = told["attachments"][0]["content"]
        assert (card["type"], card["actions"][0]["type"]) == ("AdaptiveCard", "Action.OpenUrl")


def test_target_that_hangs_costs_its_own_delivery_alone(hook, listener, again, ann, monkeypatch):
    listener.answer = "hang"
    with monkeypatch.context() as patch:
        patch.setattr(delivery, "post", lambda *args: outgoing.post(*args, timeout_s=0.2))
        comparison, _ = again()

    row = Delivery.objects.get(webhook=hook)
    assert (comparison.status, len(mail.outbox)) == ("done", 1)
    assert (row.status, row.tries, row.answer) == ("waiting", 1, "no whole answer in time")
    listener.answer = (200, {})
    Delivery.objects.update(due_at=timezone.now())
    delivery.send_what_waits()
    assert delivery.deliver(delivery_id=row.pk) == "sent"
    assert {(headers["webhook-id"], body) for _, headers, body in listener.heard} == {
        (str(row.uid), row.body.encode())
    }


@pytest.mark.parametrize(
    ("answer", "status", "words"),
    [
        (204, "sent", "204"),
        (302, "failed", "302 ok: the address leads elsewhere, and no redirect is followed"),
        (410, "failed", "410 ok: the address is gone"),
        (500, "waiting", "500 ok"),
    ],
)
def test_answer_decides_what_becomes_of_a_delivery(hook, listener, again, answer, status, words):
    listener.answer = (answer, {"Content-Length": "0"} if answer == 204 else {"Location": "http://127.0.0.1/"})
    again()

    row = Delivery.objects.get()
    assert (row.status, row.answer) == (status, words)


def test_target_in_the_local_network_is_given_up_at_once_with_the_cure(hook, listener, again, settings):
    settings.WEBHOOK_LOCAL = []
    again()

    row = Delivery.objects.get()
    assert (row.status, listener.heard) == ("failed", [])
    assert "UPREG_WEBHOOK_LOCAL" in row.answer


def test_webhook_is_told_of_what_was_chosen_while_it_is_at_work(hook, listener, again):
    Webhook.objects.update(kinds=["assigned"])
    again()
    Webhook.objects.update(kinds=Notice.values, active=False)
    again()

    assert listener.heard == []


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("chat.example/x", "begins with https://"),
        ("http://chat.example/x", "begins with https://"),
        ("ftp://chat.example/x", "begins with https://"),
        ("https:///x", "begins with https://"),
        ("https://chat.example:99999/x", "begins with https://"),
        ("https://chät.example/x", "begins with https://"),
        ("https://me:secret@chat.example/x", "Leave out the name and password"),
        ("https://127.0.0.1/x", "local network"),
        ("https://[::1]/x", "local network"),
        ("https://localhost/x", "local network"),
    ],
)
def test_address_that_is_none_for_a_webhook_is_refused_in_words(admin_client, url, words):
    answer = admin_client.post(
        reverse("webhook-add"), {"name": "Chat", "form": "slack", "url": url, "kinds": ["complete"]}
    )

    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not Webhook.objects.exists()


def test_secret_is_shown_once_kept_nowhere_and_changed_from_the_page(admin_client):
    hook = {"name": "CI", "form": "json", "url": "https://ci.example/hooks/of-it", "kinds": ["complete"]}
    page = admin_client.post(reverse("webhook-add"), hook)
    row = Webhook.objects.get()
    secret = secret_of(row)
    assert secret in page.content.decode()
    assert "no-store" in page["Cache-Control"]
    kept = str(list(Webhook.objects.values_list())) + str(list(AuditEntry.objects.values_list()))
    assert secret.removeprefix("whsec_") not in kept

    shown = admin_client.get(reverse("webhook", args=[row.pk])).content.decode()
    shown += admin_client.get(reverse("webhooks")).content.decode()
    assert secret not in shown
    assert "of-it" not in shown  # such an address is often a secret itself
    admin_client.post(reverse("webhook-secret", args=[row.pk]))
    row.refresh_from_db()
    assert secret_of(row) != secret


def test_page_says_what_became_of_a_test_in_few_queries(
    hook, listener, admin_client, tell, django_assert_max_num_queries
):
    tell(lambda: admin_client.post(reverse("webhook-test", args=[hook.pk])))
    tell(lambda: admin_client.post(reverse("webhook-test", args=[hook.pk])))
    with django_assert_max_num_queries(9):
        page = admin_client.get(reverse("webhook", args=[hook.pk])).content.decode()
    with django_assert_max_num_queries(7):
        admin_client.get(reverse("webhooks"))

    assert json.loads(listener.heard[0][2])["data"]["subject"] == "A test of CI"
    assert "200 ok" in page


CHAT = {"name": "Chat", "form": "slack", "kinds": ["complete"], "active": "on"}


@pytest.fixture
def chat(db):
    return Webhook.objects.create(name="Chat", url="https://chat.example/of-it", form="slack", kinds=["complete"])


def change(client, row, **values):
    return client.post(reverse("webhook", args=[row.pk]), CHAT | values)


def changes():
    return [(entry.field, entry.before, entry.after) for entry in AuditEntry.objects.order_by("pk") if entry.field]


def test_change_is_written_down_in_words_and_a_name_is_given_once(hook, chat, admin_client):
    assert "Another webhook is called so" in change(admin_client, chat, name="CI").content.decode()

    change(admin_client, chat, name="Talk", kinds=["complete", "assigned"], form="teams", active="")

    assert changes() == [
        ("name", "Chat", "Talk"),
        ("form", "Slack", "Microsoft Teams"),
        ("notices", "a comparison is complete", "a comparison is complete; something is assigned to somebody"),
        ("at_work", True, False),
    ]


def test_address_changes_without_the_secret_and_shows_its_host_alone(chat, admin_client):
    secret = secret_of(chat)
    change(admin_client, chat)
    chat.refresh_from_db()
    assert (chat.url, changes()) == ("https://chat.example/of-it", [])  # an empty field keeps it

    change(admin_client, chat, url="https://chat.example/moved")
    change(admin_client, chat, url="https://talk.example/hooks/of-it-too")

    chat.refresh_from_db()
    assert (chat.url, secret_of(chat)) == ("https://talk.example/hooks/of-it-too", secret)
    assert changes() == [
        ("address", "chat.example", "chat.example"),
        ("address", "chat.example", "talk.example"),
    ]
    page = admin_client.get(reverse("webhook", args=[chat.pk])).content.decode()
    assert "talk.example" in page
    assert "of-it" not in page + str(list(AuditEntry.objects.values_list()))


def test_address_that_is_none_is_refused_on_a_change_as_well(chat, admin_client):
    for url, words in [("http://chat.example/x", "begins with https://"), ("https://127.0.0.1/x", "local network")]:
        answer = change(admin_client, chat, url=url)
        assert answer.status_code == 422
        assert words in answer.content.decode()

    chat.refresh_from_db()
    assert chat.url == "https://chat.example/of-it"


def test_what_was_not_sent_yet_is_told_in_the_new_form(hook, listener, again, admin_client):
    listener.answer = (500, {})
    again()
    listener.answer = (200, {})
    change(admin_client, hook, name="CI", form="mattermost")
    delivery.deliver(delivery_id=Delivery.objects.get().pk)

    told = [set(json.loads(body)) for _, _, body in listener.heard]
    assert told == [{"type", "timestamp", "data"}, {"text"}]
