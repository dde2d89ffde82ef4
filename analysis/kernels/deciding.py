"""The compiled heart of finding: does a block of a picture differ visibly? The limits are those of limits.py."""

from __future__ import annotations

from typing import Any

from analysis.arrays import F32, F64, U8
from analysis.kernels.compiling import INT, kernel
from analysis.kernels.levels import CELL
from analysis.kernels.limits import BlockLimits


@kernel
def decide(
    step: F32, drift: F32, together: F32, drifted: F32, lately: F32, peak: F32, going: U8, limits: BlockLimits,
    lines: F64, out: U8,
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
    lately: Any, peak: Any, going: Any, limits: BlockLimits, out: Any,
) -> None:  # fmt: skip
    """Decide about one row, without a branch, so that many blocks are decided at once.

    A block stands out if it reaches its limit together with its neighbours, or alone by `strong` times as much. In
    motion, noise is a share of what moved there lately, and of the strongest change near by; from rest, a share of
    the latter alone, and what drifts counts as well.
    """
    for k in range(len(out)):
        faint = max(limits.coherent_isolated, limits.share_coherent * peak[k])
        moving = going[k] > 0
        in_motion = max(limits.moving, max(limits.share_recent * lately[k], limits.share_peak * peak[k]))
        noise = limits.share_isolated * peak[k]
        least = in_motion if moving else max(limits.isolated, noise)
        strong = limits.strong if moving else limits.strong_isolated
        stands = (step[k + 1] >= least) & (
            (step[k + 1] >= strong * least)
            | (_reached(above, step, below, k, limits.supporting * least) >= limits.support)
        )
        far = max(limits.drift, noise)
        drifts = (drift[k + 1] >= far) & (
            (drift[k + 1] >= limits.strong_isolated * far)
            | (_reached(drift_above, drift, drift_below, k, limits.supporting * far) >= limits.support)
        )
        agreed = together[k] >= (limits.coherent if moving else faint)
        out[k] = (drifted[k] >= faint) | agreed | stands | (drifts & (not moving))


@kernel
def _reached(above: Any, line: Any, below: Any, k: int, least: float) -> Any:
    """Count the blocks of the 3 × 3 around place k of the row, itself included, that reach `least`."""
    count = INT(0)
    for x in range(3):
        count = INT(count + INT(above[k + x] >= least) + INT(line[k + x] >= least) + INT(below[k + x] >= least))
    return count


@kernel
def mark(step: F32, drifted: F32, changed: U8, near: U8, fading: float, jump: float, lines: F64, out: U8) -> None:
    """Write 1 where the new picture becomes the kept one; `out` is (blocks,).

    That is where a block changed, and where the encoder still corrects a change. A `jump` (levels) that was not
    visible was noise, and no part of a drift. `near` is 1 in cells near a recent change. A neighbourhood that
    drifts together by `fading` levels is not followed: it may fade. `step` has a border of one block, `lines` is to
    work in.
    """
    rows, columns = changed.shape
    for row in range(rows):
        if row % CELL == 0:
            for column in range(columns):
                lines[0, column] = fading if near[row // CELL, column // CELL] else -1.0
        first = row * columns
        _mark_row(step[row + 1], drifted[row], changed[row], lines[0], jump, out[first : first + columns])


@kernel
def _mark_row(step: Any, drifted: Any, changed: Any, limit: Any, jump: float, out: Any) -> None:
    for k in range(len(out)):
        out[k] = (changed[k] > 0) | (drifted[k] < limit[k]) | (step[k + 1] >= jump)
