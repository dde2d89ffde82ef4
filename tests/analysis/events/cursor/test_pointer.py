"""The mouse cursor on recordings made of blocks: what is left out, and what looks like one and counts."""

import numpy as np
import pytest

from analysis.events.cursor import hidden_steps, pointer
from analysis.events.cursor.paths import POINTER
from analysis.events.cursor.pointer import find_pointer
from analysis.events.cursor.tracks import Tracked
from analysis.options import MeasureOptions
from tests.analysis.events.handmade import SLOT, film_blocks, judged, nothing_ignored, slots

ACTION_MS = 1000.0
TAP = MeasureOptions(action_ms=ACTION_MS)
DIALOG = (slice(20, 34), slice(4, 26))
START, BUTTON, ASIDE = (40.0, 5.0), (26.0, 14.0), (8.0, 24.0)


def near(expected):
    return pytest.approx(expected, abs=SLOT)


def patch(board, row, column, level=40.0):
    """Paint a patch of 3 × 2 blocks at any place, with the share that it covers of the blocks at its edge."""
    down = np.clip(
        np.minimum(np.arange(board.shape[0]) + 1, row + 3) - np.maximum(np.arange(board.shape[0]), row), 0, 1
    )
    across = np.arange(board.shape[1])
    right = np.clip(np.minimum(across + 1, column + 2) - np.maximum(across, column), 0, 1)
    share = np.outer(down, right)
    board[:] = board * (1 - share) + level * share


def between(start, end, since, until, time, bend=0.1):
    """Return where a hand is that goes from start to end, with a bend to one side."""
    done = np.clip((time - since) / (until - since), 0, 1)
    eased, (row, column) = done * done * (3 - 2 * done), np.subtract(end, start)
    aside = bend * np.sin(np.pi * eased)
    return start[0] + eased * row + aside * column, start[1] + eased * column - aside * row


def arrives(board, time, leaves=9000.0, bend=0.1):
    """A cursor comes to the button before the action, and leaves it again."""
    place = between(START, BUTTON, 200, 800, time, bend)
    if time >= leaves:
        place = between(BUTTON, ASIDE, leaves, leaves + 400, time, bend)
    patch(board, *place)


def opens(board, time, at=1200.0):
    if time >= at - 1:
        board[DIALOG] = 120


def measure(*paints, options=TAP, seconds=3.0, **film):
    def paint(board, time):
        for one in paints:
            one(board, time)

    recording, changes = film_blocks(paint, slots(seconds), **film)
    moments = judged(recording, changes, options)
    times = recording.time_ms - options.action_ms
    return [None if at is None else float(times[at]) for at in (moments.response, moments.finish)], moments


def test_a_cursor_that_arrives_and_leaves_decides_neither_moment():
    (response, finish), moments = measure(opens, lambda board, time: arrives(board, time, 1700))
    assert (response, finish, moments.settles) == (near(200), near(200), True)
    assert {event.why_not("finish") and event.why_not("finish").key for event in moments.events} == {None, "cursor"}


def test_a_cursor_that_moves_while_the_app_is_waited_for_is_no_response():
    late = lambda board, time: opens(board, time, 2000)  # noqa: E731
    assert measure(late, lambda board, time: arrives(board, time, 1300))[0] == [near(1000), near(1000)]


def test_nothing_but_a_cursor_is_no_response_and_the_message_says_so():
    moments = measure(lambda board, time: arrives(board, time, 1300))[1]
    assert (moments.outcome, moments.settles) == ("no_response", True)
    assert "nothing but a mouse cursor changes" in moments.message


def test_a_cursor_that_moves_up_to_the_end_does_not_keep_the_screen_from_settling():
    (_, finish), moments = measure(opens, lambda board, time: arrives(board, time, 2700))
    assert (finish, moments.settles) == (near(200), True)


def test_a_tick_under_a_resting_cursor_counts():
    """So near in time and place, only the light tells: a tick brings some, a cursor takes its own along."""

    def ticks(board, time):
        if time >= 1050 - 1:
            board[26:28, 13:15] = 90

    (response, finish), _ = measure(ticks, arrives)
    assert (response, finish) == (near(50), near(50))


def test_a_cursor_that_shifts_by_less_than_its_size_where_it_rests_does_not_count():
    def drifts(board, time):
        row, column = between(START, BUTTON, 200, 800, time)
        done = np.clip((time - 1050) / 150, 0, 1)
        patch(board, row + 0.6 * done, column + 0.5 * done)

    late = lambda board, time: opens(board, time, 1500)  # noqa: E731
    assert measure(late, drifts)[0] == [near(500), near(500)]


