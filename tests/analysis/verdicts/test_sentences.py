import pytest

from analysis.verdicts.sentences import confidence_words, result_sentence
from analysis.verdicts.text import number_text, p_text, share_text, signed_text

ROW = {
    "metric": "launch_time_ms",
    "n_base": 20,
    "n_new": 20,
    "median_base": 812.0,
    "median_new": 1204.0,
    "delta": 392.0,
    "ci_low": 310.2,
    "ci_high": 455.1,
    "p_value": 0.00001,
    "cliffs_delta": 0.98,
    "threshold": 150.0,
    "times_threshold": 392 / 150,
    "verdict": "regression",
    "runs_needed": 0,
}


def test_regression_in_words():
    assert result_sentence(ROW) == (
        "Updated is usable 392 ms later: 812 → 1\u202f204 ms (median of 20 each; 95 % CI +310 … +455; p < 0.0001; "
        "δ 0.98, large). That is 2.6 × the threshold of 150 ms."
    )


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"delta": -392.0, "verdict": "improvement", "cliffs_delta": -0.98}, "Updated is usable 392 ms sooner"),
        ({"delta": -392.0, "verdict": "improvement", "cliffs_delta": -0.98}, "δ −0.98, large"),
        ({"delta": 30.0, "times_threshold": 0.2, "verdict": "imperceptible"}, "only 0.2 × the threshold of 150 ms"),
        (
            {"delta": 1.0, "times_threshold": 0.01, "verdict": "no_change"},
            "by less than a tenth of the threshold of 150 ms",
        ),
        ({"metric": "response_time_ms"}, "Updated responds 392 ms later"),
        ({"metric": "finish_time_ms"}, "Updated is ready 392 ms later"),
        ({"metric": "dropped_frames", "delta": 9.0}, "Updated drops 9 frames more"),
        ({"metric": "outcome", "delta": 25.0}, "Updated gives no answer in 25 % more of its runs"),
        ({"metric": "jitter", "delta": 2.5}, "jitter is 2.5 higher"),
        ({"n_new": 18}, "medians of 20 and 18"),
        ({"verdict": "no_change", "delta": 8.0, "times_threshold": 0.1}, "Launch time shows no change"),
        ({"verdict": "no_change", "runs_needed": 12}, "12 more runs per side could tell"),
    ],
)
def test_other_verdicts_in_words(changes, part):
    assert part in result_sentence({**ROW, **changes})


def test_interval_is_left_out_where_there_is_none():
    assert "CI" not in result_sentence({**ROW, "ci_low": None, "ci_high": None})


def test_too_few_runs_in_words():
    row = {**ROW, "verdict": "more_runs_needed", "n_base": 1, "n_new": 3, "runs_needed": 2, "median_new": None}

    assert result_sentence(row) == (
        "Launch time: too few runs to say, 1 run of Baseline and 3 of Updated. 2 more runs per side needed."
    )


@pytest.mark.parametrize(
    ("verdict", "delta", "words"),
    [
        ("regression", 0.98, "Regression, large"),
        ("improvement", -0.35, "Improvement, medium"),
        ("no_change", 0.1, "No change"),
        ("more_runs_needed", None, "More runs needed"),
    ],
)
def test_confidence_in_words(verdict, delta, words):
    assert confidence_words({"verdict": verdict, "cliffs_delta": delta}) == words


def test_numbers_for_people():
    assert number_text(1234567.0) == "1\u202f234\u202f567"
    assert number_text(None) == number_text(float("nan")) == "–"
    assert number_text(-0.04, 1) == "0"
    assert signed_text(85) == "+85"
    assert signed_text(-12.0) == "−12"
    assert signed_text(0.2) == "0"
    assert share_text(3.155) == "3.2 %"
    assert share_text(2.0) == "2 %"
    assert p_text(0.03247) == "p = 0.0325"
    assert p_text(None) == "p unknown"


def test_p_and_q_are_never_zero():
    assert p_text(0.00001) == "p < 0.0001"
    assert p_text(0.00001, "q") == "q < 0.0001"
    assert p_text(0.0213, "q") == "q = 0.0213"
