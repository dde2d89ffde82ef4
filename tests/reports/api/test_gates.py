"""The gate through the API decides nothing itself: it says what the page says and keeps what the page keeps."""

import pytest

from reports.models import Action, AuditEntry, Comparison, GateRecord
from reports.policies.services import save_scope

pytestmark = pytest.mark.django_db
GATE = "/api/v1/comparisons/13.0.9/13.0.13/gate/"
WHOLE = {"content_type": "application/json"}


def test_the_gate_says_what_its_page_says(signed_in, compared):
    found = signed_in.get(GATE).json()
    page = signed_in.get("/compare/13.0.9/13.0.13/gate/").content.decode().replace("\u00a0", " ")

    assert (found["decision"], found["exit_code"], found["status"]) == ("fail", 3, "done")
    assert found["sentence"] in page
    assert all(reason["text"] in page for reason in found["reasons"] if "'" not in reason["text"])
    assert [row["interaction"] for row in found["regressions"]] == ["open inbox"]
    assert found["markdown"].startswith("**✕ NO-GO** 13.0.9 → 13.0.13")
    assert found["recorded"] is None
    assert not GateRecord.objects.exists()


def test_a_scope_is_decided_by_itself(signed_in, compared):
    save_scope(name="swipes", interaction_types=["scroll"])

    found = signed_in.get(GATE, {"scope": "swipes"}).json()

    assert (found["scope"], found["decided"], found["regressions"]) == ("swipes", 1, [])
    assert signed_in.get(GATE, {"scope": "taps"}).status_code == 422


def test_a_decision_is_recorded_once(signed_in, compared, engineer):
    first, again = signed_in.post(GATE, {}, **WHOLE), signed_in.post(GATE, {}, **WHOLE)

    assert (first.status_code, again.status_code) == (201, 200)
    record = GateRecord.objects.get()
    assert (record.decision, record.decided_by) == ("fail", engineer)
    recorded = first.json()["recorded"]
    assert (recorded["id"], recorded["decided_by"], recorded["changes"]) == (record.pk, "engineer", [])
    assert AuditEntry.objects.filter(action=Action.GATE_DECIDED, who="engineer").count() == 1


def test_what_is_not_computed_is_not_enough_data_and_cannot_be_recorded(signed_in, versions):
    Comparison.objects.create(base=versions[0], new=versions[1], error="no runs alike", status="failed")

    found = signed_in.get(GATE).json()
    kept = signed_in.post(GATE, {}, **WHOLE)

    assert (found["decision"], found["exit_code"], found["status"]) == ("not_enough_data", 4, "failed")
    assert found["reasons"][0]["text"] == "no runs alike"
    assert kept.status_code == 409
    assert not GateRecord.objects.exists()


@pytest.mark.parametrize("sent", [{"scope": 1}, {"scope": "nowhere"}, {"device": "x"}, {"day": "today"}])
def test_a_wrong_field_records_nothing(signed_in, compared, sent):
    answer = signed_in.post(GATE, sent, **WHOLE)

    assert answer.status_code == 422
    assert [row["field"] for row in answer.json()["errors"]] == list(sent)
    assert not GateRecord.objects.exists()


def test_a_recorded_decision_stays_as_it_was(signed_in, compared):
    number = signed_in.post(GATE, {}, **WHOLE).json()["recorded"]["id"]
    now = signed_in.get(GATE).json()
    Comparison.objects.update(stale=True)

    [row] = signed_in.get("/api/v1/decisions/?base=13.0.9").json()["results"]
    found = signed_in.get(f"/api/v1/decisions/{number}/").json()

    assert (row["id"], row["decision"], row["decided_by"], row["scope"]) == (number, "fail", "engineer", None)
    for name in ("decision", "sentence", "reasons", "regressions", "markdown", "regressed_pct"):
        assert found[name] == now[name]
    assert signed_in.get(found["page"]).status_code == 200
    assert signed_in.get("/api/v1/decisions/?scope=swipes").json()["results"] == []
    assert signed_in.get("/api/v1/decisions/77/").status_code == 404
