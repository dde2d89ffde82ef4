"""Which small picture that moves is in a hand, and what goes along with it, on pictures made pixel by pixel."""

from functools import partial

import numpy as np
import pytest

from analysis.events.cursor import tracks
from analysis.events.cursor.pointer import find_pointer
from analysis.events.cursor.sightings import Track, follow
from analysis.events.cursor.sprites import find_sprites
from analysis.options import MeasureOptions
from analysis.video.store import BlockStore
from tests.analysis.events.cursor.pointed import (
    ACTION_MS,
    ALONG,
    HAND,
    TAP,
    filmed,
    tracked,
    with_arrow,
)
from tests.analysis.events.handmade import nothing_ignored


def test_a_hand_that_moves_it_before_the_action_tells_a_cursor():
    found = tracked([*HAND, *HAND[-1:] * 3, (100, 120), (160, 60)])
    assert [len(path.pictures) for path in found.paths] == [3, 2, 2]
    assert sum(len(path.pictures) for path in found.paths) == len(found.steps)


@pytest.mark.parametrize("kind", ["tap", "swipe"])
def test_what_moves_along_a_line_after_the_action_is_no_cursor(kind):
    """A slider's thumb, as small as one, and as rigid."""
    places = [ALONG[0]] * 9 + ALONG[3:]
    assert not tracked(places, MeasureOptions(action_ms=ACTION_MS, interaction_type=kind)).steps


def test_what_is_dragged_on_a_bent_way_is_no_cursor():
    places = [HAND[0]] * 9 + HAND
    assert tracked(places).steps
    assert not tracked(places, MeasureOptions(action_ms=ACTION_MS, interaction_type="swipe")).steps


@pytest.mark.parametrize(
    ("opens_ms", "rest", "goes_on", "is_one"),
    [(1125, 4, False, True), (1125, 0, False, False), (9000, 4, False, False), (1125, 4, True, False)],
    ids=["after a rest", "at once", "nothing answered", "the page moves as well"],
)
def test_what_sets_out_long_after_a_swipe_has_answered_is_in_a_hand(opens_ms, rest, goes_on, is_one):
    """No finger drags any more what moves then; where nothing has answered, one may."""

    def opens(luma, time):
        if time >= opens_ms:
            luma[320:380, 20:200] = 115 if time < 1250 else 90
        if goes_on and time >= 1875:
            luma[320:380, 20:200] = 60 + round(time / 125) % 2 * 40

    places = [HAND[0]] * (10 + rest) + HAND[:4]
    swipe = MeasureOptions(action_ms=ACTION_MS, interaction_type="swipe")
    assert bool(tracked(places, swipe, paint=opens).steps) is is_one


BENT = [(220 - 12 * step, 60 + 12 * abs(step - 4)) for step in range(9)]
STRAIGHT = [(220 - 12 * step, 60) for step in range(9)]


@pytest.mark.parametrize(
    ("there", "rest", "leaves", "opens_ms", "is_one"),
    [
        (True, 4, BENT, 2500, True),
        (True, 4, BENT[:7], 2500, False),
        (True, 4, STRAIGHT, 2500, False),
        (True, 0, BENT, 1700, False),
        (True, 4, BENT, 9000, False),
        (False, 4, BENT, 2500, False),
    ],
    ids=["leaves", "not far", "on a line", "without a rest", "nothing answers", "pulled into the screen"],
)
def test_what_was_dragged_and_goes_on_alone_on_a_bent_way_is_in_a_hand(there, rest, leaves, opens_ms, is_one):
    """A simulator's cursor leaves as soon as the page has come to rest, also before; a slider's thumb stays.

    So does the spinner of a list that is pulled, which nobody had seen before.
    """

    def opens(luma, time):
        luma[320:380, 20:200] = 115 if time < opens_ms else 90

    dragged = [(220, 140 - 20 * step) for step in range(4)]
    on = [(220 - place[0] + leaves[0][0], place[1]) for place in dragged]
    places = [on[0] if there else None] * 11 + on + [leaves[0]] * rest + leaves
    swipe = MeasureOptions(action_ms=ACTION_MS, interaction_type="swipe")
    assert bool(tracked(places, swipe, paint=opens).steps) is is_one


