"""The rule against the pinned version. Truth is built: how many regressed against it, of how many."""

from datetime import date

import pytest

from analysis.gate.decision import decide_on, evaluate_gate
from analysis.gate.drift import COUNTED, ITSELF, SAME, UNKNOWN, Drift
from analysis.gate.facts import gate_facts
from analysis.gate.waivers import Waiver
from analysis.policy.checks import PolicyError
from analysis.policy.policy import DEFAULT_POLICY, GateRules, Policy
from analysis.policy.policyjson import policy_from_json, policy_to_json
from analysis.verdicts.policywords import policy_changes
from tests.analysis.verdicts.samples import result_rows

TODAY = date(2026, 11, 20)
ASKED = GateRules(drift_budget_pct=5.0)


def facts(regressed, total, *, times=1.5, missing=()):
    """Return facts of ``total`` interactions of Mail of which the first ones regressed by so many θ of 50 ms."""
    rows = result_rows(
        *(
            ("mail", f"i{k:03}", "response_time_ms", "regression" if k < regressed else "no_change", "Minor", times)
            for k in range(total)
        )
    )
    return gate_facts(rows, ASKED, missing=missing)


def against(regressed, total, **more):
    return Drift(COUNTED, "14.0", facts(regressed, total, **more))


def decide(drift, *, step=0, rules=ASKED, **more):
    return decide_on(facts(step, 100), rules, today=TODAY, drift=drift, **more)


def texts(found, rule):
    return [reason.text for reason in found.reasons if reason.rule == rule]


@pytest.mark.parametrize(("regressed", "decision"), [(0, "pass"), (5, "pass"), (6, "fail"), (100, "fail")])
def test_what_regressed_against_the_pinned_version_has_a_budget_of_its_own(regressed, decision):
    found = decide(against(regressed, 100))

    assert (found.decision, found.regressed, found.drift.regressed) == (decision, 0, regressed)


def test_the_reason_and_the_sentence_say_the_numbers():
    found = decide(against(6, 100))

    assert texts(found, "drift") == [
        "Against the pinned 14.0, 6 of 100 interactions regressed: 6 %, over the drift budget of 5 %"
    ]
    assert found.sentence.endswith(
        "Against the pinned 14.0, 6 of 100 interactions regressed: 6 % against a drift budget of 5 %."
    )


def test_without_a_budget_nobody_asks():
    found = decide(against(100, 100), rules=GateRules())

    assert (found.decision, found.drift) == ("pass", None)
    assert "14.0" not in found.sentence


def test_what_nobody_knows_is_no_go():
    waits = Drift(UNKNOWN, "14.0", why="14.0 → 14.8 is being computed")
    found = decide(waits)

    assert (found.decision, found.exit_code) == ("not_enough_data", 4)
    assert texts(found, "drift_unknown") == ["Drift is not known: 14.0 → 14.8 is being computed"]
    assert found.sentence.endswith("Drift is not known: 14.0 → 14.8 is being computed.")
    assert decide(None).decision == "not_enough_data"
    assert decide(waits, step=50).decision == "fail"


def test_the_pinned_version_itself_has_not_drifted():
    assert decide(Drift(ITSELF, "14.0")).decision == "pass"


def test_against_the_pinned_baseline_nothing_counts_twice_and_both_budgets_hold():
    loose = decide(Drift(SAME, "14.0"), step=2)
    strict = decide(Drift(SAME, "14.0"), step=2, rules=GateRules(drift_budget_pct=1.0))

    assert (loose.decision, strict.decision) == ("pass", "fail")
    assert texts(strict, "drift") == [
        "The baseline 14.0 is the pinned version, and the same counts as drift: 2 %, over the drift budget of 1 %"
    ]
    assert "14.0" not in strict.sentence


def test_critical_apps_have_a_budget_of_their_own_too():
    found = decide(against(1, 100), critical={"mail"})
    tolerant = GateRules(drift_budget_pct=5.0, drift_critical_budget=1)

    assert found.decision == "fail"
    assert texts(found, "drift_critical") == [
        "mail · i000 regressed against the pinned 14.0, and the app is critical"
    ]
    assert found.drift.critical_open == ("mail",)
    assert decide(against(1, 100), critical={"mail"}, rules=tolerant).decision == "pass"


