"""Each rule on events made by hand: what it leaves out, and what it must not."""

import numpy as np
import pytest

from analysis.events.rules import RULES
from analysis.events.touch import system_bars
from analysis.options import MeasureOptions
from analysis.video.grid import BlockGrid
from tests.analysis.events.handmade import SLOT, film_blocks, judged, nothing_ignored, ruled, slots

ACTION_MS = 1000.0
OPTIONS = MeasureOptions(action_ms=ACTION_MS)
CARET = (slice(10, 13), slice(5, 6))
ELSEWHERE = (slice(30, 40), slice(8, 24))


def measure(paint, seconds=4.0, without=(), options=OPTIONS, **film):
    """Return response and finish in ms after the action, and whether the screen settled."""
    recording, changes = film_blocks(paint, slots(seconds), **film)
    moments = judged(recording, changes, options, without)
    times = recording.time_ms - options.action_ms
    return [None if frame is None else float(times[frame]) for frame in (moments.response, moments.finish)], moments


def opens(board, time, at=1200.0, place=ELSEWHERE):
    if time >= at - 1:
        board[place] = 60


def near(expected):
    return pytest.approx(expected, abs=SLOT)


def left_out(paint, moment, seconds=4.0, **film):
    """Return the key of the rule that left out each event after the action; None for one that counts."""
    recording, changes = film_blocks(paint, slots(seconds), **film)
    rules = [event.why_not(moment) for event in ruled(recording, changes, OPTIONS)]
    return [rule and rule.key for rule in rules]


def test_every_rule_has_its_own_key_and_a_reason_for_a_person():
    assert len({rule.key for rule in RULES}) == len(RULES)
    assert all(rule.reason and (rule.area or rule.holds) and rule.of for rule in RULES)


def blinking(board, time, period=1060.0, place=CARET):
    if time % period < period / 2:
        board[place] = 40


def test_a_caret_decides_neither_moment_and_the_screen_settles():
    def paint(board, time):
        blinking(board, time)
        opens(board, time)

    (response, finish), moments = measure(paint)
    assert (response, finish, moments.settles) == (near(200), near(200), True)
    assert set(left_out(paint, "finish")) == {"caret", None}


def test_without_its_rule_the_caret_would_decide():
    def paint(board, time):
        blinking(board, time)
        opens(board, time)

    (response, _), _ = measure(paint, without={"caret", "keeps_time", "brings_back"})
    assert response == near(60)


def test_a_letter_beside_a_caret_counts():
    def paint(board, time):
        blinking(board, time)
        if time >= 1300:
            board[10:13, 4] = 40

    (response, finish), moments = measure(paint, seconds=5)
    assert (response, finish, moments.settles) == (near(300), near(300), True)


def gone(times, place=CARET, letter=None, letter_at=0.0):
    """Paint a bar that goes and comes at the times, and a letter; a page opens at 1400 ms."""

    def paint(board, time):
        if not sum(time >= at - 1 for at in times) % 2:
            board[place] = 40
        if letter is not None and time >= letter_at - 1:
            board[letter] = 100
        opens(board, time, 1400)

    return paint


def test_a_caret_that_went_once_between_action_and_answer_is_no_response():
    assert measure(gone((1100.0, 1600.0)), seconds=2)[0] == [near(400), near(400)]
    assert measure(gone((1100.0, 1600.0)), seconds=2, without={"caret"})[0] == [near(100), near(600)]


@pytest.mark.parametrize(
    "place",
    [
        (slice(10, 13), slice(5, 8)),  # as wide as a letter
        (slice(10, 12), slice(5, 7)),  # a dot
        (slice(10, 20), slice(5, 6)),  # longer than a line is high
        (slice(10, 13), slice(29, 30)),  # at the edge, as a scrollbar
    ],
)
def test_what_has_not_the_shape_of_a_caret_counts_when_it_goes_and_comes(place):
    assert measure(gone((1100.0, 1600.0), place), seconds=2)[0] == [near(100), near(600)]


def test_a_bar_that_goes_for_good_counts():
    assert measure(gone((1100.0,)), seconds=3)[0] == [near(100), near(400)]


def test_a_bar_that_comes_back_at_once_counts_as_a_flash():
    assert measure(gone((1100.0, 1250.0)), seconds=3)[0] == [near(100), near(400)]


