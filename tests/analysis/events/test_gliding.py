"""Where a motion comes to rest, on recordings made by hand whose pixels are drawn as well."""

from dataclasses import replace
from functools import partial

import cv2
import numpy as np
import pytest

from analysis.detection.course import Course
from analysis.events import gliding
from tests.analysis.events.acted import ACTION_MS, OPTIONS
from tests.analysis.events.handmade import SHAPE, SLOT, film_blocks, judged, slots

STARTS_MS = 1200.0
VISIBLE, STIRS = 6, 30  # steps of a motion that blocks show, and slots in which an encoder stirs them after that
SEEN_MS = STARTS_MS - ACTION_MS + (VISIBLE - 1) * SLOT  # when blocks show the last step
PLACE = np.s_[20:28, 8:20]  # blocks, in which it moves


def page(off_px=0.0, contrast=1.0):
    """Return the pixels of a screen with strokes on it, so far to the left of where they rest."""
    fine = np.full((64, 96 * 8), 200, np.uint8)
    for column in range(2, 90, 6):
        left = column * 8 - round(off_px * 8)
        fine[8:56, max(left, 0) : left + 16] = 200 - round(110 * contrast)
    whole = np.full((SHAPE[0] * 8, SHAPE[1] * 8), 200, np.uint8)
    whole[160:224, 64:160] = cv2.resize(fine, (96, 64), interpolation=cv2.INTER_AREA)
    return whole


def glides(slot, px=2.0):
    """Show a motion that goes on after its visible steps: four fifths of what is left stay in each slot."""
    return page(px * 0.8 ** max(0, slot - VISIBLE))


def steps(board, slot, stirs=2):
    """Paint what blocks show of a motion: its visible steps, then what an encoder stirs."""
    if slot >= 0:
        board[PLACE] = 190 - 15 * min(slot, VISIBLE - 1)
        board[PLACE] += stirs * (slot % 2) if VISIBLE <= slot < VISIBLE + STIRS else 0


def at_once(board, slot):
    """Paint a single step, and then what an encoder stirs."""
    if slot >= 0:
        board[PLACE] = 100 + (2 * (slot % 2) if slot < STIRS else 0)


def measure(draw, paint=steps, times=None, most=10**6, floor=0.0, without=(), variable=False):
    """Return the finish in ms after the action, the moments, and for which pictures pixels were asked.

    `draw` gives the pixels by slot since the motion began; there are those of the `most` earliest pictures only.
    """
    asked = []

    def slot_of(time_ms):
        return round((time_ms - STARTS_MS) / SLOT)

    def lumas(recording, wanted, around):
        asked.append(sorted(wanted))
        return {picture: draw(slot_of(recording.picture_ms[picture])) for picture in asked[-1][:most]}

    times = slots(3.0) if times is None else times
    recording, changes = film_blocks(lambda board, time: paint(board, slot_of(time)), times, variable=variable)
    recording, changes = replace(recording, pixels=lumas), replace(changes, floor_levels=floor)
    moments = judged(recording, changes, OPTIONS, without)
    return float(recording.time_ms[moments.finish]) - OPTIONS.action_ms, moments, asked


def slots_later(count):
    return pytest.approx(SEEN_MS + count * SLOT, abs=2)


@pytest.mark.parametrize("variable", [False, True])
def test_what_glides_on_by_parts_of_a_pixel_has_not_come_to_rest(variable):
    """Of 2 px 0.5 are left in the seventh slot after the last visible step, and 0.375 in the eighth."""
    finish, moments, asked = measure(glides, variable=variable)
    assert finish == slots_later(8)
    assert len(asked) == 1
    assert moments.ending.blocks[PLACE].any()
    assert not moments.ending.blocks[:18].any()


def fades(slot):
    """Show strokes of 110 levels that get as dark as they will be: 0.85 of what they lack is left in each slot."""
    return page(contrast=1 - 0.6 * 0.85 ** max(0, slot))


def test_what_goes_on_fading_as_it_did_has_not_come_to_rest():
    """Of 66 levels 13 are left in the fifth slot after the last visible step, and 11 in the sixth."""
    finish, moments, _ = measure(fades)
    assert finish == slots_later(6)
    assert moments.ending.blocks[PLACE].any()
    assert measure(fades, without={"fades_on"})[0] == slots_later(0)


