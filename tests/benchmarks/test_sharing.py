"""Work that is shared out among processes comes back as if one had done it."""

import pytest

from benchmarks.sharing import in_order


@pytest.mark.parametrize("jobs", [0, 1, 2])
def test_answers_come_in_the_order_of_what_was_asked(jobs):
    assert list(in_order(abs, range(-9, 0), jobs)) == [9, 8, 7, 6, 5, 4, 3, 2, 1]


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_raised_for_one_comes_after_the_answers_before_it(jobs):
    answers = in_order(int, ["1", "none", "3"], jobs)
    assert next(answers) == 1
    with pytest.raises(ValueError, match="none"):
        next(answers)
