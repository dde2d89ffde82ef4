"""What a VP8 recorder draws finer when all rests, on events made by hand."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.events.cursor.pointer import Pointer
from analysis.events.refining import find_refined
from tests.analysis.events.handmade import SHAPE, film_blocks, nothing_ignored

PAGE, PART = (slice(10, 40), slice(4, 26)), (slice(12, 16), slice(6, 12))
WIDER = (slice(4, 46), slice(2, 28))


def refined(steps, codec="vp8", pointer=None, itself=None):
    """Return when pictures are drawn finer, ms; `steps` are (ms, place, levels) that a page takes."""

    def paint(board, time):
        for at, place, levels in steps:
            board[place] -= levels * (time >= at)

    recording, changes = film_blocks(paint, np.arange(0, 5000, 40.0).tolist())
    recording = replace(recording, info=replace(recording.info, codec=codec))
    steps = {} if pointer is None else {p: changes.blocks(p) & pointer for p in changes.changed_pictures()}
    found = find_refined(recording, changes, nothing_ignored() if itself is None else itself, Pointer(SHAPE, steps))
    return recording.picture_ms[sorted(found)].tolist()


MOTION = [(920, PAGE, 20), (960, PAGE, 20), (1000, PAGE, 40), (1040, PAGE, 30)]
SLOW = [(800, PAGE, 20), (920, PAGE, 20), (1040, PAGE, 30)]


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([(1120, PART, 8), (1160, PART, 7)], [1120, 1160]),  # and what follows it
        ([(1080, PART, 8), (1120, PART, 7)], []),  # without a rest
        ([(1120, PART, 8), (1200, PAGE, 20), (1240, PART, 8)], [1120]),  # until something moves again
        ([(1120, WIDER, 8)], []),  # more than had moved: a fade begins
        ([(3520, PART, 8)], [3520]),
        ([(3560, PART, 8)], []),  # so late it has done
    ],
    ids=["finer", "no rest", "moves again", "more", "within", "late"],
)
def test_faint_changes_after_a_rest_are_the_encoders(steps, expected):
    assert refined([*MOTION, *steps]) == expected


@pytest.mark.parametrize(("after_ms", "expected"), [(120, []), (200, [1240])], ids=["goes on", "rests"])
def test_a_slow_screen_rests_by_its_own_pace(after_ms, expected):
    assert refined([*SLOW, (1040 + after_ms, PART, 8)]) == expected


def test_other_codecs_do_not():
    assert refined([*MOTION, (1120, PART, 8)], codec="h264") == []


@pytest.mark.parametrize("who", ["pointer", "itself"])
def test_neither_a_cursor_nor_what_goes_on_by_itself_is_a_motion(who):
    area, there = nothing_ignored(), (slice(42, 44), slice(4, 6))
    area[there] = True
    moves = [(1120 + 40 * step, there, 30 * (-1) ** step) for step in range(3)]
    steps = [*MOTION, *moves, (1200, PART, 8)]
    assert refined(steps) == []
    assert refined(steps, **{who: area}) == [1200]
