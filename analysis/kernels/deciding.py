"""The compiled heart of finding: does a block of a picture differ visibly? See analysis/noise.py for the limits."""

from __future__ import annotations

from typing import Any

from analysis.arrays import F32, F64, U8
from analysis.kernels.compiling import INT, kernel
from analysis.kernels.levels import CELL

# Places of the limits in the array that noise.Limits.as_array builds.
MOVING, ISOLATED, DRIFT, SHARE_RECENT, SHARE_PEAK, SHARE_ISOLATED = 0, 1, 2, 3, 4, 5
COHERENT, COHERENT_ISOLATED, SUPPORT, STRONG, SHARE_COHERENT, STRONG_ISOLATED = 6, 7, 8, 9, 10, 11
JUMP = 2.0  # levels: what drifts moves less from one picture to the next
SUPPORTING = 0.7  # share of a block's limit that its neighbours must reach


@kernel
def decide(
    step: F32, drift: F32, together: F32, drifted: F32, lately: F32, peak: F32, going: U8, limits: F64, lines: F64,
    out: U8,
) -> None:  # fmt: skip
    """Write 1 where a block changed visibly.

    `step` is against the picture before, `drift` against the last kept one, both with a border of one block around
    the picture; `together` and `drifted` are how far the whole neighbourhood moved the same way; `lately` is the
    strongest recent change of a block and those around it; `going` is 1 in cells where the screen is in motion
    already. All (rows, columns), but `peak` (the strongest change seen in and around a cell) and `going` by cell.
    `lines` is (2, columns) to work in.
    """
    for row in range(out.shape[0]):
        if row % CELL == 0:
            for column in range(out.shape[1]):
                lines[0, column] = peak[row // CELL, column // CELL]
                lines[1, column] = going[row // CELL, column // CELL]
        _decide_row(
            step[row], step[row + 1], step[row + 2], drift[row], drift[row + 1], drift[row + 2], together[row],
            drifted[row], lately[row], lines[0], lines[1], limits, out[row],
        )  # fmt: skip


@kernel
def _decide_row(
    above: Any, step: Any, below: Any, drift_above: Any, drift: Any, drift_below: Any, together: Any, drifted: Any,
    lately: Any, peak: Any, going: Any, limits: F64, out: Any,
) -> None:  # fmt: skip
    """Decide about one row, without a branch, so that many blocks are decided at once.

    A block stands out if it reaches its limit together with its neighbours, or alone by `strong` times as much. In
    motion, noise is a share of what moved there lately, and of the strongest change near by; from rest, a share of
    the latter alone, and what drifts counts as well.
    """
    support = limits[SUPPORT]
    for k in range(len(out)):
        faint = max(limits[COHERENT_ISOLATED], limits[SHARE_COHERENT] * peak[k])
        moving = going[k] > 0
        in_motion = max(limits[MOVING], max(limits[SHARE_RECENT] * lately[k], limits[SHARE_PEAK] * peak[k]))
        noise = limits[SHARE_ISOLATED] * peak[k]
        least = in_motion if moving else max(limits[ISOLATED], noise)
        strong = limits[STRONG] if moving else limits[STRONG_ISOLATED]
        stands = (step[k + 1] >= least) & (
            (step[k + 1] >= strong * least) | (_reached(above, step, below, k, SUPPORTING * least) >= support)
        )
        far = max(limits[DRIFT], noise)
        drifts = (drift[k + 1] >= far) & (
            (drift[k + 1] >= limits[STRONG_ISOLATED] * far)
            | (_reached(drift_above, drift, drift_below, k, SUPPORTING * far) >= support)
        )
        agreed = together[k] >= (limits[COHERENT] if moving else faint)
        out[k] = (drifted[k] >= faint) | agreed | stands | (drifts & (not moving))


@kernel
def _reached(above: Any, line: Any, below: Any, k: int, least: float) -> Any:
    """Count the blocks of the 3 × 3 around place k of the row, itself included, that reach `least`."""
    count = INT(0)
    for x in range(3):
        count = INT(count + INT(above[k + x] >= least) + INT(line[k + x] >= least) + INT(below[k + x] >= least))
    return count


@kernel
def mark(step: F32, drifted: F32, changed: U8, near: U8, fading: float, lines: F64, out: U8) -> None:
    """Write 1 where the new picture becomes the kept one; `out` is (blocks,).

    That is where a block changed, and where the encoder still corrects a change. A jump that was not visible was
    noise, and no part of a drift. `near` is 1 in cells near a recent change. A neighbourhood that drifts together
    by `fading` levels is not followed: it may fade. `step` has a border of one block, `lines` is to work in.
    """
    rows, columns = changed.shape
    for row in range(rows):
        if row % CELL == 0:
            for column in range(columns):
                lines[0, column] = fading if near[row // CELL, column // CELL] else -1.0
        _mark_row(step[row + 1], drifted[row], changed[row], lines[0], out[row * columns : row * columns + columns])


@kernel
def _mark_row(step: Any, drifted: Any, changed: Any, limit: Any, out: Any) -> None:
    for k in range(len(out)):
        out[k] = (changed[k] > 0) | (drifted[k] < limit[k]) | (step[k + 1] >= JUMP)
