"""Lines that move or go where something large moved before."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from analysis.detection.changes import find_changes
from analysis.detection.lines import LINE, lines, reveal_lines
from tests.analysis.events.handmade import film_blocks, nothing_ignored, slots

ACTION_MS, MOVES_MS = 300.0, 400.0
GOES_MS = MOVES_MS + 700.0
LEAST = 6.0


def slow_twin(strength, least):
    """Look along every run of blocks, down and across."""
    found = np.zeros(strength.shape, bool)
    for turned, out in ((strength, found), (strength.T, found.T)):
        rows, columns = turned.shape

        def alone(row, column, grid=turned, width=columns):
            beside = [grid[row, at] for at in (column - 2, column + 2) if 0 <= at < width]
            return grid[row, column] >= least and all(one <= LINE.beside * grid[row, column] for one in beside)

        for column in range(columns):
            for top in range(rows - LINE.blocks + 1):
                run = range(top, top + LINE.blocks)
                pairs = pairwise(run)
                values = [(turned[one, column], turned[other, column]) for one, other in pairs]
                alike = all(abs(other - one) <= LINE.alike * one for one, other in values)
                if alike and all(alone(row, column) for row in run):
                    out[top : top + LINE.blocks, column] = True
    return found


@settings(max_examples=60, deadline=None)
@given(
    arrays(np.float32, (14, 13), elements=st.sampled_from([0.0, 1.0, 6.0, 7.0])),
    st.integers(0, 12),
    st.integers(5, 14),
    st.booleans(),
)
def test_lines_equal_their_slow_twin(strength, at, length, across):
    strength *= np.float32(0.5)
    strength[:length, at] = 13.0
    strength = np.ascontiguousarray(strength.T) if across else strength
    np.testing.assert_array_equal(lines(strength, LEAST), slow_twin(strength, LEAST))


@pytest.mark.parametrize("shape", [(LINE.blocks - 1, 20), (20, LINE.blocks - 1), (3, 3)])
def test_a_small_screen_holds_lines_as_well(shape):
    strength = np.zeros(shape, np.float32)
    strength[1, :] = strength[:, 1] = 13.0
    np.testing.assert_array_equal(lines(strength, LEAST), slow_twin(strength, LEAST))


def revealed(where, levels, goes_ms=GOES_MS, key_frames=(), ignored=None, action_ms=ACTION_MS):
    """Return when something was revealed, ms, and where, after the whole page had moved by 190 levels."""

    def paint(board, time):
        board[:] = 10.0 if time >= MOVES_MS else 200.0
        if time >= goes_ms:
            board[where] += levels

    recording, _ = film_blocks(paint, slots(1.6), key_frames=key_frames)
    ignored = nothing_ignored() if ignored is None else ignored
    changes = find_changes(recording, ignored)
    assert np.count_nonzero(changes.count) == 1, "the noise model takes what follows for a correction"
    found = reveal_lines(recording, changes, ignored, action_ms)
    new = np.flatnonzero(found.count > changes.count)
    assert len(new) <= 1
    return recording.picture_ms[new].tolist(), found.blocks(int(new[0])) if len(new) else None


@pytest.mark.parametrize(
    "where",
    [np.s_[10:28, 29:30], np.s_[10:28, 12:14], np.s_[47:48, 3:20], np.s_[0:9, 0:1]],
    ids=["a scrollbar at the edge", "one that lies in two columns", "the edge of a drawer", "in the corner"],
)
def test_a_line_is_seen_to_go_where_something_large_moved_before(where):
    (time,), blocks = revealed(where, 13.0)
    assert time == pytest.approx(GOES_MS, abs=17)
    alone = np.zeros(blocks.shape, bool)
    alone[where] = True
    assert (blocks == alone).all()


@pytest.mark.parametrize(
    ("where", "levels"),
    [
        (np.s_[10:18, 12:14], 13.0),
        (np.s_[10:30, 10:14], 13.0),
        (np.s_[10:30, 12:13], 5.0),
        (np.s_[10:30, 12:13], np.tile([[9.0], [13.0]], (10, 1))),
    ],
    ids=["no longer than a transform block", "wide", "faint", "unlike from block to block"],
)
def test_what_an_encoder_may_correct_is_no_line(where, levels):
    assert revealed(where, levels)[1] is None


def test_an_edge_that_moved_just_before_may_be_a_correction():
    assert revealed(np.s_[10:28, 29:30], 13.0, goes_ms=MOVES_MS + 400)[1] is None


def test_a_key_frame_draws_lines_anew():
    assert revealed(np.s_[10:28, 29:30], 13.0, key_frames=(2,))[1] is None


def test_what_is_ignored_or_comes_before_the_action_is_not_asked():
    line = np.s_[10:28, 29:30]
    ignored = nothing_ignored()
    ignored[15:18, 29] = True
    assert revealed(line, 13.0, ignored=ignored)[1].sum() == 10, "what is left of it below"
    assert revealed(line, 13.0, action_ms=GOES_MS + 100)[1] is None
