"""An encoder that gets round to an area when all is at rest, on events made by hand."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from analysis.detection.changes import find_changes
from analysis.events.coding import left_over
from analysis.events.cursor.pointer import Pointer
from analysis.events.event import find_events
from analysis.events.faint import is_unseen
from analysis.options import MeasureOptions
from tests.analysis.events.handmade import SHAPE, SLOT, film_blocks, find_in, judged, nothing_ignored, slots

OPTIONS = MeasureOptions(action_ms=1000.0)
PAGE, AREA = (slice(10, 40), slice(4, 26)), (slice(20, 30), slice(6, 24))
SPECKS = (slice(20, 21), slice(6, 11))  # less than a hundredth of what the page changed


def measured(steps, without=(), place=AREA, variable=False, told=False, page_ms=200):
    """Return when the screen answered and when it came to rest, ms after the action.

    A page opens after `page_ms`; `steps` (ms after the action, levels) shift a place in it, which is found each
    time, and is `told` to be a step of a motion.
    """

    def paint(board, time):
        if time >= 999 + page_ms:
            board[PAGE] = 60
        board[place] += sum(levels for at, levels in steps if time >= 999 + at)

    recording, changes = film_blocks(paint, slots(4.0), variable=variable)
    for picture, time in enumerate(recording.picture_ms):
        if any(abs(time - 1000 - at) < SLOT / 2 for at, _ in steps):
            find_in(changes, picture, place)
            changes = replace(changes, steps=changes.steps | {picture} if told else frozenset())
    moments = judged(recording, changes, OPTIONS, without)
    return [float(recording.time_ms[picture] - 1000) for picture in (moments.response, moments.finish)]


def finish(*args, **known):
    """Return when the screen came to rest, ms after the action."""
    return measured(*args, **known)[1]


def near(expected):
    return pytest.approx(expected, abs=SLOT)


def test_what_nobody_can_see_is_no_finish_once_all_rests():
    assert finish([(500, 2)]) == near(200)
    assert finish([(500, 2)], without={"unseen", "astray", "left_over"}) == near(500)


def test_what_nobody_can_see_is_no_response_either():
    assert measured([(100, 4)], page_ms=400) == [near(400), near(400)]
    assert measured([(100, 4)], {"faint"}, page_ms=400) == [near(100), near(400)]
    assert measured([(100, 8)], page_ms=400) == [near(100), near(400)]


def test_nor_is_it_soon_after_something_else():
    """A touch dot comes 50 ms before and goes 50 ms later."""

    def paint(board, time):
        board[PAGE] -= 140 * (time >= 1399)
        board[42:44, 13:15] -= 100 * (999 <= time < 1099)
        board[AREA] += 4 * (time >= 1049)

    recording, changes = film_blocks(paint, slots(4.0))
    find_in(changes, int(np.flatnonzero(np.abs(recording.picture_ms - 1050) < SLOT / 2)[0]), AREA)
    for without, expected in (((), 400), ({"faint"}, 50)):
        response = judged(recording, changes, OPTIONS, without).response
        assert recording.time_ms[response] - 1000 == near(expected)


def test_where_nothing_else_answers_it_is():
    assert measured([(100, 4)], page_ms=5000) == [near(100), near(100)]


def test_what_is_left_of_a_change_from_before_the_action_answers_nothing():
    assert measured([(-60, 12), (50, 2)], page_ms=400) == [near(400), near(400)]
    assert measured([(-60, 12), (50, 2)], {"left_over"}, page_ms=400) == [near(50), near(400)]
    assert measured([(-60, 12), (50, 4)], page_ms=400) == [near(50), near(400)]
    assert measured([(-60, 12), (50, 2)], page_ms=5000) == [near(50), near(50)]


def test_steps_that_add_up_to_something_visible_are():
    assert finish([(500 + 50 * step, 2) for step in range(4)]) == near(650)


def test_what_lights_up_step_by_step_and_pales_again_is_seen():
    """A button that is pressed: no step shows it, nor what is there when it is over."""
    flash = [*((at, 4) for at in (100, 117, 133)), *((at, -4) for at in (150, 167, 183))]
    assert measured(flash, page_ms=400) == [near(100), near(400)]
    assert finish([(at + 400, levels) for at, levels in flash]) == near(583)
    faint = [(100, 4), (117, -4)]
    assert measured(faint, page_ms=400) == [near(400), near(400)]


def test_a_step_that_can_be_seen_is():
    assert finish([(500, 8)]) == near(500)


def test_the_last_faint_step_of_a_motion_is_its_end():
    assert finish([(250, 12), (300, 4)]) == near(300)


def test_what_is_left_of_a_fade_by_three_levels_is_over_for_every_eye():
    assert finish([(250, 12), (300, 3)]) == near(250)
    assert finish([(250, 12), (300, 1), (350, 1)]) == near(250)
    assert finish([(250, 12), (300, 2)], without={"left_over"}) == near(300)


def test_what_is_left_in_several_steps_counts_together():
    assert finish([(250, 12), (300, 2), (350, 1)]) == near(250)
    assert finish([(250, 12), (300, 2), (350, 2)]) == near(300)


@pytest.mark.parametrize(
    ("rows", "pictures", "jump", "goes"),
    [(10, 60, 0, True), (2, 60, 0, False), (10, 24, 4, False)],
    ids=["a scrollbar", "two blocks that an encoder shifts", "what it corrects at once"],
)
def test_a_scrollbar_that_fades_so_slowly_that_no_step_shows_it_is_seen_to_go(rows, pictures, jump, goes):
    begins, level = 2000.0, 0.5
    ends = begins + pictures * SLOT

    def paint(board, time):
        if time >= 1199:
            board[PAGE] = 60
        board[12 : 12 + rows, 29:30] += level * float(np.clip(round((time - begins) / SLOT), 0, pictures))
        board[12 : 12 + rows, 29:30] += jump * (time >= ends)

    recording, _ = film_blocks(paint, slots(4.0))
    moments = judged(recording, find_changes(recording, nothing_ignored()), OPTIONS, without={"speck"})
    finish_ms = recording.time_ms[moments.finish]
    assert begins < finish_ms <= ends if goes else finish_ms - 1000 == near(200)


@pytest.mark.parametrize(("blocks", "expected"), [(1, 250), (8, 300)], ids=["a cursor", "more"])
def test_what_sets_out_over_the_last_of_a_fade_is_not_the_fades(blocks, expected):
    """A hundredth of the blocks may step clearly: a cursor does, which moves on."""
    place = (slice(12, 30), slice(6, 24))  # 324 blocks

    def paint(board, time):
        board[PAGE] -= 140 * (time >= 1199)
        board[place] += 12 * (time >= 1249) + 2 * (time >= 1299)
        board[20, 8 : 8 + blocks] += 30 * (time >= 1299)

    recording, changes = film_blocks(paint, slots(4.0))
    ghost = nothing_ignored()
    ghost[place] = True
    picture = int(np.flatnonzero(np.abs(recording.picture_ms - 1300) < SLOT / 2)[0])
    changes.packed[picture], changes.count[picture] = np.packbits(ghost), ghost.sum()
    moments = judged(recording, changes, OPTIONS)
    assert recording.time_ms[moments.finish] - 1000 == near(expected)


def test_a_fade_that_is_slow_all_along_ends_with_its_last_step():
    slow = [(300 + 50 * step, 2) for step in range(8)]
    assert finish(slow) == near(650)
    assert finish([(250, 12), *slow]) == near(650)


@pytest.mark.parametrize("levels", [-2, -1])
def test_a_level_or_two_back_is_the_encoders_correction(levels):
    assert finish([(250, 12), (300, levels)], without={"left_over"}) == near(250)
    assert finish([(250, 12), (300, levels)], without={"left_over", "astray"}) == near(300)


def test_a_step_back_that_a_block_shows_alone_is_seen():
    assert finish([(250, 12), (300, -4)]) == near(300)


ONLY = {"unseen", "astray"}  # left off: what these explain as well


@pytest.mark.parametrize("variable", [False, True])
def test_specks_too_faint_to_be_seen_soon_after_a_motion_are_its_tail(variable):
    assert finish([(500, 4)], ONLY, SPECKS, variable) == near(200)
    assert finish([(500, 4)], {*ONLY, "correction"}, SPECKS, variable) == near(500)
    assert finish([(500, 4)], ONLY, SPECKS, variable, told=True) == near(500)


@pytest.mark.parametrize(
    ("place", "steps", "expected"),
    [(SPECKS, [(800, 4)], 800), (SPECKS, [(500, 6)], 500), (AREA, [(500, 4)], 500),
     (SPECKS, [(400 + 50 * step, 4) for step in range(3)], 500)],
    ids=["later", "seen", "more of them", "on its way"],
)  # fmt: skip
def test_what_is_no_tail_counts(place, steps, expected):
    assert finish(steps, ONLY, place, variable=True) == near(expected)


@pytest.mark.parametrize(
    ("levels", "later", "beside", "is_one"),
    [(1, 0, True, True), (3, 0, True, True), (4, 0, True, False), (2, 2, True, False), (1, 0, False, False)],
    ids=["one", "three", "seen", "goes on", "no cursor"],
)
def test_what_nobody_sees_beside_a_cursor_that_moves_is_left_out(levels, later, beside, is_one):
    """A picture of few colours draws all between a cursor's two places anew."""

    def paint(board, time):
        board[5:8, 5:8] = 60 if time < 500 else 200  # where the cursor was
        board[15:18, 12:15] = 200 if time < 500 else 60  # and where it is
        board[9:14, 8:12] += levels * (time >= 500) + later * (time >= 600)

    recording, changes = film_blocks(paint, slots(1.0))
    first, last = (int(np.searchsorted(recording.picture_ms, ms - 1)) for ms in (500, 600 if later else 500))
    own, faint = np.zeros(changes.shape, dtype=bool), np.zeros(changes.shape, dtype=bool)
    own[5:8, 5:8] = own[15:18, 12:15] = faint[9:14, 8:12] = True
    scene = SimpleNamespace(
        recording=recording, times_ms=recording.picture_ms, pointer=Pointer(changes.shape, {first: own})
    )
    step = SimpleNamespace(event=SimpleNamespace(last=last), picture=first, blocks=faint | own if beside else faint)
    assert left_over(step, scene) is is_one
    scene.pointer = Pointer(changes.shape)
    assert left_over(step, scene) is False, "where it had not been clear to see before, and nothing moves beside it"


@pytest.mark.parametrize(
    ("beyond", "expected"), [(0, True), (1, True), (2, False)], ids=["its own", "its rim", "something else"]
)
def test_while_only_a_cursor_moves_all_else_rests(beyond, expected):
    """A patch moves 50 ms before an area shifts by two levels; a cursor accounts for it but for some columns."""
    patch, own = np.zeros(SHAPE, bool), np.zeros(SHAPE, bool)
    patch[42:44, 10:16], own[42:44, 10 : 16 - beyond] = True, True

    def paint(board, time):
        board[patch] -= 100 * (time >= 1449)
        board[AREA] += 2 * (time >= 1499)

    recording, changes = film_blocks(paint, slots(3))
    moves, shifts = (int(np.flatnonzero(np.abs(recording.picture_ms - at) < SLOT / 2)[0]) for at in (1450, 1500))
    find_in(changes, shifts, AREA)
    moved, faint = find_events(changes, recording.picture_ms)
    assert is_unseen(faint, [moved], recording, recording.picture_ms, {moves: own}) == expected
    assert not is_unseen(faint, [moved], recording, recording.picture_ms, {})
