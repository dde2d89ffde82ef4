"""A cursor that flashes at the screen's edge as it comes or goes, on blocks made by hand."""

import numpy as np
import pytest

from analysis.events.cursor.crossing import crosses_the_edge
from tests.analysis.events.handmade import film_blocks, nothing_ignored

FRAMES = np.arange(0, 2000, 100.0).tolist()
LEFT, RIGHT = 12, 20  # columns in which it goes up


def goes_up(board, time, edge=0, gone=1300.0, back=200.0):
    """It goes up the screen a step a picture, is seen at the edge in one, and is gone."""
    step = int((time - 1000) // 100)
    if time < 1000:
        board[30:33, LEFT:14] = 40
    elif time < 1200:
        board[30 - 10 * (step + 1) : 33 - 10 * (step + 1), LEFT:14] = 40
    elif time < gone:
        board[edge : edge + 2, RIGHT:22] = 40
    else:
        board[edge : edge + 2, RIGHT:22] = back


def own_steps(recording, changes):
    """Return what is known of the cursor: all that changes in the columns in which it goes up."""
    known = np.zeros(changes.shape, dtype=bool)
    known[:, LEFT:14] = True
    steps = {picture: changes.blocks(picture) & known for picture in changes.changed_pictures()}
    return {picture: blocks for picture, blocks in steps.items() if blocks.any()}


@pytest.mark.parametrize(
    ("way", "found"),
    [({}, True), ({"edge": 8}, False), ({"gone": 1900.0}, False), ({"back": 150.0}, False)],
    ids=["flashes at the edge", "off the edge", "stays for long", "leaves a trace"],
)
def test_what_flashes_at_the_edge_as_a_cursor_leaves_is_the_cursor(way, found):
    recording, changes = film_blocks(lambda board, time: goes_up(board, time, **way), FRAMES)
    steps = own_steps(recording, changes)
    crossing = crosses_the_edge(recording, changes, steps, nothing_ignored())
    assert bool(crossing) is found
    if found:
        left = {p: changes.blocks(p) & ~steps.get(p, False) for p in changes.changed_pictures()}
        assert all((crossing[p] == blocks).all() for p, blocks in left.items() if blocks.any())


def test_what_flashes_at_the_edge_is_no_cursor_where_none_is_known_or_it_moved_long_before():
    recording, changes = film_blocks(goes_up, FRAMES)
    assert crosses_the_edge(recording, changes, {}, nothing_ignored()) == {}

    def flashes_later(board, time):
        goes_up(board, min(time, 1199.0))
        board[0:2, RIGHT:22] = 40 if 1700 <= time < 1800 else 200

    recording, changes = film_blocks(flashes_later, FRAMES)
    assert crosses_the_edge(recording, changes, own_steps(recording, changes), nothing_ignored()) == {}


def test_what_flashes_elsewhere_in_the_same_picture_is_not_the_cursor():
    def paint(board, time):
        goes_up(board, time)
        board[40:42, 24:26] = 40 if 1200 <= time < 1300 else 200

    recording, changes = film_blocks(paint, FRAMES)
    crossing = crosses_the_edge(recording, changes, own_steps(recording, changes), nothing_ignored())
    assert crossing
    assert not any(blocks[40:42].any() for blocks in crossing.values())


def test_what_stays_at_the_edge_while_a_cursor_goes_on_is_not_the_cursor():
    def paint(board, time):
        board[4 + 4 * int(time // 200) : 7 + 4 * int(time // 200), LEFT:14] = 40
        board[0:2, RIGHT:22] = 40 if 1200 <= time < 1700 else 200

    recording, changes = film_blocks(paint, FRAMES)
    assert crosses_the_edge(recording, changes, own_steps(recording, changes), nothing_ignored()) == {}


def test_what_is_larger_than_a_cursor_is_none_at_the_edge():
    def opens(board, time):
        goes_up(board, min(time, 1199.0))
        board[0:10, 2:28] = 40 if 1200 <= time < 1300 else 200

    recording, changes = film_blocks(opens, FRAMES)
    assert crosses_the_edge(recording, changes, own_steps(recording, changes), nothing_ignored()) == {}
