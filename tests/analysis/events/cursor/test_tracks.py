"""A cursor that leaps, on pictures made pixel by pixel: where it is found, and what it explains."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.detection.changes import NOTHING
from analysis.events.cursor import pointer
from analysis.events.cursor.own_changes import own_changes
from analysis.events.cursor.paths import Path
from analysis.events.cursor.pointer import find_pointer
from analysis.events.cursor.sightings import follow, paths_of
from analysis.events.cursor.sprites import Sprite, find_sprites
from analysis.events.cursor.tracks import Tracked, find_tracked
from tests.analysis.events.cursor.pointed import (
    ALONG,
    ARROW,
    HAND,
    RIM,
    TAP,
    filmed,
    track_of,
    tracked,
    twice_as_large,
    with_arrow,
)
from tests.analysis.events.handmade import nothing_ignored


def test_what_leaps_pixel_for_pixel_is_found_before_any_background():
    recording, changes, lumas = filmed(HAND)
    best = find_sprites(changes, lumas, recording.picture_ms)[0]
    assert (
        best.values[best.mask] == np.where(RIM, 10, 240)[-best.mask.shape[0] :, : best.mask.shape[1]][best.mask]
    ).all()
    places = follow(best, changes, lumas).places
    assert [places[number] for number in sorted(places)] == list(dict.fromkeys(HAND))


def test_a_cursor_that_sets_out_slowly_is_known_before_another_ground():
    """By small steps it lies over where it was: what is seen behind it there is none of its own."""
    slowly = [(20 + 5 * step, 80 + 5 * step) for step in range(10)]
    recording, changes, lumas = filmed([*slowly, (210, 190), (230, 130), (270, 60)], draw=twice_as_large)
    best = find_sprites(changes, lumas, recording.picture_ms)[0]
    assert best.sights > len(slowly) / 2
    assert len(follow(best, changes, lumas).places) == len(lumas)


def test_what_looks_like_it_earlier_does_not_hide_where_it_goes():
    """A button with an arrow's picture comes before the arrow itself moves, and stays."""

    def button(luma, time):
        if time >= 250:
            with_arrow(luma, (280, 200))

    recording, changes, lumas = filmed([*HAND[:1] * 4, *HAND[1:]], paint=button)
    best = find_sprites(changes, lumas, recording.picture_ms)[0]
    assert len(set(follow(best, changes, lumas).places.values())) == len(set(HAND))


def test_a_cursor_that_one_picture_blurs_is_followed_on():
    """Where it goes on, a quarter of it may be lost: nobody looks for it anew."""

    def blurred(luma, place):
        with_arrow(luma, place)
        if place == HAND[3]:
            luma[place[0] : place[0] + 6, place[1] : place[1] + 7] = 130
        return luma

    recording, changes, lumas = filmed(HAND, draw=blurred)
    best = find_sprites(changes, lumas, recording.picture_ms)[0]
    assert HAND[3] in follow(best, changes, lumas).places.values()


def test_a_cursor_that_leaves_unseen_is_looked_for_anew():
    """Where no block shows that it left, it does not stay in what is followed."""
    recording, changes, lumas = filmed(HAND)
    best = find_sprites(changes, lumas, recording.picture_ms)[0]
    seen = follow(best, changes, lumas).places
    hidden = next(number for number in sorted(seen) if seen[number] == HAND[2])
    packed, count = list(changes.packed), changes.count.copy()
    packed[hidden], count[hidden] = NOTHING, 0
    unseen = replace(changes, packed=packed, count=count)
    assert follow(best, unseen, lumas).places == seen


def soft_arrow(luma, place):
    """Draw a dark outline with a soft rim around, which takes a share of what is behind it."""
    top, left = place
    wide = np.pad(RIM, 1)
    beside = np.any([np.roll(wide, shift, axis) for shift in (-1, 1) for axis in (0, 1)], axis=0) & ~wide
    part = luma[top - 1 : top + 17, left - 1 : left + 11]
    part[beside] = part[beside] // 3 * 2
    part[wide] = 10
    return luma


def test_a_cursor_with_a_soft_rim_is_followed_before_another_ground():
    """The page gets dark while it rests; a third of its pixels, the rim, are others from then on."""
    comes = [(20, 20), (60, 80), (90, 110), (100, 140), (100, 140), (100, 140), (100, 140)]
    leaves = [(120, 110), (160, 60), (170, 20)]

    def gets_dark(luma, time):
        if time >= 5 * 125.0:
            luma[:] = luma // 3

    recording, changes, lumas = filmed([*comes, *leaves], paint=gets_dark, draw=soft_arrow)
    best = find_sprites(changes, lumas, recording.picture_ms)[0]
    seen = follow(best, changes, lumas).places
    off = {
        tuple(np.subtract(seen[number], place))
        for number, place in enumerate([*comes[:5], *leaves])
        if number in seen
    }
    assert len(off) == 1
    assert len(seen) == len(lumas)