@pytest.mark.parametrize("columns", [slice(4, 5), slice(6, 7), slice(5, 6)])
def test_a_letter_counts_as_it_shows_a_third_picture(columns):
    """The caret goes, a letter comes beside it or in its place, while the caret blinks on."""
    paint = gone((1100.0, 1600.0, 2100.0), letter=(slice(11, 13), columns), letter_at=1800.0)
    assert measure(paint, seconds=2.5)[0] == [near(400), near(800)]


def test_a_caret_that_blinked_once_is_known_where_a_letter_moved_it_on():
    def paint(board, time):
        if time < 1100 - 1 or time >= 1300 - 1:
            board[CARET] = 40 if time < 1300 - 1 else 60
        if 1300 - 1 <= time < 1800 - 1:
            board[10:13, 7] = 40

    assert measure(paint, seconds=2.1)[0] == [near(300), near(300)]


@pytest.mark.parametrize(("comes", "response"), [(1100.0, 100), (600.0, 400)])
def test_a_caret_that_is_new_is_the_answer_and_its_blinks_are_not(comes, response):
    """It comes after the action, after a rest in which it would have blinked; or it has been there before."""
    blinks = [comes, comes + 500, comes + 1000, comes + 1500]
    found, moments = measure(gone((0.0, *blinks)), seconds=3)
    assert (found, moments.settles) == ([near(response), near(400)], True)


@pytest.mark.parametrize("fades", [True, False])
def test_a_caret_that_fades_at_the_action_hides_no_letter(fades):
    def paint(board, time):
        shown = float(np.clip(abs((time + 60) % 1000 - 500) / 100 - 1, 0, 1)) if fades else 1.0
        board[CARET] = 200 - 160 * shown
        if time >= 1100 - 1:
            board[10:13, 6:8] = 60

    assert measure(paint, seconds=2)[0] == [near(100), near(100)]


def test_a_little_thing_that_blinks_is_no_caret_unless_it_is_narrow():
    def paint(board, time):
        if sum(time >= at - 1 for at in (400, 1000, 1850)) % 2:
            board[10:12, 5:8] = 40
        opens(board, time)

    found, moments = measure(paint, seconds=2.4)
    assert found == [near(200), near(200)]
    assert (moments.settles, moments.background.caret.any()) == (False, False)
    assert measure(paint, seconds=2.4, without={"blinking", "mark", "again"})[0] == [near(200), near(850)]


def test_a_large_thing_that_blinks_is_no_caret():
    def paint(board, time):
        blinking(board, time, place=(slice(0, 20), slice(0, 30)))
        opens(board, time)

    _, moments = measure(paint)
    assert not moments.background.caret.any()
    assert moments.settles is False


def test_what_was_in_motion_before_the_action_is_no_response():
    def paint(board, time):
        step = int(time / SLOT) % 8
        board[4, 20 + step % 4] = 90
        opens(board, time)

    (response, _), _ = measure(paint)
    assert response == near(200)
    assert "moved_before" in left_out(paint, "response")
    (response, _), _ = measure(paint, without={"moved_before", "mark"})
    assert response == near(0)


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
    [(1300, 9000, 4000, 200, False), (1300, 3700, 4000, 2600, True), (1300, 9000, 1800, 800, True)],
    ids=["to the end", "rests", "ends with a step"],
)
def test_motion_to_the_end_is_seen_at_ten_frames_a_second_as_well(since, until, last, finish_ms, settles):
    """What has moved for half a second up to the last frame may have ended with it."""

    def paint(board, time):
        opens(board, time)
        if since <= time < until:
            board[4:7, 10:16] = 60 + 37 * (round(time / 100) % 4)

    recording, changes = film_blocks(paint, np.arange(0.0, last + 1, 100.0))
    moments = judged(recording, changes, OPTIONS)
    assert moments.settles is settles
    assert recording.time_ms[moments.finish] - ACTION_MS == pytest.approx(finish_ms, abs=100)


def test_the_end_of_a_recorder_that_writes_only_changes_says_nothing():
    """A slide of 500 ms, in a file that ends with its last step: it had stopped, as far as anyone can tell."""

    def paint(board, time):
        if time >= 1200:
            board[20:30, : 2 + round((time - 1200) / SLOT)] = 60

    times = [0.0, *[1200 + step * SLOT for step in range(28)]]
    recording, changes = film_blocks(paint, times, variable=True)
    moments = judged(recording, changes, OPTIONS)
    assert (moments.outcome, moments.settles, moments.finish) == ("ok", True, len(times) - 1)


