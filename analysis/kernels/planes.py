"""Compiled loops over the samples of a plane. Each has a slow obvious twin in tests/naive.py.

Planes are (rows, line) uint8 or uint16, C-contiguous as the decoder laid them; only the first `width` samples of a
line are picture. Contiguity is what lets the compiler use wide registers. Strips of blocks that equal the plane
before are not looked at twice.
"""

from __future__ import annotations

import numba
import numpy as np

from analysis.arrays import F32, I64, U8, U16, AnyArray

C1 = (0.01 * 255) ** 2  # the constants of SSIM, Wang et al. 2004, for 8-bit levels
C2 = (0.03 * 255) ** 2


@numba.njit(cache=True, nogil=True)
def same_rows(a: AnyArray, b: AnyArray, first: int, last: int, width: int) -> bool:
    """Return whether rows first … last - 1 of two planes are equal; stops at the first row that differs."""
    for y in range(first, last):
        different = 0
        for x in range(width):
            different |= a[y, x] ^ b[y, x]
        if different:
            return False
    return True


@numba.njit(cache=True, nogil=True)
def stride(size: int) -> int:
    """Return how many lines of a block lie between two that are sampled: six to eight lines are enough."""
    return max(1, size // 6) if size < 16 else size // 8


@numba.njit(cache=True, nogil=True)
def luma_sums(
    now: AnyArray, before: AnyArray, width: int, size: int, everything: bool, sums: I64, squares: I64, crosses: I64
) -> U8:  # fmt: skip
    """Bring block sums up to date from the plane before to the plane now; return (rows,): 1 for strips that differ.

    `sums`, `squares` hold Σ b and Σ b² of each block, `crosses` Σ a · b with the plane before; (rows, columns). A
    block is sampled on every line of a small picture, on every `stride(size)`-th of a large one.
    """
    height, step = now.shape[0], stride(size)
    fresh = np.zeros(sums.shape[0], np.uint8)
    column_sum, column_square = np.empty(width, np.int32), np.empty(width, np.int32)
    column_cross = np.empty(width, np.int32)
    for row in range(sums.shape[0]):
        first, last = row * size, min(height, row * size + size)
        if not everything and same_rows(now, before, first, last, width):
            continue
        fresh[row] = 1
        column_sum[:], column_square[:], column_cross[:] = 0, 0, 0
        for y in range(first, last, step):
            for x in range(width):
                p, q = np.int32(before[y, x]), np.int32(now[y, x])
                column_sum[x] += q
                column_square[x] += q * q
                column_cross[x] += p * q
        fold(column_sum, size, sums[row])
        fold(column_square, size, squares[row])
        fold(column_cross, size, crosses[row])
    return fresh


@numba.njit(cache=True, nogil=True)
def chroma_sums(now: AnyArray, before: AnyArray, width: int, size: tuple, everything: bool, sums: I64) -> bool:
    """Bring Σ b of each block up to date; `size` is (rows, columns) of a block; return whether anything differs."""
    height, step = now.shape[0], stride(size[0])
    column_sum = np.empty(width, np.int32)
    changed = False
    for row in range(sums.shape[0]):
        first, last = row * size[0], min(height, row * size[0] + size[0])
        if not everything and same_rows(now, before, first, last, width):
            continue
        changed = True
        column_sum[:] = 0
        for y in range(first, last, step):
            for x in range(width):
                column_sum[x] += np.int32(now[y, x])
        fold(column_sum, size[1], sums[row])
    return changed


@numba.njit(cache=True, nogil=True)
def fold(columns: AnyArray, size: int, out: I64) -> None:
    """Write the sums of every `size` columns; the last may be of fewer."""
    for block in range(len(out)):
        total = np.int64(0)
        for x in range(block * size, min(len(columns), block * size + size)):
            total += columns[x]
        out[block] = total


@numba.njit(cache=True, nogil=True)
def means_of(sums: I64, counts: I64, scale: float, out: U16) -> None:
    """Write the mean of each block in 1/64 levels of 8 bit; `scale` brings a sample to 8-bit levels."""
    for row in range(sums.shape[0]):
        for column in range(sums.shape[1]):
            out[row, column] = np.uint16(sums[row, column] * scale * 64.0 / counts[row, column] + 0.5)


@numba.njit(cache=True, nogil=True)
def compare_sums(
    old: I64, old_squares: I64, new: I64, new_squares: I64, crosses: I64, counts: I64, scale: float, fresh: U8,
    ssim: F32, residual: U8,
) -> None:  # fmt: skip
    """Write the SSIM of each block, and `residual`, from the sums of luma_sums.

    Residual is the standard deviation (levels, at most 255) of what is left of the new block after the best gain
    and offset of the old one are taken away. Sharpening keeps it small, motion does not.
    """
    for row in range(old.shape[0]):
        for column in range(old.shape[1]):
            if not fresh[row]:
                ssim[row, column], residual[row, column] = 1.0, 0
                continue
            count = counts[row, column]
            mean_a, mean_b = old[row, column] * scale / count, new[row, column] * scale / count
            square = scale * scale / count
            var_a = max(0.0, old_squares[row, column] * square - mean_a * mean_a)
            var_b = max(0.0, new_squares[row, column] * square - mean_b * mean_b)
            cov = crosses[row, column] * square - mean_a * mean_b
            ssim[row, column] = ((2 * mean_a * mean_b + C1) * (2 * cov + C2)) / (
                (mean_a * mean_a + mean_b * mean_b + C1) * (var_a + var_b + C2)
            )
            explained = cov * cov / var_a if cov > 0 and var_a > 0 else 0.0
            residual[row, column] = np.uint8(min(255.0, max(0.0, var_b - explained) ** 0.5 + 0.5))
