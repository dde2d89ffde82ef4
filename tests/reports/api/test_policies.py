"""Policies through the API: read as stored, tried on stored results, saved through the checks of the editor."""

import pytest

from analysis.policy.policy import DEFAULT_POLICY
from analysis.policy.policyjson import policy_to_json
from reports.models import Action, AuditEntry, PolicyVersion

pytestmark = pytest.mark.django_db
ALL, DEFAULT = "/api/v1/policies/", "/api/v1/policies/default/"
WHOLE = {"content_type": "application/json"}


def rules(**changes):
    found = policy_to_json(DEFAULT_POLICY)
    return found | changes


def test_the_built_in_policy_is_read_until_it_is_changed(signed_in, db):
    found = signed_in.get(DEFAULT).json()

    assert signed_in.get(ALL).json()["results"] == [{"name": "default", "version": 0}]
    assert found["rules"]["thresholds"]["response_time_ms"]["absolute"] == 50
    assert found["rules"]["gate"]["budget_pct"] == 2.0
    assert found["history"] == []
    assert signed_in.get(f"{ALL}strict/").status_code == 404


def test_what_was_read_can_be_changed_and_saved(signed_in, engineer):
    read = signed_in.get(DEFAULT).json()["rules"]
    read["gate"]["budget_pct"] = 1.0

    answer = signed_in.post(DEFAULT, {"rules": read, "based_on": 0, "note": "before the release"}, **WHOLE)

    assert answer.status_code == 201
    saved = PolicyVersion.objects.get()
    assert (saved.name, saved.number, saved.author, saved.rules["gate"]["budget_pct"]) == (
        "default",
        1,
        engineer,
        1.0,
    )
    (kept,) = answer.json()["history"]
    assert (kept["version"], kept["author"], kept["note"]) == (1, "engineer", "before the release")
    assert AuditEntry.objects.filter(action=Action.POLICY_SAVED, who="engineer").count() == 1


def test_a_change_on_top_of_an_old_version_is_refused(signed_in, db):
    sent = {"rules": {}, "based_on": 0}
    signed_in.post(DEFAULT, sent, **WHOLE)

    late = signed_in.post(DEFAULT, sent, **WHOLE)

    assert late.status_code == 409
    assert "engineer saved default v1 meanwhile" in late.json()["detail"]
    assert PolicyVersion.objects.count() == 1


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"rules": {"gate": {"budget_pct": 500}}, "based_on": 0}, "rules.gate.budget_pct"),
        ({"rules": {"alpha": "0.05"}, "based_on": 0}, "rules.alpha"),
        ({"rules": {"speed": 1}, "based_on": 0}, "rules"),
        ({"rules": {"overrides": [1]}, "based_on": 0}, "rules.overrides"),
        ({"rules": [], "based_on": 0}, "rules"),
        ({"rules": {}}, "based_on"),
        ({"rules": {}, "based_on": "0"}, "based_on"),
        ({"rules": {}, "based_on": 0, "note": "x" * 2001}, "note"),
    ],
)
def test_rules_that_contradict_themselves_are_refused_at_their_field(signed_in, db, sent, field):
    answer = signed_in.post(DEFAULT, sent, **WHOLE)

    assert answer.status_code == 422
    assert [row["field"] for row in answer.json()["errors"]] == [field]
    assert not PolicyVersion.objects.exists()


def test_rules_are_tried_on_stored_results_and_nothing_is_saved(signed_in, compared):
    thresholds = {"response_time_ms": {"absolute": 900, "relative_pct": 0, "reason": "a kiosk"}}
    sent = {"rules": rules(thresholds=thresholds), "base": "13.0.9", "new": "13.0.13"}

    found = signed_in.post(f"{DEFAULT}preview/", sent, **WHOLE).json()

    assert {"old": "regression", "new": "imperceptible", "count": 1} in found["moved"]
    assert (found["before"]["decision"], found["after"]["regressed"]) == ("fail", 0)
    assert any(row["interaction"] == "open inbox" for row in found["changed"])
    assert found["changes"]
    assert not PolicyVersion.objects.exists()


def test_rules_are_compared_with_those_in_force_without_a_comparison(signed_in, db):
    found = signed_in.post(f"{DEFAULT}preview/", {"rules": rules(alpha=0.01)}, **WHOLE)
    half = signed_in.post(f"{DEFAULT}preview/", {"rules": {}, "base": "13"}, **WHOLE)

    assert (found.status_code, found.json()["results"], found.json()["before"]) == (200, 0, None)
    assert len(found.json()["changes"]) == 1
    assert half.status_code == 422
