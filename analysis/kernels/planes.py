"""Compiled loops over the planes of a picture. Each has a slow obvious twin in tests/naive.py."""

from __future__ import annotations

import numba
import numpy as np

from analysis.arrays import F32, U8, U16, AnyArray

C1 = (0.01 * 255) ** 2  # the constants of SSIM, Wang et al. 2004, for 8-bit levels
C2 = (0.03 * 255) ** 2


@numba.njit(cache=True, nogil=True)
def same_plane(a: AnyArray, b: AnyArray) -> bool:
    """Return whether two planes are equal, sample by sample; stops at the first row that differs."""
    for y in range(a.shape[0]):
        different = 0
        for x in range(a.shape[1]):
            different |= a[y, x] ^ b[y, x]
        if different:
            return False
    return True


@numba.njit(cache=True, nogil=True)
def block_means(plane: AnyArray, size: int, scale: float, out: U16) -> None:
    """Write the mean of every block as 1/64 levels (8-bit), so that an 8 × 8 block is exact.

    `scale` brings a sample to 8-bit levels (1.0, or 0.25 for 10 bit); `out` is (rows, columns).
    """
    height, width = plane.shape
    for row in range(out.shape[0]):
        y0, y1 = row * size, min(height, row * size + size)
        for column in range(out.shape[1]):
            x0, x1 = column * size, min(width, column * size + size)
            total = np.int64(0)
            for y in range(y0, y1):
                for x in range(x0, x1):
                    total += plane[y, x]
            out[row, column] = np.uint16(total * scale * 64.0 / ((y1 - y0) * (x1 - x0)) + 0.5)


@numba.njit(cache=True, nogil=True)
def compare_blocks(a: AnyArray, b: AnyArray, size: int, scale: float, ssim: F32, residual: U8) -> None:
    """Compare two luma planes block by block.

    Writes the SSIM of each block, and `residual`: the standard deviation (levels, at most 255) of what is left
    of block b after the best gain and offset of block a are taken away. Sharpening keeps it small, motion does not.
    """
    height, width = a.shape
    for row in range(ssim.shape[0]):
        y0, y1 = row * size, min(height, row * size + size)
        for column in range(ssim.shape[1]):
            x0, x1 = column * size, min(width, column * size + size)
            sum_a, sum_b = np.int64(0), np.int64(0)
            sum_aa, sum_bb, sum_ab = np.int64(0), np.int64(0), np.int64(0)
            for y in range(y0, y1):
                for x in range(x0, x1):
                    p, q = np.int64(a[y, x]), np.int64(b[y, x])
                    sum_a += p
                    sum_b += q
                    sum_aa += p * p
                    sum_bb += q * q
                    sum_ab += p * q
            count = (y1 - y0) * (x1 - x0)
            mean_a, mean_b = sum_a * scale / count, sum_b * scale / count
            square = scale * scale / count
            var_a = max(0.0, sum_aa * square - mean_a * mean_a)
            var_b = max(0.0, sum_bb * square - mean_b * mean_b)
            cov = sum_ab * square - mean_a * mean_b
            ssim[row, column] = ((2 * mean_a * mean_b + C1) * (2 * cov + C2)) / (
                (mean_a * mean_a + mean_b * mean_b + C1) * (var_a + var_b + C2)
            )
            explained = cov * cov / var_a if cov > 0 and var_a > 0 else 0.0
            residual[row, column] = np.uint8(min(255.0, max(0.0, var_b - explained) ** 0.5 + 0.5))
