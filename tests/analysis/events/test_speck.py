"""A speck that changes long after all else, on events made by hand: no finish, unless nothing else answers."""

import pytest

from tests.analysis.events.acted import ACTION_MS, measure, near, opens


def specks(place, at_ms, twice=False):
    """Paint a page that opens at 1,200 ms and something small that changes at `at_ms`."""

    def paint(board, time):
        opens(board, time)
        board[place] -= 40.0 * (time >= at_ms) + 20.0 * (twice and time >= at_ms + 30)

    return paint


@pytest.mark.parametrize(
    ("place", "at_ms", "twice", "decides"),
    [
        ((slice(5, 6), slice(5, 7)), 2400.0, False, False),
        ((slice(5, 6), slice(5, 7)), 1900.0, False, True),
        ((slice(5, 6), slice(5, 8)), 2400.0, False, True),
        ((slice(5, 6), slice(5, 7)), 2400.0, True, True),
    ],
    ids=["a speck, long after", "sooner", "larger", "in two steps"],
)
def test_a_speck_long_after_all_else_is_not_the_finish(place, at_ms, twice, decides):
    (response, finish), _ = measure(specks(place, at_ms, twice))
    assert response == near(200)
    assert finish == near(at_ms - ACTION_MS + 30 * twice if decides else 200)
    (_, finish), _ = measure(specks(place, at_ms, twice), without=("speck",))
    assert finish == near(at_ms - ACTION_MS + 30 * twice)


def test_a_speck_is_the_answer_where_there_is_no_other():
    (response, finish), _ = measure(lambda board, time: board[5:6, 5:7].__isub__(40.0 * (time >= 2400)))
    assert (response, finish) == (near(1400), near(1400))
