import numpy as np
import pandas as pd
import pytest

from benchmarks.detection import main
from benchmarks.detection_score import alarms, judge_both, scores
from benchmarks.detection_simulated import KINDS, UNCLEAR, simulate


@pytest.fixture
def rng():
    return np.random.default_rng(2)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.metric)
def test_simulated_pairs_move_by_what_they_say(kind, rng):
    samples = simulate(kind, 200, 40, rng, changed=True)

    medians = samples.groupby(["interaction", "side"])["value"].median().unstack()
    multiples = samples.groupby("interaction")["true_multiple"].first()
    moved = medians["new"] - medians["base"]

    assert np.corrcoef(moved, multiples)[0, 1] > 0.9
    assert (samples["value"] >= 0).all()
    unclear = multiples.between(*UNCLEAR, inclusive="neither")
    assert kind.metric == "dropped_frames" or not unclear.any()


def test_pairs_without_a_change_have_none(rng):
    assert (simulate(KINDS[0], 10, 20, rng, changed=False)["true_multiple"] == 0).all()


def test_scores_count_what_was_said_against_the_truth():
    rows = judge_both(simulate(KINDS[0], 5, 4, np.random.default_rng(0), changed=True))
    rows = rows.assign(is_verdict=[True, True, False, False], is_rank_only=[True] * 4)
    truth = pd.Series([True, False, True, False])

    found = scores(rows, truth)

    assert (found["verdict P"], found["verdict R"], found["verdict F1"]) == (0.5, 0.5, 0.5)
    assert (found["rank_only P"], found["rank_only R"]) == (0.5, 1.0)


def test_both_orders_of_a_quiet_pair_count_as_alarms(rng):
    rows = judge_both(simulate(KINDS[0], 5, 4, rng, changed=False))
    rows = rows.assign(
        verdict=["regression", "improvement", "no_change", "imperceptible"], p_value=[0.01] * 2 + [0.4] * 2
    )

    assert (alarms(rows)["verdict alarms %"], alarms(rows)["rank_only alarms %"]) == (25.0, 25.0)


def test_aims_hold_at_twenty_runs_and_the_rank_test_alone_misses_them(rng):
    for kind in KINDS:
        samples = simulate(kind, 20, 400, rng, changed=True)
        truth = (samples.groupby("interaction")["true_multiple"].first() > 1).reset_index(drop=True)
        found = scores(judge_both(samples), truth)
        assert found["verdict F1"] >= 0.95
        assert found["rank_only P"] < found["verdict P"]
        assert alarms(judge_both(simulate(kind, 20, 400, rng, changed=False)))["verdict alarms %"] <= 1.5


def test_command_prints_both_tables(capsys):
    assert main(["--pairs", "20"]) == 0

    printed = capsys.readouterr().out
    assert "verdict F1" in printed
    assert "false alarms" in printed