@pytest.mark.parametrize(
    "draw",
    [
        lambda slot: page(contrast=1 - 0.3 * 0.85 ** max(0, slot - VISIBLE + 1)),  # not the way that was seen
        lambda slot: page(contrast=0.4 + 0.05 * min(slot, VISIBLE)) if slot < VISIBLE + 1 else page(),  # at once
    ],
)
def test_what_is_put_right_after_the_last_visible_step_is_no_fade(draw):
    assert measure(draw)[0] == slots_later(0)


@pytest.mark.parametrize(
    ("told", "goes_on"),
    [
        ({}, True),
        ({"alike": 0.85}, False),
        ({"went": 0.75}, False),
        ({"share": 0.04}, False),
        ({"share": 0.95}, False),
        ({"differing": 3}, False),
    ],
    ids=["fades", "goes another way", "went another way", "hardly", "at once", "too few pixels"],
)
def test_a_fade_goes_on_in_every_respect(told, goes_on, monkeypatch):
    said = {"alike": 0.95, "share": 0.2, "went": 0.85, "differing": 12} | told
    fields = {name: np.full(SHAPE, value, np.float32) for name, value in said.items()}
    monkeypatch.setattr(gliding, "course", lambda *_: Course(**fields))
    finish, _, _ = measure(lambda slot: page())
    assert (finish > SEEN_MS + SLOT) is goes_on


def test_a_finish_long_after_the_last_visible_step_is_likely_and_that_step_is_the_other_one():
    _, moments, _ = measure(glides)
    sure = moments.confidence["finish"]
    assert (sure.word, sure.other.picture) == ("likely", moments.ending.visible)
    assert "parts of a pixel" in sure.other.reason


def test_a_finish_soon_after_the_last_visible_step_is_certain():
    finish, moments, _ = measure(lambda slot: glides(slot, 0.8))
    assert finish == slots_later(4)
    assert moments.confidence["finish"].word == "certain"


def test_no_frame_is_dropped_after_the_last_visible_step():
    _, moments, _ = measure(glides)
    assert moments.moving[-1] * SLOT - OPTIONS.action_ms == slots_later(0)


@pytest.mark.parametrize(
    "draw",
    [
        lambda slot: page(),  # at rest
        lambda slot: page(contrast=1 - 0.3 * 0.9 ** max(0, slot - VISIBLE)),  # drawn stronger
        lambda slot: page(1.0 if slot < VISIBLE + 12 else 0.0),  # it goes on a fifth of a second later
        lambda slot: page(0.5 + 0.25 * (slot % 2), 0.5) if slot < VISIBLE + 20 else page(),  # drawn stronger later
        lambda slot: glides(slot, 0.3),  # less than can be seen
    ],
)
def test_what_does_not_glide_rests_with_its_last_visible_step(draw):
    finish, moments, asked = measure(draw)
    assert finish == slots_later(0)
    assert moments.ending.blocks is None
    assert asked


def test_what_goes_on_for_longer_than_a_glide_is_followed_no_further():
    finish, _, _ = measure(lambda slot: page(0.5 * (slot % 2)))
    assert finish == slots_later(18)


@pytest.mark.parametrize(
    "film",
    [
        {"without": {"glide"}},
        {"times": [80.0 * index for index in range(40)]},  # too few steps tell nothing
        {"floor": 0.5},  # in noise they tell nothing either
        {"paint": at_once},  # no motion
        {"paint": partial(steps, stirs=1)},  # nothing that is worth it
    ],
)
def test_pixels_are_not_looked_at_where_they_tell_nothing(film):
    _, moments, asked = measure(glides, **film)
    assert not asked
    assert moments.ending.picture == moments.ending.visible


def test_a_glide_is_followed_as_far_as_there_are_pixels():
    assert measure(glides, most=5)[0] == slots_later(0)  # those at rest are not among them


def test_what_goes_on_by_itself_may_go_on_gliding():
    def spinner(board, slot):
        steps(board, slot)
        board[22:26, 12:16] = 60 + 60 * (slot % 3)

    def draw(slot):
        whole = page()
        whole[176:208, 96:128] = page(2.0 * (slot % 2) / 3)[176:208, 96:128]
        return whole

    finish, moments, asked = measure(draw, spinner)
    assert finish == slots_later(0)
    assert moments.ending.blocks is None
    assert asked
