import json

import numpy as np
import pytest

from analysis.policy.checks import PolicyError
from analysis.policy.policy import DEFAULT_POLICY, GateRules, Policy
from analysis.policy.policyjson import policy_from_json, policy_to_json, verdict_fingerprint
from analysis.policy.thresholds import Override, Threshold


@pytest.mark.parametrize(
    ("metric", "median", "theta"),
    [
        ("response_time_ms", 200, 50),
        ("response_time_ms", 471, 94.2),
        ("finish_time_ms", 999, 100),
        ("finish_time_ms", 2000, 200),
        ("launch_time_ms", 812, 150),
        ("launch_time_ms", 1600, 160),
        ("dropped_frames", 50, 3),
    ],
)
def test_default_theta_is_the_larger_part(metric, median, theta):
    threshold = DEFAULT_POLICY.threshold(app="mail", interaction_type="tap", metric=metric)

    assert threshold.at(np.array([median]))[0] == pytest.approx(theta)


def test_theta_without_a_baseline_is_the_absolute_part():
    assert Threshold(50, 20).at(np.array([np.nan]))[0] == 50


def test_the_most_specific_override_wins():
    overrides = (
        Override("*", Threshold(1, 0), interaction_type="tap"),
        Override("response_time_ms", Threshold(2, 0), interaction_type="tap"),
        Override("*", Threshold(3, 0), app="mail"),
        Override("response_time_ms", Threshold(4, 0), app="mail", interaction_type="tap"),
    )
    policy = Policy(overrides=overrides)

    def theta(app, interaction_type, metric):
        return policy.threshold(app=app, interaction_type=interaction_type, metric=metric).absolute

    assert theta("mail", "tap", "response_time_ms") == 4
    assert theta("mail", "tap", "finish_time_ms") == 3
    assert theta("maps", "tap", "response_time_ms") == 2
    assert theta("maps", "tap", "finish_time_ms") == 1
    assert theta("maps", "swipe", "finish_time_ms") == 100


def test_policy_survives_json():
    policy = Policy(
        name="strict",
        alpha=0.01,
        overrides=(Override("dropped_frames", Threshold(1, 0, "games"), app="2048"),),
        gate=GateRules(budget_pct=0.5),
    )

    assert policy_from_json(json.loads(json.dumps(policy_to_json(policy)))) == policy


def test_left_out_fields_keep_their_defaults():
    policy = policy_from_json({"thresholds": {"response_time_ms": {"absolute": 80, "relative_pct": 0}}})

    assert policy.thresholds["response_time_ms"] == Threshold(80, 0)
    assert policy.thresholds["finish_time_ms"] == DEFAULT_POLICY.thresholds["finish_time_ms"]
    assert policy.alpha == DEFAULT_POLICY.alpha


def test_fingerprint_changes_with_what_changes_verdicts_only():
    renamed = Policy(name="other", gate=GateRules(budget_pct=9))

    assert verdict_fingerprint(renamed) == verdict_fingerprint(DEFAULT_POLICY)
    assert verdict_fingerprint(Policy(alpha=0.01)) != verdict_fingerprint(DEFAULT_POLICY)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"alpha": 0}, "alpha: .* above 0"),
        ({"alpha": "0.05"}, "alpha: .* not a number"),
        ({"min_effect": 1.5}, "min_effect: .* 0 to below 1"),
        ({"min_runs": 2.5}, "min_runs: .* whole number"),
        ({"name": ""}, "name: .* give the policy a name"),
        ({"gate": {"budget_pct": 120}}, r"gate\.budget_pct: .* 0 to 100"),
        ({"gate": {"critical_budget": -1}}, r"gate\.critical_budget: .* at least 0"),
        ({"gate": {"budget": 2}}, "gate: unknown field budget; known are .*budget_pct"),
        ({"alfa": 0.05}, "unknown field alfa"),
        ({"thresholds": {"response_time_ms": {"absolute": -1, "relative_pct": 0}}}, "response_time_ms: absolute"),
        ({"thresholds": {"response_time_ms": {"absolute": 0, "relative_pct": 0}}}, "both 0"),
        ({"thresholds": {"response_time_ms": {"absolute": 5}}}, "thresholds.response_time_ms"),
        ({"thresholds": {"response_time_ms": 5}}, "not an object"),
        ({"ladder": [["Minor", 2]]}, "ladder: the first step must be 1"),
        ({"ladder": [["Minor", 1], ["Severe", 1]]}, "ladder: .* must rise"),
        ({"ladder": [["Minor", 1], ["Minor", 2]]}, "ladder: each step needs a word"),
        ({"ladder": ["Minor"]}, "ladder: .* write"),
        ({"overrides": [{"metric": "*", "threshold": {"absolute": 1, "relative_pct": 0}}]}, "names neither"),
        ({"overrides": [{"app": "mail", "threshold": {"absolute": 1, "relative_pct": 0}}]}, "metric is empty"),
        (
            {"overrides": 2 * [{"metric": "*", "app": "mail", "threshold": {"absolute": 1, "relative_pct": 0}}]},
            "two of them name mail",
        ),
    ],
)
def test_a_policy_that_makes_no_sense_says_which_field_and_what_to_do(data, message):
    with pytest.raises(PolicyError, match=message):
        policy_from_json(data)


def test_a_policy_without_a_threshold_for_other_metrics_is_refused():
    with pytest.raises(PolicyError, match=r"thresholds: \* is missing"):
        Policy(thresholds={"response_time_ms": Threshold(50, 20)})
