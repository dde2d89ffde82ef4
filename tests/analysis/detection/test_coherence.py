"""Faint changes that only a neighbourhood as a whole shows."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from analysis.detection.coherence import COHERENCE, moves_together
from analysis.measure import measure_screencast
from analysis.options import MeasureOptions
from tests.analysis.faint_scenes import halo
from tests.analysis.filmed import QUICK
from tests.analysis.scenes import ACTION_MS, SLOT
from tests.synthetic import Clip, Screen, every, film

OPTIONS = MeasureOptions(action_ms=ACTION_MS)
REACH, AGREE = COHERENCE.reach, COHERENCE.agree


def slow_twin(shift, least):
    rows, columns = shift.shape
    together = np.zeros(shift.shape, bool)
    for row in range(rows):
        for column in range(columns):
            near = shift[max(0, row - REACH) : row + REACH + 1, max(0, column - REACH) : column + REACH + 1]
            agree = near.sum() ** 2 >= AGREE * (near**2).sum()
            together[row, column] = agree and abs(near.sum()) >= least * (2 * REACH + 1) ** 2
    return np.array(
        [
            [
                together[max(0, y - REACH) : y + REACH + 1, max(0, x - REACH) : x + REACH + 1].any()
                and abs(shift[y, x]) >= least / 2
                for x in range(columns)
            ]
            for y in range(rows)
        ]
    )


@settings(max_examples=40, deadline=None)
@given(arrays(np.int64, (12, 11), elements=st.integers(-6, 9)), st.sampled_from([0.5, 1.0, 2.0]))
def test_moving_together_equals_its_slow_twin(shift, least):
    np.testing.assert_array_equal(moves_together(shift.astype(float), least), slow_twin(shift, least))


def test_noise_does_not_move_together_and_a_halo_does():
    noise = np.random.default_rng(4).normal(0, 4, (60, 40))
    assert not moves_together(noise, 2.0).any()
    noise[20:27, 10:17] += 5
    found = moves_together(noise, 2.0)
    assert found[20:27, 10:17].mean() > 0.8
    assert not found[35:].any()


@pytest.mark.parametrize("leaves", [True, False])
def test_a_halo_that_leaves_where_a_knob_jumped_is_the_finish(leaves, tmp_path):
    clip = Clip(every(60, 2), options=QUICK)
    measured = measure_screencast(film(tmp_path / "clip.mp4", Screen(), partial(halo, leaves), clip), OPTIONS)
    assert measured.metrics["response_time_ms"] == pytest.approx(50, abs=SLOT)
    assert measured.metrics["finish_time_ms"] == pytest.approx(350 if leaves else 50, abs=SLOT)