@pytest.mark.parametrize(("key_frames", "settles"), [([2], True), ([], False)])
def test_what_stirs_faintly_since_a_key_frame_alone_does_not_move(key_frames, settles):
    """A patch sways by four levels over the last 200 ms; its first picture is a key frame, or is none."""

    def paint(board, time):
        opens(board, time)
        if time >= 2000 - 1:
            board[4:8, 4:8] = 204 if round(time / SLOT) % 2 else 200

    (_, finish), moments = measure(paint, seconds=2.2, key_frames=key_frames)
    assert (finish, moments.settles) == (near(200), settles)


def test_what_comes_back_after_the_action_as_before_it_is_no_response():
    def paint(board, time):
        if 400 <= time < 1300:
            board[10:12, 5:8] = 40
        opens(board, time, 1500)

    (response, _), _ = measure(paint)
    assert response == near(500)
    assert left_out(paint, "response") == ["brings_back", None]


@pytest.mark.parametrize(("used", "rules"), [(500.0, ["brings_back"]), (1600.0, [None])])
def test_a_switch_that_was_used_by_an_earlier_interaction_answers_when_it_is_turned_back(used, rules):
    """Two interactions in one file: the first turns it on, `used` ms before the second, which turns it off."""

    def paint(board, time):
        if 3000 - used - 1000 <= time < 3099:
            board[20:22, 5:8] = 40

    recording, changes = film_blocks(paint, slots(4))
    judged_by = ruled(recording, changes, MeasureOptions(action_ms=3000.0))
    assert [rule and rule.key for rule in (event.why_not("response") for event in judged_by)] == rules


def coarse_at_first(board, time, until=250.0):
    """The first picture is sharpened in every slot, by less and less, here up, there down."""
    signs = np.where(np.add.outer(np.arange(board.shape[0]), np.arange(board.shape[1])) % 2, 1, -1)
    board += signs * 10 * np.ceil(max(0.0, 1 - time / until) * 12)


@pytest.mark.parametrize(("action_ms", "answers_ms"), [(0.0, 400.0), (100.0, 400.0)])
def test_the_first_picture_is_sharpened_and_no_response(action_ms, answers_ms):
    def paint(board, time):
        coarse_at_first(board, time)
        opens(board, time, answers_ms)

    options = MeasureOptions(action_ms=action_ms)
    assert measure(paint, options=options)[0][0] == near(answers_ms - action_ms)
    assert measure(paint, options=options, without=["first"])[0][0] < 50


@pytest.mark.parametrize(("at", "level"), [(150.0, 190), (400.0, 190), (100.0, 120)])
def test_what_comes_after_a_rest_or_is_strong_is_a_response_from_the_first_picture_on(at, level):
    def paint(board, time):
        if level == 120:
            coarse_at_first(board, time)
        if time >= at - 1:
            board[ELSEWHERE] = level

    assert measure(paint, options=MeasureOptions())[0][0] == near(at)


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


def test_the_finger_on_the_screen_is_no_response():
    def paint(board, time):
        if 1000 <= time < 1100:
            board[20:23, 20:23] = 120
        opens(board, time)

    recording, changes = film_blocks(paint, slots(3))
    finger = nothing_ignored()
    finger[19:24, 19:24] = True
    rules = [event.why_not("response") for event in ruled(recording, changes, OPTIONS, finger)]
    assert [rule and rule.key for rule in rules] == ["finger", None]


@pytest.mark.parametrize(("variable", "finish"), [(False, 400), (True, 500)])
def test_an_encoders_correction_is_no_finish_at_a_constant_rate(variable, finish):
    def paint(board, time):
        if time >= 1200:
            board[10:40, : min(26, 2 + 2 * int((time - 1200) / SLOT))] = 60
        if time >= 1400 - 1:
            board[10:40, 26:30] = 60
        if time >= 1500 - 1:
            board[20, 10] = 68

    recording, changes = film_blocks(paint, slots(3), variable=variable)
    moments = judged(recording, changes, OPTIONS)
    assert recording.time_ms[moments.finish] - ACTION_MS == near(finish)


