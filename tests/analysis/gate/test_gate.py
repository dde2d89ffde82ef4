from datetime import date

import pandas as pd
import pytest

from analysis.gate.decision import decide_on, evaluate_gate
from analysis.gate.facts import gate_facts
from analysis.gate.reasons import WARNINGS
from analysis.gate.waivers import Waiver, ceiling_for
from analysis.policy.policy import DEFAULT_POLICY, GateRules, Policy
from tests.analysis.verdicts.samples import result_rows

TODAY = date(2026, 11, 20)


def results(regressed, total, *, app="mail"):
    return result_rows(
        *(
            (app, f"i{k:03}", "response_time_ms", "regression" if k < regressed else "no_change", "Minor", 1.5)
            for k in range(total)
        )
    )


def gate(rows, **options):
    return evaluate_gate(rows, today=TODAY, **options)


def waiver(**changes):
    given = {"app": "mail", "expires": TODAY, "reason": "known", "approver": "qa", "interaction": "i000"}
    return Waiver(**{**given, **changes})


@pytest.mark.parametrize(
    ("regressed", "total", "decision", "code"), [(2, 100, "pass", 0), (3, 100, "fail", 3), (0, 1, "pass", 0)]
)
def test_budget(regressed, total, decision, code):
    found = gate(results(regressed, total))

    assert (found.decision, found.exit_code) == (decision, code)
    assert found.reasons[0].rule == "budget"


def test_reason_says_the_numbers():
    text = gate(results(13, 400)).reasons[0].text

    assert text == "13 of 400 interactions regressed: 3.2 %, over the budget of 2 %"


def test_one_regression_in_a_critical_app_fails_within_the_budget():
    found = gate(results(1, 100), critical={"mail"})

    assert found.decision == "fail"
    assert [(reason.app, reason.interaction) for reason in found.reasons if reason.rule == "critical"] == [
        ("mail", "i000")
    ]


def test_interactions_with_too_few_runs_are_not_covered():
    found = gate(results(0, 10).assign(n_new=4))

    assert (found.decision, found.exit_code, found.decided) == ("not_enough_data", 4, 0)


def test_missing_interactions_count_against_coverage():
    missing = [("mail", f"gone{k}") for k in range(2)]
    found = gate(results(0, 10), missing=missing)

    assert (found.decision, found.missing, found.expected) == ("not_enough_data", 2, 12)
    assert "2 have no measured run on the updated version" in found.reasons[-1].text


def test_a_regression_found_with_few_runs_still_counts():
    assert gate(results(1, 1).assign(n_new=4)).decision == "fail"


def test_fail_beats_not_enough_data():
    assert gate(results(10, 10), missing=[("maps", str(k)) for k in range(90)]).decision == "fail"


def test_nothing_compared_is_not_enough_data():
    found = gate(results(0, 0), policy=Policy(gate=GateRules(min_coverage_pct=0)))

    assert (found.decision, found.regressed_pct) == ("not_enough_data", None)


def test_an_interaction_counts_once_however_many_metrics_regress():
    rows = results(1, 50)
    twice = rows.assign(metric="finish_time_ms")

    assert gate(pd.concat([rows, twice], ignore_index=True)).regressed == 1


def test_waiver_takes_a_regression_out_of_budget_and_critical():
    found = gate(results(1, 10), critical={"mail"}, waivers=[waiver()])

    assert (found.decision, found.waived, found.regressed) == ("pass", 1, 0)


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"expires": date(2026, 11, 19)}, "waiver_expired"),
        ({"ceilings": {"response_time_ms": 74.0}}, "waiver_exceeded"),
    ],
)
def test_waiver_that_does_not_hold_is_named(changes, rule):
    found = gate(results(1, 10), waivers=[waiver(**changes)])

    assert found.decision == "fail"
    assert rule in [reason.rule for reason in found.reasons]


def test_waiver_for_one_metric_does_not_excuse_another():
    rows = pd.concat([results(1, 10), results(1, 10).assign(metric="finish_time_ms")], ignore_index=True)

    assert gate(rows, waivers=[waiver(ceilings={"finish_time_ms": None})]).decision == "fail"
    assert (
        gate(
            rows, waivers=[waiver(ceilings={"finish_time_ms": None}), waiver(ceilings={"response_time_ms": None})]
        ).decision
        == "pass"
    )


