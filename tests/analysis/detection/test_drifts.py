"""Small things that fade so slowly that they are noticed late, and when that is over."""

import numpy as np
import pytest

from analysis.detection.drifts import DRIFT, reveal_drifts
from analysis.measure import measure_screencast
from analysis.options import MeasureOptions
from tests.analysis.events.handmade import SLOT, film_blocks, find_in, judged, nothing_ignored, slots
from tests.analysis.filmed import LOSSLESS
from tests.analysis.scenes import box
from tests.synthetic import Clip, Screen, every, film

ACTION_MS, BEGINS, TAKES = 300.0, 600.0, 700.0
FOUND = 800.0  # ms, when it has come 8 levels far
LATE = 950.0  # ms, when less than 5 levels are left
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
    more = reveal_drifts(recording, changes, nothing_ignored(), action_ms)
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
        {"fades": lambda time: gone(time) if time <= LATE else gone(max(time - 200.0, LATE)), "found_ms": LATE},
        {"where": np.s_[10:34, 5:9]},
        {"where": np.s_[10:17, 29:30]},
        {"action_ms": 1500.0},
    ],
    ids=["a jump", "not far", "back", "it rests on its way", "large", "short", "before the action"],
)
def test_nothing_is_added_where_no_slow_drift_goes_on(case):
    assert not len(revealed(**case))


def unseen(fades, where=BAR, besides=None, action_ms=ACTION_MS, ignored=None):
    """Return the times of the pictures that are added, ms, and which of them are drifts alone."""

    def paint(board, time):
        board[where] -= fades(time)
        if besides:
            besides(board, time)

    recording, changes = film_blocks(paint, slots(1.8))
    more = reveal_drifts(recording, changes, nothing_ignored() if ignored is None else ignored, action_ms)
    added = np.flatnonzero(more.count > changes.count)
    alone = {float(recording.picture_ms[picture]) for picture in more.drifts}
    for picture in added:
        assert not (nothing_ignored_but(where) & ~more.blocks(picture)).any()
    return recording.picture_ms[added], alone


def nothing_ignored_but(where):
    blocks = nothing_ignored()
    blocks[where] = True
    return blocks


