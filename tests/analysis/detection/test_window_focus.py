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


def found(blocks, at_ms=1050.0):
    pictures = [np.zeros(SHAPE, dtype=bool) for _ in TIMES]
    pictures[int(at_ms / 25)] = blocks
    packed = [np.packbits(picture) for picture in pictures]
    counts = np.array([picture.sum() for picture in pictures], float)
    changes = Changes(SHAPE, packed, counts, counts, 0.0, BlockLimits())
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