def test_waiver_for_an_app_covers_all_its_interactions_up_to_its_ceiling():
    found = gate(results(5, 10), waivers=[waiver(interaction=None, ceilings={"response_time_ms": 75.0})])

    assert (found.decision, found.waived) == ("pass", 5)


def test_waiver_without_a_regression_is_silent():
    rules = [reason.rule for reason in gate(results(0, 10), waivers=[waiver(expires=date(2020, 1, 1))]).reasons]

    assert rules == ["budget"]


def test_one_waiver_takes_every_metric_up_to_the_ceiling_of_each():
    rows = pd.concat([results(1, 10), results(1, 10).assign(metric="finish_time_ms")], ignore_index=True)
    ceilings = {"response_time_ms": 75.0, "finish_time_ms": 75.0}

    assert gate(rows, waivers=[waiver(ceilings=ceilings)]).decision == "pass"
    passed = gate(rows, waivers=[waiver(ceilings={**ceilings, "finish_time_ms": 74.0})])
    assert passed.decision == "fail"
    assert [reason.text for reason in passed.reasons if reason.rule in WARNINGS] == [
        "The waiver for mail · i000 accepts finish time up to +74 ms; +75 ms was measured, and counts"
    ]


def test_a_waiver_that_does_not_hold_is_a_warning_and_what_holds_is_none():
    expired = gate(results(1, 100), waivers=[waiver(expires=date(2026, 11, 19))])
    holds = gate(results(1, 100), waivers=[waiver()])

    assert [reason.rule in WARNINGS for reason in expired.reasons] == [False, True]
    assert not any(reason.rule in WARNINGS for reason in holds.reasons)


def test_a_decision_on_stored_facts_is_that_on_the_results():
    rows, missing = results(3, 40), [("maps", "gone")]
    options = {"critical": {"mail"}, "waivers": [waiver()]}

    facts = gate_facts(rows, DEFAULT_POLICY.gate, missing=missing)

    assert decide_on(facts, DEFAULT_POLICY.gate, today=TODAY, **options) == gate(rows, missing=missing, **options)


@pytest.mark.parametrize(
    ("delta", "metric", "ceiling"),
    [(776.26, "response_time_ms", 777.0), (776.0, "response_time_ms", 776.0), (3.0, "dropped_frames", 3.0)],
)
def test_the_ceiling_offered_is_never_below_what_was_measured(delta, metric, ceiling):
    assert ceiling_for(delta, metric) == ceiling


@pytest.mark.parametrize(
    ("regressed", "waivers", "critical", "sentence"),
    [
        (2, [], (), "2 of 50 interactions regressed: 4 % against a budget of 2 %."),
        (2, ["i000"], (), "2 of 50 interactions regressed, 1 of them waived: 2 % against a budget of 2 %."),
        (2, ["i000", "i001"], (), "2 of 50 interactions regressed, all waived: 0 % against a budget of 2 %."),
        (1, ["i000"], (), "1 of 50 interactions regressed, waived: 0 % against a budget of 2 %."),
        (
            1,
            [],
            {"mail"},
            "1 of 50 interactions regressed: 2 % against a budget of 2 %. mail (critical) is affected.",
        ),
        (
            1,
            ["i000"],
            {"mail"},
            "1 of 50 interactions regressed, waived: 0 % against a budget of 2 %. "
            "mail (critical) is affected, waived.",
        ),
    ],
)
def test_the_sentence_counts_waivers(regressed, waivers, critical, sentence):
    given = [waiver(interaction=name) for name in waivers]

    assert gate(results(regressed, 50), waivers=given, critical=critical).sentence == sentence


def test_the_sentence_when_nothing_could_be_decided():
    assert gate(results(0, 0)).sentence == "Nothing can be said yet: there is no interaction to compare."
    assert gate(results(0, 1).assign(n_new=2)).sentence == "Nothing can be said yet: 1 interaction needs more runs."
