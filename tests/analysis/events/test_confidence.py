"""How sure response and finish are, on events made by hand: what is doubted, and what else it may be."""

import numpy as np
import pytest

from analysis.events.confidence import ENDS, GOES_ON, MOVES, TAILED_OFF, TURNED_INTO, WENT_ON
from analysis.events.rules import RULES
from analysis.options import MeasureOptions
from tests.analysis.events.handmade import SLOT, film_blocks, judged, slots

ACTION_MS = 1000.0
OPTIONS = MeasureOptions(action_ms=ACTION_MS)
PAGE = (slice(20, 40), slice(4, 26))
SPOT = (slice(12, 13), slice(20, 21))
CARET = (slice(12, 15), slice(20, 21))
BADGE = (slice(12, 15), slice(20, 24))
BAR = (slice(0, 2), slice(20, 23))


def film(*changes, seconds=3.0, touch=None, variable=False):
    """Return a recording in which each of some places changes at a time, ms after the action, to a level."""

    def paint(board, time):
        for place, at, level in changes:
            if time >= ACTION_MS + at - 1:
                board[place] = level

    options = MeasureOptions(action_ms=ACTION_MS, touch_xy=touch)
    recording, found = film_blocks(paint, slots(seconds), variable=variable)
    return recording, judged(recording, found, options)


def told(filmed, moment):
    """Return how sure a moment is, and the other candidate in ms after the action with its reason."""
    recording, moments = filmed
    sure = moments.confidence[moment]
    if sure.other is None:
        return sure.word, None, ""
    return sure.word, float(recording.picture_ms[sure.other.picture]) - ACTION_MS, sure.other.reason


def near(expected):
    return pytest.approx(expected, abs=SLOT)


def test_what_a_page_does_alone_is_certain():
    filmed = film((PAGE, 200, 60), (PAGE, 600, 90))
    assert told(filmed, "response") == ("certain", None, "")
    assert told(filmed, "finish") == ("certain", None, "")


@pytest.mark.parametrize(
    ("place", "level", "reason"),
    [
        (SPOT, 60, "one or two spots"),
        (CARET, 60, "as narrow as a caret"),
        (BADGE, 209, "hardly stronger than the recording's noise"),
    ],
)
def test_a_weak_change_before_a_page_makes_the_response_doubtful(place, level, reason):
    word, other, said = told(film((place, 100, level), (PAGE, 400, 60)), "response")
    assert (word, other) == ("doubtful", near(400))
    assert reason in said


def test_a_weak_change_after_a_page_makes_the_finish_doubtful_and_not_the_response():
    filmed = film((PAGE, 100, 60), (SPOT, 500, 60))
    word, other, _ = told(filmed, "finish")
    assert (word, other) == ("doubtful", near(100))
    assert told(filmed, "response")[0] == "certain"


def test_a_small_change_that_is_not_weak_is_likely():
    word, other, _ = told(film((BADGE, 100, 60), (PAGE, 400, 60)), "response")
    assert (word, other) == ("likely", near(400))


@pytest.mark.parametrize(("at", "expected"), [(300, "likely"), (400, "doubtful")])
def test_a_small_change_after_all_else_had_rested_is_a_doubtful_finish(at, expected):
    word, other, reason = told(film((PAGE, 100, 60), (BADGE, at, 60)), "finish")
    assert (word, other) == (expected, near(100))
    assert ("come to rest" in reason) == (expected == "doubtful")


def test_what_changes_under_the_finger_is_certain_however_small():
    x, y = (side.start * 8 + 4 for side in (SPOT[1], SPOT[0]))
    assert told(film((SPOT, 100, 60), (PAGE, 400, 60), touch=(x, y)), "response")[0] == "certain"


def test_candidates_that_nobody_can_tell_apart_leave_no_doubt():
    filmed = film((SPOT, 100, 60), (PAGE, 133, 60), (PAGE, 600, 90), (SPOT, 683, 90))
    assert told(filmed, "response") == ("certain", None, "")
    assert told(filmed, "finish") == ("certain", None, "")


def test_the_only_change_there_is_has_no_other_candidate():
    filmed = film((SPOT, 100, 60))
    assert told(filmed, "response") == ("certain", None, "")
    assert told(filmed, "finish") == ("certain", None, "")


def test_letters_after_what_may_be_a_caret_are_the_other_candidate():
    filmed = film((CARET, 100, 60), ((slice(12, 15), slice(10, 13)), 500, 60))
    assert told(filmed, "response")[:2] == ("doubtful", near(500))


def test_digits_that_changed_before_make_the_finish_doubtful():
    filmed = film((PAGE, 100, 60), (BADGE, 600, 60), (BADGE, 1400, 90))
    word, other, reason = told(filmed, "finish")
    assert (word, other) == ("doubtful", near(100))
    assert "had changed before" in reason


