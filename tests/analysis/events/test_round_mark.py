"""A ring or a dot that marks the action, on pictures made pixel by pixel: it spreads, fades and moves."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from analysis.events import late_mark, moments, round_mark
from analysis.events.cursor.pointer import Pointer
from analysis.events.round_mark import follow_round
from analysis.options import MeasureOptions
from tests.analysis.events.cursor.pointed import filmed, with_arrow
from tests.analysis.events.handmade import SHAPE, SLOT, judged

ACTION = 30  # pictures before it
OPTIONS = MeasureOptions(action_ms=ACTION * SLOT)
HERE = (300, 100)  # row and column
PAGE = np.s_[216:376, 16:152]


def ring(luma, mark, thick=3):
    """Draw a ring: (row, column), radius, and how much darker it is."""
    (row, column), radius, darker = mark
    shade = np.zeros_like(luma)
    cv2.circle(shade, (column, row), radius, darker, thick)
    luma -= np.minimum(shade, luma)
    return luma


def dot(luma, mark):
    """Draw a dot, likewise."""
    return ring(luma, mark, -1)


def from_a_dot(luma, mark):
    """Draw a ring as thick as its first is wide: it begins as a dot."""
    return ring(luma, mark, 12)


def opens(at):
    """Paint a page that opens so many pictures after the action."""

    def paint(luma, time):
        if time > (ACTION + at) * SLOT - 1:
            luma[PAGE] = 60

    return paint


def answered(marks, paint=None, draw=ring, without=(), step_ms=SLOT, goes=True, late=0, moment="response"):
    """Return a moment, pictures after the action, of a mark drawn like this from so many pictures later on."""
    places = [*[None] * (ACTION + late), *marks, *([None] * 40 if goes else marks[-1:] * 40)]
    recording, changes, _ = filmed(places, step_ms=step_ms, paint=paint, draw=draw)
    options = OPTIONS if step_ms == SLOT else MeasureOptions(action_ms=(ACTION - 0.7) * step_ms)
    frame = getattr(judged(recording, changes, options, without), moment)
    return None if frame is None else frame - ACTION


SPREADS = [(HERE, 12 + 3 * step, 90 - 4 * step) for step in range(12)]
GROWS_CLEAR = [(HERE, 20, 12 + 12 * step) for step in range(8)]
GOES_LATE = [*[(HERE, 20, 90)] * 20, *[((300 - 6 * step, 100), 20, 90) for step in range(1, 6)]]


@pytest.mark.parametrize("marks", [SPREADS, GROWS_CLEAR, GOES_LATE], ids=["spreads", "grows clear", "goes late"])
def test_a_ring_is_no_answer_whatever_becomes_of_it(marks):
    assert answered(marks, opens(len(marks))) == len(marks)
    assert answered(marks, opens(len(marks)), without={"round"}) < len(marks)


def test_a_dot_that_grows_clear_is_no_answer():
    assert answered(GROWS_CLEAR, opens(8), dot, without={"round"}) < answered(GROWS_CLEAR, opens(8), dot) == 8


def test_a_ring_of_which_little_is_seen_as_it_comes_is_no_answer():
    """Of its blocks few change enough, so that it reaches far beyond them."""
    marks = [(HERE, 20, 10 + 10 * step) for step in range(10)]
    assert answered(marks, opens(7)) == 7


def test_a_dot_that_comes_as_faint_as_noise_and_grows_clear_is_no_answer():
    marks = [(HERE, 20, 7 + 6 * step) for step in range(10)]
    assert answered(marks, opens(7), dot, without={"round"}) < answered(marks, opens(7), dot) == 7


@pytest.mark.parametrize("marks", [SPREADS, GROWS_CLEAR, GOES_LATE], ids=["spreads", "grows clear", "goes late"])
def test_where_nothing_but_a_ring_changes_nothing_answers(marks):
    assert answered(marks) is None
    assert answered(marks, without={"round"}) is not None


def test_a_ring_that_stays_to_the_end_is_no_answer_and_a_dot_may_be_one():
    """Only apps draw dots that stay, such as the thumb of a switch."""
    assert answered(GROWS_CLEAR, goes=False) is None
    assert answered(GROWS_CLEAR, draw=dot, goes=False) == 0


def answers_elsewhere(luma, time):
    if time > (ACTION + 4) * SLOT - 1:
        luma[40:80, 160:224] = 60


@pytest.mark.parametrize("answers", [opens(4), answers_elsewhere], ids=["beneath", "elsewhere"])
@pytest.mark.parametrize("draw", [ring, from_a_dot], ids=["ring", "from a dot"])
def test_a_ring_that_spreads_on_when_something_has_answered_is_no_finish(answers, draw):
    assert answered(SPREADS, answers, draw) == answered(SPREADS, answers, draw, moment="finish") == 4
    assert answered(SPREADS, answers, draw, moment="finish", without={"round"}) == len(SPREADS)


def moves_on(until):
    """Paint a page that comes in the next picture, and moves until so many pictures after the action."""

    def paint(luma, time):
        step = min(round(time / SLOT) - ACTION, until)
        if step >= 1:
            luma[PAGE] = np.random.default_rng(step).integers(60, 120, luma[PAGE].shape)

    return paint


@pytest.mark.parametrize("until", [1, 8])
def test_a_ring_is_no_finish_over_a_page_that_answers_before_it_has_spread(until):
    marks = [(HERE, 10 + 5 * step, 60) for step in range(14)]
    assert answered(marks, moves_on(until)) == 1
    assert answered(marks, moves_on(until), moment="finish") == until


def three_quarters(luma, mark):
    """Draw a ring, likewise; of one as wide as the last of them a quarter has faded."""
    (row, column), radius, darker = mark
    shade = np.zeros_like(luma)
    cv2.ellipse(shade, (column, row), (radius, radius), 0, 0, 270 if radius == 36 else 360, darker, 3)
    luma -= np.minimum(shade, luma)
    return luma


def test_what_is_left_of_such_a_ring_is_no_finish_where_it_is_round_no_more():
    marks = [(HERE, 12 + 3 * step, 80) for step in range(9)]
    assert answered(marks, answers_elsewhere, three_quarters, moment="finish") == 4


def beside(luma, mark):
    """Draw a ring around another middle."""
    (row, column), radius, darker = mark
    return ring(luma, ((row, column + 16), radius, darker))


@pytest.mark.parametrize(
    ("shape", "at"),
    [(np.s_[292:308, 92:108], 9), (dot, 9), (beside, 9), (ring, 40)],
    ids=["within it", "a dot", "a ring beside it", "a ring, later"],
)
def test_what_else_changes_at_such_a_ring_is_the_finish(shape, at):

    def answers(luma, time):
        answers_elsewhere(luma, time)
        if time > (ACTION + at) * SLOT - 1:
            if callable(shape):
                shape(luma, (HERE, 32, 60))
            else:
                luma[shape] = 60

    marks = SPREADS if at > len(SPREADS) else [(HERE, 30, 90)] * 12
    assert answered(marks, answers, moment="finish") == at


@pytest.mark.parametrize("letter", [False, True], ids=["a letter", "a letter and an icon"])
def test_a_letter_or_an_icon_as_round_as_a_ring_answers_where_it_only_stays(letter):
    """A caret blinks beside what is typed in the very picture of the action; the field then shows an icon."""
    column = 16 if letter else 100

    def paint(luma, time):
        if time % 1000 < 500:
            luma[288:312, column + 14 : column + 16] = 20
        if letter and time > ACTION * SLOT - 1:
            luma[296:306, column : column + 6] = 90

    assert answered([(HERE, 9, 120)], paint, goes=False) == 0


def test_a_dot_that_spreads_answers_as_a_ripple_does():
    spreads = [(HERE, 12 + 6 * step, 60) for step in range(6)]
    assert answered(spreads, opens(6), dot) == 1


@pytest.mark.parametrize("marks", [[(HERE, 24, 60)] * 12, SPREADS], ids=["rests", "spreads"])
def test_a_label_that_pales_beneath_a_ring_answers(marks):
    def paint(luma, time):
        luma[296:304, 92:108:3] = 60 if time < (ACTION + 5) * SLOT - 1 else 110  # letters are thin
        opens(12)(luma, time)

    assert answered(marks, paint) == 5


def word_beside(luma, time):
    luma[296:304, 124:134] = 90 if time < (ACTION + 5) * SLOT - 1 else 100
    opens(12)(luma, time)


def test_a_word_beside_a_ring_that_rests_answers_however_faint_it_is():
    assert answered([(HERE, 20, 60)] * 12, word_beside) == 5


def test_what_changes_alone_where_a_ring_rests_is_its_own(monkeypatch):
    """As an encoder draws colours finer, of which these pictures have none."""
    monkeypatch.setattr(round_mark, "_changes_alone", lambda *_: True)
    assert answered([(HERE, 20, 60)] * 12, word_beside) == 12


def test_a_cursor_goes_along_with_its_ring():
    def both(luma, mark):
        (row, column), _, _ = mark
        return with_arrow(ring(luma, mark), (row, column))

    def waits(luma, time):
        if time < ACTION * SLOT - 1:
            with_arrow(luma, HERE)
        opens(25)(luma, time)

    assert answered(GOES_LATE, waits, both) == 25
    assert answered(GOES_LATE, waits, both, without={"round"}) < 25


def wide(radius):
    return [(HERE, radius, 90)] * 6


def test_a_wide_ring_that_comes_at_once_is_a_mark():
    """It stirs more blocks than a dot does; an app's would come later."""
    assert answered(wide(50), opens(6)) == 6
    assert answered(wide(50), opens(6), without={"round"}) == 0


