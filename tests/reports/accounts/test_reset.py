"""A forgotten password: the link comes by mail, once, to the stored address; nobody learns who has an account."""

import re

import pytest
from django.conf import settings as site
from django.core import mail
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django_q.models import OrmQ

from reports import tasks
from reports.accounts import reset
from reports.accounts.provider import Oidc
from reports.audit.words import detail_words
from reports.models import AuditEntry, LoginSession

pytestmark = pytest.mark.django_db
OLD, NEW = "only-for-tests", "quite-another-secret-7"
SENT_TO = "ann@lab.example"


@pytest.fixture
def server(settings):
    """Let there be a mail server."""
    settings.EMAIL_HOST, settings.DEFAULT_FROM_EMAIL = "mail.example", "upreg@lab.example"


@pytest.fixture
def person(engineer, server):
    engineer.email = SENT_TO
    engineer.save()
    return engineer


@pytest.fixture
def ask(client, django_capture_on_commit_callbacks):
    """Return how to ask on the page; the queue's work is left to ``work``."""

    def _ask(name, address="192.0.2.1"):
        with django_capture_on_commit_callbacks(execute=True):
            return client.post(reverse("forgotten"), {"name": name}, REMOTE_ADDR=address)

    return _ask


def work():
    """Do what a worker does with what is queued; return what the tasks said."""
    said = []
    for row in OrmQ.objects.all():
        assert row.task["func"] == "reports.tasks.send_reset_link"
        said.append(tasks.send_reset_link(*row.task["args"]))
        row.delete()
    return said


def link_of(letter):
    return re.search(r"http://testserver(/account/reset/\S+)", letter.body)[1]


@pytest.mark.parametrize("typed", ["engineer", "Ann@LAB.example"])
def test_link_comes_by_mail_sets_the_password_once_and_ends_all_sessions(person, ask, client, typed, caplog):
    here = Client()
    here.post("/login/", {"username": "engineer", "password": OLD})
    assert reverse("forgotten") in client.get("/login/").content.decode()

    page = client.get(ask(typed).url).content.decode()

    assert ("Look into your mail" in page, mail.outbox) == (True, [])  # nothing is sent while the page is made
    assert work() == ["1 mails sent"]
    [letter] = mail.outbox
    assert (letter.to, letter.from_email) == ([SENT_TO], "upreg@lab.example")
    link = link_of(letter)
    assert link not in str(AuditEntry.objects.values_list()) + caplog.text + page
    form = client.get(link, follow=True).redirect_chain[-1][0]
    client.post(form, {"new_password1": NEW, "new_password2": NEW})
    assert here.get("/account/").status_code == 302
    assert not LoginSession.objects.exists()
    assert client.post("/login/", {"username": "engineer", "password": NEW}).url == "/"
    again = Client().get(link, follow=True).content.decode()
    assert "This link was used already" in again
    assert "Send another link" in again
    told = AuditEntry.objects.filter(action__in=["reset_asked", "link_made", "changed"])
    assert [(entry.action, entry.who, detail_words(entry)) for entry in reversed(told)] == [
        ("reset_asked", typed, ""),
        ("link_made", typed, "sent by mail"),
        ("changed", "engineer", "password set anew; by a link"),
    ]


def test_page_does_the_same_for_a_name_that_nobody_has(person, ask, client):
    did = {}
    for name in ("engineer", "nobody", "nobody@lab.example"):
        with CaptureQueriesContext(connection) as queries:
            answer = ask(name)
        did[name] = (answer.status_code, answer.url, [each["sql"].split('"s1')[0][:60] for each in queries])

    assert len(did["engineer"][2]) == 6
    assert did["engineer"] == did["nobody"] == did["nobody@lab.example"]
    assert OrmQ.objects.count() == 3
    assert sorted(work()) == ["0 mails sent", "0 mails sent", "1 mails sent"]


@pytest.mark.parametrize("name", ["engineer", "nobody"])
def test_fourth_request_in_an_hour_is_refused_whether_the_name_exists_or_not(person, ask, name, monkeypatch):
    answers = [ask(typed) for typed in (name, name.upper(), name, name)]

    assert [answer.status_code for answer in answers] == [302, 302, 302, 429]
    assert "Too many links were asked for" in answers[-1].content.decode()
    assert (answers[-1]["Retry-After"], OrmQ.objects.count()) == ("3600", 3)
    now = reset.timezone.now()
    monkeypatch.setattr(reset.timezone, "now", lambda: now + reset.WINDOW)
    assert ask(name).status_code == 302


