"""Tokens: made on the page, shown once, kept as a hash, used, counted, ended."""

import hashlib
import logging
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from reports.access.services import set_role
from reports.models import Action, ApiToken, AuditEntry, Role
from reports.tokens.services import ASKING, BRINGING, MOST, TooManyTokensError, _Blocks, make_token
from tests import factories

pytestmark = pytest.mark.django_db
RUNS, UPLOAD = "/api/v1/runs/", "6f0c2c1e-5d6c-4f0e-9d3f-0d6f0a1b2c3d"
TOKEN = re.compile(r"upreg_[a-z0-9]{8}_[A-Za-z0-9_-]{43}")
WANTED = {"name": "hall farm", "scopes": ["read", "triage"], "days": "30"}


def made_by(client, **values):
    page = client.post(reverse("tokens"), WANTED | values)
    [text] = TOKEN.findall(page.content.decode())
    return text


def asks(text, address=RUNS, **kwargs):
    return Client(REMOTE_ADDR="192.0.2.7").get(address, headers={"authorization": f"Bearer {text}"}, **kwargs)


def test_a_token_is_shown_once_and_kept_as_a_hash_alone(signed_in, caplog):
    caplog.set_level(logging.DEBUG)

    text = made_by(signed_in)
    asks(text)

    secret = text.split("_", 2)[2]
    row = ApiToken.objects.values().get()
    assert row["secret_sha256"] == hashlib.sha256(secret.encode()).hexdigest()
    assert not [value for value in row.values() if secret in str(value)]
    assert secret not in signed_in.get(reverse("tokens")).content.decode()
    assert secret not in caplog.text
    assert not [entry for entry in AuditEntry.objects.values() if secret in str(entry)]


def test_the_page_that_shows_it_is_kept_by_no_browser(signed_in):
    assert "no-store" in signed_in.post(reverse("tokens"), WANTED)["Cache-Control"]


def test_a_token_logs_in_as_its_owner_and_the_page_tells_when_and_from_where(signed_in):
    text = made_by(signed_in)
    assert "never" in signed_in.get(reverse("tokens")).content.decode()

    assert asks(text).status_code == 200

    page = signed_in.get(reverse("tokens")).content.decode()
    assert "from 192.0.2.7" in page
    assert "never" not in page


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"revoked_at": timezone.now()}, "was revoked"),
        ({"expires_at": datetime(2026, 1, 31, tzinfo=UTC)}, "expired on 2026-01-31"),
        ({"secret_sha256": "0" * 64}, "not known here"),
        ({"key": "00000000"}, "not known here"),
    ],
)
def test_a_token_that_ended_or_is_none_is_refused_with_the_cure(engineer, changes, words):
    token, text = make_token(user=engineer, name="farm", scopes=["read"], days=1)
    ApiToken.objects.filter(pk=token.pk).update(**changes)

    answer = asks(text)

    assert (answer.status_code, answer["Content-Type"]) == (401, "application/problem+json")
    assert answer["WWW-Authenticate"].startswith("Bearer")
    assert words in answer.json()["detail"]
    assert "Your account, API tokens" in answer.json()["detail"]


@pytest.mark.parametrize(
    "text", ["", "upreg", "upreg_short_x", "upreg_12345678_", "x" * 4000, "upreg_1234567é_abc"]
)
def test_what_has_not_the_form_of_a_token_is_told_so(text):
    answer = Client().get(RUNS, headers={"authorization": f"Bearer {text}"})

    assert (answer.status_code, "no token of UPReg" in answer.json()["detail"]) == (401, True)


def test_who_is_locked_out_has_no_token_either(engineer):
    _, text = make_token(user=engineer, name="farm", scopes=["read"], days=1)
    engineer.is_active = False
    engineer.save()

    assert asks(text).status_code == 401


def test_ones_own_token_is_revoked_at_once_and_nobody_elses(signed_in, admin_client, django_user_model):
    text = made_by(signed_in)
    other = Client()
    other.force_login(django_user_model.objects.create_user(username="ada"))
    address = reverse("token-revoke", args=[ApiToken.objects.get().pk])

    assert other.post(address).status_code == 404
    assert asks(text).status_code == 200
    assert signed_in.post(address).url == "/account/tokens/"
    assert asks(text).status_code == 401


def test_an_administrator_sees_and_revokes_everybodys(signed_in, admin_client):
    text = made_by(signed_in)

    assert signed_in.get("/account/tokens/?all").status_code == 403
    assert "hall farm" not in admin_client.get("/account/tokens/").content.decode()
    assert "engineer" in admin_client.get("/account/tokens/?all").content.decode()
    answer = admin_client.post(reverse("token-revoke", args=[ApiToken.objects.get().pk]), {"all": "1"})
    assert answer.url == "/account/tokens/?all"
    assert asks(text).status_code == 401
    entry = AuditEntry.objects.get(action=Action.TOKEN_REVOKED)
    assert (entry.who, entry.subject, entry.note) == ("admin", "hall farm", "of engineer")


