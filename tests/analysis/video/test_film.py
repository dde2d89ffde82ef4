"""Pictures kept as what changes between them come back exactly, in whatever order they are asked for."""

import numpy as np
import pytest

from analysis.video.film import TILE_PX, Film


def pictures(count, shape=(37, 50)):
    """Return pictures by their number, every third: a patch moves over noise, and once all changes."""
    rng = np.random.default_rng(7)
    behind, found = rng.integers(0, 256, shape, np.uint8), {}
    for number in range(0, 3 * count, 3):
        if number == 15:
            behind = rng.integers(0, 256, shape, np.uint8)
        luma = behind.copy()
        luma[number % 20 : number % 20 + 9, number % 31 : number % 31 + 7] = 200
        found[number] = luma
    return found


def film_of(lumas):
    """Return a film of these pictures."""
    film = Film()
    for number, luma in lumas.items():
        film.add(number, luma)
    return film


@pytest.mark.parametrize("shape", [(37, 50), (40, 48)])
def test_every_picture_comes_back_forwards_backwards_and_at_random(shape):
    lumas = pictures(24, shape)
    film = film_of(lumas)
    assert list(film) == list(lumas)
    assert len(film) == 24
    at_random = np.random.default_rng(1).permutation(list(lumas)).tolist()
    for number in [*lumas, *reversed(lumas), *at_random]:
        assert np.array_equal(film[number], lumas[number])


def test_a_picture_may_be_added_after_another_was_looked_at():
    lumas = pictures(9)
    film = Film()
    for number, luma in lumas.items():
        film.add(number, luma)
        assert np.array_equal(film[0], lumas[0])
        assert np.array_equal(film[number], luma)


def test_what_was_read_stays_as_it_was_and_cannot_be_written_to():
    lumas = pictures(12)
    film = film_of(lumas)
    first = film[0]
    for number in lumas:
        assert film[number] is film[number]
    assert np.array_equal(first, lumas[0])
    with pytest.raises(ValueError, match="read-only"):
        first[0, 0] = 1


def test_it_takes_the_tiles_that_change_and_no_more():
    board = np.zeros((80, 160), np.uint8)
    film = Film()
    film.add(0, board)
    for number in range(1, 101):
        board = board.copy()
        board[8:16, 16:24] = number
        film.add(number, board)
    assert film.size == 100 * TILE_PX**2


@pytest.mark.parametrize("at", [0, 33])
def test_first_pictures_are_forgotten_and_all_others_are_not(at):
    lumas = pictures(12)
    film = film_of(lumas)
    assert np.array_equal(film[at], lumas[at])  # what is shown at that time
    for _ in range(8):
        film.forget_first()
    assert list(film) == list(lumas)[8:]
    assert all(np.array_equal(film[number], lumas[number]) for number in film)
    rest = film_of({number: lumas[number] for number in film})
    assert film.size == rest.size
    with pytest.raises(KeyError):
        film[0]


def test_the_only_picture_can_be_forgotten():
    film = film_of(pictures(1))
    film.forget_first()
    assert (len(film), film.size) == (0, 0)
    with pytest.raises(KeyError):
        film[0]
