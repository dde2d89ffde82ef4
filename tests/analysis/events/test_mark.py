"""What a recorder draws where the user acts, on events made by hand: it comes with the action itself."""

import cv2
import pytest

from analysis.measure import measure_screencast
from analysis.options import MeasureOptions
from tests.analysis.events.acted import ACTION_MS, left_out, measure, near, opens
from tests.analysis.events.handmade import SLOT, film_blocks, judged, slots
from tests.synthetic import Clip, Screen, every, film

DOT = (slice(24, 27), slice(12, 15))  # nine blocks of 1,440
PAGE = (slice(2, 46), slice(2, 28))


def touched(at=ACTION_MS, until=9e9, place=DOT, answers_at=1200.0):
    """Paint a dot that comes at a time and goes at another, and a dialog elsewhere."""

    def paint(board, time):
        if at - 1 <= time < until - 1:
            board[place] = 60
        opens(board, time, answers_at)

    return paint


@pytest.mark.parametrize("until", [9e9, 1100.0, 1600.0])
def test_what_comes_with_the_action_itself_and_goes_as_it_came_is_no_answer(until):
    (response, finish), moments = measure(touched(until=until))
    assert (response, finish) == (near(200), near(200))
    assert moments.confidence["response"].word == "likely"
    assert moments.confidence["response"].other.picture is not None
    assert left_out(touched(until=until), "response")[0] == "mark"


def test_what_becomes_of_its_place_later_answers():
    def paint(board, time):
        touched(until=1100.0)(board, time)
        if time >= 1500:
            board[DOT] = 120

    assert measure(paint)[0] == [near(200), near(500)]


def test_what_ticks_in_the_picture_before_does_not_hide_a_mark():
    """At 120 Hz the picture before the action is as near as an action that was given beside its mark."""

    def paint(board, time):
        touched(until=1100.0)(board, time)
        board[4, 20:22] = 60 if (time + 9) % 500 < 250 else 200  # last 8 ms before the action

    times = [float(round(1000 / 120 * slot)) for slot in range(480)]  # as WebM has them
    recording, changes = film_blocks(paint, times)
    moments = judged(recording, changes, MeasureOptions(action_ms=ACTION_MS))
    assert recording.time_ms[moments.response] - ACTION_MS == near(200)


def test_without_its_rule_it_would_be_the_response():
    assert measure(touched(until=1600.0), without={"mark"})[0] == [near(0), near(600)]


def test_what_comes_a_picture_later_answers():
    assert measure(touched(at=ACTION_MS + SLOT))[0][0] == near(SLOT)


@pytest.mark.parametrize(
    ("hz", "late_ms", "until", "response"),
    [(30, 24.0, 1100.0, 224), (30, 24.0, 9e9, 24), (30, 24.0, 1300.0, 24), (10, 90.0, 1100.0, 90)],
    ids=["goes before the answer", "stays", "goes after the answer", "may be an answer by then"],
)
def test_a_slow_recorder_shows_a_mark_in_its_first_picture_after_the_action(hz, late_ms, until, response):
    """An answer may be seen in that picture as well: only what goes at once is a mark. A page opens at 1200 ms."""
    times = [1000 / hz * slot for slot in range(4 * hz)]
    recording, changes = film_blocks(touched(until=until), times)
    options = MeasureOptions(action_ms=ACTION_MS - late_ms)
    found = judged(recording, changes, options).response
    assert recording.time_ms[found] - options.action_ms == near(response)


@pytest.mark.parametrize(("late_ms", "outcome"), [(24.0, "ok"), (12.0, "no_response")])
def test_what_flashes_in_a_slow_recorders_first_picture_is_the_answer_where_nothing_else_is(late_ms, outcome):
    times = [1000 / 30 * slot for slot in range(90)]
    recording, changes = film_blocks(touched(until=1100.0, answers_at=9e9), times)
    assert judged(recording, changes, MeasureOptions(action_ms=ACTION_MS - late_ms)).outcome == outcome


@pytest.mark.parametrize(("corners", "response"), [(True, 23.3), (False, 190)], ids=["button", "dot"])
def test_a_button_that_lights_up_as_soon_and_as_shortly_as_a_mark_answers(tmp_path, corners, response):
    def paint(picture, time):
        if 510 <= time < 580:
            if corners:
                cv2.rectangle(picture, (100, 300), (139, 339), (150, 150, 150), -1)
            else:
                cv2.circle(picture, (120, 320), 20, (150, 150, 150), -1)
        if time >= 699:
            picture[60:200, 40:220] = (30, 90, 160)

    path = film(tmp_path / "clip.mp4", Screen(), paint, Clip(every(30, 2.0)))
    metrics = measure_screencast(path, MeasureOptions(action_ms=510.0)).metrics
    assert metrics["response_time_ms"] == pytest.approx(response, abs=1)


