"""Small things that change alone where something large moved before."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.detection.changes import find_changes
from analysis.detection.lone import LONE, alone, reveal_lone
from analysis.kernels.limits import BlockLimits
from analysis.measure import measure_screencast
from analysis.options import MeasureOptions
from tests.analysis.events.handmade import SLOT, film_blocks, nothing_ignored, slots
from tests.analysis.filmed import LOSSLESS
from tests.synthetic import Clip, Screen, every, film

ACTION_MS, MOVES_MS = 300.0, 400.0
GOES_MS = MOVES_MS + 700.0
THING = np.s_[20:23, 10:14]  # three rows of four blocks
CORNERS = [(2, 3), (2, 20), (20, 3), (20, 20), (36, 11)]
FIVE_BARS = tuple(np.transpose([(row + at, column) for row, column in CORNERS for at in range(8)]))


def slow_twin(strength, moving, limits, least):
    """Look at every block, and fill each piece from block to block."""
    rows, columns = strength.shape

    def near(row, column, reach):
        for y in range(max(row - reach, 0), min(row + reach + 1, rows)):
            yield from ((y, x) for x in range(max(column - reach, 0), min(column + reach + 1, columns)))

    places = list(np.ndindex(rows, columns))
    supports = {at for at in places if strength[at] >= limits.supporting * least}
    stands = {
        at
        for at in places
        if strength[at] >= least
        and (
            strength[at] >= limits.strong_isolated * least
            or sum(other in supports for other in near(*at, 1)) >= limits.support
        )
    }
    whole = stands | {at for at in supports if any(other in stands for other in near(*at, 1))}
    found = np.zeros(strength.shape, bool)
    if len(whole) > LONE.most * len(places):
        return found
    while whole:
        piece, edge = set(), {whole.pop()}
        while edge:
            piece |= edge
            edge = {other for at in edge for other in near(*at, 1)} & whole
            whole -= edge
        rim = {other for at in piece for other in near(*at, 1)}
        around = {other for at in piece for other in near(*at, LONE.reach_blocks)} - rim
        stirred = sum(strength[at] >= LONE.stirs for at in around)
        if len(piece) >= LONE.piece and stirred <= LONE.share * len(around) and not any(moving[at] for at in rim):
            for at in piece:
                found[at] = True
    return found


@settings(max_examples=80, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 23), st.integers(0, 29), st.integers(1, 4), st.sampled_from([1.0, 4.5, 6.0, 9.0])),
        max_size=9,
    ),
    st.lists(st.tuples(st.integers(0, 23), st.integers(0, 29)), max_size=2),
)
def test_what_stands_alone_equals_its_slow_twin(pieces, seen):
    strength, moving = np.zeros((24, 30), np.float32), np.zeros((24, 30), bool)
    for row, column, length, levels in pieces:
        strength[row, column : column + length] = levels
    for at in seen:
        moving[at] = True
    limits = BlockLimits()
    np.testing.assert_array_equal(
        alone(strength, moving, limits, limits.isolated), slow_twin(strength, moving, limits, limits.isolated)
    )


def chequered(board, levels, around):
    """Stir every other block around the thing, as an encoder does that gets round to a place."""
    rows, columns = np.indices(board.shape)
    some = (rows + columns) % 2 == 0
    board[around] += levels * some[around]


def revealed(
    where=THING, levels=12.0, goes_ms=GOES_MS, besides=None, key_frames=(), ignored=None, action_ms=ACTION_MS
):
    """Return when something was revealed, ms, and where, after the whole page had moved by 190 levels."""

    def paint(board, time):
        board[:] = 10.0 if time >= MOVES_MS else 200.0
        if time >= goes_ms:
            before = board.copy()
            if besides:
                besides(board)
                board[where] = before[where]
            board[where] += levels

    recording, _ = film_blocks(paint, slots(1.6), key_frames=key_frames)
    ignored = nothing_ignored() if ignored is None else ignored
    changes = find_changes(recording, ignored)
    seen = changes.ever(range(2, len(changes.count)))
    assert not seen[where].any(), "the noise model takes it for a correction"
    found = reveal_lone(recording, changes, ignored, action_ms)
    new = np.flatnonzero(found.count > changes.count)
    assert len(new) <= 1
    return recording.picture_ms[new].tolist(), found.blocks(int(new[0])) & ~seen if len(new) else None


def only(where):
    blocks = nothing_ignored()
    blocks[where] = True
    return blocks


def elsewhere(board):
    board[40:44, 20:24] += 100.0


@pytest.mark.parametrize(
    "case",
    [
        {},
        {"where": np.s_[20:28, 10:11]},
        {"levels": 7.0},
        {"besides": elsewhere},
        {"besides": lambda board: chequered(board, 0.75, np.s_[15:30, 5:20])},
        {"besides": lambda board: chequered(board, 2.0, np.s_[34:46, 0:15])},
        {"goes_ms": MOVES_MS + 200.0},
    ],
    ids=["digits", "a bar", "faint", "seen elsewhere", "rounding around", "stirred elsewhere", "soon after"],
)
def test_a_small_thing_that_changes_alone_is_revealed(case):
    times, blocks = revealed(**case)
    assert times == pytest.approx([case.get("goes_ms", GOES_MS)], abs=17)
    np.testing.assert_array_equal(blocks, only(case.get("where", THING)))


def test_two_pieces_count_together():
    times, blocks = revealed(two_pieces(14))
    assert len(times) == 1
    np.testing.assert_array_equal(blocks, only(two_pieces(14)))


def two_pieces(column):
    rows, columns = np.indices((2, 2)).reshape(2, -1) + 8
    return np.concatenate([rows, rows]), np.concatenate([columns, columns + column - 8])


@pytest.mark.parametrize(
    "case",
    [
        {"levels": 5.0},
        {"where": np.s_[20:27, 10:11]},
        {"where": FIVE_BARS},
        {"where": two_pieces(15)},
        {"where": (np.arange(3, 43, 5), np.arange(3, 27, 3))},
        {"besides": lambda board: chequered(board, 2.0, np.s_[15:30, 5:20])},
        {"besides": lambda board: board.__setitem__(np.s_[18:20, 10:14], 110.0)},
        {"goes_ms": MOVES_MS + 100.0},
        {"key_frames": (2,)},
        {"ignored": only(np.s_[20:23, 10:12])},
        {"action_ms": GOES_MS + 100.0},
    ],
    ids=[
        "too faint", "few", "large", "apart", "scattered", "stirred around", "beside something seen", "in motion",
        "coded anew", "masked", "before the action",
    ],
)  # fmt: skip
def test_nothing_is_revealed(case):
    assert revealed(**case) == ([], None)


def test_a_film_in_which_a_line_of_text_changes_after_the_page(tmp_path):
    def paint(picture, time):
        picture[:] = 30 if time < 600 else 225
        picture[200:208, 80:144] = 30 if time < 600 else 225 if time < 1300 else 212

    clip = Clip(every(60, 2.0), options=LOSSLESS)
    measured = measure_screencast(film(tmp_path / "a.mp4", Screen(), paint, clip), MeasureOptions(action_ms=500.0))
    assert measured.metrics["response_time_ms"] == pytest.approx(100, abs=SLOT)
    assert measured.metrics["finish_time_ms"] == pytest.approx(800, abs=SLOT)
