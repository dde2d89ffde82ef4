import pytest

from analysis.policy.checks import PolicyError
from analysis.policy.policy import DEFAULT_POLICY, GateRules, Policy
from analysis.policy.policyjson import policy_from_json
from analysis.policy.thresholds import Override, Threshold
from analysis.verdicts.policywords import path_words, policy_changes, problem_words

GAME = Override("dropped_frames", Threshold(1, 0, "games"), app="2048")
TAPS = Override("*", Threshold(9, 0), interaction_type="tap")


def with_thresholds(**thresholds):
    return Policy(thresholds={**DEFAULT_POLICY.thresholds, **thresholds})


def test_equal_policies_have_no_changes_whatever_their_names():
    assert policy_changes(DEFAULT_POLICY, Policy(name="other", version=4)) == []


def test_each_changed_value_is_one_line_in_words():
    new = Policy(alpha=0.01, gate=GateRules(budget_pct=3), ladder=(("Minor", 1.0), ("Severe", 5.0)))

    assert policy_changes(DEFAULT_POLICY, new) == [
        "α, the error rate of the test: 0.05 → 0.01",
        "severity Severe begins at: 4 → 5 θ",
        "severity Noticeable: from 2 θ on, removed",
        "interactions that may regress: 2 → 3 %",
    ]


def test_a_threshold_is_named_by_its_metric_and_has_its_unit():
    new = with_thresholds(response_time_ms=Threshold(80, 25, "slow phones"), freeze_ms=Threshold(200, 0))

    assert policy_changes(DEFAULT_POLICY, new)[:3] == [
        "absolute threshold of response time: 50 → 80 ms",
        "relative threshold of response time: 20 → 25 %",
        "reason of the threshold of response time: “touch latency is felt from about 50 ms on” → “slow phones”",
    ]
    assert policy_changes(new, DEFAULT_POLICY)[-1].endswith(", removed")


def test_exceptions_are_named_by_where_they_apply_not_by_their_order():
    assert policy_changes(Policy(overrides=(GAME, TAPS)), Policy(overrides=(TAPS, GAME))) == []
    assert policy_changes(Policy(overrides=(TAPS,)), Policy(overrides=(TAPS, GAME))) == [
        "exception for 2048, dropped frames: the larger of 1 frames and 0 % (games), added"
    ]
    assert policy_changes(Policy(overrides=(TAPS,)), Policy(overrides=())) == [
        "exception for tap, every metric: the larger of 9 and 0 %, removed"
    ]


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ({"alpha": 2}, "α, the error rate of the test: 2 is outside of 0.000001 to 0.5; choose an error rate"),
        (
            {"gate": {"budget_pct": 200}},
            "interactions that may regress: 200 is outside of 0 to 100; it is",
        ),
        (
            {"thresholds": {"response_time_ms": {"absolute": -5, "relative_pct": 0}}},
            "absolute threshold of response time: -5 is outside of 0 to 1,000,000; a threshold is never negative",
        ),
        (
            {"thresholds": {"response_time_ms": {"absolute": 0, "relative_pct": 0}}},
            "threshold of response time: absolute and relative part are both 0",
        ),
        ({"ladder": [["Minor", 2]]}, "severities: the first step must be 1"),
        (
            {"overrides": [{"metric": "dropped_frames", "threshold": {"absolute": 1, "relative_pct": 0}}]},
            "exceptions",
        ),
        (
            {
                "overrides": [
                    {"app": "a", "metric": "dropped_frames", "threshold": {"absolute": -1, "relative_pct": 0}}
                ]
            },
            "absolute threshold of exception for dropped frames: -1 is outside of 0 to 1,000,000; a threshold",
        ),
    ],
)
def test_a_refusal_names_the_field_in_words(rules, said):
    with pytest.raises(PolicyError) as refused:
        policy_from_json(rules)

    words = problem_words(str(refused.value))
    assert words.startswith(said)
    assert "_" not in words


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("thresholds.response_time_ms.absolute", "absolute threshold of response time"),
        ("thresholds.*.relative_pct", "relative threshold of any other metric"),
        ("overrides.0.absolute", "absolute threshold of exception 1"),
        ("ladder.2.step", "severity 3"),
        ("gate.min_runs", "runs a side to be covered"),
        ("min_runs", "runs a side, at least"),
    ],
)
def test_a_field_of_the_editor_in_words(path, words):
    assert path_words(path) == words
