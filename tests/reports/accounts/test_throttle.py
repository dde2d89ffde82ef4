"""Failed log-ins make one wait, longer each time; nobody learns from it who has an account."""

from datetime import timedelta
from io import StringIO
from ipaddress import ip_network

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.hashers import get_hasher
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from reports.accounts import throttle
from reports.models import AuditEntry

pytestmark = pytest.mark.django_db
RIGHT = "only-for-tests"


def _try(client, name="engineer", password="wrong", *, address="192.0.2.1", agent="x", **more):
    sent = {"username": name, "password": password}
    return client.post("/login/", sent | more, REMOTE_ADDR=address, HTTP_USER_AGENT=agent)


@pytest.fixture
def later(monkeypatch):
    """Return a function that lets time go on, for this package and for django-axes."""
    start, passed = timezone.now(), [timedelta()]
    monkeypatch.setattr(throttle.timezone, "now", lambda: start + passed[0])
    monkeypatch.setattr("axes.handlers.proxy.now", lambda: start + passed[0])

    def go_on(seconds):
        passed[0] += timedelta(seconds=seconds)

    return go_on


@pytest.mark.parametrize("name", ["engineer", "nobody-has-this-name"])
def test_sixth_try_is_refused_whether_the_name_exists_or_not(client, engineer, name, later):
    answers = [_try(client, name, agent=f"browser {number}") for number in range(5)]

    assert [answer.status_code for answer in answers] == [200] * 4 + [429]
    refused = _try(client, name, RIGHT)  # even with the right password
    page = refused.content.decode()
    assert (refused.status_code, refused["Retry-After"]) == (429, "60")
    assert "Too many log-ins have failed." in page
    assert name not in page


def test_words_of_a_failure_are_the_same_for_a_name_that_nobody_has(client, engineer):
    pages = [_try(client, name).content.decode().replace(name, "NAME") for name in ("engineer", "nobody")]

    without_token = [
        page.partition('name="csrfmiddlewaretoken"')[0] + page.partition("<label")[2] for page in pages
    ]
    assert without_token[0] == without_token[1]


def test_name_that_nobody_has_costs_as_much_work_as_any_other(client, engineer, django_user_model, monkeypatch):
    without = django_user_model.objects.create_user(username="by-sign-on", password=None)
    out = django_user_model.objects.create_user(username="locked-out", password=RIGHT, is_active=False)
    hasher, hashed = type(get_hasher()), []
    encode = hasher.encode
    monkeypatch.setattr(hasher, "encode", lambda self, *args: hashed.append(1) or encode(self, *args))
    work = {}
    for number, name in enumerate(("nobody", engineer.username, without.username, out.username)):
        hashed.clear()
        with CaptureQueriesContext(connection) as queries:
            assert _try(client, name, address=f"192.0.2.{number}").status_code == 200
        work[name] = (len(hashed), len(queries))

    assert work["nobody"][0] == 1
    assert set(work.values()) == {work["nobody"]}


def test_wait_doubles_with_every_further_failure_up_to_an_hour(client, engineer, later):
    for _ in range(4):
        _try(client)
    waits = []
    for _ in range(8):
        waits.append(int(_try(client)["Retry-After"]))
        later(waits[-1] + 1)

    assert waits == [60, 120, 240, 480, 960, 1920, 3600, 3600]


def test_tries_while_one_must_wait_do_not_make_it_longer_and_are_not_stored(client, engineer, later, caplog):
    for _ in range(5):
        _try(client)
    entries = AuditEntry.objects.count()
    for _ in range(20):
        assert _try(client)["Retry-After"] == "60"

    assert AuditEntry.objects.count() == entries
    assert "is refused" in caplog.text
    later(61)
    assert _try(client, password=RIGHT).status_code == 302
    assert _try(client.__class__()).status_code == 200  # a log-in that succeeded forgets the failures


def test_another_name_and_another_address_do_not_wait_with_it(client, engineer, django_user_model):
    django_user_model.objects.create_user(username="other", password=RIGHT)
    for _ in range(5):
        _try(client)

    assert _try(client, "other", RIGHT).status_code == 302
    assert _try(client.__class__(), password=RIGHT, address="192.0.2.2").status_code == 302


def test_one_name_from_many_addresses_waits_everywhere(client, engineer):
    for number in range(20):
        _try(client, address=f"192.0.2.{number}")

    assert _try(client, password=RIGHT, address="198.51.100.1").status_code == 429


def test_many_names_from_one_address_make_that_address_wait(client, engineer):
    for number in range(50):
        _try(client, f"name{number}")

    assert _try(client, password=RIGHT).status_code == 429
    assert _try(client, password=RIGHT, address="198.51.100.1").status_code == 302


def test_address_is_the_one_behind_a_trusted_proxy(client, engineer, settings):
    settings.TRUSTED_PROXIES = [ip_network("10.0.0.0/8")]
    for _ in range(5):
        sent = {"username": "engineer", "password": "wrong"}
        client.post("/login/", sent, REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR="203.0.113.9")

    assert {each.address for each in throttle.current_lockouts()} == {"203.0.113.9"}
    assert AuditEntry.objects.filter(action="locked_out").get().address == "203.0.113.9"


def test_administrators_lift_it_on_the_page_and_by_command(admin_client, client, engineer):
    for _ in range(5):
        _try(client)
    page = admin_client.get(reverse("people")).content.decode()
    assert "Must wait after failed log-ins" in page
    admin_client.post(reverse("lockout-lift"), {"username": "engineer", "address": "192.0.2.1"})
    assert "Must wait" not in admin_client.get(reverse("people")).content.decode()
    assert AuditEntry.objects.filter(action="lockout_lifted", who="admin").count() == 1

    for _ in range(5):
        _try(client)
    listed, lifted = StringIO(), StringIO()
    call_command("lift_lockout", stdout=listed)
    call_command("lift_lockout", name="engineer", stdout=lifted)
    assert listed.getvalue().startswith("engineer from 192.0.2.1: 5 failures, until ")
    assert lifted.getvalue() == "engineer may try again at once.\n"
    assert _try(client, password=RIGHT).status_code == 302
    with pytest.raises(CommandError, match="no log-in has failed there"):
        call_command("lift_lockout", name="engineer")


def test_command_lifts_the_wait_of_an_address_for_every_name_and_says_who_did(client, engineer):
    for number in range(50):
        _try(client, f"name{number}")
    _try(client, "other", address="198.51.100.1")

    call_command("lift_lockout", address="192.0.2.1", stdout=StringIO())

    assert _try(client, password=RIGHT).status_code == 302
    assert AccessAttempt.objects.get().username == "other"
    entry = AuditEntry.objects.get(action="lockout_lifted")
    assert (entry.subject, entry.note) == ("192.0.2.1", "50 failures")
    assert entry.who.startswith("command line")


def test_log_in_makes_a_new_session_and_follows_no_address_of_others(client, engineer):
    client.get("/login/")
    client.session.save()
    before = client.session.session_key
    for away in ("https://evil.example/", "//evil.example", "javascript:alert(1)"):
        assert _try(client, password=RIGHT, next=away).url == "/"

        assert client.session.session_key != before
        client.logout()
