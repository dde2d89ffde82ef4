import json
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from analysis.policy.checks import MOST_RUNS, PolicyError
from analysis.policy.policy import DEFAULT_POLICY, GateRules, Policy
from analysis.policy.policyjson import policy_from_json, policy_to_json, stored_policy, verdict_fingerprint
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
        ({"min_effect": 1.5}, "min_effect: .* 0 to 0.99"),
        ({"min_runs": 2.5}, "min_runs: .* whole number"),
        ({"name": ""}, "name: .* give the policy a name"),
        ({"gate": {"budget_pct": 120}}, r"gate\.budget_pct: .* 0 to 100"),
        ({"gate": {"critical_budget": -1}}, r"gate\.critical_budget: -1 is outside of 0 to 100,000"),
        ({"gate": {"budget": 2}}, "gate: unknown field 'budget'; known are .*budget_pct"),
        ({"min_runs": 1_000_000}, "min_runs: 1000000 is outside of 1 to 10,000; nobody records more"),
        ({"min_runs": 10**5000}, "min_runs: a number of more than 40 digits is outside of 1 to 10,000"),
        ({"alpha": 10**400}, "alpha: a number of more than 40 digits is not a number; give a finite number"),
        ({"alpha": float("nan")}, "alpha: nan is not a number"),
        ({"alpha": 1e-300}, "alpha: 1e-300 is outside of 0.000001 to 0.5"),
        ({"gate": {"min_runs": 10**6}}, r"gate\.min_runs: .* 1 to 10,000"),
        ({"gate": {"min_coverage_pct": float("inf")}}, r"gate\.min_coverage_pct: inf is not a number"),
        ({"thresholds": {"*": {"absolute": 1e999, "relative_pct": 0}}}, r"thresholds\.\*: absolute: inf is not"),
        ({"thresholds": {"*": {"absolute": 1e7, "relative_pct": 0}}}, "absolute: .* 0 to 1,000,000; .* recording"),
        ({"thresholds": {"*": {"absolute": 1, "relative_pct": 1e6}}}, "relative_pct: .* 0 to 10,000; .* baseline"),
        ({"thresholds": {"*": {"absolute": 1, "relative_pct": 1, "reason": 301 * "x"}}}, "reason: has 301 char"),
        (
            {"thresholds": {"*": {"absolute": 1, "relative_pct": 1, "reason": "a\0b"}}},
            "reason: holds .* shows nothing",
        ),
        ({"thresholds": ["*"]}, "thresholds: .* is not an object"),
        ({"thresholds": {"m" * 81: {"absolute": 1, "relative_pct": 1}}}, "thresholds: has 81 characters"),
        ({"name": "n" * 81}, "name: has 81 characters; shorten it to 80"),
        ({"name": "\u202eevil"}, "name: holds .* shows nothing"),
        ({"name": 7}, "name: 7 is not a text"),
        ({"overrides": 5}, "overrides: 5 is not a list"),
        ({"overrides": 400 * [{}]}, "overrides: are 400; keep 300 at most"),
        ({"overrides": [{"metric": "*", "app": [], "threshold": {"absolute": 1, "relative_pct": 0}}]}, "overrides"),
        ({"ladder": [["Minor", 1], ["Severe", float("nan")]]}, r"ladder\.1\.step: nan is not a number"),
        ({"ladder": [["Minor", 1], ["Severe", 1e6]]}, r"ladder\.1\.step: .* 1 to 1,000; severities"),
        ({"ladder": [["Minor", 1], ["S" * 41, 2]]}, r"ladder\.1\.word: has 41 characters"),
        ({"ladder": [["Minor", 1], ["Severe", "2"]]}, r"ladder\.1\.step: '2' is not a number"),
        ({"ladder": 13 * [["Minor", 1]]}, "ladder: are 13; keep 12 at most"),
        (
            {"measuring": {"doubtful": "ignore"}},
            "measuring.doubtful: 'ignore' .* choose count or leave_out",
        ),
        ({"measuring": {"noise": 1}}, "measuring: unknown field 'noise'"),
        ({"measuring": "count"}, "measuring: 'count' is not an object"),
        ({"alfa": 0.05}, "unknown field 'alfa'"),
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


