"""The compiled heart of finding: does a block of a picture differ visibly? See analysis/noise.py for the limits."""

from __future__ import annotations

import numba

from analysis.arrays import F32, F64, U8, U16
from analysis.kernels.tracking import around, stands_out
from analysis.levels import CELL

# Places of the limits in the array that noise.Limits.as_array builds.
MOVING, ISOLATED, DRIFT, SHARE_RECENT, SHARE_PEAK, SHARE_ISOLATED = 0, 1, 2, 3, 4, 5
COHERENT, COHERENT_ISOLATED, SUPPORT, STRONG, SHARE_COHERENT, STRONG_ISOLATED = 6, 7, 8, 9, 10, 11
REACH = 2
JUMP = 2.0  # levels: what drifts moves less from one picture to the next


@numba.njit(cache=True, nogil=True)
def decide(
    step: F32, drift: F32, together: F32, drifted: F32, recent: F32, peak: F32, going: U8, limits: F64, out: U8
) -> None:  # fmt: skip
    """Write 1 where a block changed visibly.

    `step` is against the picture before, `drift` against the last kept one; `together` and `drifted` are how far
    the whole neighbourhood moved the same way; `going` is 1 in cells where the screen is in motion already. All
    (rows, columns), but `peak` (the strongest change seen in and around a cell) and `going` by cell.
    """
    for row in range(step.shape[0]):
        for column in range(step.shape[1]):
            cell = row // CELL, column // CELL
            faint = max(limits[COHERENT_ISOLATED], limits[SHARE_COHERENT] * peak[cell])
            if drifted[row, column] >= faint:
                out[row, column] = 1
            elif going[cell]:
                out[row, column] = together[row, column] >= limits[COHERENT] or _in_motion(
                    step, recent, peak[cell], limits, row, column
                )
            else:
                out[row, column] = together[row, column] >= faint or _from_rest(
                    step, drift, peak[cell], limits, row, column
                )


@numba.njit(cache=True, nogil=True)
def _in_motion(step: F32, recent: F32, peak: float, limits: F64, row: int, column: int) -> bool:
    if step[row, column] < limits[MOVING]:
        return False
    noise = max(limits[SHARE_RECENT] * around(recent, row, column), limits[SHARE_PEAK] * peak)
    return stands_out(step, row, column, max(limits[MOVING], noise), limits[SUPPORT], limits[STRONG])


@numba.njit(cache=True, nogil=True)
def _from_rest(step: F32, drift: F32, peak: float, limits: F64, row: int, column: int) -> bool:
    if step[row, column] < limits[ISOLATED] and drift[row, column] < limits[DRIFT]:
        return False
    noise, support, strong = limits[SHARE_ISOLATED] * peak, limits[SUPPORT], limits[STRONG_ISOLATED]
    return stands_out(step, row, column, max(limits[ISOLATED], noise), support, strong) or stands_out(
        drift, row, column, max(limits[DRIFT], noise), support, strong
    )


@numba.njit(cache=True, nogil=True)
def follow(now: U16, step: F32, drifted: F32, changed: U8, near: U8, kept: U16, fading: float) -> None:
    """Take the new picture as the kept one where a block changed, and where the encoder still corrects a change.

    A jump that was not visible was noise, and no part of a drift. `near` is 1 in cells near a recent change. A
    neighbourhood that drifts together by `fading` levels is not followed: it may fade.
    """
    columns = changed.shape[1]
    for row in range(changed.shape[0]):
        for column in range(columns):
            corrected = near[row // CELL, column // CELL] and drifted[row, column] < fading
            if changed[row, column] or corrected or step[row, column] >= JUMP:
                for plane in range(now.shape[0]):
                    kept[plane, row * columns + column] = now[plane, row * columns + column]


@numba.njit(cache=True, nogil=True)
def peaks_around(peak: F32, out: F32) -> None:
    """Write the largest peak of each cell and its neighbours."""
    for row in range(out.shape[0]):
        for column in range(out.shape[1]):
            out[row, column] = around(peak, row, column)


@numba.njit(cache=True, nogil=True)
def cells_in_motion(last_ms: F64, time_ms: float, within_ms: float, out: U8) -> None:
    """Write 1 for each cell that changed, or lies beside one that changed, at most `within_ms` ago."""
    for row in range(out.shape[0]):
        for column in range(out.shape[1]):
            out[row, column] = time_ms - around(last_ms, row, column) <= within_ms
