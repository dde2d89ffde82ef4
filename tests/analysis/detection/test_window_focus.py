"""A desktop's window that comes to the front: its frame changes, and what it shows does not."""

import numpy as np
import pytest

from analysis.detection.changes import Changes
from analysis.detection.window_focus import find_focus
from analysis.kernels.limits import BlockLimits

SHAPE = (96, 48)
ACTION_MS = 1000.0
TIMES = np.arange(100) * 25.0


def frame(top=1, left=1, bottom=95, right=47, thick=2, title=4):
    blocks = np.zeros(SHAPE, dtype=bool)
    blocks[top:bottom, left:right] = True
    blocks[top + title : bottom - thick, left + thick : right - thick] = False
    return blocks


def found(blocks, at_ms=1050.0, others=()):
    pictures = [np.zeros_like(blocks) for _ in TIMES]
    for time, changed in ((at_ms, blocks), *others):
        pictures[int(time / 25)] = changed
    packed = [np.packbits(picture) for picture in pictures]
    counts = np.array([picture.sum() for picture in pictures], float)
    changes = Changes(blocks.shape, packed, counts, counts, 0.0, BlockLimits())
    return find_focus(changes, TIMES, ACTION_MS)


def test_a_frame_all_around_is_a_window():
    ((picture, blocks),) = found(frame()).items()
    assert TIMES[picture] == 1050
    assert (blocks == frame()).all()


def test_what_answers_within_is_not_its_own():
    blocks = frame()
    blocks[40:44, 20:30] = True
    (own,) = found(blocks).values()
    assert (own == frame()).all()


SIDES = [np.s_[:8], np.s_[-8:], np.s_[:, :8], np.s_[:, -8:]]


def open_at(*sides):
    blocks = frame()
    for side in sides:
        blocks[side] = False
    return blocks


@pytest.mark.parametrize("side", SIDES)
def test_on_one_side_a_shadow_may_be_too_faint(side):
    assert found(open_at(side))


def test_a_shadow_may_be_too_faint_here_and_there():
    blocks = frame()
    blocks[40:43, :4] = blocks[40:43, -4:] = False
    assert found(blocks)


@pytest.mark.parametrize("first", range(4))
def test_a_frame_that_is_open_on_two_sides_is_none(first):
    assert not found(open_at(SIDES[first], SIDES[(first + 1) % 4]))
    assert not found(open_at(SIDES[first], SIDES[(first + 2) % 4]))


@pytest.mark.parametrize(
    "blocks",
    [
        frame(thick=6, title=10),  # a page dims around a dialog
        frame(top=24, bottom=72),  # a card that gets a rim
        frame(left=12, right=36),
        np.ones(SHAPE, dtype=bool),
        np.zeros(SHAPE, dtype=bool),
    ],
    ids=["deep", "low", "narrow", "all", "nothing"],
)
def test_what_else_changes_is_no_frame(blocks):
    assert not found(blocks)


def test_a_frame_joined_to_what_it_shows_is_none():
    blocks = frame()
    blocks[30:60, :40] = True
    assert not found(blocks)


@pytest.mark.parametrize("at_ms", [950.0, 2100.0])
def test_only_a_click_brings_a_window_to_the_front(at_ms):
    assert not found(frame(), at_ms)


def test_a_frame_around_a_dialog_is_the_pages_that_goes_on_dimming():
    page = np.ones(SHAPE, dtype=bool)
    assert not found(frame(), 1100.0, others=[(1050.0, page)])
    assert found(frame(), 1100.0, others=[(1150.0, page)])


def test_a_word_that_pales_near_the_frame_is_not_its_own():
    blocks = frame()
    blocks[7:9, 10:14] = True
    (own,) = found(blocks).values()
    assert (own == frame()).all()


def rows_of(first, last):
    blocks = np.zeros(SHAPE, dtype=bool)
    blocks[first:last] = True
    return blocks


ANSWER = (1200.0, rows_of(40, 60))


def test_a_title_alone_is_a_window_if_something_else_answers():
    assert found(rows_of(0, 3), others=[ANSWER])
    assert not found(rows_of(0, 3))


def test_a_title_may_fade():
    assert found(rows_of(0, 3), others=[(1100.0, rows_of(0, 3)), ANSWER])


@pytest.mark.parametrize(
    ("blocks", "others"),
    [
        (rows_of(0, 3), [(1250.0, rows_of(0, 3))]),
        (rows_of(0, 1), []),
        (rows_of(0, 12), []),
        (rows_of(3, 6), []),
        (rows_of(0, 3) | rows_of(50, 51), []),
    ],
    ids=["goes on", "a line that loads", "a bar of an app", "below the edge", "more changes"],
)
def test_what_else_changes_at_the_top_is_no_title(blocks, others):
    assert not found(blocks, others=[ANSWER, *others])


def test_a_title_that_changes_late_is_an_apps():
    assert not found(rows_of(0, 3), at_ms=1175.0, others=[ANSWER])


def test_a_picture_of_a_few_blocks_has_no_frame():
    blocks = np.ones((8, 20), dtype=bool)
    blocks[1:-1, 1:-1] = False
    assert not found(blocks)