def test_letters_that_change_place_are_no_sprite():
    random = np.random.default_rng(1)

    def letters(luma, place):
        top, left = place
        luma[top : top + 16, left : left + 10] = random.choice([20, 240], (16, 10))
        return luma

    recording, changes, lumas = filmed(HAND, draw=letters)
    assert not find_sprites(changes, lumas, recording.picture_ms)


def test_what_moved_once_is_one_sight_however_many_pictures_show_it():
    """It stays where it came to, while a lamp beside it goes on and off."""

    def lamp(luma, time):
        if time % 250:
            luma[300:312, 20:32] = 40

    places = [ALONG[0]] * 4 + [ALONG[4]] * 4
    recording, changes, lumas = filmed(places, paint=lamp)
    assert not find_sprites(changes, lumas, recording.picture_ms)
    recording, changes, lumas = filmed([*places, ALONG[7]], paint=lamp)
    assert [one.sights for one in find_sprites(changes, lumas, recording.picture_ms)] == [2]


def test_a_leap_aside_both_ways_is_no_chance():
    recording, changes, lumas = filmed([HAND[0]] * 4 + [HAND[2]] * 4)
    assert [one.sights for one in find_sprites(changes, lumas, recording.picture_ms)] == [1]


def with_stem(luma, place):
    top, left = place
    with_arrow(luma, place)
    luma[top + 16 : top + 28, left + 3 : left + 7] = 10
    return luma


def test_what_goes_on_by_adjoining_steps_is_compared_over_several_of_them():
    """After one step it lies over where it was, and further off than is tried there; after two, clear of it."""
    places = [(20, 100), (40, 98), (60, 93), (80, 88), (100, 80)]
    recording, changes, lumas = filmed([places[0], *places, places[-1]], draw=with_stem)
    best = find_sprites(changes, lumas, recording.picture_ms)[0]
    assert [at for _, _, at in follow(best, changes, lumas).steps()] == places[1:]


def test_a_cursor_twice_as_large_is_followed():
    """An arrow of 20 × 40 px, as large screens and careful people have it."""
    assert len(tracked([*HAND, *HAND[-1:] * 3, (100, 120), (160, 60)], draw=twice_as_large).steps) == 7


def test_a_block_in_which_something_else_changes_is_not_its_own():
    def lights_up(luma, time):
        if time >= 500:
            luma[150:170, 100:140] = 120

    recording, changes, lumas = filmed([HAND[1], HAND[1], HAND[2], HAND[2], (60, 200)], paint=lights_up)
    rows, columns = np.nonzero(RIM | ARROW)
    sprite = Sprite(np.where(RIM, 10, 240).astype(np.float32), RIM | ARROW)
    assert (rows.max(), columns.max()) == (15, 9)
    track = follow(sprite, changes, lumas)
    own = own_changes([track], changes, lumas, recording.picture_ms)
    last = max(own)
    assert own[last][8, 26]
    lit = next(number for number in range(len(lumas)) if recording.picture_ms[number] == 500)
    assert lit not in own or not own[lit][19:21, 12:14].any()


@pytest.mark.parametrize(("wide", "own"), [(8, True), (32, False)])
def test_a_stray_block_beside_a_step_is_an_encoders(wide, own):
    """Strays come with the step, on an edge where the arrow has just been; what is wider is something else."""

    def stray(luma, time):
        if time >= 250:
            luma[136:144, 136 : 136 + wide] = 200

    recording, changes, lumas = filmed([HAND[0], HAND[1], HAND[2], HAND[2]], paint=stray)
    sprite = Sprite(np.where(RIM, 10, 240).astype(np.float32), RIM | ARROW)
    found = own_changes([follow(sprite, changes, lumas)], changes, lumas, recording.picture_ms)
    assert found[2][17, 17] == own


def test_a_cursor_is_found_where_it_goes_on_all_the_time():
    """It moves about one place, before the action and until the end: that is no spinner's corner."""
    places = [(100 + 3 * step, 120 + (17 * step) % 40) for step in range(14)]
    recording, changes, _ = filmed(places)
    everywhere = np.any([changes.blocks(picture) for picture in range(1, len(places))], axis=0)
    found = find_tracked(recording, changes, everywhere, TAP).steps
    assert all((found[picture] == changes.blocks(picture)).all() for picture in range(1, len(places)))


def test_paths_end_where_the_hand_rests():
    times = np.array([0, 100, 200, 300, 1500, 1600, 1700.0])
    paths = paths_of(track_of([(0, 0), (20, 30), (40, 50), (40, 50), (40, 50), (60, 60), (90, 60)]), times)
    assert [list(path.pictures) for path in paths] == [[1, 2], [5, 6]]
    assert paths[1].centres[-1].tolist() == [98 / 8, 65 / 8]