@pytest.mark.parametrize(("again", "expected"), [(700, ("doubtful", 200)), (300, ("certain", None))])
def test_a_spot_that_changes_once_more_after_a_rest_is_a_doubtful_finish(again, expected):
    """Letters that are typed come soon after each other; what goes on after a rest may be a caret."""
    word, other, _ = told(film((SPOT, 200, 60), (SPOT, again, 90), seconds=2.4), "finish")
    assert word == expected[0]
    assert other == (near(expected[1]) if expected[1] else None)


def test_what_an_unsure_rule_left_out_is_the_other_candidate():
    filmed = film((BAR, 100, 60), (PAGE, 500, 60), (BAR, 1200, 90))
    for moment, at in (("response", 100), ("finish", 1200)):
        word, other, reason = told(filmed, moment)
        assert (word, other) == ("likely", near(at))
        assert "system's bars" in reason


def test_a_single_step_where_something_had_moved_until_the_action_is_the_other_candidate():
    def paint(board, time):
        if time < ACTION_MS - SLOT:
            board[PAGE] = 100 + 8 * (int(time / SLOT) % 8)
        if time >= ACTION_MS + 200:
            board[PAGE] = 60
        if time >= ACTION_MS + 600:
            board[45:48] = 60

    recording, found = film_blocks(paint, slots(3))
    moments = judged(recording, found, MeasureOptions(action_ms=ACTION_MS))
    assert moments.confidence["response"].word == "doubtful"
    assert "already changing" in moments.confidence["response"].other.reason


def test_a_rule_is_unsure_unless_it_sees_a_thing_several_times():
    assert {rule.key for rule in RULES if rule.sure} >= {"moved_before", "keeps_time", "goes_on"}
    assert not any(rule.sure for rule in RULES if rule.key in ("edge", "brings_back", "correction"))


def test_a_recording_without_a_response_has_no_word():
    _, moments = film()
    assert moments.confidence == {}


def test_what_comes_together_with_something_large_is_certain():
    """A spot that changes in the very picture of a page is no reason to doubt it."""
    filmed = film((SPOT, 200, 60), (PAGE, 200, 60), (PAGE, 600, 90))
    assert told(filmed, "response") == ("certain", None, "")
    filmed = film(((slice(6, 7), slice(4, 5)), 200, 60), (BADGE, 200, 60), (PAGE, 600, 90))
    word, _, reason = told(filmed, "response")
    assert (word, "spots" in reason) == ("likely", False)


@pytest.mark.parametrize(("at", "expected"), [(1100, ("certain", None)), (1300, ("likely", near(200)))])
def test_what_comes_when_all_else_had_rested_for_a_second_is_likely_the_finish(at, expected):
    """A page may load content so late, and a slide may change by itself."""
    assert told(film((PAGE, 200, 60), (PAGE, at, 90)), "finish")[:2] == expected
    assert told(film((PAGE, at, 90)), "finish")[0] == "certain"


def test_motion_since_before_the_action_that_ends_after_the_answer_is_likely_the_finish():
    def paint(board, time):
        if time < ACTION_MS + 700:
            board[42:45, 4:26] = 100 + 8 * (int(time / SLOT) % 8)
        if time >= ACTION_MS + 199:
            board[PAGE] = 60

    recording, found = film_blocks(paint, slots(3))
    moments = judged(recording, found, MeasureOptions(action_ms=ACTION_MS))
    assert recording.time_ms[moments.finish] - ACTION_MS == near(700)
    word, other, reason = told((recording, moments), "finish")
    assert (word, other, "had moved by itself" in reason) == ("likely", near(200), True)


@pytest.mark.parametrize(
    ("level", "at", "expected"),
    [(210, 400, ("likely", near(200))), (220, 400, ("certain", None)), (210, 333, ("certain", None))],
    ids=["faint", "clear", "soon"],
)
def test_what_is_faint_and_comes_after_a_rest_is_likely_the_finish(level, at, expected):
    """An encoder of few bits refines a page so, when it gets round to it."""
    filmed = film((PAGE, 100, 60), (PAGE, 200, 200), (PAGE, at, level))
    word, other, reason = told(filmed, "finish")
    assert (word, other) == expected
    assert ("is faint" in reason) == (word == "likely")


@pytest.mark.parametrize(("ends_ms", "expected"), [(1816, ("doubtful", near(783))), (1900, ("certain", None))])
def test_what_still_moved_as_a_recording_ended_may_have_gone_on(ends_ms, expected):
    def paint(board, time):
        if time >= ACTION_MS + 99:
            board[PAGE] = 60
        if time >= ACTION_MS + 199:
            board[21:22, 5:8] = 100 + 12 * (int(min(time, 1801) / SLOT) % 8)

    recording, found = film_blocks(paint, [at for at in slots(3) if at <= ends_ms])
    moments = judged(recording, found, MeasureOptions(action_ms=ACTION_MS), {"goes_on"})
    assert told((recording, moments), "finish")[:2] == expected


