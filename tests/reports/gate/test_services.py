from datetime import timedelta

import pytest
from django.utils import timezone

from analysis.policy.policy import GateRules, Policy
from reports.comparing.services import compute_comparison, open_comparison
from reports.comparing.standing import standing
from reports.gate.services import decide_gate, withdraw_waiver
from reports.models import Comparison, GateRecord, Scope
from reports.policies.selectors import find_part
from tests import factories
from tests.repeated import made_once

pytestmark = pytest.mark.django_db

FAST = [200.0 + step for step in range(8)]
SLOW = [value + 120 for value in FAST]


@pytest.fixture
def comparison():
    """One regression of Mail among three interactions."""
    made_once(_compare)
    return Comparison.objects.get()


def _compare():
    versions = factories.os_version("13.0.12"), factories.os_version("13.0.13")
    inbox = factories.interaction("open inbox")
    others = [factories.interaction(name, type="swipe", of=factories.app("Maps")) for name in ("pan", "zoom")]
    for of, values in ((inbox, SLOW), *((other, FAST) for other in others)):
        factories.runs(FAST, version=versions[0], of=of)
        factories.runs(values, version=versions[1], of=of)
    compute_comparison(comparison_id=open_comparison(base=versions[0], new=versions[1]).pk)


def waive(**changes):
    given = {"app": factories.app(), "expires": timezone.localdate(), "reason": "known", "approver": "QA"}
    return factories.accepted_waiver(**{**given, **changes})


def test_the_decision_is_kept_with_its_reasons_and_inputs(comparison, engineer):
    record = decide_gate(comparison=comparison, user=engineer)

    assert (record.decision, record.decided_by, record.scope) == ("fail", engineer, None)
    assert record.report["regressed_pct"] == pytest.approx(100 / 3)
    (regression,) = record.report["regressions"]
    assert (regression["app"], regression["interaction"], regression["waiver"]) == (
        "org.example.mail",
        "open inbox",
        None,
    )
    assert record.inputs["policy"]["gate"]["budget_pct"] == 2.0


def test_an_unchanged_decision_is_not_recorded_again(comparison):
    first = decide_gate(comparison=comparison)

    assert decide_gate(comparison=comparison) == first
    assert GateRecord.objects.count() == 1


def test_a_waiver_turns_the_decision_and_both_are_kept(comparison):
    before = decide_gate(comparison=comparison)

    waiver = waive()
    after = decide_gate(comparison=comparison)

    assert (before.decision, after.decision, standing(comparison).decision) == ("fail", "pass", "pass")
    assert after.report["regressions"][0]["waiver"] == waiver.pk
    assert after.inputs["waivers"][0]["approver"] == "QA"
    withdraw_waiver(waiver_id=waiver.pk)
    assert standing(comparison).decision == "fail"
    assert GateRecord.objects.get(pk=after.pk).report["waived"] == 1


def test_a_waiver_of_an_app_without_a_regression_makes_no_record_old(comparison):
    first = decide_gate(comparison=comparison)

    waive(app=factories.app("Maps"))

    assert decide_gate(comparison=comparison) == first


def test_another_policy_judges_the_stored_results(comparison):
    lenient = Policy(name="lenient", gate=GateRules(budget_pct=50))
    strict_alpha = Policy(name="sure", alpha=1e-6)

    assert decide_gate(comparison=comparison, policy=lenient).decision == "pass"
    assert decide_gate(comparison=comparison, policy=strict_alpha).decision == "not_enough_data"


def test_a_scope_limits_the_decision(comparison):
    maps = Scope.objects.create(name="maps")
    maps.apps.add(factories.app("Maps"))
    Scope.objects.create(name="taps", interaction_types=["tap"])

    assert decide_gate(comparison=comparison, part=find_part("maps")).decision == "pass"
    record = decide_gate(comparison=comparison, part=find_part("taps"))
    assert (record.decision, record.report["decided"], record.scope.name) == ("fail", 1, "taps")


def test_an_unknown_scope_lists_the_known_ones():
    Scope.objects.create(name="maps")

    with pytest.raises(Scope.DoesNotExist, match="no scope is called 'x'; known are: maps"):
        find_part("x")


def test_scopes_have_counts_of_their_own_in_the_summary(comparison):
    Scope.objects.create(name="taps", interaction_types=["tap"])
    factories.runs([200.0], version=comparison.base)

    compared = compute_comparison(comparison_id=comparison.pk)

    summary = compared.summary
    assert (summary["decided"], summary["scopes"]["taps"]["decided"]) == (3, 1)
    assert standing(compared, find_part("taps")).decision == "fail"


def test_missing_interactions_outside_the_scope_do_not_count(comparison):
    Scope.objects.create(name="swipes", interaction_types=["swipe"])
    factories.runs(FAST, version=comparison.base, of=factories.interaction("gone"))
    compute_comparison(comparison_id=comparison.pk)
    comparison.refresh_from_db()

    assert decide_gate(comparison=comparison).report["missing"] == 1
    assert decide_gate(comparison=comparison, part=find_part("swipes")).report["missing"] == 0


def test_a_waiver_that_expired_yesterday_is_named_and_does_not_count(comparison):
    waiver = waive()
    waiver.expires -= timedelta(days=1)
    waiver.save()

    record = decide_gate(comparison=comparison)

    assert record.decision == "fail"
    assert "waiver_expired" in [reason["rule"] for reason in record.report["reasons"]]
