from statistics import median

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.policy.policy import Policy
from analysis.policy.thresholds import Override, Threshold
from analysis.statistics.exact import smallest_p
from analysis.statistics.ranktest import rank_test
from analysis.verdicts.deciding import decide
from analysis.verdicts.judging import judge
from analysis.verdicts.sentences import result_sentence
from tests.analysis.statistics import naive
from tests.analysis.verdicts.samples import samples

times = st.lists(st.integers(0, 60).map(lambda frames: frames * 16.6667), min_size=1, max_size=12)
MIRROR = {"regression": "improvement", "improvement": "regression"}


def row(base, new, policy=None, **names):
    table = decide(samples(base, new, **names), *([policy] if policy else []))
    return table.iloc[0]


def spread(middle, n=10):
    """Return n different values around ``middle``, their median."""
    return [middle + step - (n - 1) / 2 for step in range(n)]


@pytest.mark.parametrize(
    ("metric", "base", "new", "verdict", "severity"),
    [
        ("response_time_ms", 200, 251, "regression", "Minor"),
        ("response_time_ms", 200, 250, "imperceptible", None),  # θ itself is not past θ
        ("response_time_ms", 200, 300, "regression", "Minor"),  # exactly 2 θ
        ("response_time_ms", 200, 301, "regression", "Noticeable"),
        ("response_time_ms", 200, 400, "regression", "Noticeable"),  # exactly 4 θ
        ("response_time_ms", 200, 401, "regression", "Severe"),
        ("response_time_ms", 500, 590, "imperceptible", None),  # θ is 20 % of 500
        ("finish_time_ms", 500, 601, "regression", "Minor"),
        ("launch_time_ms", 812, 1204, "regression", "Noticeable"),
        ("response_time_ms", 300, 230, "improvement", None),
        ("response_time_ms", 200, 200, "no_change", None),
    ],
)
def test_verdict_and_severity(metric, base, new, verdict, severity):
    found = row(spread(base), spread(new), metric=metric)

    assert (found["verdict"], found["severity"]) == (verdict, severity)


def test_three_dropped_frames_more_are_not_past_the_threshold():
    assert row([1] * 10, [4] * 10, metric="dropped_frames")["verdict"] == "imperceptible"
    assert row([1] * 10, [5] * 10, metric="dropped_frames")["verdict"] == "regression"


def test_move_past_threshold_that_is_not_significant_asks_for_more_runs():
    found = row([100, 110, 120, 400, 410], [105, 115, 300, 405, 415])

    assert found["verdict"] == "no_change"
    assert found["times_threshold"] > 1
    assert found["runs_needed"] > 0


@pytest.mark.parametrize(("n_base", "n_new"), [(515, 515), (3, 10_000), (10_000, 10_000)])
@pytest.mark.parametrize("slot", [None, 1000 / 60])
def test_any_number_of_runs_is_judged(n_base, n_new, slot):
    rng = np.random.default_rng(n_base)
    base, slower = rng.uniform(200, 240, n_base), rng.uniform(320, 360, n_new)
    if slot:
        base, slower = slot * np.round(base / slot), slot * np.round(slower / slot)

    found, same, back = row(base, slower), row(base, np.resize(base, n_new)), row(slower, base)

    assert (found["verdict"], same["verdict"], back["verdict"]) == ("regression", "no_change", "improvement")
    assert (found["n_base"], found["n_new"], found["runs_needed"]) == (n_base, n_new, 0)
    assert 0 < found["p_value"] < 2e-3
    assert found["cliffs_delta"] == 1.0
    if min(n_base, n_new) > 3:
        assert found["ci_low"] <= found["delta"] <= found["ci_high"]
        assert found["delta"] == pytest.approx(120, abs=slot or 5)
    assert f"median{'s' * (n_base != n_new)} of {n_base}" in result_sentence(found.to_dict())


@pytest.mark.parametrize(("n_base", "n_new"), [(1, 1), (3, 3), (1, 30), (2, 9)])
def test_too_few_runs_need_more_however_far_apart(n_base, n_new):
    found = row([100] * n_base, [900] * n_new)

    assert found["verdict"] == "more_runs_needed"
    assert found["runs_needed"] >= 1
    assert found["severity"] is None
    assert np.isnan(found["q_value"])


def test_a_side_without_values_needs_runs_and_has_no_median():
    found = row([100.0, 110.0], [np.nan, np.nan])

    assert (found["n_base"], found["n_new"], found["verdict"]) == (2, 0, "more_runs_needed")
    assert np.isnan(found["median_new"])
    assert np.isnan(found["p_value"])


def test_a_key_without_any_value_has_no_row():
    assert decide(samples([np.nan], [np.nan])).empty


def test_all_values_equal_is_no_change():
    found = row([50] * 20, [50] * 20)

    assert (found["verdict"], found["p_value"], found["cliffs_delta"]) == ("no_change", 1.0, 0.0)
    assert (found["ci_low"], found["ci_high"]) == (0.0, 0.0)


