"""What pixels tell of a ring or a dot that is followed, on two pictures each."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.events.circles import Circle
from analysis.events.round_mark import ROUND, _answers_beneath, _changes_alone, _fades_on, _seen_through, _stirs


@pytest.mark.parametrize(("within", "fades"), [(0, True), (30, False)])
def test_a_ring_too_faint_to_be_round_fades_on_where_nothing_changes_beside_it(within, fades):
    was = Circle(60.0, 60.0, 24.0, 20.0, 1.0, 0)
    before = np.full((120, 120), 100, np.int16)
    now = before.copy()
    assert not _fades_on(before, now, was, ROUND)
    now[50:60, 82:85] += 10  # a piece of its rim
    now[60, 45 : 45 + within] += 10
    assert _fades_on(before, now, was, ROUND) == fades


def page_of_letters():
    """Return a page, and the same beneath a veil, as an encoder leaves it: letters are paler."""
    then = np.full((60, 60), 200, np.int16)
    then[20:40:4, 5:55:3] = 20
    return then, then // 2 + 100 + np.where(then < 100, 20, 0).astype(np.int16)


@pytest.mark.parametrize(("inner", "levels", "stirs"), [(0.0, 3, True), (0.0, 1, False), (17.0, 3, False)])
def test_a_dot_of_one_piece_changes_where_all_of_it_does_by_little(inner, levels, stirs):
    here = Circle(40.0, 40.0, 20.0, inner, 1.0 if inner else 0.0, 0)
    before = np.full((80, 80), 100, np.int16)
    now = before + np.int16(levels) * (here.distance(before.shape) <= 20)
    assert _stirs(before, now.astype(np.int16), here, here, ROUND) == stirs


def test_a_ring_of_which_only_the_colours_change_changes_alone():
    here, blocks = Circle(40.0, 40.0, 20.0, 17.0, 1.0, 0), np.zeros((10, 10), dtype=bool)
    blocks[7, 5] = True
    before = np.full((80, 80), 100, np.int16)
    assert _changes_alone(before, before, here, here, blocks, ROUND)
    beside = before.copy()
    beside[70, 40] += 10  # in another block
    assert _changes_alone(before, beside, here, here, blocks, ROUND)
    beside[63, 47] += 10  # beyond the rim, in this one
    assert not _changes_alone(before, beside, here, here, blocks, ROUND)
    dot = replace(here, inner=0.0, free=0.0)
    assert not _changes_alone(before, before, dot, dot, blocks, ROUND)


def test_a_veil_is_told_from_letters_that_moved_or_went_behind_it():
    then, veil = page_of_letters()
    circle = Circle(30, 30, 22, 20, 1.0, 0)
    within = circle.distance(then.shape) < 20
    assert (_seen_through(then, veil, circle, ROUND) == within).all()
    moved, fewer = np.roll(veil, 1, axis=1), veil.copy()
    fewer[20:28] = 200
    assert not _seen_through(then, moved, circle, ROUND)[within & (moved < 150)].any()  # where they are now
    assert not _seen_through(then, fewer, circle, ROUND)[within & (fewer > veil)].any()


@pytest.mark.parametrize(("left", "answers"), [(20, False), (60, False), (-110, True)])
def test_what_comes_no_further_from_what_was_there_does_not_answer_beneath_a_ring(left, answers):
    """An encoder leaves letters paler where a veil has gone."""
    then, veil = page_of_letters()
    circle = Circle(30, 30, 26, 24, 1.0, 0)
    now = then + np.where(then < 100, abs(left), left if left < 0 else 0).astype(np.int16)
    assert _answers_beneath(then, veil, now, circle, circle, ROUND) is answers
