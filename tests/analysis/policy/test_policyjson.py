from analysis.policy.policy import DEFAULT_POLICY, GateRules, Policy
from analysis.policy.policyjson import policy_changes
from analysis.policy.thresholds import Override, Threshold

GAME = Override("dropped_frames", Threshold(1, 0, "games"), app="2048")
TAPS = Override("*", Threshold(9, 0), interaction_type="tap")


def test_equal_policies_have_no_changes_whatever_their_names():
    assert policy_changes(DEFAULT_POLICY, Policy(name="other", version=4)) == []


def test_each_changed_value_is_one_line():
    new = Policy(alpha=0.01, gate=GateRules(budget_pct=3), ladder=(("Minor", 1.0), ("Severe", 5.0)))

    assert policy_changes(DEFAULT_POLICY, new) == [
        "alpha: 0.05 → 0.01",
        "gate.budget_pct: 2.0 → 3",
        "ladder.Noticeable.0: Noticeable → –",
        "ladder.Noticeable.1: 2.0 → –",
        "ladder.Severe.1: 4.0 → 5.0",
    ]


def test_overrides_are_named_by_where_they_apply_not_by_their_order():
    assert policy_changes(Policy(overrides=(GAME, TAPS)), Policy(overrides=(TAPS, GAME))) == []
    changes = policy_changes(Policy(overrides=(TAPS,)), Policy(overrides=(TAPS, GAME)))
    assert "overrides.2048 dropped_frames.threshold.absolute: – → 1" in changes