@pytest.mark.parametrize(("still", "word"), [(0, "likely"), (1, "certain")])
def test_what_came_at_once_as_a_recording_ended_may_have_gone_on(still, word):
    shown = slots(1.8)

    def paint(board, time):
        if time >= ACTION_MS + 99:
            board[PAGE] = 60
        if time >= shown[-1 - still]:
            board[4:10, 4:10] = 100

    recording, found = film_blocks(paint, shown)
    filmed = recording, judged(recording, found, MeasureOptions(action_ms=ACTION_MS))
    assert told(filmed, "finish") == ((word, near(100), ENDS) if word == "likely" else (word, None, ""))


@pytest.mark.parametrize(
    ("steps", "still", "variable", "word"),
    [(6, 0, False, "doubtful"), (6, 1, False, "certain"), (6, 0, True, "certain"), (1, 0, False, "certain")],
    ids=["in the middle", "rests", "nothing is written at rest", "at once"],
)
def test_a_recording_that_ends_in_the_middle_of_a_motion_leaves_the_finish_in_doubt(steps, still, variable, word):
    shown = slots(1.5)

    def paint(board, time):
        left = round((shown[-1 - still] - time) / SLOT)
        board[20 : 40 - 2 * max(left, 0), 4:26] = 60 if left < steps else 200

    recording, found = film_blocks(paint, shown, variable=variable)
    filmed = recording, judged(recording, found, MeasureOptions(action_ms=ACTION_MS), {"goes_on"})
    assert told(filmed, "finish")[0] == word
    if word == "doubtful":
        assert told(filmed, "finish")[1:] == (near(shown[-2] - ACTION_MS), MOVES)


@pytest.mark.parametrize(("rows", "word"), [(8, "doubtful"), (1, "certain")], ids=["as large", "small"])
def test_a_finish_in_the_midst_of_what_goes_on_to_the_end_is_in_doubt(rows, word):
    """A list runs on to the end; what ends before that are the rows below it."""

    def paint(board, time):
        slot = round(time / SLOT)
        if time >= 1199:
            board[10 : 10 + rows, 4:16] = 60 + 20 * (slot % 5)
        if 1199 <= time < 1499:
            board[10 + rows : 16 + rows, 4:16] = 60 + 20 * (slot % 4)

    recording, found = film_blocks(paint, slots(3))
    filmed = recording, judged(recording, found, MeasureOptions(action_ms=ACTION_MS))
    assert recording.time_ms[filmed[1].finish] - ACTION_MS == near(500)
    assert filmed[1].settles is False
    sure = told(filmed, "finish")
    assert (sure[0], sure[2]) == ((word, GOES_ON) if word == "doubtful" else (word, ""))


@pytest.mark.parametrize(("since", "word"), [(1200, "likely"), (0, "certain")], ids=["with the answer", "before"])
def test_a_finish_is_doubted_where_what_goes_on_came_with_the_answer_and_changed_more(since, word):
    """A button turns into a spinner, and fades in, row by row, until 900 ms after the action as that turns."""

    def paint(board, time):
        slot = round(time / SLOT)
        if time >= 1199:
            board[PAGE] = 60
        if time >= since:
            rows = int(np.clip(np.ceil(8 * (1900 - time) / 700), 0, 8))
            board[4:12, 12:20] = 140
            board[4 : 4 + rows, 12:20] = 200 - 60 * (slot % 2)
            board[4 + slot % 8, 12:14] = 40

    recording, found = film_blocks(paint, slots(3.5))
    filmed = recording, judged(recording, found, MeasureOptions(action_ms=ACTION_MS))
    assert filmed[1].settles is False
    assert recording.time_ms[filmed[1].finish] - ACTION_MS == near(200)
    other = (pytest.approx(850, abs=50), TURNED_INTO) if word == "likely" else (None, "")
    assert told(filmed, "finish") == (word, *other)


@pytest.mark.parametrize(
    ("height", "slows", "expected"),
    [(12, False, ("likely", WENT_ON)), (12, True, ("doubtful", TAILED_OFF)), (2, False, ("certain", ""))],
)
def test_what_is_large_and_goes_on_since_the_action_leaves_the_finish_of_a_scrap_in_doubt(height, slows, expected):
    """A title answers, and below it something plays from then on; or less and less of it moves, to the end."""
    heights = [max(2, height - 2 * (step // 6)) if slows else height for step in range(60)]

    def paint(board, time):
        if time >= ACTION_MS + 100 - 1:
            board[4:8, 4:20] = 90
        step = round((time - ACTION_MS - 200) / SLOT)
        for at in range(min(max(step, 0), 60)):
            board[20 : 20 + heights[at], 6:12] = 60 + 40 * (at % 3)

    recording, found = film_blocks(paint, slots(2.2))
    word, _, reason = told((recording, judged(recording, found, OPTIONS)), "finish")
    assert (word, reason) == expected
