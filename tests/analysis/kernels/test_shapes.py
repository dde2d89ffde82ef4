"""Kernels read past the end of an array that is too short: each refuses arrays that do not fit each other."""

import numpy as np
import pytest

from analysis.detection.changes import Finder
from analysis.kernels.limits import BlockLimits
from analysis.kernels.loading import load
from analysis.video.decode import Picture, Plane
from analysis.video.grid import BlockGrid
from analysis.video.reduce import Reduced, Reducer

ROWS, COLUMNS = SHAPE = 9, 11
BLOCKS = ROWS * COLUMNS


def zeros(kind, *shape):
    return np.zeros(shape, kind)


ARGUMENTS = {
    "luma_sums": (
        zeros("u1", 70, 90), True, 85, 8, zeros("u1", 72, 85), zeros("i4", 4, 88), zeros("i4", *SHAPE),
        zeros("i4", 4, *SHAPE), zeros("u1", ROWS), zeros("u1", 1),
    ),
    "chroma_sums": (
        zeros("u1", 35, 45), True, 43, 4, 4, zeros("u1", 36, 43), zeros("i4", 4, 44), zeros("i4", *SHAPE),
        zeros("u1", 1),
    ),
    "compare": (
        False, zeros("i4", 3, *SHAPE), zeros("i4", 4, *SHAPE), zeros("f8", 3, *SHAPE), zeros("f8", *SHAPE), 1.0,
        zeros("u1", ROWS), zeros("u2", 3, BLOCKS), zeros("u2", 3, BLOCKS), zeros("f4", *SHAPE), zeros("f4", *SHAPE),
        zeros("i4", BLOCKS), zeros("i4", 256), zeros("u1", BLOCKS), zeros("f8", 4),
    ),
    "displace": (
        zeros("u1", 70, 85), zeros("u1", 70, 85), zeros("u1", 70, 85), zeros("?", *SHAPE), 8, 12.0,
        zeros("f8", *SHAPE, 14),
    ),
    "lay_over": (
        zeros("u1", 40, 50), zeros("u1", 40, 50), zeros("?", 6, 8), zeros("?", 6, 8), zeros("i8", 4),
        zeros("i8", 3, 2), 24.0, zeros("f8", 3),
    ),
    "match": (
        zeros("u1", 40, 50), zeros("f4", 6, 8), zeros("?", 6, 8), np.full((3, 2), 38), 24.0, 14, zeros("f8", 3),
    ),
    "slide": (
        zeros("f4", 6, 8), zeros("f4", 6, 8), zeros("f4", 6, 8), zeros("?", 6, 8), 2, 3, 24.0, zeros("f8", 3),
    ),
    "step_picture": (
        0.0, False, BlockLimits(), zeros("u2", 3, BLOCKS), zeros("u1", BLOCKS), zeros("u1", *SHAPE),
        zeros("f8", 2), zeros("u1", BLOCKS), zeros("u2", 3, BLOCKS), zeros("u2", 3, BLOCKS),
        zeros("i2", *SHAPE), zeros("i2", *SHAPE), zeros("i2", *SHAPE), zeros("u1", BLOCKS), zeros("f4", 5, *SHAPE),
        zeros("f4", 2, ROWS + 2, COLUMNS + 2), zeros("f4", 2, 2, 2), zeros("f8", 2, 2), zeros("u1", 2, 2),
        zeros("f8", 2, COLUMNS),
    ),
    "weigh": (
        zeros("u2", 3, BLOCKS), zeros("u2", 3, BLOCKS), zeros("u1", BLOCKS), 1.0, 2.0, 3, zeros("u1", BLOCKS),
        zeros("i2", 4, 3 * BLOCKS), zeros("f8", 2), zeros("f8", 4),
    ),
}  # fmt: skip
CASES = [
    (name, place, axis)
    for name, arguments in ARGUMENTS.items()
    for place, argument in enumerate(arguments)
    if isinstance(argument, np.ndarray)
    for axis in range(argument.ndim)
    if (name, place) not in {("lay_over", 2), ("lay_over", 3)}  # masks of any size
]


@pytest.mark.parametrize("name", ARGUMENTS)
def test_arrays_that_fit_each_other_are_taken(name):
    getattr(load(), name)(*(np.copy(a) if isinstance(a, np.ndarray) else a for a in ARGUMENTS[name]))


@pytest.mark.parametrize(("name", "place", "axis"), CASES)
def test_an_array_that_is_shorter_than_the_others_is_refused(name, place, axis):
    arguments = list(ARGUMENTS[name])
    keep = arguments[place].shape[axis] // 2
    arguments[place] = np.ascontiguousarray(np.take(arguments[place], range(keep), axis))
    with pytest.raises(ValueError, match=f"{name}: these arrays do not belong to"):
        getattr(load(), name)(*arguments)


def test_blocks_that_do_not_cover_two_pictures_are_refused():
    edges, one, other, _, size, levels, _ = ARGUMENTS["displace"]
    with pytest.raises(ValueError, match="displace: these arrays do not belong to"):
        load().displace(edges, one, other, zeros("?", 8, COLUMNS), size, levels, zeros("f8", 8, COLUMNS, 14))


def test_ignored_blocks_of_another_picture_are_refused():
    finder = Finder(SHAPE, 1, np.zeros((ROWS - 1, COLUMNS), bool))
    picture = Reduced(np.zeros((1, BLOCKS), np.uint16), np.zeros(BLOCKS, np.uint8), 0.0, 0.0)
    for time_ms in (0.0, 10.0):
        finder.add(picture, time_ms, False)
    with pytest.raises(ValueError, match="step_picture"):
        finder.found(False)


def test_a_plane_smaller_than_the_first_is_refused():
    def picture(height):
        return Picture(0.0, True, Plane(np.zeros((height, 64), np.uint8), 60), (), 8)

    reducer = Reducer(BlockGrid(60, 40, 8), picture(40))
    with pytest.raises(ValueError, match="luma_sums"):
        reducer.next(picture(31))
