"""The compiled heart of finding: does a block of a picture differ visibly? See analysis/noise.py for the limits."""

from __future__ import annotations

import numba

from analysis.arrays import F32, F64, U8, U16
from analysis.kernels.tracking import CELL, around, is_coherent, stands_out

# Places of the limits in the array that noise.Limits.as_array builds.
MOVING, ISOLATED, DRIFT, SHARE_RECENT, SHARE_PEAK, SHARE_ISOLATED = 0, 1, 2, 3, 4, 5
COHERENT, COHERENT_ISOLATED, SUPPORT, STRONG, SHARE_COHERENT, STRONG_ISOLATED = 6, 7, 8, 9, 10, 11
FADING = 0.5  # levels: neighbours that drift together by this much may be fading
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
                found = _in_motion(step, step_sign, drift_sign, recent, peak, limits, row, column)
            else:
                found = _from_rest(step, drift, step_sign, drift_sign, peak, limits, row, column)
            out[row, column] = found
            count += found
    return count


@numba.njit(cache=True, nogil=True)
def _in_motion(
    step: F32, step_sign: F32, drift_sign: F32, recent: F32, peak: F32, limits: F64, row: int, column: int
) -> bool:  # fmt: skip
    if is_coherent(step_sign, row, column, limits[COHERENT], REACH):
        return True
    highest = around(peak, row // CELL, column // CELL)
    least = max(limits[COHERENT_ISOLATED], limits[SHARE_COHERENT] * highest)
    if is_coherent(drift_sign, row, column, least, REACH):
        return True
    if step[row, column] < limits[MOVING]:
        return False
    noise = max(limits[SHARE_RECENT] * around(recent, row, column), limits[SHARE_PEAK] * highest)
    return stands_out(step, row, column, max(limits[MOVING], noise), limits[SUPPORT], limits[STRONG])


@numba.njit(cache=True, nogil=True)
def _from_rest(
    step: F32, drift: F32, step_sign: F32, drift_sign: F32, peak: F32, limits: F64, row: int, column: int
) -> bool:  # fmt: skip
    highest = around(peak, row // CELL, column // CELL)
    least = max(limits[COHERENT_ISOLATED], limits[SHARE_COHERENT] * highest)
    if is_coherent(step_sign, row, column, least, REACH) or is_coherent(drift_sign, row, column, least, REACH):
        return True
    if step[row, column] < limits[ISOLATED] and drift[row, column] < limits[DRIFT]:
        return False
    noise = limits[SHARE_ISOLATED] * highest
    support, strong = limits[SUPPORT], limits[STRONG_ISOLATED]
    return stands_out(step, row, column, max(limits[ISOLATED], noise), support, strong) or stands_out(
        drift, row, column, max(limits[DRIFT], noise), support, strong
    )


@numba.njit(cache=True, nogil=True)
def follow(now: U16, drift_sign: F32, changed: U8, near: U8, kept: U16) -> None:
    """Take the new picture as the kept one where a block changed, and where the encoder still corrects a change.

    `near` is 1 in cells near a recent change. A neighbourhood that drifts together is not followed: it may fade.
    """
    columns = changed.shape[1]
    for row in range(changed.shape[0]):
        for column in range(columns):
            corrected = near[row // CELL, column // CELL] and not is_coherent(
                drift_sign, row, column, FADING, REACH
            )
            if changed[row, column] or corrected:
                for plane in range(now.shape[0]):
                    kept[plane, row * columns + column] = now[plane, row * columns + column]


@numba.njit(cache=True, nogil=True)
def cells_in_motion(last_ms: F64, time_ms: float, within_ms: float, out: U8) -> None:
    """Write 1 for each cell that changed, or lies beside one that changed, at most `within_ms` ago."""
    for row in range(out.shape[0]):
        for column in range(out.shape[1]):
            out[row, column] = time_ms - around(last_ms, row, column) <= within_ms