@pytest.mark.parametrize(
    ("there", "page", "leaves", "is_one"),
    [
        (True, 120, 20, True),
        (True, 120, 12, False),
        (True, 80, 20, False),
        (True, 0, 20, False),
        (False, 120, 20, False),
    ],
    ids=["drags a page", "not for long", "drags little", "drags nothing", "was not there"],
)
def test_what_dragged_a_page_and_goes_on_alone_without_a_rest_is_in_a_hand(
    there, page, leaves, is_one, monkeypatch
):
    """A hand goes on from where it let go; what a finger drags alone may go any way."""
    monkeypatch.setattr(tracks, "find_arrow", lambda *_: None)
    drags = [(200 - 12 * step, 30) for step in range(8)]
    goes_on = [(116 + round(60 * np.sin(step / 7)), 30 + 8 * step) for step in range(1, leaves + 1)]
    places = [drags[0] if there else None] * 21 + drags[1:] + goes_on

    def moves(luma, time):
        step = min(max(round((time - ACTION_MS) / 50), 0), 7)
        top, high = (344 - 8 * step, 40) if page > 100 else (344, 8)
        luma[top : top + high, 104 : 104 + page] = 90 if page > 100 or step % 2 else 60

    swipe = MeasureOptions(action_ms=ACTION_MS, interaction_type="swipe")
    assert bool(tracked(places, swipe, paint=moves, step_ms=50.0).steps) is is_one


@pytest.mark.parametrize(
    ("stirs", "later", "is_one"),
    [((176, 72), 0, True), ((20, 20), 0, False), ((20, 20), 1, True), (None, 0, True)],
    ids=["there", "elsewhere", "elsewhere as it moves", "nothing"],
)
def test_what_stirs_where_a_cursor_stays_on_its_way_answers_nothing(stirs, later, is_one):
    """It may move by less than a pixel, in a picture in which nothing else does; nor does a spot as it moves."""
    leaves = [*BENT[:5], BENT[4], *BENT[5:]]
    places = [(220, 140 - 20 * step) for step in (*[0] * 11, 0, 1, 2, 3, 3, 3, 3)] + [(220, 60), *leaves]
    stays_ms = 125 * (len(places) - len(leaves) + 5)

    def opens(luma, time):
        luma[320:380, 20:200] = 115 if time < 2200 else 90
        if stirs and time >= stays_ms + 125 * later:
            luma[stirs[0] : stirs[0] + 6, stirs[1] : stirs[1] + 6] = 90

    swipe = MeasureOptions(action_ms=ACTION_MS, interaction_type="swipe")
    assert bool(tracked(places, swipe, paint=opens).steps) is is_one


@pytest.mark.parametrize(("radius", "lost"), [(28, None), (14, 5)], ids=["larger than a step", "lost once"])
def test_a_disc_that_leaves_after_a_swipe_answers_nothing(radius, lost, monkeypatch):
    monkeypatch.setattr(tracks, "find_arrow", lambda *_: None)
    leaves = [place if step != lost else None for step, place in enumerate(BENT)]
    places = [(220, 140 - 20 * step) for step in (*[0] * 11, 0, 1, 2, 3, 3, 3, 3)] + leaves

    def opens(luma, time):
        luma[320:380, 20:200] = 115 if time < 2200 else 90

    swipe = MeasureOptions(action_ms=ACTION_MS, interaction_type="swipe")
    assert tracked(places, swipe, paint=opens, draw=partial(with_disc, radius=radius)).steps


@pytest.mark.parametrize(("beside", "is_one"), [(True, True), (False, False)], ids=["beside a change", "alone"])
def test_colour_tells_something_else_only_where_it_moves_alone(monkeypatch, beside, is_one):
    """A grey disc is lost while the page changes, and found where a colourful picture comes."""

    def page(luma, time):
        if beside and time >= 750:
            luma[80:100, 176:200] = 90

    recording, changes, lumas = filmed([*HAND, *HAND[-1:] * 3], paint=page)
    coloured = next(picture for picture, (row, _) in enumerate(dict.fromkeys(HAND)) if row == 90)

    def colours(_, where, first, last):
        found = np.full((2, 3, np.count_nonzero(where)), 128.0 * 64)
        found[1, 1:] += 64 * 60 * (first < coloured <= last)
        return found

    monkeypatch.setattr(tracks, "states", colours)
    monkeypatch.setattr(BlockStore, "planes", property(lambda store: 3))
    track = follow(find_sprites(changes, lumas, recording.picture_ms)[0], changes, lumas)
    last = Track(track.sprite, {at: place for at, place in track.places.items() if at >= coloured - 1})
    assert tracks._adds_colour(recording, last, changes, lumas) is not is_one


