"""The yardstick of the bisection table: the plain rule is right where it can be, real data are read in order."""

import numpy as np
import pytest

from benchmarks.bisection import IN_RANGE, RIGHT, WRONG, draw, plain, read, told


@pytest.mark.parametrize("culprit", [1, 6, 13])
def test_the_plain_rule_finds_the_culprit_where_nothing_scatters(culprit):
    ends = np.array([200.0]), np.array([300.0])

    low, high, runs = plain(lambda at, n: np.full(n, 300.0 if at >= culprit else 200.0), (), ends, 13, 4)

    assert (low, high) == (culprit - 1, culprit)
    assert runs <= 4 * 4  # log₂ 13


def test_the_plain_rule_goes_on_beside_builds_that_cannot_be_tested():
    ends = np.array([200.0]), np.array([300.0])

    low, high, _ = plain(lambda at, n: np.full(n, 300.0 if at >= 6 else 200.0), {5, 6}, ends, 13, 4)

    assert (low, high) == (4, 7)


def test_answers_are_told_by_where_the_culprit_lies():
    case = draw(1)

    assert told(case, case.culprit - 1, case.culprit) == RIGHT
    assert told(case, case.culprit - 2, case.culprit) == IN_RANGE
    assert told(case, case.culprit, case.culprit + 1) == WRONG


def test_commits_stand_in_the_order_that_their_comparisons_tell(tmp_path):
    pairs = [("a", "d"), ("a", "c"), ("c", "d"), ("b", "c"), ("a", "b")]
    rows = ["comparison,verdict,lower_commit,higher_commit,side,value"]
    for number, (low, high) in enumerate(pairs):
        rows += [f"{number},Same,{low},{high},lower,1.5", f"{number},Same,{low},{high},higher,2.5"]
    path = tmp_path / "comparisons.csv"
    path.write_text("\n".join(rows))

    builds, runs = read(path)

    assert builds == ["a", "b", "c", "d"]
    assert {name: values.tolist() for name, values in runs.items()} == {
        "a": [1.5],
        "b": [1.5],
        "c": [2.5],
        "d": [2.5],
    }
