"""Triage through the API: one decision for many, all or none; nobody is overwritten unseen."""

import pytest

from reports.models import Action, AuditEntry, Interaction, TriageEntry
from reports.triage.services import Decision, triage

pytestmark = pytest.mark.django_db
ALL = "/api/v1/triage/"
WHOLE = {"content_type": "application/json"}
INBOX = {"package": "org.example.mail", "interaction": "open inbox"}
LIKE = {"package": "org.example.feed", "interaction": "like"}
PAIR = {"base": "13.0.9", "new": "13.0.13"}


def decided(**changes):
    return PAIR | {"interactions": [INBOX], "state": "investigating"} | changes


def test_a_decision_about_many_is_written_and_taken_back_as_one(signed_in, compared):
    sent = decided(interactions=[INBOX, LIKE], state="acknowledged", note="known since beta")
    made = signed_in.post(ALL, sent, **WHOLE)
    listed = signed_in.get(ALL, PAIR).json()["results"]
    shown = signed_in.get("/api/v1/comparisons/13.0.9/13.0.13/results/?state=acknowledged").json()["results"]
    undone = signed_in.post(f"{ALL}{made.json()['batch']}/undo/")

    assert (made.status_code, made.json()["count"], made.json()["state"]) == (201, 2, "acknowledged")
    assert {row["interaction"] for row in listed} == {row["interaction"] for row in shown} == {"open inbox", "like"}
    assert {(row["state"], row["note"], row["made_by"]) for row in listed} == {
        ("acknowledged", "known since beta", "engineer")
    }
    assert (undone.status_code, undone.json()) == (200, {"count": 2})
    assert {row["state"] for row in signed_in.get(ALL, PAIR).json()["results"]} == {"untriaged"}
    assert AuditEntry.objects.filter(action=Action.TRIAGED, who="engineer").count() == 2


def test_a_finding_is_given_to_a_person_and_found_by_them(signed_in, compared):
    results = "/api/v1/comparisons/13.0.9/13.0.13/results/?mine=true"
    made = signed_in.post(ALL, decided(assignee="engineer", due="2999-01-01"), **WHOLE)
    (kept,) = signed_in.get(ALL, PAIR).json()["results"]
    (mine,) = signed_in.get(results).json()["results"]
    signed_in.post(ALL, decided(state="acknowledged", keeps=True), **WHOLE)
    again = signed_in.get(results).json()["results"]
    nobody = signed_in.post(ALL, decided(assignee="zoe"), **WHOLE)

    assert made.status_code == 201
    assert (kept["assignee"], kept["due"]) == (mine["assignee"], mine["due"]) == ("engineer", "2999-01-01")
    assert [(row["triage_state"], row["assignee"]) for row in again] == [("acknowledged", "engineer")]
    assert nobody.status_code == 422
    assert nobody.json()["errors"][0]["field"] == "assignee"


def test_a_decision_of_somebody_else_is_not_overwritten_unseen(signed_in, compared, admin_user):
    about = {"interaction_ids": [Interaction.objects.get(name="open inbox").pk]}
    triage(base=compared.base, new=compared.new, **about, decision=Decision(state="invalid"), user=admin_user)

    late = signed_in.post(ALL, decided(seen=0), **WHOLE)
    seen = signed_in.post(ALL, decided(seen=TriageEntry.objects.get().pk), **WHOLE)

    assert late.status_code == 409
    assert "admin decided that Mail · open inbox is invalid" in late.json()["detail"]
    assert str(TriageEntry.objects.first().pk - 1) in late.json()["cure"]
    assert seen.status_code == 201


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"interactions": []}, "interactions"),
        ({"interactions": [INBOX, {"package": "org.example.mail", "interaction": "none"}]}, "interactions"),
        ({"interactions": [{"package": "org.example.mail"}]}, "interactions.0.interaction"),
        ({"interactions": [INBOX | {"id": 1}]}, "interactions.0.id"),
        ({"state": "done"}, "state"),
        ({"state": "fixed"}, "fixed_in"),
        ({"bug_url": "nowhere"}, "bug_url"),
        ({"note": "x" * 2001}, "note"),
        ({"note": 5}, "note"),
        ({"due": "soon"}, "due"),
        ({"keeps": "true"}, "keeps"),
        ({"seen": "1"}, "seen"),
        ({"base": "99"}, "base"),
        ({"new": "99"}, "new"),
        ({"status": "fixed"}, "status"),
    ],
)
def test_a_wrong_field_is_named_and_nothing_is_decided(signed_in, compared, change, field):
    answer = signed_in.post(ALL, decided(**change), **WHOLE)

    assert answer.status_code == 422
    assert [row["field"] for row in answer.json()["errors"]] == [field]
    assert not TriageEntry.objects.exists()


def test_a_list_is_of_one_comparison(signed_in, compared):
    assert signed_in.get(ALL).status_code == 422
    assert signed_in.get(ALL, {"base": "13.0.9", "new": "99"}).status_code == 422
