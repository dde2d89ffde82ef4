"""The last small steps of a large motion, which stand out from an encoder's corrections by coming at once."""

import numpy as np
import pytest

from analysis.detection.steps import STEP, reveal_steps
from analysis.kernels.limits import BlockLimits
from tests.analysis.events.handmade import SLOT, film_blocks, nothing_ignored, slots

ACTION_MS, GLIDES, ENDS = 300.0, 30, 36  # the slots in which a page moves
PAGE = np.s_[5:40, 2:28]
TEXT = np.s_[6:38:3, 4:26]  # 242 blocks, 22 in each line


def glided(later, place=TEXT, ignored=None, key_frames=(), action_ms=ACTION_MS):
    """Return in which slots a step was revealed: of `later`, by how many levels text moves in which slot."""

    def paint(board, time):
        slot = round(time / SLOT)
        board[PAGE] -= 20 * min(max(slot - GLIDES + 1, 0), ENDS - GLIDES + 1)
        for at, levels in later.items():
            board[place] += levels * (slot >= at) * (-1) ** at
        board[45, 3] += 0.5 * (slot % 2)  # every slot shows a picture

    recording, changes = film_blocks(paint, slots(1.2), key_frames=key_frames)
    assert list(np.flatnonzero(changes.count)) == list(range(GLIDES, ENDS + 1)), "the steps are seen anyway"
    ignored = nothing_ignored() if ignored is None else ignored
    revealed = reveal_steps(recording, changes, ignored, action_ms)
    for picture in np.flatnonzero(revealed.count > changes.count):
        expected = nothing_ignored()
        expected[place] = True
        assert (revealed.blocks(picture) == expected & ~ignored).all()
    return list(np.flatnonzero(revealed.count > changes.count))


def test_a_step_of_text_two_slots_after_a_motion_goes_on_with_it_and_so_does_the_next():
    assert glided({38: 4, 40: 4, 44: 4}) == [38, 40, 44]


@pytest.mark.parametrize(
    "later",
    [
        {37: 5, 38: 4, 39: 4, 40: 3.5},
        {38: 5, 39: 4, 40: 4, 41: 3.5},
        {38: BlockLimits().moving - 0.5},
        {ENDS + int(STEP.within_ms / SLOT) + 2: 4},
    ],
    ids=["corrections", "corrections that begin late", "fainter", "after a rest"],
)
def test_what_an_encoder_corrects_is_no_step(later):
    assert not glided(later)


@pytest.mark.parametrize(
    "how",
    [
        {"place": np.s_[41:47, 4:26]},
        {"place": np.s_[6:7, 4:22]},
        {"key_frames": [38]},
        {"key_frames": [37]},
        {"action_ms": 700.0},
    ],
    ids=["elsewhere", "too few", "a key frame", "just after a key frame", "before the action"],
)
def test_a_step_is_told_by_where_and_when_it_comes(how):
    assert not glided({38: 4}, **how)


def test_what_is_masked_makes_no_step():
    masked = nothing_ignored()
    masked[:37] = True
    assert not glided({38: 4}, ignored=masked)
