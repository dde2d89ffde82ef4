from datetime import date

import pandas as pd
import pytest

from analysis.gate.decision import evaluate_gate
from analysis.gate.waivers import Waiver
from analysis.policy.policy import GateRules, Policy
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
    [({"expires": date(2026, 11, 19)}, "waiver_expired"), ({"ceiling": 74.0}, "waiver_exceeded")],
)
def test_waiver_that_does_not_hold_is_named(changes, rule):
    found = gate(results(1, 10), waivers=[waiver(**changes)])

    assert found.decision == "fail"
    assert rule in [reason.rule for reason in found.reasons]


def test_waiver_for_one_metric_does_not_excuse_another():
    rows = pd.concat([results(1, 10), results(1, 10).assign(metric="finish_time_ms")], ignore_index=True)

    assert gate(rows, waivers=[waiver(metric="finish_time_ms")]).decision == "fail"
    assert (
        gate(rows, waivers=[waiver(metric="finish_time_ms"), waiver(metric="response_time_ms")]).decision == "pass"
    )


def test_waiver_for_an_app_covers_all_its_interactions_up_to_its_ceiling():
    found = gate(results(5, 10), waivers=[waiver(interaction=None, ceiling=75.0)])

    assert (found.decision, found.waived) == ("pass", 5)


def test_waiver_without_a_regression_is_silent():
    rules = [reason.rule for reason in gate(results(0, 10), waivers=[waiver(expires=date(2020, 1, 1))]).reasons]

    assert rules == ["budget"]