@pytest.mark.parametrize("uneven", [False, True])
def test_a_caret_blinks_whether_or_not_there_is_a_cursor(uneven):
    """An encoder may bring the rows of a fade one after the other: that lies between no two of its pictures."""
    late = (0.06, 0.12, 1.0) if uneven else (0.5, 1.0, 1.0)

    def blinks(board, time):
        turns, since = divmod(time + 1, 500)
        for row, shares in ((36, (0.5, 1.0, 1.0)), (37, (0.5, 1.0, 1.0)), (38, late)):
            done = shares[min(int(since / SLOT), 2)]
            board[row, 24] -= 160 * (done if turns % 2 else 1 - done)

    (response, finish), moments = measure(opens, arrives, blinks, seconds=4.0)
    assert (response, finish, moments.settles) == (near(200), near(200), True)
    assert moments.pointer.steps


def straight(board, time, since=1100.0):
    patch(board, *between(START, ASIDE, since, since + 400, time, bend=0.0))


def test_what_moves_straight_as_the_first_answer_counts():
    (response, finish), _ = measure(straight)
    assert (response, finish) == (near(117), pytest.approx(500, abs=3 * SLOT))


def test_what_moves_straight_when_all_else_has_come_to_rest_is_the_cursor():
    assert measure(opens, lambda board, time: straight(board, time, 1700))[0] == [near(200), near(200)]


@pytest.mark.parametrize("kind", ["swipe", "scroll", "draw"])
def test_what_follows_the_finger_counts(kind):
    options = MeasureOptions(action_ms=ACTION_MS, interaction_type=kind)
    dragged = lambda board, time: patch(board, *between(START, ASIDE, 1100, 1500, time))  # noqa: E731
    (response, finish), _ = measure(dragged, options=options)
    assert (response, finish) == (near(117), pytest.approx(500, abs=3 * SLOT))


@pytest.mark.parametrize("kind", ["swipe", "scroll"])
@pytest.mark.parametrize(("since_ms", "is_one"), [(1400.0, False), (1600.0, True)])
def test_what_moves_long_after_a_finger_has_left_is_the_cursor(kind, since_ms, is_one):
    """Whether on a bent way or a straight one: all that was dragged has come to rest."""
    options = MeasureOptions(action_ms=ACTION_MS, interaction_type=kind)
    for bend in (0.1, 0.0):

        def moves(board, time, bend=bend):
            opens(board, time, 1300)
            patch(board, *between(START, ASIDE, since_ms, since_ms + 400, time, bend))

        (_, finish), _ = measure(moves, options=options)
        assert finish == (near(300) if is_one else pytest.approx(since_ms - 600, abs=3 * SLOT))


@pytest.mark.parametrize(("radius", "is_one"), [(8.0, False), (13.0, True)])
def test_what_goes_round_and_further_out_when_all_rests_is_a_cursor_if_it_goes_far(radius, is_one):
    """It comes back to no place; a loader's circle is smaller."""

    def winds(board, time):
        done = np.clip((time - 1600) / 1200, 0, 1)
        angle, wide = 3 * np.pi * done, 3 + (radius - 3) * done
        patch(board, 22 + wide * np.sin(angle), 14 + wide * np.cos(angle))

    finish = measure(opens, winds, seconds=4)[0][1]
    assert finish == (near(200) if is_one else pytest.approx(1800, abs=3 * SLOT))


def test_what_leaves_something_behind_is_no_cursor():
    def draws(board, time):
        for step in range(1, round(np.clip((time - 1100) / SLOT, 0, 24)) + 1):
            patch(board, *between(START, ASIDE, 1100, 1500, 1100 + step * SLOT))

    (response, finish), _ = measure(draws)
    assert (response, finish) == (near(117), pytest.approx(500, abs=3 * SLOT))


def test_what_turns_is_no_cursor_however_large_its_circle():
    def turns(board, time):
        angle = 2 * np.pi * np.clip(time - 1100, 0, 1000) / 500
        patch(board, 20 + 6 * np.sin(angle), 14 + 6 * np.cos(angle))

    (response, finish), _ = measure(turns)
    assert (response, finish) == (near(117), near(1100))