def test_delta_pct_is_missing_for_a_baseline_of_zero():
    found = row([0] * 10, [8] * 10, metric="dropped_frames")

    assert np.isnan(found["delta_pct"])
    assert found["delta"] == 8
    assert found["severity"] == "Noticeable"


def test_relative_threshold_of_a_zero_baseline_is_zero_and_the_multiple_stays_finite():
    policy = Policy(overrides=(Override("dropped_frames", Threshold(0, 10), app="mail"),))

    found = row([0] * 10, [8] * 10, policy, metric="dropped_frames")

    assert found["threshold"] == 0
    assert found["times_threshold"] == 1000
    assert found["severity"] == "Severe"


def test_least_effect_of_the_policy_is_respected():
    base, new = [*range(100, 140)], [*range(160, 180), *range(100, 120)]
    lenient = row(base, new, Policy(overrides=(Override("*", Threshold(5, 0), app="mail"),)))
    strict = row(base, new, Policy(min_effect=0.5, overrides=(Override("*", Threshold(5, 0), app="mail"),)))

    assert abs(lenient["cliffs_delta"]) < 0.5
    assert (lenient["verdict"], strict["verdict"]) == ("regression", "no_change")


@settings(max_examples=80, deadline=None)
@given(base=times, new=times)
def test_verdict_agrees_with_the_rule_read_aloud(base, new):
    test = rank_test(np.array([base]), np.array([new]))
    policy = Policy(min_runs=1)

    expected = naive.verdict(
        base,
        new,
        test.p_greater[0],
        test.p_less[0],
        alpha=0.05,
        absolute=50,
        relative_pct=20,
        smallest=smallest_p(len(base), len(new)),
    )

    assert row(base, new, policy)["verdict"] == expected


@settings(max_examples=60, deadline=None)
@given(base=times, new=times)
def test_swapping_the_versions_mirrors_the_verdict(base, new):
    absolute = Policy(overrides=(Override("*", Threshold(50, 0), app="mail"),))  # a relative θ depends on the base

    there, back = row(base, new, absolute), row(new, base, absolute)

    assert back["verdict"] == MIRROR.get(there["verdict"], there["verdict"])
    assert back["delta"] == pytest.approx(-there["delta"])
    assert back["p_value"] == pytest.approx(there["p_value"])


@settings(max_examples=40, deadline=None)
@given(base=times, new=times, shift=st.integers(1, 1000))
def test_a_constant_added_to_both_sides_moves_medians_and_nothing_else(base, new, shift):
    absolute = Policy(overrides=(Override("*", Threshold(50, 0), app="mail"),))

    plain = row(base, new, absolute)
    moved = row([value + shift for value in base], [value + shift for value in new], absolute)

    assert moved["median_base"] == pytest.approx(median(base) + shift)
    assert moved["delta"] == pytest.approx(plain["delta"], abs=1e-6)
    assert moved["p_value"] == pytest.approx(plain["p_value"])


def test_many_interactions_of_different_sizes_each_get_what_they_get_alone():
    rng = np.random.default_rng(5)
    parts = {
        f"i{number:02}": (rng.normal(200, 20, rng.integers(3, 12)), rng.normal(240, 20, rng.integers(3, 12)))
        for number in range(15)
    }
    table = pd.concat([samples(base, new, interaction=name) for name, (base, new) in parts.items()])

    together = decide(table.sample(frac=1, random_state=1))

    assert list(together["interaction"]) == sorted(parts)
    for _, found in together.iterrows():
        alone = row(*parts[found["interaction"]], interaction=found["interaction"])
        for column in ("n_base", "delta", "p_value", "cliffs_delta", "verdict", "ci_low"):
            assert found[column] == pytest.approx(alone[column], nan_ok=True), column


def test_judging_again_with_another_policy_equals_deciding_with_it():
    rng = np.random.default_rng(6)
    table = pd.concat(
        [
            samples(rng.normal(200, 9, 8), rng.normal(200 + 8 * number, 9, 8), interaction=f"i{number}")
            for number in range(9)
        ]
    )
    strict = Policy(alpha=0.01, overrides=(Override("*", Threshold(20, 0), interaction_type="tap"),))

    again = judge(decide(table), strict)

    pd.testing.assert_frame_equal(again, decide(table, strict))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (samples([1.0], [np.inf]), "mail · open inbox .* inf"),
        (samples([-1.0], [2.0]), "not negative"),
        (samples([1.0], [2.0]).assign(side="old"), "must be base or new"),
        (samples([1.0], [2.0]).drop(columns="app"), "column app"),
    ],
)
def test_values_that_are_no_measurements_are_refused(table, message):
    with pytest.raises(ValueError, match=message):
        decide(table)
