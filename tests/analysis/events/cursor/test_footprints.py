"""The pixels that sprites lie on, near the screen's edges too, and what changes beside them, against slow twins."""

import numpy as np
import pytest

from analysis.events.cursor.footprints import OTHER_LEVELS, OTHER_PX, footprint, sums
from analysis.events.cursor.sprites import SPRITE, Sprite
from analysis.video.pixels import BLOCK_PX

HEIGHT, WIDTH, RIM = 60, 44, 4
SHAPE = (-(-HEIGHT // BLOCK_PX), -(-WIDTH // BLOCK_PX))
PLACES = [[(20, 17)], [(-5, 3)], [(HEIGHT - 6, WIDTH - 5)], [(20, -4), (23, WIDTH - 9)]]


def sprite_of(seed):
    """Return a sprite of some ten pixels each way, with holes."""
    rng = np.random.default_rng(seed)
    mask = rng.random((11, 9)) < 0.6
    return Sprite(np.zeros(mask.shape, np.float32), mask)


def pixels_one_by_one(sprite, places, rim):
    """Look at every pixel of the screen: does one of the sprite lie no further than the rim away?"""
    own = np.array([(top + y, left + x) for top, left in places for y, x in np.argwhere(sprite.mask)])
    own = own[(own >= 0).all(axis=1) & (own < (HEIGHT, WIDTH)).all(axis=1)]
    found = [np.abs(own - at).max(axis=1).min() <= rim for at in np.ndindex(HEIGHT, WIDTH)]
    return np.reshape(found, (HEIGHT, WIDTH))


def part_of(row, column):
    """Return the pixels of a block."""
    return np.s_[row * BLOCK_PX : (row + 1) * BLOCK_PX, column * BLOCK_PX : (column + 1) * BLOCK_PX]


@pytest.mark.parametrize("rim", [0, RIM])
@pytest.mark.parametrize("places", PLACES)
def test_blocks_under_sprites_are_those_in_which_a_slow_twin_finds_a_pixel(places, rim):
    sprite = sprite_of(len(places))
    slow = pixels_one_by_one(sprite, places, rim)
    expected = np.array([slow[part_of(*at)].any() for at in np.ndindex(SHAPE)]).reshape(SHAPE)
    print_ = footprint([(sprite, place) for place in places], (HEIGHT, WIDTH), rim)
    assert print_.blocks(SHAPE).tolist() == expected.tolist()
    for at in np.ndindex(SHAPE):
        one = np.zeros(SHAPE, dtype=bool)
        one[at] = True
        assert print_.touches(one) == expected[at]


@pytest.mark.parametrize("seed", range(4))
def test_what_else_changes_near_sprites_is_what_a_slow_twin_finds_all_over(seed):
    """The twin looks at every pixel of the screen; asked of both is what lies a block around the sprites."""
    rng, sprite, places = np.random.default_rng(seed), sprite_of(seed), PLACES[seed]
    before = rng.integers(0, 256, (HEIGHT, WIDTH), np.uint8)
    now = np.where(rng.random(before.shape) < 0.05, rng.integers(0, 256, before.shape, np.uint8), before)
    under = pixels_one_by_one(sprite, places, RIM)
    slow, near = np.zeros(SHAPE, dtype=bool), np.zeros(SHAPE, dtype=bool)
    for y, x in np.ndindex(SHAPE):
        part = part_of(y, x)
        change = np.where(under[part], 0, np.abs(now[part].astype(int) - before[part]))
        slow[y, x] = (change > SPRITE.levels).sum() >= OTHER_PX or change.sum() >= OTHER_LEVELS * BLOCK_PX**2
        top, left = max(y - 1, 0) * BLOCK_PX, max(x - 1, 0) * BLOCK_PX
        near[y, x] = under[top : (y + 2) * BLOCK_PX, left : (x + 2) * BLOCK_PX].any()
    found = footprint([(sprite, place) for place in places], before.shape, RIM).others(before, now, SHAPE)
    assert (found & near).tolist() == (slow & near).tolist()
    assert (slow & near).any()
    assert (near & ~slow).any()


@pytest.mark.parametrize(("height", "width"), [(33, 40), (40, 33), (48, 48)])
def test_sums_of_blocks_are_those_of_a_slow_twin_also_where_the_screen_ends_within_one(height, width):
    pixels, size = np.random.default_rng(3).integers(0, 256, (height, width), np.uint8), BLOCK_PX
    rows, columns = -(-height // size), -(-width // size)
    slow = [
        [int(pixels[y * size : y * size + size, x * size : x * size + size].sum()) for x in range(columns)]
        for y in range(rows)
    ]
    assert sums(pixels, (rows, columns)).tolist() == slow
