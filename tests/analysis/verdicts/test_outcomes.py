import pandas as pd
import pytest
from scipy.stats import fisher_exact

from analysis.verdicts.outcomes import decide_outcomes, fisher_p


def counts(*rows):
    names = ["n_base", "n_new", "censored_base", "censored_new"]
    return pd.DataFrame(rows, columns=names).assign(app="mail", interaction="open inbox", interaction_type="tap")


@pytest.mark.parametrize(("n_base", "n_new", "on_base", "on_new"), [(20, 20, 0, 6), (10, 8, 5, 1), (7, 9, 2, 3)])
def test_p_agrees_with_scipy_fisher(n_base, n_new, on_base, on_new):
    table = [[on_new, n_new - on_new], [on_base, n_base - on_base]]
    side = "greater" if on_new / n_new >= on_base / n_base else "less"

    assert fisher_p(counts((n_base, n_new, on_base, on_new)))[0] == pytest.approx(fisher_exact(table, side).pvalue)


def test_answers_that_fail_more_often_are_a_finding():
    found = decide_outcomes(counts((20, 20, 0, 8))).iloc[0]

    assert (found["metric"], found["verdict"], found["severity"]) == ("outcome", "regression", "Noticeable")
    assert (found["median_base"], found["median_new"], found["delta"]) == (0.0, 40.0, 40.0)
    assert "censored_new" not in found


def test_answers_that_fail_less_often_are_an_improvement():
    assert decide_outcomes(counts((20, 20, 8, 0)))["verdict"].tolist() == ["improvement"]


def test_shares_that_did_not_change_significantly_leave_no_row():
    assert decide_outcomes(
        counts((20, 20, 0, 0), (20, 20, 1, 3), (20, 20, 20, 20), (2, 2, 0, 2), (0, 5, 0, 5))
    ).empty
