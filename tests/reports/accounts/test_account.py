"""One's own account: sessions listed and ended, another password, a password by a link."""

import re

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from reports.accounts import sessions
from reports.accounts.sessions import TOLD_EVERY_S, browser_name
from reports.models import AuditEntry, LoginSession

pytestmark = pytest.mark.django_db
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
OLD, NEW = "only-for-tests", "quite-another-secret-7"


def _client(name="engineer", password=OLD, *, address="192.0.2.1", agent=FIREFOX):
    client = Client(REMOTE_ADDR=address, HTTP_USER_AGENT=agent)
    client.post("/login/", {"username": name, "password": password})
    return client


def _is_in(client):
    return client.get(reverse("account")).status_code == 200


@pytest.fixture
def here(engineer):
    """Return a client of the engineer, who is logged in elsewhere as well."""
    return _client()


@pytest.fixture
def elsewhere(here):
    """Return another client of the engineer."""
    return _client(address="198.51.100.7", agent="curl/8.0")


def test_account_lists_where_one_is_logged_in(here, elsewhere):
    answer = here.get(reverse("account"))

    listed = {(line.browser, line.address, line.mine) for line in answer.context["sessions"]}
    assert listed == {("Firefox on Linux", "192.0.2.1", True), ("curl", "198.51.100.7", False)}
    assert "policy owner" in answer.content.decode()


def test_sessions_cost_no_query_on_other_pages(here):
    with CaptureQueriesContext(connection) as queries:
        here.get("/help/")

    assert not [query for query in queries if LoginSession._meta.db_table in query["sql"]]


def test_one_session_is_ended_and_only_one_of_ones_own(here, elsewhere, admin_client):
    row = next(line for line in here.get(reverse("account")).context["sessions"] if not line.mine)
    admin_client.post(reverse("account-session-end", args=[row.id]))
    assert _is_in(elsewhere)

    here.post(reverse("account-session-end", args=[row.id]))

    assert (_is_in(here), _is_in(elsewhere)) == (True, False)
    assert AuditEntry.objects.filter(action="sessions_ended", who="engineer", note="1 session").count() == 1


def test_all_other_sessions_are_ended(here, elsewhere):
    assert "1 other session ended." in here.post(reverse("account-sessions-end"), follow=True).content.decode()
    assert (_is_in(here), _is_in(elsewhere)) == (True, False)


def test_log_out_forgets_the_session(here):
    here.post("/logout/")

    assert not LoginSession.objects.exists()


def test_session_ends_after_its_time_whether_used_or_not(here, elsewhere, settings, monkeypatch):
    start, hour = sessions.time.time(), 3600
    monkeypatch.setattr(sessions.time, "time", lambda: start + 23 * hour)
    assert _is_in(here)
    monkeypatch.setattr(sessions.time, "time", lambda: start + 25 * hour)
    assert (_is_in(here), _is_in(elsewhere)) == (True, False)  # the other was idle for a day
    for day in range(2, 8):
        monkeypatch.setattr(sessions.time, "time", lambda day=day: start + day * 24 * hour - 60)
        assert _is_in(here)
    monkeypatch.setattr(sessions.time, "time", lambda: start + 7 * 24 * hour + 60)
    assert not _is_in(here)


def test_last_use_is_told_every_few_minutes_with_the_address(here, monkeypatch):
    row = LoginSession.objects.get()
    later = sessions.time.time() + TOLD_EVERY_S + 1
    monkeypatch.setattr(sessions.time, "time", lambda: later)

    here.get("/", REMOTE_ADDR="203.0.113.5")

    moved = LoginSession.objects.get()
    assert (moved.address, moved.seen_at > row.seen_at) == ("203.0.113.5", True)


def test_password_is_changed_and_every_other_session_ends(here, elsewhere, engineer):
    address = reverse("account-password")
    weak = {"old_password": OLD, "new_password1": "12345678", "new_password2": "12345678"}
    assert "too common" in here.post(address, weak).content.decode()
    wrong = {"old_password": "wrong", "new_password1": NEW, "new_password2": NEW}
    assert "entered incorrectly" in here.post(address, wrong).content.decode()

    page = here.post(address, wrong | {"old_password": OLD}, follow=True).content.decode()

    assert "Your password is changed. All your other sessions are ended." in page
    assert (_is_in(here), _is_in(elsewhere)) == (True, False)
    assert [line.mine for line in here.get(reverse("account")).context["sessions"]] == [True]
    assert Session.objects.count() == LoginSession.objects.count() == 1
    assert _is_in(_client(password=NEW))
    assert AuditEntry.objects.filter(field="password", who="engineer", address="192.0.2.1").count() == 1


def test_administrator_makes_a_link_that_works_once(admin_client, here, engineer, caplog):
    page = admin_client.post(reverse("person-link", args=[engineer.pk]))
    link = re.search(r'readonly value="([^"]+)"', page.content.decode())[1]
    assert "no-store" in page["Cache-Control"]
    assert link not in str(AuditEntry.objects.values_list()) + caplog.text

    stranger = Client()
    form = stranger.get(link, follow=True)
    set_at = form.redirect_chain[-1][0]
    answer = stranger.post(set_at, {"new_password1": NEW, "new_password2": NEW}, follow=True)

    assert "Your password is set. Log in with it." in answer.content.decode()
    assert not _is_in(stranger)
    assert not _is_in(here)
    assert _is_in(_client(password=NEW))
    assert "This link was used already" in Client().get(link, follow=True).content.decode()
    assert AuditEntry.objects.get(field="password").note == "by a link"


def test_link_is_void_after_a_day_and_for_somebody_else(admin_client, engineer, admin_user, settings):
    page = admin_client.post(reverse("person-link", args=[engineer.pk])).content.decode()
    link = re.search(r'readonly value="([^"]+)"', page)[1]
    other = admin_client.post(reverse("person-link", args=[admin_user.pk])).content.decode()
    mixed = re.search(r'readonly value="([^"]+/reset/[^/]+)/', other)[1] + "/" + link.split("/")[-2] + "/"
    assert "This link was used already" in Client().get(mixed, follow=True).content.decode()

    settings.PASSWORD_RESET_TIMEOUT = -1

    assert "This link was used already" in Client().get(link, follow=True).content.decode()


@pytest.mark.parametrize("name", ["person-active", "person-sessions-end", "person-password"])
def test_administrator_ends_the_sessions_of_a_person(admin_client, here, engineer, name):
    sent = {"active": "0", "new_password1": NEW, "new_password2": NEW}

    admin_client.post(reverse(name, args=[engineer.pk]), sent)

    assert not _is_in(here)
    assert not LoginSession.objects.filter(user=engineer.pk).exists()


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (FIREFOX, "Firefox on Linux"),
        (
            "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0",
            "Edge on Windows",
        ),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1", "Safari on iPhone"),
        ("", "an unknown browser"),
    ],
)
def test_browser_is_named_in_words(agent, words):
    assert browser_name(agent) == words
