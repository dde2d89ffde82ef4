"""What is left beside a mouse cursor that moves when all else rests, on blocks made by hand."""

import numpy as np
import pytest

from analysis.events.cursor.pointer import Pointer
from analysis.events.traces import find_traces
from tests.analysis.events.cursor.test_pointer import arrives, measure, near, opens
from tests.analysis.events.handmade import SHAPE, film_blocks, nothing_ignored

ACTION_MS = 1000.0
CURSOR = (slice(10, 13), slice(20, 22))  # where it rests
MOVED = (slice(13, 16), slice(20, 22))  # where it is a step later
BESIDE = (slice(9, 11), slice(20, 22))
FRAMES = np.arange(0, 4000, 50.0).tolist()


def sets_out(board, time, stirs=1800.0, moves=1900.0, place=BESIDE, answers=1200.0):
    """The screen answers, something stirs, and a cursor takes a step."""
    if time >= answers:
        board[30:40, 4:26] = 60
    if time >= stirs:
        board[place] = 150
    board[MOVED if time >= moves else CURSOR] = 40
    if time >= stirs and moves > time:
        board[place] = 150


def traced(moves=1900.0, frames=FRAMES, hovered=(), **way):
    """Return the times of what is traced, ms, and the blocks; the cursor's one step is known."""
    recording, changes = film_blocks(lambda board, time: sets_out(board, time, moves=moves, **way), frames)
    own = nothing_ignored()
    own[CURSOR] = own[MOVED] = True
    step = int(np.searchsorted(recording.picture_ms, moves))
    pointer = Pointer(SHAPE, {step: own}, (), dict(hovered))
    found = find_traces(recording, changes, pointer, nothing_ignored(), ACTION_MS)
    return [float(recording.picture_ms[picture]) for picture in found], found


@pytest.mark.parametrize(
    ("way", "times"),
    [
        ({}, [1800.0]),
        ({"moves": 1700.0}, [1800.0]),
        ({"place": (slice(10, 13), slice(22, 24))}, []),
        ({"place": (slice(9, 17), slice(19, 22))}, []),
        ({"stirs": 1300.0, "moves": 1400.0}, []),
        ({"answers": 9000.0}, []),
        ({"moves": 2100.0}, []),
        ({"stirs": 800.0, "moves": 900.0, "answers": 100.0}, []),
    ],
    ids=[
        "before its first step", "after it", "aside of it", "too large", "too soon", "nothing answered",
        "long before", "before the action",
    ],
)  # fmt: skip
def test_a_little_change_beside_a_cursor_that_moves_is_its_own_when_all_else_rests(way, times):
    assert traced(**way)[0] == times


@pytest.mark.parametrize(
    ("columns", "stirs", "times"),
    [(2, 1900.0, [1900.0]), (3, 1900.0, []), (2, 1850.0, [])],
    ids=["a spot", "more", "in a picture of its own"],
)
def test_a_spot_elsewhere_in_the_picture_of_a_step_is_written_along_with_it(columns, stirs, times):
    assert traced(place=(slice(40, 42), slice(4, 4 + columns)), stirs=stirs)[0] == times


def test_what_is_traced_is_no_answer_after_which_the_next_must_wait():
    def twice(board, time):
        sets_out(board, time)
        if time >= 1850:
            board[9, 20] = 110

    recording, changes = film_blocks(twice, FRAMES)
    own = nothing_ignored()
    own[CURSOR] = own[MOVED] = True
    pointer = Pointer(SHAPE, {int(np.searchsorted(recording.picture_ms, 1900.0)): own})
    found = find_traces(recording, changes, pointer, nothing_ignored(), ACTION_MS)
    assert [float(recording.picture_ms[picture]) for picture in found] == [1800.0, 1850.0]


@pytest.mark.parametrize(
    ("every_ms", "answers", "times"), [(50.0, 1600.0, [1800.0]), (100.0, 1600.0, []), (20.0, 1700.0, [])]
)
def test_the_screen_must_have_rested_for_150_ms_and_for_more_than_two_of_its_pictures(every_ms, answers, times):
    def paint(board, time):
        sets_out(board, time, answers=answers)
        board[44:46, 4:20] = 60 + 40 * (min(time, 800.0) // every_ms % 3)

    recording, changes = film_blocks(paint, np.arange(0, 4000, every_ms).tolist())
    own = nothing_ignored()
    own[CURSOR] = own[MOVED] = True
    pointer = Pointer(SHAPE, {int(np.searchsorted(recording.picture_ms, 1900.0)): own})
    found = find_traces(recording, changes, pointer, nothing_ignored(), ACTION_MS)
    assert [float(recording.picture_ms[picture]) for picture in found] == times


def test_the_screen_rests_though_something_goes_on_by_itself():
    spinner = (slice(2, 4), slice(4, 6))

    def paint(board, time):
        sets_out(board, time)
        board[spinner] = 60 + 40 * (time // 50 % 3)

    recording, changes = film_blocks(paint, FRAMES)
    own, elsewhere = nothing_ignored(), nothing_ignored()
    own[CURSOR] = own[MOVED] = elsewhere[spinner] = True
    pointer = Pointer(SHAPE, {int(np.searchsorted(recording.picture_ms, 1900.0)): own})
    found = find_traces(recording, changes, pointer, elsewhere, ACTION_MS)
    assert [float(recording.picture_ms[picture]) for picture in found] == [1800.0]
    assert not any(blocks[spinner].any() for blocks in found.values())
    assert find_traces(recording, changes, pointer, nothing_ignored(), ACTION_MS) == {}


def test_what_lights_up_as_the_cursor_passes_is_told_apart():
    recording, _ = film_blocks(sets_out, FRAMES)
    stirs = int(np.searchsorted(recording.picture_ms, 1800.0))
    lit = nothing_ignored()
    lit[BESIDE] = True
    assert traced(hovered={stirs: lit})[0] == []


def test_without_a_cursor_there_is_no_trace():
    recording, changes = film_blocks(sets_out, FRAMES)
    assert find_traces(recording, changes, Pointer(SHAPE), nothing_ignored(), ACTION_MS) == {}


def stirs_under_it(board, time):
    """What lies beside the resting cursor changes once, long after the answer and just before it leaves."""
    arrives(board, time, 2200)
    if time >= 2120:
        board[25, 13:17] = np.minimum(board[25, 13:17], 60)


def test_the_finish_is_what_the_app_did_before_a_trace():
    assert measure(opens, stirs_under_it)[0] == [near(200), near(200)]
    later = measure(opens, lambda board, time: stirs_under_it(board, min(time, 2190)))
    assert later[0] == [near(200), near(1133)]  # it stays where it is: then that was the app
