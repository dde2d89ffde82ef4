"""What moves before the action or to the end, on events made by hand: what goes on, and what comes to rest."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from analysis.events.ongoing_motion import moving_at
from tests.analysis.events.acted import ACTION_MS, ELSEWHERE, OPTIONS, left_out, measure, near, opens
from tests.analysis.events.handmade import SLOT, film_blocks, judged, nothing_ignored, slots


def test_what_was_in_motion_before_the_action_is_no_response():
    def paint(board, time):
        step = int(time / SLOT) % 8
        board[4, 20 + step % 4] = 90
        opens(board, time)

    (response, _), _ = measure(paint)
    assert response == near(200)
    assert "moved_before" in left_out(paint, "response")
    (response, _), _ = measure(paint, without={"moved_before", "mark"})
    assert response == near(SLOT)


def begins_before(board, time):
    """Slide from one slot before the action on, too late to be known to move."""
    steps = round((time - ACTION_MS) / SLOT) + 2
    if steps > 0:
        board[4:10, 2 + min(steps, 4) : 12] = 90


def test_what_had_begun_before_the_action_does_not_answer_in_its_very_picture():
    (response, _), _ = measure(begins_before, without={"mark"})
    assert response == pytest.approx(SLOT, abs=1)  # in the next picture it may be an answer
    (response, _), _ = measure(begins_before, without={"mark", "at_once"})
    assert response == pytest.approx(0, abs=1)


def ticking(board, time, period=600.0):
    board[2, 20:23] = 90 + 40 * (int(time / period) % 3)


def test_a_clock_decides_neither_moment_and_does_not_settle():
    def paint(board, time):
        ticking(board, time)
        opens(board, time, at=1400)

    (response, finish), moments = measure(paint)
    assert (response, finish, moments.settles) == (near(400), near(400), False)
    assert "keeps_time" in left_out(paint, "response")


def test_three_parts_that_arrive_at_even_intervals_after_the_action_are_no_clock():
    def paint(board, time):
        for part, at in enumerate((1200, 1700, 2200)):
            opens(board, time, at, (slice(20, 22 + part), slice(5, 20)))

    (_, finish), moments = measure(paint)
    assert (finish, moments.settles) == (near(1200), True)


def test_digits_that_tick_unevenly_to_the_end_do_not_decide_the_finish():
    def paint(board, time):
        opens(board, time)
        passed = sum(time >= at for at in (1700, 2000, 2650, 3250, 3800))
        board[44, 10:13] = 90 + 30 * passed

    (_, finish), moments = measure(paint)
    assert (finish, moments.settles) == (near(200), False)
    assert "goes_on" in left_out(paint, "finish")


def test_motion_that_ends_decides_the_finish_and_motion_to_the_end_does_not():
    def paint(board, time, ends):
        opens(board, time)
        if 1200 <= time < ends:
            board[4, 10 + int(time / SLOT) % 6] = 60

    (_, finish), moments = measure(lambda board, time: paint(board, time, 2000))
    assert (finish, moments.settles) == (near(1000), True)
    (_, finish), moments = measure(lambda board, time: paint(board, time, 9000))
    assert (finish, moments.settles) == (near(200), False)


@pytest.mark.parametrize(
    ("since", "until", "last", "finish_ms", "settles"),
    [
        (1300, 9000, 4000, 200, False),
        (1300, 3700, 4000, 2600, True),
        (1300, 9000, 1800, 800, True),
        (1300, 9000, 2300, 200, False),
        (1300, 9000, 2200, 1200, True),
    ],
    ids=["to the end", "rests", "ends with a step", "for just a second", "for a little less"],
)
def test_motion_to_the_end_is_seen_at_ten_frames_a_second_as_well(since, until, last, finish_ms, settles):
    """What has moved for less than a second up to the last frame may have ended with it."""

    def paint(board, time):
        opens(board, time)
        if since <= time < until:
            board[4:7, 10:16] = 60 + 37 * (round(time / 100) % 4)

    recording, changes = film_blocks(paint, np.arange(0.0, last + 1, 100.0))
    moments = judged(recording, changes, OPTIONS)
    assert moments.settles is settles
    assert recording.time_ms[moments.finish] - ACTION_MS == pytest.approx(finish_ms, abs=100)


def test_motion_to_the_end_is_seen_beside_a_much_stronger_answer():
    """A line gets shorter in a note that has just come: as strong as corrections of that would be."""

    def paint(board, time):
        if time >= 1199:
            board[4:10, 2:28] = 60
        if time >= 1299:
            board[9, 27 - round((time - 1299) / 100) :] += 14

    recording, changes = film_blocks(paint, np.arange(0.0, 2301, 100.0))
    moments = judged(recording, changes, OPTIONS)
    assert (moments.settles, recording.time_ms[moments.finish] - ACTION_MS) == (False, 200)


def test_the_end_of_a_recorder_that_writes_only_changes_says_nothing():
    """A slide of 500 ms, in a file that ends with its last step: it had stopped, as far as anyone can tell."""

    def paint(board, time):
        if time >= 1200:
            board[20:30, : 2 + round((time - 1200) / SLOT)] = 60

    times = [0.0, *[1200 + step * SLOT for step in range(28)]]
    recording, changes = film_blocks(paint, times, variable=True)
    moments = judged(recording, changes, OPTIONS)
    assert (moments.outcome, moments.settles, moments.finish) == ("ok", True, len(times) - 1)


@pytest.mark.parametrize(
    ("strays", "finish_ms"), [(slice(2, 4), 200), (slice(2, 20), 1700)], ids=["a few", "an answer"]
)
def test_strays_elsewhere_do_not_cut_off_what_belongs_to_an_area_that_goes_on(strays, finish_ms):
    """A dot pulses from 2200 ms to the end, the one beside it until 2500; meanwhile a clock in the bar goes on."""

    def paint(board, time):
        opens(board, time, 1200.0)
        if time >= 2700 - 1:
            board[0, strays] = 100
        step = round(time / SLOT) % 3
        if 2000 <= time < 2500:
            board[20, 10] = 60 + 40 * step
        if time >= 2200:
            board[20, 14:16] = 60 + 40 * step

    (_, finish), moments = measure(paint, seconds=3.5)
    assert (finish, moments.settles) == (near(finish_ms), False)


@pytest.mark.parametrize(("key_frames", "settles"), [([2], True), ([], False)])
def test_what_stirs_faintly_since_a_key_frame_alone_does_not_move(key_frames, settles):
    """A patch sways by four levels over the last 200 ms; its first picture is a key frame, or is none."""

    def paint(board, time):
        opens(board, time)
        if time >= 2000 - 1:
            board[4:8, 4:8] = 204 if round(time / SLOT) % 2 else 200

    (_, finish), moments = measure(paint, seconds=2.2, key_frames=key_frames)
    assert (finish, moments.settles) == (near(200), settles)


@pytest.mark.parametrize(("rests_ms", "settles"), [(160.0, True), (110.0, False)])
def test_what_had_rested_before_a_key_frame_does_not_move_because_that_stirs_it(rests_ms, settles):
    """A patch takes three steps and rests; a key frame comes, and the patch sways by four levels from then on."""
    moved = [2000 - rests_ms - 50 * step for step in (2, 1, 0)]

    def paint(board, time):
        board[4:8, 4:8] = 200 - 20 * sum(time >= at - 1 for at in moved)
        if time >= 2000 - 1 and round(time / SLOT) % 2:
            board[4:8, 4:8] += 4

    (_, finish), moments = measure(paint, seconds=2.2, key_frames=[4])
    assert moments.settles is settles
    if settles:
        assert finish == near(1000 - rests_ms)


@pytest.mark.parametrize(("rests_ms", "finish_ms"), [(280.0, 800), (180.0, 200)])
def test_what_comes_after_a_rest_at_the_end_is_no_part_of_what_moved_before_it(rests_ms, finish_ms):
    """A patch takes two steps that end at 1,800 ms, rests, and a stray of its blocks stirs in the last picture."""

    def paint(board, time):
        opens(board, time)
        board[4:8, 4:8] = 200 - 20 * ((time >= 1750 - 1) + (time >= 1800 - 1))
        stray = (time >= 1800 + rests_ms - 1) + 0.0 + (time >= 1800 + rests_ms + 17)
        board[4:5, 4:6] -= 5 * stray

    (_, finish), moments = measure(paint, seconds=(1800 + rests_ms + 34) / 1000)
    assert finish == near(finish_ms)
    assert moments.settles is (finish_ms == 800)


def test_what_moved_before_a_rest_is_not_in_motion_because_something_beside_it_is():
    def paint(board, time):
        board[4:6, 4:6] = 200 - 20 * ((time >= 1750 - 1) + (time >= 1800 - 1))
        board[4:6, 7:8] = 200 - 20 * (round(max(time - 2050, 0) / SLOT) % 3)

    recording, _ = film_blocks(paint, slots(2.2))
    moving = moving_at(recording, float(recording.time_ms[-1]), nothing_ignored(), last_ms=SLOT)
    assert moving[4:6, 7].all()
    assert not moving[4:6, 4:6].any()


def stirs_to_the_end(level, since, until, board, time):
    """What answers leaves a patch of dither beside it."""
    opens(board, time)
    if since - 1 <= time:
        board[4:6, 4:8] = level(round((min(time, until) - since) / SLOT))


@pytest.mark.parametrize(
    ("level", "since", "until", "finish_ms", "settles"),
    [
        (lambda step: 200 + 7 * (0, 1, 0, -1)[step % 4], 1200.0, 9000.0, 200, True),
        (lambda step: 200 + 7 * (0, 1, 0, -1)[step % 4], 1200.0, 2000.0, 1000, True),
        (lambda step: 200 + 7 * (0, 1, 0, -1)[step % 4] + 4 * (step >= 49), 1200.0, 9000.0, 1017, True),
        (lambda step: 200 - 7 * step, 2700.0, 9000.0, 2000, True),
        (lambda step: 200 + 11 * (0, 1, 0, -1)[step % 4], 1200.0, 9000.0, 200, False),
    ],
    ids=["dither", "that ends", "a step in it", "a fade", "stronger than noise"],
)
def test_what_is_no_stronger_than_the_noise_of_all_and_goes_on_to_the_end_is_no_finish(
    level, since, until, finish_ms, settles
):
    recording, changes = film_blocks(partial(stirs_to_the_end, level, since, until), slots(3))
    noisy = replace(recording, upper=np.full(len(recording.store), 3, np.float32))
    moments = judged(noisy, changes, OPTIONS, without={"correction", "unseen", "left_over", "astray"})
    assert noisy.time_ms[moments.finish] - ACTION_MS == near(finish_ms)
    assert moments.settles is settles


def still_spinning(board, time):
    """A spinner that takes a step in every slot, and rests for 100 ms before the recording ends."""
    opens(board, time)
    board[4, 4 + round(min(time, 1900) / SLOT) % 4] = 90


def test_what_came_to_rest_by_its_own_pace_has_stopped_however_soon_the_recording_ends():
    (_, finish), moments = measure(still_spinning, seconds=2.0)
    assert (finish, moments.settles) == (near(900), True)
    (_, finish), moments = measure(still_spinning, seconds=2.0, without=["rests"])
    assert (finish, moments.settles) == (near(200), False)


def slowly_spinning(board, time):
    """A spinner that takes a step every 100 ms up to the end."""
    opens(board, time)
    board[4, 4 + int(time / 100) % 4] = 90


def test_what_is_slow_by_its_own_pace_has_not_stopped():
    (_, finish), moments = measure(slowly_spinning, seconds=2.0)
    assert (finish, moments.settles) == (near(200), False)


def corrected(board, time):
    """A tooltip comes before the action, is corrected by a tenth of its levels at most, and goes after it."""
    if 800 <= time < 1099:
        board[ELSEWHERE] = 40
        if time < 950:
            board[ELSEWHERE] += 8 * (round(time / SLOT) % 3)


def test_corrections_after_a_step_are_no_motion_before_the_action():
    assert measure(corrected)[0][0] == near(100)
    assert measure(corrected, without=["corrected"])[0][0] != near(100)


def swaying(shape, levels, board, time):
    opens(board, time)
    if time >= 1300:
        board[: shape[0], : shape[1]] = 200 - levels[round(time / SLOT) % len(levels)]


@pytest.mark.parametrize(
    ("shape", "levels", "settles"),
    [
        ((2, 4), (0, 5), True),  # A, B, A, B in two coding blocks
        ((2, 4), (0, 5, 1, 5), True),  # as an encoder does: nearly the same two
        ((2, 4), (0, 5, 10), False),  # a third picture
        ((4, 4), (0, 5), False),  # more than two coding blocks
    ],
)
def test_two_pictures_in_turns_within_a_coding_block_or_two_are_no_motion(shape, levels, settles):
    (_, finish), moments = measure(lambda board, time: swaying(shape, levels, board, time))
    assert (finish, moments.settles) == (near(200), settles)


SWITCH = (slice(20, 26), slice(8, 16))


def wanders(board, time):
    """Something of two blocks that stirs up to 100 ms before the action, and again 500 ms after it."""
    step = int(min(max(time - 700, 0) // 40, 5) + min(max(time - 1500, 0) // 40, 20))
    board[22:24, 10] = 200 - 12 * (step % 3)


@pytest.mark.parametrize(("place", "outcome"), [(SWITCH, "ok"), ((slice(20, 22), slice(11, 12)), "no_response")])
def test_what_is_much_more_than_what_had_moved_there_before_answers_where_nothing_else_does(place, outcome):
    """A cursor that was not known as one stirs before the action; the switch beside it is no part of that."""

    def paint(board, time):
        if time >= 1199:
            board[place] = 90
        wanders(board, time)

    (response, _), moments = measure(paint, seconds=2.3)
    assert moments.outcome in (outcome, "never_settles" if outcome == "ok" else outcome)
    if outcome == "ok":
        assert response == near(200)


def turning(begins, level, board, time):
    """What opens is still spinning when the recording ends, or fading, 600 ms later."""
    opens(board, time)
    if time >= begins:
        board[4:6, 4:8] = level(round((time - begins) / 100))


@pytest.mark.parametrize(
    ("begins", "level", "finish"),
    [
        (1200, lambda step: (90, 120, 150, 110)[step % 4], 200),
        (1200, lambda step: 190 - 20 * step, 700),
        (1500, lambda step: (90, 120, 150, 110)[step % 4], 700),
    ],
    ids=["a spinner", "a fade", "too short to tell"],
)
def test_a_small_thing_that_goes_to_and_fro_as_a_slow_recording_ends_goes_on(begins, level, finish):
    times = [100.0 * index for index in range(18)]
    recording, changes = film_blocks(partial(turning, begins, level), times)
    moments = judged(recording, changes, OPTIONS)
    assert recording.time_ms[moments.finish] - ACTION_MS == finish
    assert moments.settles is (finish != 200)


@pytest.mark.parametrize("place", [np.s_[20:30, 8:24], np.s_[20:22, 8:11]], ids=["a card", "a switch"])
@pytest.mark.parametrize("every_ms", [150.0, 50.0])
def test_what_a_slow_screen_changes_in_each_picture_is_a_motion_and_no_clock(every_ms, place):
    """It turns in six pictures, and 240 ms later the recording ends; at 6.7 a second each is an event."""
    first, last = 1200.0, 1200.0 + 5 * every_ms

    def paint(board, time):
        board[place] = 200 - 20 * np.clip(round((min(time, last) - first) / every_ms) + 1, 0, 6)

    times = [*np.arange(0, last + 1, every_ms).tolist(), last + 240]
    recording, changes = film_blocks(paint, times)
    moments = judged(recording, changes, OPTIONS)
    assert recording.time_ms[moments.finish] == pytest.approx(last, abs=1)
    assert moments.settles is True


def test_digits_that_tick_at_a_slow_screen_go_on():
    """They change in every third of the pictures that a screen shows 6.7 times a second while it moves."""

    def paint(board, time):
        opens(board, time)
        board[20:22, 2:6] = 90 + 30 * (min(time, 600) // 150 % 3)
        board[44, 10:13] = 90 + 30 * (max(time - 1200, 0) // 450 % 3)

    recording, changes = film_blocks(paint, np.arange(0, 3500, 150.0).tolist())
    moments = judged(recording, changes, OPTIONS)
    assert recording.time_ms[moments.finish] == pytest.approx(1200, abs=1)
    assert moments.settles is False