def test_three_blocks_after_a_picture_without_any_are_a_step():
    def paint(board, time):
        if time >= 1200:
            board[10:40] = 60
        if time >= 1217:
            board[2, 2] = 203
        if time >= 1300:
            board[20, 10:13] = 68

    (_, finish), _ = measure(paint)
    assert finish == near(300)


def test_a_fade_began_before_any_block_shows_it():
    def paint(board, time):
        board[5:45, 5:25] = 200 - 0.05 * np.clip(time - 1200, 0, 1000)

    recording, changes = film_blocks(paint, slots(4))
    changes.count[:] = 0
    found = int(np.searchsorted(recording.picture_ms, 1700))
    blocks = nothing_ignored()
    blocks[5:45, 5:25] = True
    changes.packed[found], changes.count[found] = np.packbits(blocks), blocks.sum()
    moments = judged(recording, changes, OPTIONS)
    assert recording.time_ms[moments.response] - ACTION_MS == pytest.approx(250, abs=60)
    without = judged(recording, changes, OPTIONS, without={"fade"})
    assert recording.time_ms[without.response] == near(1700)


@pytest.mark.parametrize(("variable", "response"), [(False, 200), (True, 217)])
def test_the_first_stir_after_a_rest_belongs_to_the_response_at_a_constant_rate(variable, response):
    def paint(board, time):
        if time >= 1200 - 1:
            board[30, 8:11] = 196
        if time >= 1216:
            board[ELSEWHERE] = 60

    recording, changes = film_blocks(paint, slots(3), variable=variable)
    moments = judged(recording, changes, OPTIONS)
    assert recording.time_ms[moments.response] - ACTION_MS == pytest.approx(response, abs=1.5)
    assert ("rest" in moments.onset.found_by) is not variable


ARROW = (slice(1, 2), slice(24, 26))  # in the status bar
HANDLE = (slice(46, 47), slice(13, 16))
TITLE = (slice(4, 5), slice(24, 26))  # below the status bar


def appears(at, place):
    def paint(board, time):
        opens(board, time)
        if time >= at - 1:
            board[place] = 60

    return paint


@pytest.mark.parametrize("place", [ARROW, HANDLE])
def test_a_little_change_alone_in_the_bars_decides_neither_moment(place):
    early, moments = measure(appears(1700.0, place))
    assert (early, moments.settles) == ([near(200), near(200)], True)
    assert measure(appears(1700.0, place), without=["edge"])[0] == [near(200), near(700)]

    def before_the_answer(board, time):
        appears(1050.0, place)(board, time)
        board[ELSEWHERE] = 60 if time >= 1599 else 200

    assert measure(before_the_answer)[0] == [near(600), near(600)]
    assert measure(before_the_answer, without=["edge", "spot"])[0] == [near(50), near(600)]


def test_nothing_but_the_bars_is_no_response():
    def paint(board, time):
        if time >= 1299:
            board[ARROW] = 60

    moments = measure(paint)[1]
    assert moments.outcome == "no_response"
    assert "by itself" in moments.message


@pytest.mark.parametrize(
    ("place", "at", "finish"),
    [
        (TITLE, 1700.0, 700),  # the app's own
        (ARROW, 1400.0, 400),  # within 250 ms of the rest: it may belong to it
        ((slice(0, 3), slice(0, 30)), 1700.0, 700),  # the whole bar is not little
    ],
)
def test_what_is_the_apps_or_large_or_comes_with_the_rest_decides(place, at, finish):
    assert measure(appears(at, place))[0] == [near(200), near(finish)]


def test_what_the_finger_touched_answers_wherever_it_is():
    def paint(board, time):
        if time >= 1299:
            board[ARROW] = 60

    options = MeasureOptions(action_ms=ACTION_MS, touch_xy=(25 * 8, 5 * 8))
    assert measure(paint, options=options)[0] == [near(300), near(300)]


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_bars_lie_where_the_picture_is_shown(rotation):
    grid = BlockGrid(240, 400, 8, rotation) if rotation in (0, 180) else BlockGrid(400, 240, 8, rotation)
    bars = system_bars(grid)
    rows, columns = grid.shape
    edge = {0: bars[:3], 180: bars[-3:], 90: bars[:, :3], 270: bars[:, -3:]}[rotation]
    other = {0: bars[-2:], 180: bars[:2], 90: bars[:, -2:], 270: bars[:, :2]}[rotation]
    assert edge.all()
    assert other.all()
    assert bars.sum() == pytest.approx(min(rows, columns) * 5.5, abs=16)