DEFAULT_JSON = policy_to_json(DEFAULT_POLICY)
NUMBERS = st.one_of(
    st.integers(),
    st.floats(),
    st.integers(300, 6000).map(lambda digits: 10**digits),
    st.sampled_from([0, -1, 1, 10**6, 1e308, 5e-324, float("nan"), float("-inf")]),
)
TEXTS = st.one_of(st.text(), st.sampled_from(["", " ", "\0", "\u202e", "\ud800", "x" * 200_000, "9" * 5000, "*"]))
LEAVES = st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS)
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3))
RULE = st.fixed_dictionaries({}, optional={"absolute": LEAVES, "relative_pct": LEAVES, "reason": LEAVES})
PLACE = {"metric": LEAVES, "app": LEAVES, "interaction_type": LEAVES, "threshold": RULE | VALUES}
GATE = st.fixed_dictionaries({}, optional=dict.fromkeys(DEFAULT_JSON["gate"], LEAVES))
ANY_POLICY = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(DEFAULT_JSON, VALUES),
        "gate": GATE | VALUES,
        "thresholds": st.dictionaries(TEXTS, RULE, max_size=3) | VALUES,
        "overrides": st.lists(st.fixed_dictionaries({}, optional=PLACE), max_size=3) | VALUES,
        "ladder": st.lists(st.tuples(LEAVES, LEAVES).map(list), max_size=4) | VALUES,
    },
)


def parsed(data):
    try:
        return policy_from_json(data), ""
    except PolicyError as refused:
        return None, str(refused)


@settings(max_examples=300, deadline=None)
@example(data={"gate": {"second_approver_from": None}})
@example(data={"gate": {"drift_budget_pct": 0, "drift_critical_budget": 3}})
@given(data=ANY_POLICY)
@pytest.mark.long
def test_any_json_is_a_bounded_policy_or_is_refused_in_few_words(data):
    policy, refused = parsed(data)
    if policy is None:
        assert 10 < len(refused) < 400
        assert ":" in refused
        return
    gate = asdict(policy.gate)
    for name in ("second_approver_from", "drift_budget_pct"):  # nobody must approve, nobody asks
        if gate[name] is None:
            del gate[name]
    numbers = [policy.alpha, policy.min_effect, policy.min_runs, *gate.values()]
    numbers += [part for rule in policy.thresholds.values() for part in (rule.absolute, rule.relative_pct)]
    assert all(0 <= number <= 1_000_000 for number in numbers)
    assert max(policy.min_runs, policy.gate.min_runs) <= MOST_RUNS
    assert policy_from_json(json.loads(json.dumps(policy_to_json(policy), allow_nan=False))) == policy


def test_what_was_saved_when_less_was_refused_counts_as_the_bound():
    rules = {"absolute": 1e9, "relative_pct": 5, "reason": "two\nlines" + 400 * "."}
    saved = DEFAULT_JSON | {
        "min_runs": 1_000_000,
        "thresholds": {"*": rules},
        "overrides": [{"metric": "*", "app": "mail", "interaction_type": None, "threshold": rules}],
        "gate": DEFAULT_JSON["gate"] | {"min_runs": 10**9},
    }
    with pytest.raises(PolicyError):
        policy_from_json(saved)

    policy = stored_policy(saved)

    assert (policy.min_runs, policy.gate.min_runs, policy.alpha) == (10_000, 10_000, 0.05)
    assert (policy.thresholds["*"].absolute, policy.overrides[0].threshold.absolute) == (1e6, 1e6)
    assert policy.thresholds["*"].reason.startswith("two lines...")
    assert stored_policy(DEFAULT_JSON) == DEFAULT_POLICY