def test_the_audit_log_names_the_token(signed_in, admin_client):
    text, run = made_by(signed_in), factories.run()

    Client().post(
        f"{RUNS}{run.pk}/exclude/",
        {"reason": "a call came in"},
        content_type="application/json",
        headers={"authorization": f"Bearer {text}"},
    )

    entry, key = AuditEntry.objects.get(action=Action.EXCLUDED), ApiToken.objects.get().key
    assert (entry.who, entry.token) == ("engineer", f"hall farm ({key})")
    assert f"by token hall farm ({key})" in admin_client.get("/audit/").content.decode()
    assert AuditEntry.objects.get(action=Action.TOKEN_MADE).token is None


@pytest.mark.parametrize(
    ("role", "scopes"),
    [
        (Role.VIEWER, ["read"]),
        (Role.TRIAGER, ["read", "upload", "triage"]),
        (Role.POLICY_OWNER, ["read", "upload", "triage", "admin"]),
    ],
)
def test_offered_is_what_the_role_can_use(client, django_user_model, role, scopes):
    person = django_user_model.objects.create_user(username="ada")
    set_role(person=person, role=role, by=None)
    client.force_login(person)

    offered = [key for key, _ in client.get(reverse("tokens")).context["form"].fields["scopes"].choices]

    assert offered == scopes


@pytest.mark.parametrize(
    "wrong", [{"name": ""}, {"name": "x" * 81}, {"scopes": []}, {"scopes": ["root"]}, {"days": "100000"}]
)
def test_a_form_that_is_wrong_makes_no_token(signed_in, wrong):
    answer = signed_in.post(reverse("tokens"), WANTED | wrong)

    assert (answer.status_code, ApiToken.objects.count()) == (422, 0)


def test_a_person_has_so_many_tokens_and_no_more(engineer):
    for _ in range(MOST):
        make_token(user=engineer, name="x", scopes=["read"], days=1)

    with pytest.raises(TooManyTokensError, match="revoke"):
        make_token(user=engineer, name="x", scopes=["read"], days=1)
    ApiToken.objects.filter(pk=ApiToken.objects.first().pk).update(revoked_at=timezone.now())
    make_token(user=engineer, name="x", scopes=["read"], days=1)


def test_two_processes_together_answer_the_limit_and_not_one_more(engineer, settings):
    settings.API_PER_MINUTE = 100
    token, _ = make_token(user=engineer, name="farm", scopes=["read"], days=1)
    now, processes = datetime(2026, 11, 22, 9, 0, 30, tzinfo=UTC), (_Blocks(), _Blocks())

    answered = [process.spend(token, ASKING, "", now) for _ in range(80) for process in processes]
    next_minute = processes[0].spend(token, ASKING, "", now + timedelta(minutes=1))

    assert (sum(answered), next_minute) == (100, True)


def test_uploads_and_the_rest_are_counted_apart(engineer, settings):
    settings.API_PER_MINUTE, settings.UPLOADS_PER_MINUTE = 10, 30
    token, _ = make_token(user=engineer, name="farm", scopes=["upload"], days=1)
    now, process = datetime(2026, 11, 22, 9, 0, 30, tzinfo=UTC), _Blocks()

    answered = [(process.spend(token, BRINGING, "", now), process.spend(token, ASKING, "", now)) for _ in range(50)]

    assert [sum(each) for each in zip(*answered, strict=True)] == [30, 10]


@pytest.mark.parametrize(
    ("method", "address", "bringing"),
    [
        ("POST", RUNS, True),
        ("GET", RUNS, False),
        ("POST", "/api/v1/uploads/", True),
        ("HEAD", f"/api/v1/uploads/{UPLOAD}/", True),
        ("PATCH", f"/api/v1/uploads/{UPLOAD}/", True),
        ("POST", "/api/v1/batches/", False),
        ("GET", "/api/v1/versions/", False),
    ],
)
def test_what_a_request_is_paid_from(engineer, monkeypatch, method, address, bringing):
    paid = []
    monkeypatch.setattr(
        "reports.tokens.authentication.use_token", lambda *, purse, **_: paid.append(purse is BRINGING) or 1
    )
    _, text = make_token(user=engineer, name="farm", scopes=["upload"], days=1)

    answer = Client().generic(method, address, headers={"authorization": f"Bearer {text}"})

    assert (answer.status_code, paid) == (429, [bringing])


def test_who_asks_too_often_is_told_how_long_to_wait(engineer, monkeypatch):
    monkeypatch.setattr("reports.tokens.authentication.use_token", lambda **_: 17)
    _, text = make_token(user=engineer, name="farm", scopes=["read"], days=1)

    answer = asks(text)

    assert (answer.status_code, answer["Retry-After"], "in 17 s" in answer.json()["detail"]) == (429, "17", True)


def test_a_token_costs_one_query_and_one_write_for_twenty_requests(engineer, one_minute, django_assert_num_queries):
    _, text = make_token(user=engineer, name="farm", scopes=["read"], days=1)
    asks(text, "/api/v1/schema/")

    with django_assert_num_queries(1):
        asks(text, "/api/v1/schema/")