def test_what_comes_and_goes_is_no_cursor():
    def flies(board, time):
        if 1100 <= time < 1500:
            patch(board, *between(START, ASIDE, 1100, 1500, time))

    (response, finish), _ = measure(flies)
    assert (response, finish) == (near(100), near(500))


def test_a_cursor_may_come_in_and_go_out_over_the_edge():
    def visits(board, time):
        patch(board, *between((30.0, -2.0), (12.0, 31.0), 1500, 1900, time))

    assert measure(opens, visits)[0] == [near(200), near(200)]


def test_what_flashes_at_the_edge_is_added_to_the_cursors_steps(monkeypatch):
    recording, changes = film_blocks(arrives, slots(1.5))
    before = find_pointer(recording, changes, nothing_ignored(), TAP).steps
    corner = nothing_ignored()
    corner[0:2, 3:5] = True
    known, other = min(before), max(before) + 1
    monkeypatch.setattr(hidden_steps, "crosses_the_edge", lambda *_: {known: corner, other: corner})
    steps = find_pointer(recording, changes, nothing_ignored(), TAP).steps
    assert (steps[known] == (before[known] | corner)).all()
    assert (steps[other] == corner).all()


def test_moves_that_nothing_showed_to_be_its_own_are_added_to_the_cursors_steps(monkeypatch):
    def ticks(board, time):
        arrives(board, time)
        board[30:32, 20:22] = 90 if time >= 1200 else 200

    recording, changes = film_blocks(ticks, slots(1.5))
    ticked = int(np.searchsorted(recording.picture_ms, 1200 - 1))
    assert ticked not in find_pointer(recording, changes, nothing_ignored(), TAP).steps
    monkeypatch.setattr(pointer, "unseen_moves", lambda *_: {ticked})
    steps = find_pointer(recording, changes, nothing_ignored(), TAP).steps
    assert (steps[ticked] == changes.blocks(ticked)).all()


@pytest.mark.parametrize(("out", "is_one"), [(-3.0, True), (2.0, False)], ids=["went out there", "never was there"])
def test_a_cursor_that_went_out_over_an_edge_may_show_a_rim_anywhere_along_it(out, is_one):
    def peeps(board, time):
        patch(board, *between(BUTTON, (20.0, out), 300, 700, time))
        opens(board, time)
        done = np.clip((time - 2200) / 300, 0, 1)
        patch(board, 36.0 - 3.0 * done, -2.6 + 1.8 * np.sin(np.pi * done))

    recording, changes = film_blocks(peeps, slots(3.0))
    found = find_pointer(recording, changes, nothing_ignored(), TAP)
    assert any(recording.picture_ms[picture] > 2200 for picture in found.steps) is is_one


def rings(board, time, middle=BUTTON):
    """A recorder draws a circle around the cursor's tip while the button of the mouse is down."""
    if 1017 <= time < 1090:
        rows, columns = np.indices(board.shape)
        off = np.hypot(rows - middle[0], columns - middle[1])
        board[(off > 1.5) & (off < 2.6)] = 60


def test_the_circle_that_a_recorder_draws_where_a_cursor_clicks_does_not_count():
    (response, finish), _ = measure(opens, arrives, rings)
    assert (response, finish) == (near(200), near(200))


@pytest.mark.parametrize(
    ("opened", "goes_on", "whole"),
    [(1001, 0, True), (1001, 2, True), (1200, 0, False)],
    ids=["answered before", "over what goes on by itself", "answers later"],
)
def test_a_circle_around_a_cursor_that_is_followed_pixel_by_pixel_is_its_own(opened, goes_on, whole, monkeypatch):
    """But what it clicks may go pale under the circle, if nothing has answered before."""

    def clicks(board, time):
        opens(board, time, opened)
        arrives(board, time)
        rings(board, time)

    recording, changes = film_blocks(clicks, slots(1.5))
    come = int(np.searchsorted(recording.picture_ms, 1017 + SLOT / 2))
    tip, elsewhere = nothing_ignored(), nothing_ignored()
    tip[26, 14] = True
    elsewhere[:, 15 : 15 + goes_on] = True
    tracked = Tracked(steps={come: tip}, sure=frozenset({come - 1, come}))
    monkeypatch.setattr(pointer, "find_tracked", lambda *_: tracked)
    circle = find_pointer(recording, changes, elsewhere, TAP).steps[come]
    assert changes.blocks(come).sum() > POINTER.part_blocks
    assert (elsewhere & changes.blocks(come)).any() == bool(goes_on)
    assert bool((circle == changes.blocks(come)).all()) is whole