def test_where_nothing_but_a_wide_ring_changes_nothing_answers():
    assert answered(wide(50)) is None


def later(luma, time):
    """Paint the page four pictures after the action, at 10 Hz."""
    if time > (ACTION + 4) * 100 - 1:
        luma[PAGE] = 60


@pytest.mark.parametrize(
    "marks",
    [[((300 - 12 * step, 100), 20, 90) for step in range(4)], [(HERE, 20, 90)]],
    ids=["goes on", "goes again"],
)
def test_a_ring_in_a_slow_recorders_next_picture_is_a_mark(marks):
    """At 10 Hz it comes 70 ms after the action: too late to be told from an answer by its time."""
    assert answered(marks, later, step_ms=100.0) == 4
    assert answered(marks, later, without={"round"}, step_ms=100.0) == 0


def test_a_ring_that_comes_as_late_and_stays_is_an_apps():
    assert answered([(HERE, 20, 90)] * 44, later, step_ms=100.0) == 0


def test_a_spinner_that_comes_as_late_is_an_apps():
    def turning(luma, mark):
        (row, column), radius, turn = mark
        ring(luma, ((row, column), radius, 60))
        end = round(column + radius * np.cos(turn)), round(row + radius * np.sin(turn))
        cv2.circle(luma, end, 4, 40, -1)
        return luma

    turns = [(HERE, 20, turn) for turn in np.arange(44.0)]
    assert answered(turns, draw=turning, step_ms=100.0) == 0


