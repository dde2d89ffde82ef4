"""What an encoder had left behind, as it draws it when all rests, on events made by hand."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.events.cursor.pointer import Pointer
from analysis.events.stale import find_stale
from tests.analysis.events.acted import ACTION_MS, OPTIONS, near
from tests.analysis.events.handmade import SHAPE, film_blocks, judged, nothing_ignored, slots

LATE_MS = 1500.0
PIECE = (slice(8, 16), slice(8, 24))  # two superblocks of 8 × 8 blocks
AT_THE_EDGE = (slice(40, 48), slice(24, 30))


def dims(
    board,
    time,
    piece=PIECE,
    late_ms=LATE_MS,
    page=(slice(0, 48), slice(0, 30)),
    to=140.0,
    hole=(slice(0), slice(0)),
):
    """A page dims from 1100 ms on, in four steps; a piece of it stays as it was."""
    before = board[piece].copy()
    board[page] -= 15 * np.clip((time - 1099) // 50 + 1, 0, 4)
    drawn = board[hole].copy()
    board[piece] = to if time >= late_ms - 1 else before
    board[hole] = drawn


def filmed(codec="libdav1d", key_frames=(), paint=dims, **way):
    recording, changes = film_blocks(
        lambda board, time: paint(board, time, **way), slots(2.5), key_frames=key_frames
    )
    return replace(recording, info=replace(recording.info, codec=codec)), changes


def stale(itself=None, pointer=None, action_ms=ACTION_MS, **way):
    """Return when something stale is drawn, ms."""
    recording, changes = filmed(**way)
    own = {} if pointer is None else {p: changes.blocks(p) & pointer for p in changes.changed_pictures()}
    found = find_stale(
        recording, changes, nothing_ignored() if itself is None else itself, Pointer(SHAPE, own), action_ms
    )
    return [near(float(recording.picture_ms[picture])) for picture in found]


@pytest.mark.parametrize("piece", [PIECE, AT_THE_EDGE], ids=["amidst", "at the edge"])
def test_whole_superblocks_that_are_drawn_when_all_rests_had_been_left_behind(piece):
    assert stale(piece=piece) == [LATE_MS]


@pytest.mark.parametrize(
    "way",
    [
        {"codec": "h264"},
        {"piece": (slice(8, 16), slice(8, 23))},
        {"piece": (slice(7, 16), slice(8, 24))},
        {"hole": (slice(10, 14), slice(10, 14))},
        {"piece": (slice(8, 40), slice(0, 30))},
        {"late_ms": 1320.0},
        {"page": (slice(8, 40), slice(8, 24)), "piece": PIECE},
        {"to": 40.0},
    ],
    ids=[
        "another codec",
        "a part of one",
        "beyond its edge",
        "with a hole",
        "most of the screen",
        "too soon",
        "nothing moved",
        "stands out",
    ],
)
def test_anything_else_is_not(way):
    assert stale(**way) == []


def test_the_finish_is_when_all_around_it_had_come_to_rest():
    finishes = []
    for codec in ("libdav1d", "h264"):
        recording, changes = filmed(codec)
        moments = judged(recording, changes, OPTIONS)
        finishes.append(float(recording.time_ms[moments.finish]) - ACTION_MS)
    assert finishes == [near(250), near(500)]


MOVES = (slice(2, 4), slice(2, 4))


def with_a_blinker(board, time):
    """Something small goes on to change beside the page that dims."""
    dims(board, time)
    board[MOVES] = 60 + 40 * (time // 50 % 3)


@pytest.mark.parametrize("who", ["pointer", "itself"])
def test_neither_a_cursor_nor_what_goes_on_by_itself_is_a_motion(who):
    area = nothing_ignored()
    area[MOVES] = True
    assert stale(paint=with_a_blinker) == []
    assert stale(paint=with_a_blinker, **{who: area}) == [LATE_MS]


def test_what_is_drawn_soon_after_a_piece_is_stale_as_well():
    second = (slice(24, 32), slice(8, 16))

    def paint(board, time):
        dims(board, time)
        board[second] = 140 if time >= LATE_MS + 49 else 200

    assert stale(paint=paint) == [LATE_MS, near(LATE_MS + 50)]


def test_what_nothing_had_moved_around_goes_by_itself():
    def paint(board, time):
        dims(board, time, page=(slice(32, 48), slice(0, 30)))
        board[PIECE] = 140 if time < LATE_MS - 1 else 200

    assert stale(paint=paint) == []


def test_a_motion_before_the_action_leaves_nothing():
    assert stale(action_ms=1400.0) == []


def test_blocks_that_do_not_fill_superblocks_tell_nothing():
    recording, changes = filmed()
    recording = replace(recording, grid=replace(recording.grid, size=24))
    assert find_stale(recording, changes, nothing_ignored(), Pointer(SHAPE), ACTION_MS) == {}


def test_what_changes_beside_a_piece_in_its_picture_decides():
    def paint(board, time):
        dims(board, time)
        board[18:20, 10:14] -= 60 * (time >= LATE_MS - 1)

    recording, changes = filmed(paint=paint)
    assert float(recording.time_ms[judged(recording, changes, OPTIONS).finish]) == near(LATE_MS)