def test_what_it_drags_after_the_action_does_not_hide_a_cursor_that_moved_alone_before():
    """A row follows it: each of its later steps changes more than its own pixels."""
    later = [(60 + 2 * step, 210 - 15 * step) for step in range(1, 9)]

    def row_follows(luma, time):
        step = min(max(round(time / 125) - 9, 0), 8)
        luma[40:110, 214 - 15 * step : 224 - 15 * step] = 90
        luma[40:110:5, : 214 - 15 * step] = 120

    places = [*HAND, HAND[-1], HAND[-1], *later]
    assert tracked(places, paint=row_follows).steps
    assert not tracked([HAND[-1]] * 9 + later, paint=row_follows).steps


def at_edge(luma, place):
    """Draw what of an arrow lies on the screen."""
    wide = np.pad(luma, 20)
    with_arrow(wide, (place[0] + 20, place[1] + 20))
    return wide[20:-20, 20:-20].copy()


OUT = [(150, 120), (150, 120), (120, 150), (90, 190), (70, 220), (62, 228), (60, 234)]  # of 240 px


@pytest.mark.parametrize("leaves", [True, False], ids=["leaves", "comes in"])
def test_a_cursor_is_followed_over_the_edge_of_the_screen(leaves):
    """Half of it, and then a sliver, is still its own; the sliver with which it comes in is as well."""
    places = [*HAND, *OUT, None, None] if leaves else [None, None, *OUT[::-1], *HAND[2:]]
    recording, changes, lumas = filmed(places, draw=at_edge)
    best = find_sprites(changes, lumas, recording.picture_ms)[0]
    track = follow(best, changes, lumas)
    half = next(place for place in track.places.values() if place[1] > 230)
    assert half == OUT[-1]
    own = own_changes([track], changes, lumas, recording.picture_ms)
    assert all((own[picture] == changes.blocks(picture)).all() for picture in changes.changed_pictures())


def test_what_stays_at_the_edge_when_a_cursor_has_left_is_not_its_own():
    """A notice comes at the place where the arrow went out."""

    def notice(luma, time):
        if time >= 2500:
            luma[40:80, 210:240] = 90

    places = [*HAND, *OUT, *[None] * 8]
    recording, changes, lumas = filmed(places, draw=at_edge, paint=notice)
    best = find_sprites(changes, lumas, recording.picture_ms)[0]
    own = own_changes([follow(best, changes, lumas)], changes, lumas, recording.picture_ms)
    assert list(changes.changed_pictures())[-1] not in own


def test_what_is_surely_not_the_cursors_is_not_taken_for_its_shift(monkeypatch):
    """A word goes pale beside a cursor at rest, and comes back as that leaves: blocks do not tell whose step."""
    places = [(300, 30), (220, 60), *[(150, 120)] * 10, (126, 130), (60, 190), (40, 200)]
    word = np.s_[168:192, 144:168]  # 9 blocks: fewer than a cursor of 32 px changes

    def goes_pale(luma, time):
        luma[word][::4, ::3] = 150 if 9 * 125 <= time < 12 * 125 else 30

    recording, changes, _ = filmed(places, paint=goes_pale, draw=twice_as_large)
    monkeypatch.setattr(pointer, "_shifts", lambda *_: True)
    monkeypatch.setattr(pointer, "_keeps_its_light", lambda *_: True)
    steps = find_pointer(recording, changes, nothing_ignored(), TAP).steps
    pale, leaves = (int(np.searchsorted(recording.picture_ms, at * 125)) for at in (9, 12))
    assert pale not in steps
    assert np.count_nonzero(changes.blocks(leaves) & ~steps[leaves]) >= 9


def test_no_path_goes_through_a_picture_in_which_the_cursor_surely_rests(monkeypatch):
    """A word goes pale under it: to the blocks that may look like a step of what moved before."""
    places = [(300, 30), (220, 60), *[(150, 120)] * 10, (126, 130), (60, 190), (40, 200)]

    def goes_pale(luma, time):
        luma[168:192, 144:168][::4, ::3] = 150 if time >= 9 * 125 else 30

    recording, changes, _ = filmed(places, paint=goes_pale)
    pale = int(np.searchsorted(recording.picture_ms, 9 * 125))
    there = (18, 15, 20, 17)
    suggested = [Path([pale], np.array([[20.0, 16.0], [22.0, 19.0]]), there, there)]
    monkeypatch.setattr(pointer, "_of_a_cursor", lambda *_: suggested)
    monkeypatch.setattr(pointer, "find_tracked", lambda *_: Tracked(sure=frozenset()))
    assert pale in find_pointer(recording, changes, nothing_ignored(), TAP).steps
    monkeypatch.setattr(pointer, "find_tracked", find_tracked)
    steps = find_pointer(recording, changes, nothing_ignored(), TAP).steps
    assert pale not in steps
    assert steps
