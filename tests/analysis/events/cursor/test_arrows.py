"""The arrow of a mouse cursor, known by its look on pictures that are drawn pixel by pixel."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from analysis.events.cursor import tracks
from analysis.events.cursor.arrows import find_arrow
from analysis.events.cursor.tracks import find_tracked
from analysis.options import MeasureOptions
from tests.analysis.events.cursor.pointed import filmed
from tests.analysis.events.handmade import judged, nothing_ignored

TAP = MeasureOptions(action_ms=1000.0)
FINE = 8  # times as finely drawn as shown
ARROW = (
    (1, 1),
    (1, 17),
    (4.8, 13.4),
    (7.2, 19),
    (9.8, 17.9),
    (7.4, 12.4),
    (12.4, 12.4),
)  # x, y of a cursor 20 px high
REST = (210, 100)


def page(seed=3):
    """Return (height, width) of a page: lines of text on white, and on grey below."""
    luma = np.full((384, 240), 245, np.uint8)
    luma[200:] = 150
    letters = np.random.default_rng(seed)
    for base in range(20, 380, 18):
        words = "".join(letters.choice(list("aAkKvVxX47NMbd "), 30))
        cv2.putText(luma, words, (6, base), cv2.FONT_HERSHEY_SIMPLEX, 0.45, 30, 1, cv2.LINE_AA)
    return luma


def drawn(luma, place, high=20, shape=ARROW, body=0, rim=255, reach=1.4):
    """Draw an arrow with its corner at a place (row, column), so high in pixels, with a rim around its body."""
    scale, (top, left) = high / 20, place
    canvas = luma.repeat(FINE, 0).repeat(FINE, 1)
    corners = ((np.array(shape) * scale + (left, top)) * FINE).round().astype(np.int32)
    cv2.polylines(canvas, [corners], True, rim, round(2 * reach * scale * FINE))
    cv2.fillPoly(canvas, [corners], body)
    luma[:] = cv2.resize(canvas, luma.shape[::-1], interpolation=cv2.INTER_AREA)
    return luma


@pytest.mark.parametrize("high", [15, 20, 27, 40])
@pytest.mark.parametrize(("body", "rim"), [(0, 255), (255, 0)], ids=["dark", "light"])
@pytest.mark.parametrize("place", [(40, 60), REST], ids=["on text", "on grey"])
def test_an_arrow_is_found_where_it_is(place, body, rim, high):
    sprite = find_arrow(drawn(page(), place, high, body=body, rim=rim), 7)
    picture, corner = sprite.taken
    assert picture == 7
    np.testing.assert_allclose(corner, place, atol=max(2, high / 10))
    assert sprite.mask.shape[0] == pytest.approx(high, abs=max(4, high / 5))


def test_letters_are_no_arrow():
    assert not any(find_arrow(page(seed), 0) for seed in range(20))


@pytest.mark.parametrize(
    "how",
    [
        {"shape": [(14 - x, y) for x, y in ARROW]},
        {"shape": [(x, 20 - y) for x, y in ARROW]},
        {"shape": [(1, 1), (1, 17), (12.4, 12.4)]},
        {"rim": 30},
        {"high": 90},
    ],
    ids=["to the right", "downwards", "a triangle", "without a rim", "an icon"],
)
def test_what_is_nearly_one_is_none(how):
    assert find_arrow(drawn(page(), REST, **how), 0) is None


def test_of_two_none_is_taken():
    assert find_arrow(drawn(drawn(page(), REST), (40, 60)), 0) is None


def seen(places, page_at=10):
    """Return what is found of a cursor, and the moments: a page opens in one picture, the action is picture 8."""

    def paint(luma, time):
        luma[:] = page()
        if time >= 125.0 * page_at:
            luma[60:150, 20:220] = 90

    def draw(luma, place):
        return drawn(luma, place)

    recording, changes, _ = filmed(places, paint=paint, draw=draw)
    tracked = find_tracked(recording, changes, nothing_ignored(), TAP)
    return tracked, judged(recording, changes, TAP), recording.time_ms


@pytest.mark.parametrize("later", [[(206, 103)], [(300, 40)], [None]], ids=["by little", "in one leap", "for good"])
def test_an_arrow_that_moves_once_is_a_cursor(later):
    along = [(REST[0], 40), (REST[0], 70), (REST[0], 70)]  # one axis: by its way no hand moves it
    tracked, moments, times = seen(along + [REST] * 11 + later * 4)
    assert list(tracked.steps) == [1, 2, 4]  # the page is the picture between
    assert times[moments.finish] == 1250.0


def test_an_arrow_that_never_moves_is_none():
    tracked, moments, times = seen([REST] * 18)
    assert (tracked.steps, times[moments.finish]) == ({}, 1250.0)


def speckled(luma, place):
    """Draw an arrow, and at one place with specks in it, as a palette of few colours draws it."""
    before = luma.copy()
    drawn(luma, place)
    if place == SPECKLED:
        rows, columns = np.nonzero(before != luma)
        specks = np.random.default_rng(5).permutation(len(rows))[: len(rows) // 4]
        luma[rows[specks], columns[specks]] = before[rows[specks], columns[specks]]
    return luma


SPECKLED = (REST[0], 180)


@pytest.mark.parametrize(
    ("leaves", "beside_ms", "steps"),
    [(None, 9000.0, [4, 5]), (None, 1750.0, [4]), ((REST[0], 60), 1875.0, [4, 5])],
    ids=["alone", "not as it comes", "not as it goes on"],
)
def test_an_arrow_that_is_seen_badly_where_it_halts_is_followed_if_it_moves_alone(
    leaves, beside_ms, steps, monkeypatch
):
    """A button beside it goes pale in the picture in which it comes, or in that in which it goes on."""

    def paint(luma, time):
        luma[:] = page()
        luma[60:150, 20:220] = 90 if time >= 1250.0 else 60
        if time >= beside_ms:
            luma[REST[0] - 8 : REST[0] + 26, 194:210] = 200

    monkeypatch.setattr(tracks, "SIGHT", replace(tracks.SIGHT, unlike=0.02))
    places = [(REST[0], 40), (REST[0], 70), (REST[0], 70), *[REST] * 11, SPECKLED, leaves]
    recording, changes, _ = filmed(places, paint=paint, draw=speckled)
    tracked = find_tracked(recording, changes, nothing_ignored(), TAP)
    finish = recording.time_ms[judged(recording, changes, TAP).finish]
    assert [step for step in tracked.steps if step > 3] == steps  # the page is picture 3
    assert (finish == 1250.0) == (beside_ms == 9000.0)


@pytest.mark.parametrize("coloured", [False, True], ids=["grey", "in a coloured disc"])
@pytest.mark.parametrize("look", [{}, {"shape": [(1, 1), (1, 17), (12.4, 12.4)]}], ids=["arrow", "other"])
def test_what_drags_something_all_the_way_is_a_cursor_if_it_looks_like_one(look, coloured, monkeypatch):
    """A curtain follows it: each of its steps changes more than its own pixels."""
    monkeypatch.setattr(tracks, "_adds_colour", lambda *_: coloured)
    dragged = [(60 + 4 * step, 200 - 16 * step + step % 3) for step in range(11)]

    def follows(luma, time):
        step = min(max(round(time / 125) - 9, 0), 10)
        luma[40:110, 214 - 16 * step :] = 90
        luma[40:110:5, : 214 - 16 * step] = 120

    leaves = [(dragged[-1][0] + 40 * step, 60 + 30 * step) for step in range(1, 5)]
    places = [(20, 170)] * 3 + [dragged[0]] * 6 + dragged + leaves
    recording, changes, _ = filmed(places, paint=follows, draw=lambda luma, place: drawn(luma, place, **look))
    found = find_tracked(recording, changes, nothing_ignored(), TAP)
    assert bool(found.steps) is (look == {})


@pytest.mark.parametrize(
    ("look", "steps", "beside", "is_one"),
    [
        ({}, 7, 0, True),
        ({}, 9, 4, True),
        ({}, 5, 0, False),
        ({"shape": [(1, 1), (1, 17), (12.4, 12.4)]}, 7, 0, False),
    ],
    ids=["arrow", "something changes far off", "not long", "other"],
)
def test_an_arrow_that_dragged_something_as_the_film_began_is_known_when_it_moves_alone(
    look, steps, beside, is_one
):
    """It goes on along one line, and never rests: only its look tells it from what the app moves."""
    dragged = [(100, 200 - 7 * step) for step in range(12)]

    def follows(luma, time):
        luma[:] = page()
        step = min(max(round(time / 125) - 8, 0), 11)
        luma[40:160, 214 - 7 * step :] = 90
        luma[40:160:5, : 214 - 7 * step] = 120
        number = round(time / 125) - 20  # of the step in which it leaves
        luma[344:350, 200:206] = 60 + 90 * (min(max(number, 0), beside) % 2)

    leaves = [(100, dragged[-1][1] - 12 * step) for step in range(1, steps + 1)]
    places = [dragged[0]] * 8 + dragged + leaves + leaves[-1:] * 3
    recording, changes, _ = filmed(places, paint=follows, draw=lambda luma, place: drawn(luma, place, **look))
    found = find_tracked(recording, changes, nothing_ignored(), TAP)
    assert bool(found.steps) is is_one


@pytest.mark.parametrize(
    ("look", "steps", "is_one"),
    [({}, 7, True), ({}, 5, False), ({"shape": [(1, 1), (1, 17), (12.4, 12.4)]}, 7, False)],
    ids=["arrow", "not long", "other"],
)
def test_an_arrow_in_a_disc_is_known_by_its_look_when_both_move_alone(look, steps, is_one):
    def follows(luma, time):
        luma[:] = page()
        step = min(max(round(time / 125) - 8, 0), 11)
        luma[40:160, 214 - 7 * step :] = 90
        luma[40:160:5, : 214 - 7 * step] = 120

    def in_disc(luma, place):
        down, across = np.ogrid[: luma.shape[0], : luma.shape[1]]
        luma[np.hypot(down - place[0] - 8, across - place[1] - 6) <= 18] -= 25
        return drawn(luma, place, **look)

    dragged = [(100, 200 - 7 * step) for step in range(12)]
    leaves = [(100 + 14 * step, dragged[-1][1] - 12 * step) for step in range(1, steps + 1)]
    places = [dragged[0]] * 8 + dragged + leaves + leaves[-1:] * 3
    swipe = MeasureOptions(action_ms=TAP.action_ms, interaction_type="swipe")
    recording, changes, _ = filmed(places, paint=follows, draw=in_disc)
    found = find_tracked(recording, changes, nothing_ignored(), swipe)
    assert bool(found.steps) is is_one
    assert not is_one or max(map(np.count_nonzero, found.steps.values())) > 14  # blocks: the disc as well
