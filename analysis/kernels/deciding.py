"""The compiled heart of finding: does a block of a picture differ visibly? See analysis/noise.py for the limits."""

from __future__ import annotations

import numba

from analysis.arrays import F32, F64, U8, U16
from analysis.kernels.tracking import CELL, around, is_coherent, stands_out

# Places of the limits in the array that noise.Limits.as_array builds.
MOVING, ISOLATED, DRIFT, SHARE_RECENT, SHARE_PEAK, SHARE_ISOLATED = 0, 1, 2, 3, 4, 5
COHERENT, COHERENT_ISOLATED, SUPPORT, STRONG = 6, 7, 8, 9
REACH = 2


@numba.njit(cache=True, nogil=True)
def decide(
    step: F32, drift: F32, step_sign: F32, drift_sign: F32, recent: F32, peak: F32, going: U8, limits: F64, out: U8
) -> int:  # fmt: skip
    """Write 1 where a block changed visibly; return how many.

    `step` is against the picture before, `drift` against the last kept one, `*_sign` the same for luma with its
    sign; `going` is 1 in cells where the screen is in motion already. All (rows, columns), but `peak` and `going`
    by cell.
    """
    count = 0
    for row in range(step.shape[0]):
        for column in range(step.shape[1]):
            if going[row // CELL, column // CELL]:
                found = _in_motion(step, step_sign, recent, peak, limits, row, column)
            else:
                found = _from_rest(step, drift, step_sign, drift_sign, peak, limits, row, column)
            out[row, column] = found
            count += found
    return count


@numba.njit(cache=True, nogil=True)
def _in_motion(step: F32, step_sign: F32, recent: F32, peak: F32, limits: F64, row: int, column: int) -> bool:
    if is_coherent(step_sign, row, column, limits[COHERENT], REACH):
        return True
    if step[row, column] < limits[MOVING]:
        return False
    noise = limits[SHARE_RECENT] * around(recent, row, column)
    noise = max(noise, limits[SHARE_PEAK] * around(peak, row // CELL, column // CELL))
    return stands_out(step, row, column, max(limits[MOVING], noise), limits[SUPPORT], limits[STRONG])


@numba.njit(cache=True, nogil=True)
def _from_rest(
    step: F32, drift: F32, step_sign: F32, drift_sign: F32, peak: F32, limits: F64, row: int, column: int
) -> bool:  # fmt: skip
    least = limits[COHERENT_ISOLATED]
    if is_coherent(step_sign, row, column, least, REACH) or is_coherent(drift_sign, row, column, least, REACH):
        return True
    if step[row, column] < limits[ISOLATED] and drift[row, column] < limits[DRIFT]:
        return False
    noise = limits[SHARE_ISOLATED] * around(peak, row // CELL, column // CELL)
    support, strong = limits[SUPPORT], limits[STRONG]
    return stands_out(step, row, column, max(limits[ISOLATED], noise), support, strong) or stands_out(
        drift, row, column, max(limits[DRIFT], noise), support, strong
    )


@numba.njit(cache=True, nogil=True)
def follow(now: U16, step: F32, changed: U8, going: U8, kept: U16) -> None:
    """Take the new picture as the kept one where a block changed, or moved at all while its surroundings move."""
    columns = step.shape[1]
    for row in range(step.shape[0]):
        for column in range(columns):
            if changed[row, column] or (going[row // CELL, column // CELL] and step[row, column] > 0.5):
                for plane in range(now.shape[0]):
                    kept[plane, row * columns + column] = now[plane, row * columns + column]


@numba.njit(cache=True, nogil=True)
def cells_in_motion(last_ms: F64, time_ms: float, within_ms: float, out: U8) -> None:
    """Write 1 for each cell that changed, or lies beside one that changed, at most `within_ms` ago."""
    for row in range(out.shape[0]):
        for column in range(out.shape[1]):
            out[row, column] = time_ms - around(last_ms, row, column) <= within_ms
