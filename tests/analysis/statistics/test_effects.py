import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from analysis.statistics.effects import effect_word, q_of_one_sided, q_values
from tests.analysis.statistics import naive


@pytest.mark.parametrize(
    ("delta", "word"),
    [
        (0.0, "negligible"),
        (0.146, "negligible"),
        (0.147, "small"),
        (-0.33, "medium"),
        (0.474, "large"),
        (-1, "large"),
    ],
)
def test_effect_word(delta, word):
    assert effect_word(delta) == word


@given(p_values=st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_q_values_agree_with_the_definition_and_scipy(p_values):
    assert q_values(p_values) == pytest.approx(naive.q_values(p_values))
    assert q_values(p_values) == pytest.approx(false_discovery_control(p_values))


def test_missing_p_values_do_not_count_as_tests():
    q = q_values([0.01, np.nan, 0.5])

    assert q[0] == pytest.approx(0.02)
    assert np.isnan(q[1])


def test_one_sided_p_values_are_doubled_first():
    assert q_of_one_sided([0.01, 0.8]) == pytest.approx(q_values([0.02, 1.0]))