def test_a_rim_that_was_too_faint_as_the_mark_came_goes_with_it():
    def paint(board, time):
        touched(until=1100.0)(board, time)
        if ACTION_MS - 1 <= time < 1099:
            board[25, 16] = 195 if time < ACTION_MS + 15 else 190  # in two steps, neither of which is seen

    assert measure(paint)[0] == [near(200), near(200)]


def test_a_page_that_comes_with_the_action_answers():
    """Whoever gave the action gave it late: a page is no mark."""
    assert measure(touched(place=PAGE, answers_at=9e9))[0][0] == near(0)


def test_where_nothing_else_answers_it_is_the_answer():
    assert measure(touched(answers_at=9e9))[0] == [near(0), near(0)]


@pytest.mark.parametrize("apart", [-6.0, 0.0, 12.0], ids=["before", "with", "after"])
def test_the_action_may_be_given_beside_the_picture_of_its_mark(apart):
    """The mark comes so many ms after the action, as it was given."""

    def paint(board, time):
        touched(at=ACTION_MS, until=1100.0, answers_at=1300.0)(board, time)

    recording, changes = film_blocks(paint, slots(3.0))
    moments = judged(recording, changes, MeasureOptions(action_ms=ACTION_MS - apart))
    assert float(recording.time_ms[moments.response]) == near(1300)


@pytest.mark.parametrize(("third", "response"), [(0, 200), (-90, 117)], ids=["fades", "another picture"])
def test_a_mark_may_fade_but_shows_no_third_picture(third, response):
    def paint(board, time):
        if time >= ACTION_MS - 1:
            left = min(max((1200 - time) / 100, 0.0), 1.0)
            board[DOT] = 200 + (third if left < 1 else 0) - 140 * left
        opens(board, time)

    assert measure(paint)[0][0] == near(response)


def test_a_mark_that_came_and_went_is_no_answer_where_there_is_no_other():
    """No screen answers at the action itself: whoever filmed drew it there."""
    moments = measure(touched(until=1100.0, answers_at=9e9))[1]
    assert moments.outcome == "no_response"
    assert "a mark that comes with the action and goes" in moments.message
    assert "by itself" not in moments.message


@pytest.mark.parametrize(
    ("page", "finish"), [((slice(10, 40), slice(2, 28)), 100), (DOT, 250)], ids=["a page", "the place alone"]
)
def test_a_mark_may_go_after_a_page_has_answered_under_it(page, finish):
    """What was there before it does not come back then. Where nothing but its place changes, that is the answer."""

    def paint(board, time):
        board[page] = 20 if time >= 1099 else 200
        if ACTION_MS - 1 <= time < 1249:
            board[DOT] = 60 if time < 1099 else 40

    assert measure(paint)[0] == [near(100), near(finish)]


def test_a_mark_may_go_after_the_page_while_something_blinks_elsewhere():
    """As the caret of the field that was filled does."""

    def paint(board, time):
        board[10:40, 2:28] = 20 if time >= 1099 else 200
        board[43:46, 4] = 60 if (time - 248) % 1000 < 500 else 200  # in the picture in which the mark goes as well
        if ACTION_MS - 1 <= time < 1249:
            board[DOT] = 60 if time < 1099 else 40

    assert measure(paint)[0] == [near(100), near(100)]


@pytest.mark.parametrize(("levels", "response"), [(8, 200), (14, 100)], ids=["faint", "clear"])
@pytest.mark.parametrize("beside", [(24, 16), (30, 2)], ids=["hangs together with it", "elsewhere"])
def test_what_an_encoder_stirs_as_a_mark_goes_is_no_answer(levels, response, beside):
    """It takes what the dot had covered from elsewhere, and what lies around along with it."""
    row, column = beside

    def paint(board, time):
        touched(until=1100.0)(board, time)
        if time >= 1099:
            board[row : row + 3, column : column + 4] -= levels

    assert measure(paint)[0][0] == near(response)


def test_what_only_lies_beside_a_mark_that_goes_is_no_part_of_it():
    """A switch beside the dot goes too far, then back a little: towards what was there before the mark came."""
    thumb = (DOT[0], slice(DOT[1].stop, DOT[1].stop + 1))

    def paint(board, time):
        touched(until=1100.0)(board, time)
        if time >= 1200:
            board[thumb] = 60 if time < 1499 else 90

    assert measure(paint)[0] == [near(200), near(500)]