def test_a_critical_app_is_named_once_where_the_baseline_is_pinned():
    found = decide(Drift(SAME, "14.0"), step=1, critical={"mail"})

    assert [reason.rule for reason in found.reasons if reason.decides == "fail"] == ["critical"]


@pytest.mark.parametrize("given", [against(0, 0), against(0, 80, missing=[("mail", str(k)) for k in range(20)])])
def test_too_little_known_against_the_pinned_version_is_not_enough(given):
    found = decide(given)

    assert found.decision == "not_enough_data"
    assert len(texts(found, "drift_coverage")) == 1


def test_coverage_against_the_pinned_version_says_its_numbers():
    found = decide(against(0, 80, missing=[("mail", str(k)) for k in range(20)]))

    assert texts(found, "drift_coverage") == [
        "80 of the 100 interactions of the pinned 14.0 could be decided against it: 80 %, 90 % are needed; "
        "20 have no measured run on the updated version"
    ]


def waiver(ceiling, **changes):
    given = {"app": "mail", "expires": TODAY, "reason": "known", "approver": "qa", "interaction": "i000", "key": 7}
    return Waiver(**{**given, "ceilings": {"response_time_ms": ceiling}, **changes})


def test_a_waiver_accepts_a_drift_up_to_its_ceiling():
    drift = against(1, 10)  # by 75 ms

    assert decide(drift).decision == "fail"
    assert decide(drift, waivers=[waiver(75.0)]).decision == "pass"
    exceeded = decide(drift, waivers=[waiver(60.0)])
    assert exceeded.decision == "fail"
    assert texts(exceeded, "waiver_exceeded") == [
        "Against the pinned 14.0, the waiver for mail · i000 accepts response time up to +60 ms; "
        "+75 ms was measured, and counts"
    ]


def test_a_waiver_that_is_past_here_and_there_is_named_once():
    found = decide(against(1, 10), step=1, waivers=[waiver(60.0)])

    assert len(texts(found, "waiver_exceeded")) == 1


def test_a_serious_drift_takes_two_people():
    serious = against(1, 10, times=4.0)

    assert decide(serious, waivers=[waiver(None)]).decision == "fail"
    assert decide(serious, waivers=[waiver(None, seconded=True)]).decision == "pass"


def test_the_gate_of_results_hands_the_drift_on():
    rows = result_rows(("mail", "i000", "response_time_ms", "no_change", "Minor", 0.5))
    found = evaluate_gate(rows, Policy(gate=ASKED), today=TODAY, drift=against(1, 10))

    assert found.decision == "fail"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (-1, "outside of 0 to 100"),
        (101, "outside of 0 to 100"),
        *((value, "not a number") for value in ("5", float("nan"), True, [])),
    ],
)
def test_a_budget_that_is_no_percentage_is_refused(value, words):
    with pytest.raises(PolicyError, match=words):
        policy_from_json({"gate": {"drift_budget_pct": value}})


@pytest.mark.parametrize("value", [-1, 1.5, None, "1", 100_001])
def test_a_critical_budget_that_is_no_count_is_refused(value):
    with pytest.raises(PolicyError, match=r"gate\.drift_critical_budget"):
        policy_from_json({"gate": {"drift_critical_budget": value}})


def test_a_policy_of_an_earlier_release_asks_nothing_of_the_pinned_version():
    rules = policy_to_json(DEFAULT_POLICY)
    earlier = {key: value for key, value in rules["gate"].items() if not key.startswith("drift")}

    assert policy_from_json({**rules, "gate": earlier}).gate.drift_budget_pct is None


def test_changes_of_the_budgets_are_told_in_words():
    asked = Policy(gate=GateRules(drift_budget_pct=5.0, drift_critical_budget=1))

    assert policy_changes(DEFAULT_POLICY, asked) == [
        "interactions that may regress against the pinned version: no → 5 %",
        "interactions of critical apps that may regress against the pinned version: 0 → 1",
    ]