def jumping(time, step=3.0, every_ms=70.0, count=5, levels=0.0):
    """Return how far it has faded, levels: an encoder holds it, and lets it come by jumps nobody would see."""
    return levels + step * np.clip((time - BEGINS + 1) // every_ms + 1, 0, count)


@pytest.mark.parametrize(("where", "step"), [(BAR, 3.0), (np.s_[20:24, 10:13], 4.0)], ids=["a bar", "a dot"])
def test_a_fade_that_comes_by_small_jumps_is_seen_by_what_came_of_it(where, step):
    times, alone = unseen(lambda time: jumping(time, step), where)
    due = [next(time for time in slots(1.8) if time >= BEGINS - 1 + index * 70.0) for index in range(5)]
    assert times == pytest.approx(due[:4] if step == 3 else due[:5], abs=1)
    assert alone == set(times)


def test_what_comes_and_goes_again_is_as_far_away_as_it_ever_was():
    """A scrollbar that was not there at the action, and not in the end."""
    times, _ = unseen(lambda time: 15.0 * (time >= 425) - jumping(time))
    assert times[-1] == pytest.approx(BEGINS + 3 * 70.0, abs=SLOT + 1)


@pytest.mark.parametrize(
    ("answers_ms", "steps"), [(BEGINS + 66, 3), (BEGINS - 200, 7)], ids=["meanwhile", "before"]
)
def test_what_drifts_as_the_answer_begins_is_no_step_of_its_own(answers_ms, steps):
    def opens(board, time):
        board[2:5, 2:5] -= 40.0 * (time >= answers_ms)

    times, _ = unseen(lambda time: jumping(time, step=2.0, count=8), besides=opens)
    assert len(times) == steps
    assert (times > answers_ms + DRIFT.rest_ms).all()


def test_two_that_drift_at_once_are_both_added():
    def paint(board, time):
        board[BAR] -= jumping(time)
        board[20:32, 2:3] += jumping(time)

    recording, changes = film_blocks(paint, slots(1.8))
    more = reveal_drifts(recording, changes, nothing_ignored(), ACTION_MS)
    assert set(more.count[more.count > changes.count]) == {24 + 12}


def test_a_drift_beside_something_that_is_seen_is_none_alone():
    def counts(board, time):
        board[2:5, 2:5] -= 40.0 * ((time - BEGINS + 1) // 70.0 % 2)

    times, alone = unseen(jumping, besides=counts)
    assert (len(times), alone) == (4, set())


@pytest.mark.parametrize(
    "case",
    [
        {"fades": lambda time: 5.5 * (time >= BEGINS)},
        {"fades": lambda time: jumping(time, step=1.5, count=3)},
        {"fades": lambda time: jumping(time) + 3.0 * (int(time / 40) % 2)},
        {"fades": lambda time: jumping(time, step=4.0, every_ms=560.0, count=3)},
        {"fades": jumping, "where": np.s_[10:17, 29:30]},
        {"fades": jumping, "where": np.s_[10:34, 5:7]},
        {"fades": jumping, "ignored": nothing_ignored_but(BAR)},
        {"fades": jumping, "action_ms": 1500.0},
        {"fades": lambda time: jumping(time) * (time < 1200)},
    ],
    ids=["a jump", "not far", "to and fro", "slow", "short", "large", "masked", "before the action", "back"],
)
def test_nothing_is_added_where_nothing_came_of_a_drift(case):
    assert not len(unseen(**case)[0])


def test_the_rim_of_what_drifts_moves_too_little_to_tell_that_it_goes_on():
    def paint(board, time):
        board[36:46, 4:20] = 90 if time >= ACTION_MS + 99 else 200
        done = np.clip((time - BEGINS) / TAKES, 0, 1)
        board[10:20, 27] -= 30.0 * done
        board[10:28, 26] -= 12.0 * done

    recording, changes = film_blocks(paint, slots(1.8))
    more = reveal_drifts(recording, changes, nothing_ignored(), ACTION_MS)
    moments = judged(recording, more, MeasureOptions(action_ms=ACTION_MS))
    finish = recording.time_ms[moments.finish]
    assert finish == pytest.approx(BEGINS + 0.9 * TAKES, abs=SLOT)  # 3 of 30 levels are left


SCROLLBAR, HANDLE = np.s_[160:320, 256:264], np.s_[-16:-8, 88:176]


@pytest.mark.parametrize(
    ("thing", "begins", "step", "every_ms", "finish"),
    [(SCROLLBAR, 1500, 5, 120, 1360), (SCROLLBAR, 1500, 3, 80, 1320), (HANDLE, 800, 3, 80, 100)],
    ids=["far apart", "close", "a handle"],
)
def test_a_film_in_which_something_fades_by_small_jumps(thing, begins, step, every_ms, finish, tmp_path):
    """A page comes 100 ms after the action, with a bar. A system's handle fades by itself: no finish."""

    def paint(picture, time):
        if time >= 600:
            box(picture, 0.0, 0.2, 1.0, 0.9, (235, 235, 235))
            picture[thing] = 210 + step * int(np.clip((time - begins) // every_ms + 1, 0, 20 / step))

    clip = Clip(every(60, 2.6), options=LOSSLESS)
    measured = measure_screencast(film(tmp_path / "a.mp4", Screen(), paint, clip), MeasureOptions(action_ms=500.0))
    assert measured.metrics["response_time_ms"] == pytest.approx(100, abs=SLOT)
    assert measured.metrics["finish_time_ms"] == pytest.approx(finish, abs=1.5 * SLOT)
    assert measured.metrics["dropped_frames"] == 0
