"""A screen that is filmed by a camera, on recordings made by hand: what only seems to be."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.detection.camera import filmed_by_camera
from tests.analysis.events.handmade import SHAPE, film_blocks

STEP_MS = 1000 / 30


def filmed(dims, pictures):
    """Return a page that dims in the pictures told, filmed from just before the action on, and its changes."""
    page = np.random.default_rng(1).integers(60, 220, SHAPE).astype(float)

    def paint(board, time):
        at = round(time / STEP_MS)
        board[:] = page * (1 - 0.06 * dims.get(at, 0)) + at % 2  # an encoder never rests

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