@pytest.mark.parametrize(
    ("levels", "height", "response"), [(1.0, 3, 500), (1.0, 12, 200), (1.5, 1, 200)],
    ids=["no more than elsewhere", "more than a neighbourhood", "stands out"],
)  # fmt: skip
def test_what_an_encoder_refines_all_over_the_picture_is_no_response(levels, height, response):
    """A few blocks lie over the limit while scattered ones all over the screen stir by a level."""

    def paint(board, time):
        if time >= 1199:
            board[::5, ::5] += 1
            board[20, 10] = 200 + levels
        opens(board, time, 1500)

    recording, changes = film_blocks(paint, slots(3))
    stirred = int(np.searchsorted(recording.picture_ms, 1199))
    blocks = nothing_ignored()
    blocks[20 : 20 + height, 10] = True
    changes.packed[stirred], changes.count[stirred] = np.packbits(blocks), blocks.sum()
    moments = judged(recording, changes, OPTIONS)
    assert recording.time_ms[moments.response] - ACTION_MS == near(response)
    assert recording.time_ms[moments.finish] - ACTION_MS == near(500)


DIGIT = (slice(20, 22), slice(20, 22))


def shows(times, place=DIGIT, opens_at=1200.0):
    """Paint digits that go on at the times, ms, and a page that opens."""

    def paint(board, time):
        board[place] = 90 + 40 * (sum(time >= at - 1 for at in times) % 3)
        opens(board, time, opens_at)

    return paint


@pytest.mark.parametrize("times", [(600.0, 1600.0), (50.0, 1050.0), (1080.0, 2080.0)])
def test_what_goes_on_from_second_to_second_decides_neither_moment(times):
    """Before the answer and after it, with one step or none before the action."""
    seconds = min(times[-1] + 1000, 2700) / 1000
    found, _ = measure(shows(times), seconds)
    assert found == [near(200), near(200)]
    assert measure(shows(times), seconds, without={"seconds", "keeps_time", "again"})[0] != found


@pytest.mark.parametrize(("first", "response"), [(100.0, 500), (1050.0, 50)])
def test_digits_that_a_page_covers_went_on_before_the_action_or_are_the_answer(first, response):
    def paint(board, time):
        shows((first, first + 1000), opens_at=9e9)(board, time)
        if time >= first + 1400 - 1:
            board[15:40, 5:25] = 60

    assert measure(paint, 4)[0] == [near(response), near(first + 400)]


@pytest.mark.parametrize(
    ("times", "seconds"),
    [
        ((600.0, 1600.0), 3.5),  # then nothing for two seconds
        ((1350.0, 2350.0), 3.0),  # it would have come before the first
        ((700.0, 1500.0), 2.4),  # not a second apart
    ],
)
def test_two_steps_at_one_place_are_no_clock_unless_a_second_passed_all_along(times, seconds):
    last = times[-1] - ACTION_MS
    assert measure(shows(times), seconds, without={"again"})[0] == [near(200), near(last)]


def test_what_changes_with_something_else_is_no_clock():
    """A button was pressed a second ago, and now again: its counter changes as the page does."""
    assert measure(shows((200.0, 1200.0), opens_at=1199.0), 2.1)[0] == [near(200), near(200)]


def test_steps_a_second_apart_are_the_answer_where_there_is_no_other():
    assert measure(shows((600.0, 1600.0), opens_at=9e9), 2.4)[0] == [near(600), near(600)]


def test_a_large_part_that_comes_a_second_later_decides():
    assert measure(shows((1000.0, 1900.0), (slice(10, 20), slice(5, 25))), 2.5)[0][1] == near(900)


def specks(place, at_ms, twice=False):
    """Paint a page that opens at 1,200 ms and something small that changes at `at_ms`."""

    def paint(board, time):
        opens(board, time)
        board[place] -= 40.0 * (time >= at_ms) + 20.0 * (twice and time >= at_ms + 30)

    return paint


