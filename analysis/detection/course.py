"""Finding: whether pixels go on as they went, to what they come to rest at: a fade's last steps.

What fades changes every pixel by a share of what is still missing, so a step is alike what it leaves, and what it
left before. An encoder that corrects what it coded coarsely goes to the same picture, but not the way that the
screen went: its errors have nothing to do with the step that was seen.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from analysis.arrays import F32, U8, AnyArray, Bools
from analysis.detection.displacement import DISPLACEMENT
from analysis.video.areas import box_around, grow, in_windows
from analysis.video.pixels import BLOCK_PX


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """How windows of 2 × 2 blocks go on to rest; each stands where its upper left block is.

    Attributes
    ----------
    alike : (rows, columns) how far a step goes the way to rest, pixel by pixel: the cosine of the two, -1 to 1.
    share : (rows, columns) which share of that way it goes.
    went : (rows, columns) how far the step that was seen went that way, -1 to 1.
    differing : (rows, columns) how many pixels are off what they come to by more than `DISPLACEMENT.levels`.

    """

    alike: F32
    share: F32
    went: F32
    differing: F32


def course(seen: tuple[U8, U8], here: U8, there: U8, rest: U8, blocks: Bools, least_px: float) -> Course | None:
    """Return how what lies in some blocks, (rows, columns), goes from `here` to `there`, on its way to `rest`.

    `seen` are the pictures before and after the last step that was seen; all are (height, width), a block is
    BLOCK_PX wide and high. None if fewer than `least_px` pixels are off what they come to.
    """
    off = cv2.absdiff(here, rest) > DISPLACEMENT.levels
    counts = _by_blocks(off.astype(np.float32)) * blocks
    if counts.sum() < least_px:
        return None
    near = blocks & grow(counts > 0, 1)
    box = box_around(grow(near, 1))
    part = tuple(slice(BLOCK_PX * side.start, BLOCK_PX * side.stop) for side in box)
    before, after, now, then, last = (picture[part].astype(np.float32) for picture in (*seen, here, there, rest))
    left, step, went = last - now, then - now, after - before
    inside = near[box]
    lefts, steps, wents, ahead, along = (
        in_windows(_by_blocks(each) * inside)
        for each in (left * left, step * step, went * went, step * left, went * left)
    )
    told = (
        ahead / np.sqrt(np.maximum(lefts * steps, 1)),
        ahead / np.maximum(lefts, 1),
        along / np.sqrt(np.maximum(lefts * wents, 1)),
        in_windows(counts[box]),
    )
    return Course(*(_placed(values, box, blocks.shape) for values in told))


def _by_blocks(values: F32) -> F32:
    """Return (rows, columns): the sum over each block of values of pixels, (height, width)."""
    rows, columns = (-(-length // BLOCK_PX) for length in values.shape)
    whole = np.zeros((BLOCK_PX * rows, BLOCK_PX * columns), np.float32)
    whole[: values.shape[0], : values.shape[1]] = values
    sums: F32 = whole.reshape(rows, BLOCK_PX, columns, BLOCK_PX).sum(axis=(1, 3))
    return sums


def _placed(values: AnyArray, box: tuple[slice, slice], shape: tuple[int, ...]) -> F32:
    """Return what is known of a box as a part of all blocks, 0 outside."""
    whole = np.zeros(shape, np.float32)
    whole[box] = values
    return whole
