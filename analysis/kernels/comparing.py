"""Compiled comparison of two pictures by the sums of their blocks. Slow obvious twins are in tests/naive.py."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from analysis.arrays import F32, F64, I32, U8, U16
from analysis.kernels.compiling import INT, entry, kernel
from analysis.kernels.levels import FINE, LEVELS
from analysis.kernels.planes import CROSS, OLD_SQUARE, OLD_SUM, SQUARE

C1 = (0.01 * 255) ** 2  # the constants of SSIM, Wang et al. 2004, for 8-bit levels
C2 = (0.03 * 255) ** 2
MEDIAN_AT, UPPER_AT, SSIM_MEAN_AT, SSIM_WORST_AT = 0, 1, 2, 3


class StrengthLimits(NamedTuple):
    """How the strength of a change is put together and summed up."""

    per_residual: float = 0.25  # a moved edge leaves about four times as much residual as it shifts a block's mean
    upper: float = 0.97  # share of the blocks: leaves out three in a hundred, a button, a line of text


STRENGTH = StrengthLimits()


@kernel
def means_of(sums: Any, factor: Any, out: Any) -> None:
    """Write the mean of each block of a row in 1/64 levels; `factor` brings a sum there."""
    for k in range(len(out)):
        out[k] = np.uint16(INT(sums[k] * factor[k] + 0.5))


@kernel
def compare_sums(sums: I32, moments: I32, share: F64, scale: float, fresh: U8, ssim: F32, residual: F32) -> None:
    """Write the SSIM of each block, and `residual`, from what luma_sums wrote; `share` is 1 / samples of a block.

    Residual is the standard deviation (levels) of what is left of the new block after the best gain and offset of
    the old one are taken away. Sharpening keeps it small, motion does not.
    """
    for row in range(sums.shape[0]):
        if fresh[row]:
            _compare_row(
                moments[OLD_SUM, row], moments[OLD_SQUARE, row], sums[row], moments[SQUARE, row],
                moments[CROSS, row], share[row], scale, ssim[row], residual[row],
            )  # fmt: skip
        else:
            ssim[row], residual[row] = 1.0, 0.0


@kernel
def _compare_row(
    old: Any, old_squares: Any, new: Any, new_squares: Any, crosses: Any, share: Any, scale: float, ssim: Any,
    residual: Any,
) -> None:  # fmt: skip
    for k in range(len(old)):
        linear, square = scale * share[k], scale * scale * share[k]
        mean_a, mean_b = old[k] * linear, new[k] * linear
        var_a = max(0.0, old_squares[k] * square - mean_a * mean_a)
        var_b = max(0.0, new_squares[k] * square - mean_b * mean_b)
        cov = crosses[k] * square - mean_a * mean_b
        ssim[k] = ((2 * mean_a * mean_b + C1) * (2 * cov + C2)) / (
            (mean_a * mean_a + mean_b * mean_b + C1) * (var_a + var_b + C2)
        )
        along = max(0.0, cov)
        residual[k] = np.sqrt(max(0.0, var_b - along * along / max(var_a, 1e-9)))


@kernel
def encode(strength: float) -> Any:
    """Return the 8-bit code of a strength in levels; levels.LEVELS turns it back."""
    if strength < 31.875:
        return INT(strength * 4.0 + 0.5)
    return min(255, FINE + INT((strength - 32.0) / 2.0 + 0.5))


@kernel
def strengths(before: U16, now: U16, residual: F32, work: I32, out: U8) -> None:
    """Write the code of how strongly each block changed since the picture before.

    Strength = the larger of the shift of the block's mean (any plane) and its residual × `per_residual`.
    `before` and `now` are (planes, blocks) in 1/64 levels, `residual` is (rows, columns), `work` is (blocks,).
    """
    work[:] = 0
    for plane in range(now.shape[0]):
        a, b = before[plane], now[plane]
        for block in range(len(out)):
            work[block] = max(work[block], abs(INT(INT(b[block]) - INT(a[block]))))
    columns = residual.shape[1]
    for row in range(residual.shape[0]):
        first, last = row * columns, row * columns + columns
        _encode_row(residual[row], work[first:last], out[first:last])


@kernel
def _encode_row(residual: Any, shift: Any, out: Any) -> None:
    for k in range(len(out)):
        out[k] = encode(max(residual[k] * STRENGTH.per_residual, shift[k] / 64.0))


@kernel
def quantile(histogram: I32, share: float, total: int) -> int:
    """Return the smallest value that at least this share of the `total` counted values do not exceed."""
    value, seen = 0, histogram[0]
    while seen < share * total:
        value += 1
        seen += histogram[value]
    return value


@entry(
    "void(boolean, int32[:,:,::1], int32[:,:,::1], float64[:,:,::1], float64[:,::1], float64, uint8[::1], "
    "uint16[:,::1], uint16[:,::1], float32[:,::1], float32[:,::1], int32[::1], int32[::1], uint8[::1], "
    "float64[::1])"
)
def compare(
    first: bool, sums: I32, moments: I32, factor: F64, share: F64, scale: float, fresh: U8, now: U16, before: U16,
    ssim: F32, residual: F32, work: I32, histogram: I32, strength: U8, facts: F64,
) -> None:  # fmt: skip
    """Write the means of the picture's blocks and compare them with those before.

    `sums` are (planes, rows, columns), `now` and `before` (planes, blocks) in 1/64 levels. Writes the strength of
    each block's change and, into `facts`, the median and the upper quantile of these (levels), the mean and the
    worst SSIM. The `first` picture is compared with nothing. Raises ValueError if the arrays do not fit each other.
    """
    planes, rows, columns = sums.shape
    blocks = rows * columns
    if (
        moments.shape != (4, rows, columns)
        or factor.shape != sums.shape
        or not share.shape == ssim.shape == residual.shape == (rows, columns)
        or not now.shape == before.shape == (planes, blocks)
        or not len(work) == len(strength) == blocks
        or (len(fresh), len(histogram), len(facts)) != (rows, 256, 4)
    ):
        raise ValueError("compare: these arrays do not belong to one picture")
    for plane in range(now.shape[0]):
        for block in range(now.shape[1]):
            before[plane, block] = now[plane, block]
        for row in range(rows):
            means_of(sums[plane, row], factor[plane, row], now[plane, row * columns : row * columns + columns])
    if first:
        return
    compare_sums(sums[0], moments, share, scale, fresh, ssim, residual)
    strengths(before, now, residual, work, strength)
    histogram[:] = 0
    for block in range(len(strength)):
        histogram[strength[block]] += 1
    facts[MEDIAN_AT] = LEVELS[quantile(histogram, 0.5, len(strength))]
    facts[UPPER_AT] = LEVELS[quantile(histogram, STRENGTH.upper, len(strength))]
    total, worst = 0.0, 1.0
    for row in range(ssim.shape[0]):
        for column in range(columns):
            total += ssim[row, column]
            worst = min(worst, ssim[row, column])
    facts[SSIM_MEAN_AT], facts[SSIM_WORST_AT] = total / len(strength), worst