@pytest.mark.parametrize(
    ("place", "at_ms", "twice", "decides"),
    [
        ((slice(5, 6), slice(5, 7)), 2400.0, False, False),
        ((slice(5, 6), slice(5, 7)), 1900.0, False, True),
        ((slice(5, 6), slice(5, 8)), 2400.0, False, True),
        ((slice(5, 6), slice(5, 7)), 2400.0, True, True),
    ],
    ids=["a speck, long after", "sooner", "larger", "in two steps"],
)
def test_a_speck_long_after_all_else_is_not_the_finish(place, at_ms, twice, decides):
    (response, finish), _ = measure(specks(place, at_ms, twice))
    assert response == near(200)
    assert finish == near(at_ms - ACTION_MS + 30 * twice if decides else 200)
    (_, finish), _ = measure(specks(place, at_ms, twice), without=("speck",))
    assert finish == near(at_ms - ACTION_MS + 30 * twice)


def test_a_speck_is_the_answer_where_there_is_no_other():
    (response, finish), _ = measure(lambda board, time: board[5:6, 5:7].__isub__(40.0 * (time >= 2400)))
    assert (response, finish) == (near(1400), near(1400))


DIGIT = (slice(1, 2), slice(2, 4))  # of a clock


@pytest.mark.parametrize(
    ("place", "at", "response"),
    [
        (DIGIT, 1100.0, 200),
        (DIGIT, 1150.0, 200),
        ((slice(1, 2), slice(2, 8)), 1100.0, 100),  # a button of the app's
        ((slice(5, 6), slice(2, 4)), 1100.0, 100),  # below the bars
    ],
    ids=["a digit", "just before", "larger", "below"],
)
def test_a_spot_in_the_bars_soon_before_the_answer_is_no_response(place, at, response):
    (found, _), moments = measure(appears(at, place))
    assert found == near(response)
    if response == 200 and at < 1150:
        assert moments.confidence["response"].word == "likely"
        assert measure(appears(at, place), without=["spot"])[0][0] == near(at - ACTION_MS)


def test_a_spot_in_the_bars_is_the_response_where_nothing_larger_answers_or_the_finger_was_there():
    def alone(board, time):
        board[DIGIT] = 60 if time >= 1099 else 200

    assert measure(alone, without=["edge"])[0][0] == near(100)
    finger = MeasureOptions(action_ms=ACTION_MS, touch_xy=(3 * 8, 2 * 8))
    assert measure(appears(1100.0, DIGIT), options=finger)[0][0] == near(100)


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


@pytest.mark.parametrize(("step_ms", "response"), [(SLOT, 183), (80.0, 280)])
def test_the_first_stir_of_a_slow_recorder_is_no_response(step_ms, response):
    """What a screen shows 80 ms before an answer would be more than a stir."""
    answer = 1200 if step_ms < 50 else 1280

    def paint(board, time):
        if time >= answer - step_ms - 1:
            board[30, 8:11] = 196
        if time >= answer - 1:
            board[ELSEWHERE] = 60

    recording, changes = film_blocks(paint, [step_ms * index for index in range(round(3000 / step_ms))])
    moments = judged(recording, changes, OPTIONS)
    assert recording.time_ms[moments.response] - ACTION_MS == pytest.approx(response, abs=3)


NOTE = (slice(20, 23), slice(24, 26))


@pytest.mark.parametrize(
    ("before", "after", "finish"),
    [
        ([600], [1900], 200),
        ([600], [1700, 1900], 200),  # a spinner that was covered meanwhile
        ([], [1900], 900),  # it had not changed before
        ([600], [1350], 350),  # too soon after the rest
        ([1400], [1900], 900),  # it changed after the action alone
    ],
    ids=["again", "in a row", "for once", "soon", "twice since"],
)
def test_a_little_thing_that_changes_alone_as_before_the_action_is_no_finish(before, after, finish):
    """Once a second would be seen as that: here it is 1.3 s, and the recording shows no more of it."""

    def paint(board, time):
        turns = sum(time >= at - 1 for at in (*before, *after))
        board[NOTE] = 200 - 35 * turns
        opens(board, time)

    (response, found), moments = measure(paint, seconds=2.6)
    assert (response, found) == (near(200), near(finish))
    if finish == 200:
        assert moments.confidence["finish"].word == "likely"
        assert measure(paint, seconds=2.6, without=["again"])[0][1] == near(900)


def test_a_little_thing_is_the_finish_where_no_more_than_it_answers():
    def paint(board, time):
        board[NOTE] = 200 - 35 * sum(time >= at - 1 for at in (600, 1100, 1900))

    assert measure(paint, seconds=2.6)[0] == [near(100), near(900)]
