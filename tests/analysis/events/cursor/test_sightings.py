"""Where a small picture may lie partly beyond the screen's edge, against a slow obvious twin."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.events.cursor import sightings
from analysis.events.cursor.sightings import _beyond_the_edge, _places_over_edges
from analysis.events.cursor.sprites import SPRITE, Sprite
from analysis.kernels.loading import load
from analysis.video.pixels import BLOCK_PX
from tests import naive

HEIGHT, WIDTH = 60, 44


def places_one_by_one(mask, area, last):
    """Look at every corner near the last at which the mask crosses one edge, pixel by pixel."""
    reach, (high, wide) = sightings.SIGHT.reach_blocks * BLOCK_PX, mask.shape
    found = set()
    for top in range(1 - high, HEIGHT):
        for left in range(1 - wide, WIDTH):
            over = [top < 0 or top + high > HEIGHT, left < 0 or left + wide > WIDTH]
            if sum(over) != 1 or max(abs(top - last[0]), abs(left - last[1])) > reach:
                continue
            own = [(top + y, left + x) for y, x in np.argwhere(mask)]
            seen = [(y, x) for y, x in own if 0 <= y < HEIGHT and 0 <= x < WIDTH]
            if len(seen) >= SPRITE.least_px and all(area[at] for at in seen):
                found.add((top, left))
    return found


@pytest.mark.parametrize("seed", range(8))
def test_places_over_the_edges_are_those_that_a_slow_twin_finds(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    monkeypatch.setattr(sightings, "SIGHT", replace(sightings.SIGHT, reach_blocks=2))
    mask = rng.random((int(rng.integers(6, 12)), int(rng.integers(6, 12)))) < 0.8
    top, left = [(0, 9), (20, WIDTH - 20), (HEIGHT - 20, 9), (20, 0)][seed % 4]  # at each edge of the screen
    area = np.zeros((HEIGHT, WIDTH), np.uint8)
    area[top : top + 20, left : left + 20] = 1
    last = top + int(rng.integers(2, 9)), left + int(rng.integers(2, 9))
    sprite = Sprite(np.zeros(mask.shape, np.float32), mask)
    found = list(_places_over_edges(sprite, area, last))
    assert len(found) == len(set(found))
    assert set(found) == places_one_by_one(mask, area, last) != set()


def test_the_twin_finds_some():
    mask, area = np.ones((8, 6), bool), np.ones((HEIGHT, WIDTH), np.uint8)
    assert (-3, 5) in places_one_by_one(mask, area, (0, 5))
    assert (20, WIDTH - 4) in places_one_by_one(mask, area, (20, WIDTH - 8))


@pytest.mark.parametrize("seed", range(6))
def test_how_unlike_places_are_is_what_a_slow_twin_says(seed):
    """Somewhere on the screen and beyond each of its edges; some places show too little to tell."""
    rng = np.random.default_rng(seed)
    luma = rng.choice(np.array([20, 60, 200, 230], np.uint8), (HEIGHT, WIDTH))
    values = rng.integers(0, 256, (9, 7)).astype(np.float32) + np.float32(0.5)
    mask = rng.random(values.shape) < 0.7
    places = np.array([(20, 9), (-5, 8), (HEIGHT - 3, 12), (17, -6), (17, WIDTH - 2), (-8, 3)])
    luma[12:21, 30:37] = values  # and one that shows it
    places = np.vstack([places, (12, 30), (12, 29)])
    out = np.empty(len(places))
    load().match(luma, values, mask, places, 24.0, 8, out)
    expected = [naive.unlike(luma, values, mask, place, (24.0, 8)) for place in places]
    assert out == pytest.approx(expected)
    assert out[-2] == 0
    assert np.isinf(out).any()


@pytest.mark.parametrize("seed", range(4))
def test_beyond_an_edge_a_sprite_is_as_unlike_as_within_the_screen(seed):
    """The compiled comparison and the one that follows a sprite over the screen agree where all pixels tell."""
    rng = np.random.default_rng(seed)
    luma = rng.choice(np.array([90, 110, 120], np.uint8), (HEIGHT, WIDTH))
    values = rng.choice(np.array([0, 80, 160, 250], np.float32), (9, 7))
    place, mask = (20, 11), np.abs(values - np.median(luma[20:29, 11:18])) > SPRITE.levels
    luma[20:26, 11:18] = values[:6].astype(np.uint8)
    mask &= np.abs(values - np.median(luma[20:29, 11:18])) > SPRITE.levels
    out = np.empty(1)
    load().match(luma, values, mask, np.array([place]), float(SPRITE.levels), 1, out)
    assert out[0] == pytest.approx(sightings.unlike_at(Sprite(values, mask), luma, place))
    assert 0 < out[0] < 1


def test_a_sprite_is_beyond_an_edge_only_where_it_may_be():
    rng = np.random.default_rng(2)
    values, shape = (
        rng.integers(0, 2, (12, 10)).astype(np.float32) * 200,
        (-(-HEIGHT // BLOCK_PX), -(-WIDTH // BLOCK_PX)),
    )
    sprite = Sprite(values, np.ones(values.shape, dtype=bool))
    luma = np.full((HEIGHT, WIDTH), 90, np.uint8)
    luma[20:32, :6] = values[:, 4:]
    there, elsewhere = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=bool)
    there[2:5, 0], elsewhere[2:5, 2:4] = True, True
    found = _beyond_the_edge(sprite, luma, there, (20, 2))
    assert found is not None
    assert found[1] == (20, -4)
    assert _beyond_the_edge(sprite, luma, elsewhere, (20, 2)) is None
