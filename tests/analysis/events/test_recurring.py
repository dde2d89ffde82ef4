"""What had changed before and does so again, on events made by hand: a switch, a clock, a little thing alone."""

from dataclasses import replace

import pytest

from analysis.events.cursor.pointer import Pointer
from analysis.events.moments import decide, look
from analysis.options import MeasureOptions
from tests.analysis.events.acted import ACTION_MS, OPTIONS, left_out, measure, near, opens
from tests.analysis.events.handmade import SHAPE, film_blocks, nothing_ignored, ruled, slots


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


@pytest.mark.parametrize(("between", "response"), [((), 200), ((1600.0,), 50)])
def test_a_place_that_changes_between_two_steps_a_second_apart_shows_no_time(between, response):
    """A word answers, and the caret behind it goes on to blink: one of its blinks comes a second after the word."""

    def paint(board, time):
        shows((1050.0, 2050.0))(board, time)
        board[DIGIT] -= 60 * sum(time >= at - 1 for at in between)

    assert measure(paint, seconds=2.6)[0][0] == near(response)


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


@pytest.mark.parametrize(("after", "finish"), [([1250, 2050], 200), ([1250], 250), ([1250, 1400], 400)])
def test_a_little_thing_that_goes_on_alone_later_does_not_end_the_answer_either(after, finish):
    """It changes right after the answer: alone that would not tell, but it does again when all rests."""

    def paint(board, time):
        board[NOTE] = 200 - 35 * sum(time >= at - 1 for at in (600, *after))
        opens(board, time)

    assert measure(paint, seconds=2.6)[0] == [near(200), near(finish)]


def test_a_little_thing_is_the_finish_where_no_more_than_it_answers():
    def paint(board, time):
        board[NOTE] = 200 - 35 * sum(time >= at - 1 for at in (600, 1100, 1900))

    assert measure(paint, seconds=2.6)[0] == [near(100), near(900)]


@pytest.mark.parametrize(("who", "finish"), [("itself", 200), ("a cursor", 900)])
def test_where_only_a_cursor_had_passed_a_little_thing_alone_decides(who, finish):
    def paint(board, time):
        board[NOTE] = 200 - 35 * sum(time >= at - 1 for at in (600, 1900))
        opens(board, time)

    recording, changes = film_blocks(paint, slots(2.6))
    scene = look(recording, changes, OPTIONS, nothing_ignored())
    if who == "a cursor":
        first = next(changes.changed_pictures())
        scene = replace(scene, pointer=Pointer(SHAPE, {first: changes.blocks(first)}))
    moments = decide(scene)
    assert recording.time_ms[moments.finish] - ACTION_MS == near(finish)
