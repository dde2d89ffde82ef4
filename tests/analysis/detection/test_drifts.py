"""Small things that fade so slowly that they are noticed late, and when that is over."""

import numpy as np
import pytest

from analysis.detection.drifts import DRIFT, reveal_drifts
from tests.analysis.events.handmade import SLOT, film_blocks, find_in, slots

ACTION_MS, BEGINS, TAKES = 300.0, 600.0, 700.0
FOUND = 800.0  # ms, when it has come 8 levels far
BAR = np.s_[10:34, 29:30]


def gone(time, far=17.0):
    """Return how far it has faded, levels: quickly at first, then ever more slowly."""
    done = float(np.clip((time - BEGINS) / TAKES, 0, 1))
    return far * (1 - (1 - done) ** 2)


def revealed(fades=gone, where=BAR, besides=None, found_ms=FOUND, action_ms=ACTION_MS):
    """Return the times of the pictures that are added, ms, where the fade was found at `found_ms`."""

    def paint(board, time):
        board[where] -= fades(time)
        if besides:
            besides(board, time)

    recording, changes = film_blocks(paint, slots(1.8))
    found = int(np.searchsorted(recording.picture_ms, found_ms - 1))
    find_in(changes, found, where)
    more = reveal_drifts(recording, changes, action_ms)
    added = np.flatnonzero(more.count > changes.count)
    for picture in added:
        assert (more.blocks(picture) == changes.blocks(found)).all()
    return recording.picture_ms[added]


def over(until_ms):
    """Return when so little is left of what it goes until a time, ms."""
    return next(time for time in slots(1.8) if time >= FOUND - 1 and gone(until_ms) - gone(time) <= DRIFT.left)


def test_a_slow_fade_is_over_when_nobody_sees_what_is_left_of_it():
    added = revealed()
    assert added[0] == pytest.approx(FOUND + SLOT, abs=1)
    assert added[-1] == pytest.approx(over(BEGINS + TAKES), abs=SLOT + 1)
    assert np.diff(added).max() < 1.5 * SLOT


def test_it_is_followed_until_something_else_changes():
    def opens(board, time):
        board[2:5, 2:5] -= 40.0 * (time >= 949)

    assert revealed(besides=opens)[-1] == pytest.approx(over(950 - SLOT), abs=1)


@pytest.mark.parametrize(
    "case",
    [
        {"fades": lambda time: 17.0 * (time >= FOUND - 1)},
        {"fades": lambda time: gone(time, 9.0)},
        {"fades": lambda time: gone(time) if time <= FOUND else gone(FOUND) - 4.0 * (time >= FOUND + 60)},
        {"fades": lambda time: gone(time) if time <= FOUND else gone(max(time - 200.0, FOUND))},
        {"where": np.s_[10:34, 5:9]},
        {"where": np.s_[10:17, 29:30]},
        {"action_ms": 1500.0},
    ],
    ids=["a jump", "not far", "back", "it rests on its way", "large", "short", "before the action"],
)
def test_nothing_is_added_where_no_slow_drift_goes_on(case):
    assert not len(revealed(**case))
