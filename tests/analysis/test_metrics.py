import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.metrics import EVERY_METRIC, METRICS, Judged, compute_metrics
from analysis.metrics.smoothness import SMOOTHNESS, dropped_frames, dropped_frames_paper, longest_freeze_ms
from tests import naive


def judged(times, hz=60.0, action=0.0):
    times = np.array(times, float)
    return Judged(times, np.arange(len(times)), 0, len(times) - 1, action, hz)


@pytest.mark.parametrize(("hz", "lost"), [(60, 0), (60, 1), (90, 1), (120, 3)])
def test_a_gap_counts_the_slots_it_lost_at_every_refresh_rate(hz, lost):
    slot = 1000 / hz
    assert dropped_frames(judged([0, slot, slot * (2 + lost)], hz)) == lost


def test_the_papers_formula_is_kept_as_it_is():
    assert dropped_frames_paper(judged([0, 16.667])) == -1
    assert dropped_frames_paper(judged([0, 16.68])) == 0
    assert dropped_frames_paper(judged([0, 33.33])) == 0
    assert dropped_frames_paper(judged([0, 50.02])) == 2


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(1, 600), max_size=20), st.sampled_from([60.0, 90.0, 120.0]))
def test_dropped_frames_equal_their_twin(gaps, hz):
    times = [0.0, *np.cumsum(gaps)]
    assert dropped_frames(judged(times, hz)) == naive.dropped(times, hz, SMOOTHNESS.pause_ms)


def test_a_pause_is_no_drop_and_no_freeze():
    measured = judged([0, 16.7, 516.7, 550])
    assert dropped_frames(measured) == 1
    assert longest_freeze_ms(measured) == pytest.approx(33.3)


def test_a_launch_has_a_launch_time_instead_of_a_finish_time():
    values = compute_metrics(judged([100, 400], action=50), "launch", METRICS)
    assert values["launch_time_ms"] == 350
    assert values["finish_time_ms"] is None
    assert compute_metrics(judged([100, 400]), "tap", METRICS)["launch_time_ms"] is None


def test_without_moments_every_metric_is_none_and_never_zero():
    nothing = Judged(np.arange(3.0), np.empty(0, np.int64), None, None, 0.0, 60.0)
    assert set(compute_metrics(nothing, "tap", EVERY_METRIC).values()) == {None}


def test_the_papers_formula_and_the_freeze_are_offered_but_not_by_default():
    assert set(METRICS) == {"response_time_ms", "finish_time_ms", "launch_time_ms", "dropped_frames"}
    assert {"dropped_frames_paper", "longest_freeze_ms"} <= set(EVERY_METRIC)