def test_what_comes_round_is_no_cursor():
    round_ = [(200, 100), (186, 94), (180, 80), (186, 66), (200, 60), (214, 66), (220, 80), (214, 94)]
    assert not tracked(round_ * 3).steps


@pytest.mark.parametrize(("middle", "is_one"), [((), False), (((200, 100),), True)], ids=["a ring", "across it"])
def test_what_leaps_about_on_a_ring_is_no_cursor(middle, is_one):
    """So an arc that turns is seen: now this part of it looks like that of the picture before, now another."""
    angles = (0.0, 0.5, 1.0, 3.6, 4.1, 4.6, 1.5, 2.0, 5.2, 5.7, 2.6, 3.1, 0.2)
    ring = [(200 + round(22 * np.sin(angle)), 100 + round(22 * np.cos(angle))) for angle in angles]
    places = [*ring[:6], *middle, *ring[6:], *[ring[-1]] * 8]
    assert bool(tracked(places, step_ms=60.0).paths) is is_one


UP_AND_DOWN = [(200 - 18 * step, 100 + step) for step in (0, 1, 3, 6, 8, 8, 7, 5, 2, 0)]


@pytest.mark.parametrize(("rest", "is_one"), [(4, True), (0, False)], ids=["after a rest", "with the answer"])
def test_a_hand_that_goes_there_and_back_when_all_rests_moves_a_cursor(rest, is_one):
    """A way that comes back is a spinner's, but not where it leads straight away and all else has answered."""

    def opens(luma, time):
        if time >= ACTION_MS + 250:
            luma[320:380, 20:200] = 90

    places = [UP_AND_DOWN[0]] * (10 + rest) + UP_AND_DOWN[1:]
    assert bool(tracked(places, paint=opens).steps) is is_one


LATE = [(200, 100), (190, 125), (180, 150), (170, 175)]  # on no bend, which would tell of itself
STRAIGHT = [(200, x) for x in (100, 125, 150, 175, 200)]  # the end of a bar that grows goes so as well


@pytest.mark.parametrize(
    ("places", "sets_out", "is_one"),
    [
        (LATE, 11, True),
        (LATE[:3], 11, False),
        (LATE[:3], 14, True),
        ([(200, x) for _, x in LATE], 14, False),
        (STRAIGHT, 11, False),
        (STRAIGHT, 14, True),
    ],
    ids=[
        "three steps",
        "two",
        "two after a longer rest",
        "along a line",
        "far in the next slot",
        "far after a rest",
    ],
)
def test_what_sets_out_aside_when_all_rests_is_in_a_hand(places, sets_out, is_one):
    """A page opens from 1125 to 1250 ms; the cursor sets out 125 ms later, or half a second."""

    def opens(luma, time):
        luma[:] = 90 if time >= ACTION_MS + 250 else 240
        if time >= ACTION_MS + 125:
            luma[8:24, 200:216] = 30

    assert bool(tracked([places[0]] * sets_out + places[1:], paint=opens).steps) is is_one


def with_disc(luma, place, radius=14):
    """Draw an arrow before a pale disc that lets the screen through, as screencast software does."""
    row, column = np.indices(luma.shape)
    disc = (row - place[0]) ** 2 + (column - place[1]) ** 2 <= radius**2
    luma[disc] -= 22
    return with_arrow(luma, place)


WANDERS = [(100 + 14 * step, 60 + 9 * step + round(0.8 * (step - 4) ** 2)) for step in range(10)]