def test_what_goes_on_by_itself_and_reaches_beyond_a_circle_is_none_of_it(monkeypatch):
    def clicks(board, time):
        opens(board, time, 1001)
        arrives(board, time)
        rings(board, time)
        board[10:44, 15:17] = 30 + 60 * (int((time + SLOT / 2) / SLOT) % 2)

    recording, changes = film_blocks(clicks, slots(1.5))
    come = int(np.searchsorted(recording.picture_ms, 1017 + SLOT / 2))
    tip, elsewhere = nothing_ignored(), nothing_ignored()
    tip[26, 14] = elsewhere[10:44, 15:17] = True
    tracked = Tracked(steps={come: tip}, sure=frozenset({come - 1, come}))
    monkeypatch.setattr(pointer, "find_tracked", lambda *_: tracked)
    circle = find_pointer(recording, changes, elsewhere, TAP).steps[come]
    assert (elsewhere & changes.blocks(come)).sum() > POINTER.ring_wide
    assert bool((circle == (changes.blocks(come) & ~elsewhere)).all())


def test_a_word_under_the_tip_that_goes_pale_and_comes_back_is_the_answer():
    def pales(board, time):
        board[25:28, 13:16] = 180 if 1100 <= time < 1170 else 90

    found, _ = measure(pales, lambda board, time: opens(board, time, 1400), arrives)
    assert found[0] == near(100)


@pytest.mark.parametrize(
    "paints", [[opens, rings], [opens, arrives, lambda board, time: rings(board, time, ASIDE)]]
)
def test_a_circle_without_a_cursor_in_it_counts(paints):
    assert measure(*paints)[0] == [near(17), near(200)]


def test_a_cursor_that_leaves_by_little_when_all_has_come_to_rest_does_not_count():
    def leaves(board, time):
        arrives(board, time)
        if time >= 1700:
            board[24:32, 11:20] = 200.0
            done = np.clip((time - 1700) / 200, 0, 1)
            patch(board, BUTTON[0] + 3.2 * done, BUTTON[1] + 0.2 * done)

    above = lambda board, time: board.__setitem__((slice(2, 12), slice(4, 26)), 120 if time >= 1199 else 200)  # noqa: E731
    assert measure(above, leaves)[0] == [near(200), near(200)]


def test_a_cursor_beside_a_spinner_is_found():
    def spins(board, time):
        board[4, 4 + int(time / SLOT) % 3] = 90

    recording, changes = film_blocks(lambda board, time: (spins(board, time), arrives(board, time)), slots(2))
    elsewhere = nothing_ignored()
    elsewhere[2:7, 2:9] = True
    found = find_pointer(recording, changes, elsewhere, TAP)
    assert found.path[26:29, 14:16].all()
    assert not (found.path & elsewhere).any()


def test_the_largest_cursor_and_one_that_is_too_large():
    def wide(size, board, time):
        row, column = between((4.0, 4.0), (36.0, 18.0), 200, 800, time)
        board[round(row) : round(row) + size, round(column) : round(column) + size] = 40

    for size, is_one in ((6, True), (8, False)):
        recording, changes = film_blocks(lambda board, time, size=size: wide(size, board, time), slots(2))
        assert bool(find_pointer(recording, changes, nothing_ignored(), TAP).steps) is is_one


WAYS = {
    "circle": lambda round_: (20 + 4.5 * np.sin(round_), 14 + 4.5 * np.cos(round_)),
    "eight": lambda round_: (20 + 3 * np.sin(2 * round_), 14 + 6 * np.sin(round_)),
    "to_and_fro": lambda round_: (20.0, 14 + 6 * np.sin(round_)),
    "eased": lambda round_: (20 + 4.5 * np.sin(round_ + 0.9 * np.sin(round_)), 14 + 4.5 * np.cos(round_)),
}


@pytest.mark.parametrize("comes", [1300, 1450])
@pytest.mark.parametrize("way", WAYS)
def test_what_comes_after_the_answer_and_goes_round_to_the_end_is_a_loader_and_no_cursor(way, comes):
    def loads(board, time):
        if time >= comes - 1:
            patch(board, *WAYS[way](2 * np.pi * (time - comes) / 900), 60.0)

    def page(board, time):
        if time >= 1199:
            board[2:46] = 120

    (response, finish), moments = measure(page, loads, seconds=4.0)
    assert (response, finish, moments.settles, moments.pointer.steps) == (near(200), near(200), False, {})
