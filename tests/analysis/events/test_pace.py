"""A slow screen that is filmed at a high rate: its own pace tells, not the recorder's, on blocks made by hand."""

import numpy as np
import pytest

from analysis.events.cursor.hovering import Tip, find_hovered
from analysis.events.cursor.visits import is_visited
from analysis.events.event import find_events
from analysis.events.ongoing_motion import moving_at_end
from analysis.events.pace import gaps_in_motion_ms, slot_of_screen_ms
from analysis.options import MeasureOptions
from tests.analysis.events.acted import ACTION_MS, OPTIONS
from tests.analysis.events.handmade import SLOT, film_blocks, judged, nothing_ignored, slots


def stirring(paint):
    """Return what paints the same, and what an encoder stirs in every slot: a block, by three levels."""

    def painted(board, time):
        board[46, 28] = 100 + 3 * (round(time / SLOT) % 2)
        paint(board, time)

    return painted


def steps_on(board, time, since=1000.0, until=9000.0, slot=100.0):
    """Something small goes on from place to place in every slot of the screen."""
    step = int(np.clip(time - since, 0, until - since) // slot)
    board[4 + 2 * step % 40 : 6 + 2 * step % 40, 6:8] = 40


def test_the_pace_of_a_screen_is_that_of_its_visible_changes():
    recording, changes = film_blocks(stirring(steps_on), slots(2.0))
    assert np.median(np.diff(recording.picture_ms)) == pytest.approx(SLOT)
    assert slot_of_screen_ms(recording, changes) == pytest.approx(100)
    assert gaps_in_motion_ms(recording, changes) == pytest.approx(100, abs=SLOT)


@pytest.mark.parametrize(("variable", "slot_ms"), [(False, 50.0), (True, 0.0)])
def test_where_next_to_nothing_moves_a_recorder_that_keeps_a_rate_tells(variable, slot_ms):
    def opens(board, time):
        board[20:40, 4:26] = 90 if time >= 1200 else 200

    recording, changes = film_blocks(opens, np.arange(0, 2000, 50.0).tolist(), variable=variable)
    assert slot_of_screen_ms(recording, changes) == slot_ms


def test_two_changes_tell_no_pace():
    def opens_in_two_steps(board, time):
        board[20:40, 4:26] = 200 - 60 * sum(time >= at - 1 for at in (1200, 1300))

    recording, changes = film_blocks(stirring(opens_in_two_steps), slots(2.0))
    assert slot_of_screen_ms(recording, changes) == pytest.approx(SLOT)


def test_a_longer_rest_says_nothing_of_the_pace():
    def opens_twice(board, time):
        board[20:40, 4:26] = 60 + 10 * sum(time >= at for at in (1200, 1250, 1300, 1800, 1850))

    recording, changes = film_blocks(opens_twice, slots(2.0))
    assert gaps_in_motion_ms(recording, changes) == pytest.approx(50, abs=SLOT)


@pytest.mark.parametrize(
    ("slot", "until", "looked"),
    [(100.0, 1900, True), (SLOT, 1300, False)],
    ids=["slow screen", "quick screen"],
)
def test_pixels_are_looked_at_where_a_cursor_leaps_as_the_screen_is_slow(slot, until, looked):
    """The recorder is as quick in both, and writes a picture in every slot."""

    def goes(board, time):
        steps_on(board, time, 1200, until, slot)

    recording, changes = film_blocks(stirring(goes), slots(2.0))
    assert is_visited(recording, changes, nothing_ignored(), ACTION_MS) is looked


@pytest.mark.parametrize(("back", "finish"), [(1700.0, 200), (1600.0, 600)], ids=["a blink", "too soon"])
def test_a_blink_is_rounded_by_a_slow_screen_at_any_rate_of_filming(back, finish):
    """The last of four digits comes with the caret behind it; ten times a second, and it is gone for 200 ms."""

    def types(board, time):
        for at, place in ((900, 2), (1000, 3), (1100, 4), (1200, 5)):
            board[9:14, place] = 60 if time >= at - 1 else 200
        if time >= 1199:
            board[10:12, 8] = 100 if 1499 <= time < back - 1 else 40

    recording, changes = film_blocks(stirring(types), slots(2.0))
    moments = judged(recording, changes, OPTIONS)
    assert recording.time_ms[moments.finish] - ACTION_MS == pytest.approx(finish, abs=SLOT)


@pytest.mark.parametrize(("slot", "passes"), [(100.0, False), (SLOT, True)], ids=["slow screen", "quick screen"])
def test_a_picture_of_a_slow_screen_without_a_change_is_no_rest(slot, passes):
    """A word goes pale in steps, then what was tapped is marked, as the cursor begins to move over it."""
    pales = [1300 - slot * step for step in range(3)]

    def paint(board, time):
        board[0:2, 4:8] = 200 - 30 * sum(time >= at - 1 for at in pales)
        board[20:24, 4:18] = 120 if time >= 1499 else 200

    recording, changes = film_blocks(stirring(paint), slots(2.0))
    events = find_events(changes, recording.picture_ms)
    tips = [Tip(events[-1].first, (21.0, 8.0), (21.5, 12.0))]
    assert bool(find_hovered(recording, events, changes, tips, ACTION_MS)) is passes


def notices(board, time):
    """A notice goes and another comes, step by step of a screen that shows ten pictures a second."""
    board[2:10, 4:26] = 200 - 30 * sum(time >= at - 1 for at in (1400, 1500, 1600, 1700, 1800))


@pytest.mark.parametrize("seconds", [1.85, 1.95], ids=["within a slot", "soon after"])
def test_a_slow_screen_that_is_filmed_to_no_end_has_not_gone_on_for_long(seconds):
    """What is due next is not filmed any more: as with a recorder that writes nothing after the last change."""
    recording, changes = film_blocks(stirring(notices), slots(seconds))
    moments = judged(recording, changes, OPTIONS)
    assert moments.outcome == "ok"
    assert recording.time_ms[moments.finish] - ACTION_MS == pytest.approx(800, abs=SLOT)
    assert moments.settles


@pytest.mark.parametrize(("begins", "settles"), [(1450.0, False), (2100.0, True)], ids=["a second", "just now"])
def test_what_has_moved_for_a_second_goes_on_however_slow_the_screen(begins, settles):
    def paint(board, time):
        board[20:40, 4:26] = 90 if time >= 1199 else 200
        if time >= begins:
            board[4 : 6 + int((time - begins + 1) // 100), 10:14] = 60

    recording, changes = film_blocks(stirring(paint), slots(2.55))
    assert judged(recording, changes, MeasureOptions(action_ms=ACTION_MS)).settles is settles


def test_what_began_just_now_on_a_quick_screen_goes_on():
    def paint(board, time):
        board[20:40, 4:26] = 90 if time >= 1199 else 200
        if time >= 2199:
            board[4 : 4 + round((time - 2199) / SLOT), 4:9] = 60

    recording, changes = film_blocks(stirring(paint), slots(2.55))
    assert judged(recording, changes, OPTIONS).settles is False


@pytest.mark.parametrize(("turns", "settles"), [(True, False), (False, True)])
def test_a_spinner_that_began_a_moment_ago_on_a_slow_screen_goes_on(turns, settles):
    """Six pictures of it are seen. What grows instead goes one way, and may have come to its end."""

    def paint(board, time):
        board[20:40, 4:26] = 90 if time >= 1199 else 200
        step = int(np.clip(time + 1 - 1400, 0, 9000) // 100)
        if time >= 1399:
            board[10:12, 10:12] = (60 if step % 2 else 150) if turns else 150 - 12 * step

    recording, changes = film_blocks(stirring(paint), slots(2.05))
    assert judged(recording, changes, OPTIONS).settles is settles


@pytest.mark.parametrize(("pauses", "settles"), [((), False), ((1700, 1900), True)], ids=["each", "not each"])
def test_what_turns_on_a_slow_recording_does_so_in_nearly_each_of_its_last_pictures(pauses, settles):
    """An encoder stirs in all of them."""

    def paint(board, time):
        board[46, 28] = 100 + 3 * (round(time / 100) % 2)
        board[20:40, 4:26] = 90 if time >= 1199 else 200
        turned = [at for at in range(1300, 2100, 100) if at <= time and at not in pauses]
        board[10:12, 10:12] = 60 if len(turned) % 2 else 150

    recording, changes = film_blocks(paint, np.arange(0, 2100, 100.0).tolist())
    assert judged(recording, changes, OPTIONS).settles is settles


@pytest.mark.parametrize(("rests", "settles"), [(100, False), (200, True)], ids=["for a slot", "for two"])
def test_the_frame_that_a_stopped_recorder_writes_last_says_nothing_of_a_slow_screen(rests, settles):
    """Something has grown for more than a second, up to the end or until it rests."""
    ends = 2400 + rests

    def paint(board, time):
        board[20:40, 4:26] = 90 if time >= 1199 else 200
        board[46, 28] = 103 if time >= ends else 100  # the encoder stirs in it
        step = min(int(time), 2400) // 100
        if step >= 12:
            board[4 : step - 6, 10:14] = 60

    recording, changes = film_blocks(paint, [*np.arange(0, 2401, 100.0), float(ends)])
    assert judged(recording, changes, OPTIONS).settles is settles


@pytest.mark.parametrize(("variable", "goes_on"), [(False, True), (True, False)])
def test_what_moves_is_seen_at_once_by_a_recorder_that_writes_each_change(variable, goes_on):
    """It has grown in eleven pictures, over no more than a second; one that keeps a rate may have missed some."""

    def paint(board, time):
        board[4 : 4 + max(0, int(time + 1) - 1300) // 100, 10:14] = 60

    times = [0.0, 600.0, *np.arange(1200, 2401, 100.0)]
    recording, changes = film_blocks(paint, times, variable=variable)
    slot_ms = slot_of_screen_ms(recording, changes)
    assert bool(moving_at_end(recording, changes, nothing_ignored(), slot_ms).any()) is goes_on