LATE = 3  # pictures after the action, 50 ms: an answer may be as soon
TAPS, SLOWLY = [(HERE, 20, 90)] * 6, [(HERE, 15 + step, 90) for step in range(8)]
CLEARER = [(HERE, radius, 30 + 12 * step) for step, radius in enumerate((17, 20, 20, 20, 20, 20))]


def rimmed(luma, mark):
    """Draw a dot within a rim, as systems that show touches do."""
    (row, column), radius, darker = mark
    return ring(dot(luma, ((row, column), radius, darker // 3)), mark)


@pytest.mark.parametrize("draw", [ring, rimmed])
@pytest.mark.parametrize("at", [LATE + 10, LATE + 3], ids=["after it has gone", "beneath it"])
def test_what_systems_show_of_a_finger_some_pictures_late_is_no_answer(draw, at):
    assert answered(TAPS, opens(at), draw, late=LATE) == answered(CLEARER, opens(at), draw, late=LATE) == at
    assert answered(TAPS, opens(at), draw, late=LATE, without={"round"}) == LATE


def test_it_is_none_over_the_edges_of_a_button_either():
    """They stand out where its rim is, before it comes and when it has gone, and a page that opens dims them."""

    def paint(luma, time):
        dims = time > (ACTION + LATE + 4) * SLOT - 1
        luma[276:324, 76:124] = 250
        if dims:
            luma[:] -= luma // 4

    assert answered([(HERE, 20, 60)] * 6, paint, rimmed, late=LATE) == LATE + 4


@pytest.mark.parametrize(
    ("marks", "draw", "late", "goes"),
    [
        (TAPS, dot, LATE, True),
        (TAPS, ring, LATE, False),
        (TAPS, ring, 7, True),
        ([(HERE, 20 + 2 * step, 60) for step in range(6)], dot, LATE, True),
        ([(HERE, 20 + 2 * step, 90) for step in range(6)], rimmed, LATE, True),
        ([(HERE, 20 + 9 * step, 90) for step in range(6)], rimmed, LATE, True),
        ([((300, 100 + min(step, 5)), 20, 90) for step in range(30)], dot, LATE, False),
    ],
    ids=["of one piece", "it stays", "too late", "it grows", "it has a rim", "fast", "the thumb of a switch"],
)
def test_what_an_app_shows_as_late_answers(marks, draw, late, goes):
    assert answered(marks, opens(45), draw, late=late, goes=goes) == late


@pytest.mark.parametrize(("thumb", "is_one"), [(0.05, True), (0.12, False)])
def test_what_is_smaller_than_what_systems_show_of_a_finger_may_be_a_button_of_a_choice(thumb, is_one, monkeypatch):
    """A page may come over it at once, over which a ring spreads on, as no button does, and no ripple."""
    monkeypatch.setattr(late_mark, "LATE", replace(late_mark.LATE, thumb=thumb))
    assert answered(TAPS, opens(LATE + 4), late=LATE) == (LATE + 4 if is_one else LATE)
    for draw, seen in ((ring, LATE + 1), (rimmed, LATE + 1 if is_one else LATE)):
        assert answered(SLOWLY, opens(LATE + 1), draw, late=LATE) == seen


def test_a_round_button_that_goes_pale_answers_and_may_be_gone_soon():
    def paint(luma, time):
        pale = time > (ACTION + LATE) * SLOT - 1
        if time < (ACTION + LATE + 8) * SLOT - 1:
            ring(luma, (HERE, 20, 40 if pale else 90))
        opens(LATE + 8)(luma, time)

    assert answered([], paint) == LATE


def test_what_comes_where_a_ring_has_gone_answers_and_the_ring_does_not_however_small(monkeypatch):
    monkeypatch.setattr(late_mark, "LATE", replace(late_mark.LATE, thumb=0.12))

    def paint(luma, time):
        if time > (ACTION + LATE + 9) * SLOT - 1:
            luma[264:336, 64:136] = 110

    assert answered(TAPS, paint, late=LATE) == LATE + 9


def test_a_ring_that_fades_over_letters_is_no_answer():
    """So the veil in it fades as well."""

    def fades(luma, mark):
        (row, column), radius, left = mark
        bare = luma.astype(float)
        veiled(luma, ((row, column), radius, 90))
        luma[:] = bare + left * (luma - bare)
        return luma

    marks = [(HERE, 24, left) for left in (1, 1, 0.7, 0.4, 0.1)]
    assert answered(marks, lambda luma, time: [letters(luma, time), opens(14)(luma, time)], fades, late=LATE) == 14


@pytest.mark.parametrize(("beside", "response"), [(16, 11), (56, LATE)], ids=["an encoder's", "an answer"])
def test_something_little_beside_a_late_ring_is_an_encoders(beside, response):
    def paint(luma, time):
        if time > (ACTION + LATE) * SLOT - 1:
            luma[296:304, 130 : 130 + beside // 8] = 110
        opens(11)(luma, time)

    assert answered(TAPS, paint, late=LATE) == response


def test_a_word_that_goes_pale_as_a_ring_comes_answers_if_it_stays_so():
    def paint(luma, time):
        luma[296:304, 92:108:3] = 60 if time < (ACTION + LATE) * SLOT - 1 else 110
        opens(LATE + 12)(luma, time)

    assert answered(TAPS, paint, late=LATE) == LATE


def test_what_stays_until_a_page_comes_over_it_is_an_apps():
    """A finger that taps has left by then."""
    assert answered([(HERE, 20, 90)] * 20, opens(LATE + 20), late=LATE) == LATE


def longish(luma, mark):
    """Draw what is longer than round."""
    (row, column), radius, darker = mark
    luma[row - radius : row + radius, column - 2 * radius : column + 2 * radius] -= darker
    return luma


@pytest.mark.parametrize(("draw", "asked"), [(ring, True), (longish, False)])
def test_pixels_are_looked_at_only_for_what_may_be_round(draw, asked):
    recording, changes, _ = filmed([*[None] * (ACTION + LATE), *TAPS, *[None] * 40], step_ms=SLOT, draw=draw)
    wanted = []

    def pixels(_, pictures, around):
        wanted.extend(pictures)
        return {}

    film = replace(recording, pixels=pixels)
    follow_round(film, changes, film.picture_ms, ACTION * SLOT, None, Pointer(changes.shape))
    assert bool(wanted) is asked


GOES = [((300, 190 - 22 * step), 24, 120) for step in range(8)]


def veiled(luma, mark):
    """Draw a ring that pales what lies in it by half."""
    (row, column), radius, _ = mark
    inside = np.zeros_like(luma)
    cv2.circle(inside, (column, row), radius, 1, -1)
    luma[inside > 0] = luma[inside > 0] // 2 + 75  # as light as the page is there
    return ring(luma, mark)


def letters(luma, time, moves=1000):
    """Paint letters, which move so many pictures after the action."""
    first = 20 if time < (ACTION + moves) * SLOT - 1 else 17
    strokes = np.random.default_rng(7).random(170) < 0.1
    luma[284:316, first : first + 170][:, strokes] = 20


@pytest.mark.parametrize("draw", [veiled, ring])
@pytest.mark.parametrize("late", [0, LATE])
def test_letters_beneath_a_ring_that_goes_along_do_not_answer(draw, late):
    def paint(luma, time):
        letters(luma, time)
        opens(late + 10)(luma, time)

    assert answered(GOES, paint, draw, late=late) == late + 10


def test_what_its_pixels_leave_out_of_a_ring_that_goes_along_is_its_own(monkeypatch):
    monkeypatch.setattr(moments, "find_dragged", lambda *_: {3: np.zeros(SHAPE, bool)})
    assert answered(GOES, opens(11)) == 11


@pytest.mark.parametrize("draw", [veiled, ring])
def test_letters_that_move_beneath_it_do(draw):
    def paint(luma, time):
        letters(luma, time, moves=5)
        opens(10)(luma, time)

    assert answered(GOES, paint, draw) == 5


def test_a_dot_that_goes_along_with_a_finger_is_no_answer_however_late_it_comes():
    assert answered(GOES, opens(LATE + 12), dot, late=LATE) == LATE + 12
    assert answered(GOES, opens(LATE + 12), dot, late=LATE, without={"round"}) == LATE