def test_one_place_may_ask_for_some_names_only(person, ask):
    answers = [ask(f"name{number}").status_code for number in range(21)]

    assert answers == [302] * 20 + [429]
    assert ask("engineer", address="198.51.100.1").status_code == 302


def test_mail_goes_to_nobody_who_is_locked_out_or_has_no_address_or_a_look_alike(person, ask, django_user_model):
    users = django_user_model.objects
    users.create_user(username="out", email="out@lab.example", password=OLD, is_active=False)
    users.create_user(username="without", password=OLD)
    for name in ("out", "without", "ann@lab.examp\N{LATIN SMALL LETTER L WITH STROKE}e", "engineeŕ"):
        ask(name)

    assert set(work()) == {"0 mails sent"}


def test_who_comes_by_single_sign_on_is_told_so_and_gets_no_link(person, ask, settings):
    settings.OIDC = Oidc(
        issuer="https://id.example", client_id="a", client_secret="b", name="Lab log-in", scopes="openid",
        groups_claim="groups", roles={},
    )  # fmt: skip
    person.set_unusable_password()
    person.save()
    ask("engineer")
    work()

    assert "it logs in with Lab log-in" in mail.outbox[0].body
    assert "/account/reset/" not in mail.outbox[0].body
    assert not AuditEntry.objects.filter(action="link_made").exists()


@pytest.mark.parametrize("way", ["no server", "no passwords"])
def test_page_is_not_there_where_no_link_would_be_of_use(client, settings, way, server):
    settings.EMAIL_HOST = "" if way == "no server" else settings.EMAIL_HOST
    settings.LOCAL_LOGIN = way == "no server"
    settings.OIDC = None if way == "no server" else Oidc(
        issuer="https://id.example", client_id="a", client_secret="b", name="x", scopes="openid",
        groups_claim="groups", roles={},
    )  # fmt: skip

    assert client.get(reverse("forgotten")).status_code == 404
    assert client.post(reverse("forgotten"), {"name": "engineer"}).status_code == 404
    assert reverse("forgotten") not in client.get("/login/").content.decode()


def test_empty_form_says_what_to_give(server, client):
    answer = client.post(reverse("forgotten"), {"name": " "})

    assert answer.status_code == 422
    assert "Give your user name or your mail address." in answer.content.decode()


def test_own_mail_address_is_changed_with_the_password_and_voids_links(person, ask, client):
    ask("engineer")
    work()
    client.force_login(person)
    wrong = client.post(reverse("account-mail"), {"email": "new@lab.example", "password": "wrong"})
    assert (wrong.status_code, "This is not your password" in wrong.content.decode()) == (422, True)

    page = client.post(reverse("account-mail"), {"email": "new@lab.example", "password": OLD}, follow=True)

    assert "new@lab.example" in page.content.decode()
    [entry] = AuditEntry.objects.filter(field="email")
    assert detail_words(entry) == "mail address changed from “ann@lab.example” to “new@lab.example”"
    assert "This link was used already" in Client().get(link_of(mail.outbox[0]), follow=True).content.decode()


def test_administrator_gives_a_mail_address(admin_client, engineer):
    address = reverse("person-mail", args=[engineer.pk])
    assert admin_client.post(address, {"email": "no address"}).status_code == 422

    page = admin_client.post(address, {"email": "e@lab.example"}, follow=True).content.decode()

    assert "engineer has another mail address now." in page
    assert "e@lab.example" in page


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"EMAIL_HOST": "mail.example"}, "UPREG_EMAIL_FROM is missing"),
        ({"DEFAULT_FROM_EMAIL": "upreg@lab.example"}, "UPREG_EMAIL_HOST is missing"),
        (
            {"EMAIL_HOST": "a", "DEFAULT_FROM_EMAIL": "b@c.de", "EMAIL_HOST_USER": "u"},
            "UPREG_EMAIL_PASSWORD is missing",
        ),
        ({"EMAIL_HOST": "a", "DEFAULT_FROM_EMAIL": "b@c.de", "ALLOWED_HOSTS": ["*"]}, "host of somebody else"),
    ],
)
def test_half_of_a_mail_server_is_named_by_the_check(settings, given, said):
    assert (site.EMAIL_HOST, site.DEFAULT_FROM_EMAIL) == ("", "")
    for name, value in given.items():
        setattr(settings, name, value)

    with pytest.raises(SystemCheckError, match=said):
        call_command("check")
