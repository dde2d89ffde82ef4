"""Small things that fade, by steps that no block shows alone."""

import numpy as np
import pytest

from analysis.detection.fades import FADE, reveal_fades
from tests.analysis.events.handmade import film_blocks, nothing_ignored, slots

ACTION_MS, FROM, STEPS = 300.0, 30, 12  # the fade's first picture after 500 ms, and how many there are
BEGINS, ENDS = 500.0, 500.0 + STEPS * 1000 / 60


def faded(where, levels, sway=0.0, before=None):
    """Return when a fade of the blocks `where`, by so many levels a picture, was revealed, and the changes."""

    def paint(board, time):
        if before is not None:
            before(board, time)
        done = float(np.clip(round((time - BEGINS) * 60 / 1000), 0, STEPS))
        board[where] -= levels * done + sway * (done % 2)

    recording, changes = film_blocks(paint, slots(1.2))
    assert not changes.count[recording.picture_ms > 450].any(), "the noise model sees it by itself"
    revealed = reveal_fades(recording, changes, nothing_ignored(), ACTION_MS)
    return recording.picture_ms[revealed.count > changes.count], revealed


@pytest.mark.parametrize(
    "where",
    [np.s_[10:13, 10:13], np.s_[10:16, 29:30], np.s_[47:48, 3:20]],
    ids=["a dot", "a scrollbar at the edge", "a line"],
)
@pytest.mark.parametrize("levels", [3.0, -2.5])
def test_every_step_of_a_small_fade_is_found(where, levels):
    times, revealed = faded(where, levels)
    np.testing.assert_allclose(times, BEGINS + np.arange(1, STEPS + 1) * 1000 / 60, atol=0.1)
    alone = np.zeros(revealed.shape, bool)
    alone[where] = True
    for picture in np.flatnonzero(revealed.count):
        assert (revealed.blocks(picture) == alone).all()


@pytest.mark.parametrize(
    ("where", "levels", "sway"),
    [
        (np.s_[10:11, 10:11], 3.0, 0.0),
        (np.s_[10:13, 10:13], 0.5, 0.0),
        (np.s_[10:13, 10:13], 0.0, 4.0),
        (np.s_[10:13, 10:13], 1.0, 3.0),
    ],
    ids=["a single block", "not far", "to and fro", "little on, and to and fro"],
)
def test_what_an_encoder_does_is_no_fade(where, levels, sway):
    assert not len(faded(where, levels, sway)[0])


def test_a_jump_is_no_fade():
    def paint(board, time):
        board[10:13, 10:13] -= 5.0 * (time >= BEGINS)

    recording, changes = film_blocks(paint, slots(1.2))
    assert not reveal_fades(recording, changes, nothing_ignored(), ACTION_MS).count.any()


def test_beside_a_strong_motion_a_fade_must_go_further_as_an_encoder_corrects():
    def strong(board, time):
        board[10:13, 11:13] -= 200.0 * (time >= 400)

    few = (np.s_[13:16, 10:13], 2.0)  # 18 levels in 150 ms, a tenth of 200 is 20
    assert not len(faded(*few, before=strong)[0])
    assert len(faded(*few)[0]) == STEPS
    assert FADE.far_share * 200 > 18 > FADE.far


def test_masked_blocks_and_what_came_before_the_action_do_not_fade():
    def paint(board, time):
        board[10:13, 10:13] -= 3.0 * float(np.clip(round((time - BEGINS) * 60 / 1000), 0, STEPS))

    recording, changes = film_blocks(paint, slots(1.2))
    masked = nothing_ignored()
    masked[8:15, 8:15] = True
    assert not reveal_fades(recording, changes, masked, ACTION_MS).count.any()
    late = reveal_fades(recording, changes, nothing_ignored(), ENDS - 60)
    assert (recording.picture_ms[late.count > 0] >= ENDS - 60).all()
    assert late.count.any()