@pytest.mark.parametrize(
    ("opens_ms", "blinks", "steps", "is_one"),
    [(1125, 0, 10, True), (9000, 0, 10, False), (1125, 3, 10, False), (1125, 0, 6, False), (1125, 1, 10, True)],
    ids=["a disc", "nothing answered", "something else changes", "few steps", "once"],
)
def test_what_goes_along_around_a_cursor_since_all_has_answered_is_its_own(
    opens_ms, blinks, steps, is_one, monkeypatch
):
    def page(luma, time):
        if time >= opens_ms:
            luma[300:380, 20:230] = 60
        for row, column in WANDERS[2 : 2 + 2 * blinks : 2]:
            if time >= 125 * (16 + WANDERS.index((row, column))):
                luma[row : row + 10, column + 66 : column + 76] = 60

    monkeypatch.setattr(tracks, "find_arrow", lambda *_: None)
    found = tracked([WANDERS[0]] * 16 + WANDERS[:steps], draw=with_disc, paint=page)
    assert bool(found.steps) is is_one
    assert not is_one or max(map(np.count_nonzero, found.steps.values())) > 14  # blocks: the whole disc, twice


@pytest.mark.parametrize(
    ("at_ms", "beside", "blinks", "is_one"),
    [
        (1125, 30, False, True),
        (2000, 30, False, False),
        (9000, 30, False, False),
        (1125, 2, False, True),
        (1125, 110, False, True),
        (1125, 30, True, False),
    ],
    ids=["long before", "just before", "nothing", "under it", "elsewhere", "another one later"],
)
@pytest.mark.parametrize("pause", [0, 3])
def test_an_answer_may_be_as_small_as_a_cursor_with_a_disc(at_ms, beside, blinks, is_one, pause, monkeypatch):
    """A box is ticked beside it; and where it pauses an encoder puts right what it left there."""
    first = 16 + 5  # the picture in which it pauses

    def page(luma, time):
        if time >= at_ms:
            luma[96:108, 60 + beside : 72 + beside] = 60
        if blinks and time >= 125 * 19:
            luma[320:332, 20:32] = 60
        if pause and time >= 125 * (first + 1):
            row, column = WANDERS[4]
            luma[row - 12 : row - 4, column - 12 : column - 4] = 190

    monkeypatch.setattr(tracks, "find_arrow", lambda *_: None)
    places = [*[WANDERS[0]] * 16, *WANDERS[:5], *[WANDERS[4]] * pause, *WANDERS[5:]]
    found = tracked(places, draw=with_disc, paint=page)
    assert bool(found.worn) is bool(found.steps) is is_one
    swipe = MeasureOptions(action_ms=ACTION_MS, interaction_type="swipe")
    assert not tracked(places, swipe, draw=with_disc, paint=page).worn  # it may drag what lies around it


def test_what_changes_beside_a_cursor_without_a_disc_is_an_answer():
    """A key comes up again as the cursor leaves it, long after a page has opened."""

    def page(luma, time):
        if time >= 1125:
            luma[300:380, 20:230] = 60
        if time >= 3000:
            luma[200:212, 180:192] = 60

    found = tracked([WANDERS[0]] * 16 + WANDERS, paint=page)
    assert len(found.steps) >= len(WANDERS) - 1
    assert not any(blocks[25, 23] for blocks in found.steps.values())


def test_between_two_steps_of_a_disc_what_is_not_seen_as_it_was_is_its_own(monkeypatch):
    """An encoder blurs two pictures on its way; but what grows towards it before it sets out is an answer."""
    fast = [(80 + 22 * step, 60 + 4 * step + round(1.2 * (step - 4) ** 2)) for step in range(10)]
    grows_ms = [1250 + 125 * step for step in range(5)]

    def blurred(luma, place):
        step = fast.index(place)
        if step not in (5, 6):
            return with_disc(luma, place, 20)
        for row, column in fast[step - 1 : step + 1]:
            luma[row - 24 : row + 24, column - 24 : column + 24] -= 30
        return luma

    def page(luma, time):
        if time >= 1125:
            luma[300:380, 20:230] = 60
        grown = sum(time >= at_ms for at_ms in grows_ms)
        luma[64:72, 230 - 24 * grown : 230] = 60

    monkeypatch.setattr(tracks, "find_arrow", lambda *_: None)
    recording, changes, _ = filmed([fast[0]] * 16 + fast, draw=blurred, paint=page)
    left = find_pointer(recording, changes, nothing_ignored(), TAP).taken_from(changes)
    assert [recording.picture_ms[picture] for picture in left.changed_pictures()] == [1125, *grows_ms]
