"""A screen that is filmed by a camera, on recordings made by hand: what only seems to be."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.detection.camera import filmed_by_camera
from tests.analysis.detection.test_sway import page
from tests.analysis.events.handmade import SHAPE, film_blocks

STEP_MS = 1000 / 30
ACTION_MS, ENDS_MS = 500.0, 1800.0


def filmed(dims, pictures):
    """Return a page that dims in the pictures told, filmed from just before the action on, and its changes."""
    page = np.random.default_rng(1).integers(60, 220, SHAPE).astype(float)

    def paint(board, time):
        at = round(time / STEP_MS)
        noise = np.random.default_rng(at).integers(0, 2, SHAPE)  # an encoder never rests
        board[:] = page * (1 - 0.06 * dims.get(at, 0)) + noise

    recording, changes = film_blocks(paint, [STEP_MS * at for at in range(pictures)])
    stirs = np.ones(len(recording.picture_ms), np.float32)
    return replace(recording, upper=stirs), changes


def to_and_fro(first, last):
    return {at: (0, 1, 2, 1)[at % 4] for at in range(first, last)}


@pytest.mark.parametrize(
    ("dims", "pictures", "camera"),
    [(to_and_fro(0, 60), 60, True), (to_and_fro(0, 30), 30, True), (to_and_fro(5, 15), 30, False)],
    ids=["all along", "all along a short film", "once in a short film"],
)
def test_what_changes_the_light_of_all_is_a_camera_only_if_it_goes_on(dims, pictures, camera):
    """A film of a second has no 600 ms before the action and 600 before its end: one change would lie in both."""
    recording, changes = filmed(dims, pictures)
    assert filmed_by_camera(recording, changes, 4 * STEP_MS) is camera


def filmed_at_60_hz(paint, *, until=ENDS_MS):
    recording, changes = film_blocks(paint, np.arange(0, until, 1000 / 60).tolist())
    return filmed_by_camera(recording, changes, ACTION_MS)


def hand(time):
    """Return where a hand holds the camera, in blocks: it sways by a fifth of a block, and trembles by a tenth."""
    turns = 2 * np.pi * time / 1000
    return {
        "right": 0.2 * np.sin(0.7 * turns) + 0.1 * np.sin(3.1 * turns),
        "down": 0.2 * np.sin(0.45 * turns + 1) + 0.1 * np.sin(2.3 * turns),
    }


def test_a_hand_that_sways_slowly_films_a_screen_that_answers():
    """The page changes meanwhile."""

    def paint(board, time):
        board[:] = page(seed=1 if time < ACTION_MS + 100 else 2, **hand(time))

    assert filmed_at_60_hz(paint)


def test_what_rests_before_the_action_is_a_screen():
    """A page glides to and fro as a hand would, but only since it was touched."""

    def paint(board, time):
        board[:] = page(**hand(max(time, 300)))

    assert not filmed_at_60_hz(paint)


@pytest.mark.parametrize(("rows", "camera"), [(14, False), (5, True)], ids=["a toolbar stays", "a dark edge stays"])
def test_a_list_that_never_rests_is_no_camera_where_a_part_of_the_screen_stays(rows, camera):
    def paint(board, time):
        board[:] = page(**hand(time))
        board[:rows] = page()[:rows]

    assert filmed_at_60_hz(paint) is camera


def test_grain_is_no_camera():
    def paint(board, time):
        board[:] = page() + np.random.default_rng(round(time)).normal(0, 3, SHAPE)

    assert not filmed_at_60_hz(paint)


@pytest.mark.parametrize("hz", [3.1, 1000 / 120, 1000 / 70, 25])
def test_light_that_beats_is_seen_however_fast(hz):
    """After a whole beat the light is the same again."""

    def paint(board, time):
        board[:] = page() * (1 + 0.02 * np.sin(2 * np.pi * hz * time / 1000))

    assert filmed_at_60_hz(paint)


def test_a_tripod_that_trembles_by_a_hundredth_of_a_block_is_none():
    def paint(board, time):
        board[:] = page(right=0.005 * np.sin(time / 90), down=0.005 * np.sin(time / 130))

    assert not filmed_at_60_hz(paint)


def test_of_half_a_second_nothing_can_be_said():
    def paint(board, time):
        board[:] = page(**hand(time))

    assert not filmed_at_60_hz(paint, until=550)
    assert filmed_at_60_hz(paint, until=700)


def test_a_hand_may_hold_still_for_a_moment_wherever_it_is_looked_at():
    """It holds still around one of the instants that are asked first."""

    def paint(board, time):
        board[:] = page(**hand(time if not 1140 < time < 1280 else 1140))

    assert filmed_at_60_hz(paint, until=4000)


def test_light_is_looked_for_until_it_has_beaten_while_something_flickers():
    """A patch differs as much after every while; the light is nearly the same again after the longest."""

    def paint(board, time):
        board[:] = page() * (1 + 0.01 * np.sin(2 * np.pi * 8.25 * time / 1000))
        board[20:26, 10:17] = np.random.default_rng(round(time)).uniform(0, 255, (6, 7))

    assert filmed_at_60_hz(paint, until=4000)
