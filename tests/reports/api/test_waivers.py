"""Waivers through the API: the checks of their page, and the second person is another."""

import pytest
from django.test import Client

from reports.access.services import set_role
from reports.models import Action, AuditEntry, Role, Waiver

pytestmark = pytest.mark.django_db
ALL, GATE = "/api/v1/waivers/", "/api/v1/comparisons/13.0.9/13.0.13/gate/"
WHOLE = {"content_type": "application/json"}
MAIL = {"app": "org.example.mail", "expires": "2999-01-01", "reason": "known"}


@pytest.fixture
def bob(django_user_model):
    person = django_user_model.objects.create_user(username="bob")
    set_role(person=person, role=Role.POLICY_OWNER, by=None)
    client = Client()
    client.force_login(django_user_model.objects.get(pk=person.pk))
    return client


def test_a_waiver_is_proposed_approved_by_another_and_withdrawn(signed_in, bob, compared):
    sent = MAIL | {"interaction": "open inbox", "ceilings": {"response_time_ms": 300}}
    made = signed_in.post(ALL, sent, **WHOLE)
    one = f"{ALL}{made.json()['id']}/"
    alone = signed_in.post(f"{one}approve/")
    approved = bob.post(f"{one}approve/")
    passed = signed_in.get(GATE).json()
    withdrawn = bob.post(f"{one}withdraw/")

    assert (made.status_code, made.json()["state"], made.json()["waits"]) == (201, "in_force", True)
    assert (made.json()["interaction"], made.json()["ceilings"]) == ("open inbox", {"response_time_ms": 300.0})
    assert alone.status_code == 409
    assert "another policy owner" in alone.json()["detail"]
    assert (approved.status_code, approved.json()["second"]) == (200, "bob")
    assert (passed["waived"], passed["regressions"][0]["waiver"]) == (1, made.json()["id"])
    assert withdrawn.json()["state"] == "withdrawn"
    actions = (Action.WAIVER_ADDED, Action.WAIVER_SECONDED, Action.WAIVER_WITHDRAWN)
    said = AuditEntry.objects.filter(action__in=actions).order_by("pk").values_list("action", "who")
    assert list(said) == list(zip(actions, ("engineer", "bob", "bob"), strict=True))


def test_a_waiver_is_refused_by_another(signed_in, bob, compared):
    one = f"{ALL}{signed_in.post(ALL, MAIL, **WHOLE).json()['id']}/"

    assert bob.post(f"{one}refuse/").json()["state"] == "refused"
    assert bob.post(f"{one}approve/").status_code == 409
    assert bob.get(ALL, {"state": "refused"}).json()["results"] == [bob.get(one).json()]
    assert bob.get(ALL, {"state": "in_force"}).json()["results"] == []
    assert bob.get(f"{ALL}999/").status_code == 404


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"app": "org.example.none"}, "app"),
        ({"app": 7}, "app"),
        ({"interaction": "none"}, "interaction"),
        ({"expires": "2001-01-01"}, "expires"),
        ({"expires": "tomorrow"}, "expires"),
        ({"reason": ""}, "reason"),
        ({"reason": "x" * 2001}, "reason"),
        ({"issue_url": "javascript:1"}, "issue_url"),
        ({"ceilings": {"speed": 1}}, "ceilings"),
        ({"ceilings": {"response_time_ms": -1}}, "ceilings.response_time_ms"),
        ({"ceilings": {"response_time_ms": "5"}}, "ceilings.response_time_ms"),
        ({"ceiling": 5}, "ceiling"),
        ({"reason": "a\0b"}, "reason"),
    ],
)
def test_a_wrong_field_is_named_and_nothing_is_waived(signed_in, compared, change, field):
    answer = signed_in.post(ALL, MAIL | change, **WHOLE)

    assert answer.status_code == 422
    assert [row["field"] for row in answer.json()["errors"]] == [field]
    assert not Waiver.objects.exists()
