"""The compiled walk from one picture to the next: what changed, and what the noise model remembers of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from analysis.arrays import F32, F64, I16, U8, U16
from analysis.kernels.compiling import INT, entry, kernel, type_of, types
from analysis.kernels.deciding import decide, mark
from analysis.kernels.levels import CELL, LEVELS
from analysis.kernels.limits import BlockLimits
from analysis.kernels.tracking import around, common_shift, largest_around, remember, shifts

COUNT_AT, ENERGY_AT = 0, 1


@kernel
def _blocks_fit(changed: Any, means: Any, kept: Any, before: Any, strength: Any, ignored: Any, where: Any) -> Any:
    planes, blocks = means.shape
    return (
        blocks == changed.size
        and planes > 0
        and means.shape == kept.shape == before.shape
        and len(strength) == len(ignored) == len(where) == blocks
    )


@kernel
def _work_fits(changed: Any, shift: Any, low: Any, high: Any, fields: Any, framed: Any, lines: Any) -> Any:
    rows, columns = changed.shape
    return (
        changed.shape == shift.shape == low.shape == high.shape
        and fields.shape == (5, rows, columns)
        and framed.shape == (2, rows + 2, columns + 2)
        and lines.shape == (2, columns)
    )


@kernel
def _cells_fit(changed: Any, cells: Any, last_ms: Any, going: Any) -> Any:
    rows, columns = (changed.shape[0] + CELL - 1) // CELL, (changed.shape[1] + CELL - 1) // CELL
    return cells.shape == (2, rows, columns) and last_ms.shape == going.shape == (rows, columns)


@kernel
def _count(changed: Any) -> Any:
    count = INT(0)
    for k in range(len(changed)):
        count = INT(count + changed[k])
    return count


@kernel
def _energy(step: Any, stir: float) -> Any:
    energy: Any = 0.0
    for k in range(len(step)):
        energy += step[k] if step[k] >= stir else np.float32(0)
    return energy


@kernel
def levels_of(codes: U8, ignored: U8, out: F32) -> None:
    """Write the strengths in levels, 0 where ignored; `out` has a border of one block."""
    rows, columns = out.shape[0] - 2, out.shape[1] - 2
    for row in range(rows):
        for column in range(columns):
            block = row * columns + column
            out[row + 1, column + 1] = np.float32(0) if ignored[block] else LEVELS[codes[block]]


@kernel
def to_levels(shift: I16, out: F32) -> None:
    """Write shifts of 1/64 levels in levels; `out` has a border of one block."""
    for row in range(shift.shape[0]):
        for column in range(shift.shape[1]):
            out[row + 1, column + 1] = shift[row, column] / np.float32(64)


@kernel
def replace(now: Any, where: U8, kept: Any) -> None:
    """Take the new values where marked; all (blocks,)."""
    for k in range(len(kept)):
        kept[k] = now[k] if where[k] else kept[k]


@kernel
def peaks_around(peak: F32, out: F32) -> None:
    """Write the largest peak of each cell and its neighbours."""
    for row in range(out.shape[0]):
        for column in range(out.shape[1]):
            out[row, column] = around(peak, row, column)


@kernel
def cells_in_motion(last_ms: F64, time_ms: float, within_ms: float, out: U8) -> None:
    """Write 1 for each cell that changed, or lies beside one that changed, at most `within_ms` ago."""
    for row in range(out.shape[0]):
        for column in range(out.shape[1]):
            out[row, column] = time_ms - around(last_ms, row, column) <= within_ms


@entry(
    types.void(
        types.float64, types.boolean, type_of(BlockLimits()), types.uint16[:, ::1], types.uint8[::1],
        types.uint8[:, ::1], types.float64[::1], types.uint8[::1], types.uint16[:, ::1],
        types.uint16[:, ::1], types.int16[:, ::1], types.int16[:, ::1], types.int16[:, ::1], types.uint8[::1],
        types.float32[:, :, ::1], types.float32[:, :, ::1], types.float32[:, :, ::1], types.float64[:, ::1],
        types.uint8[:, ::1], types.float64[:, ::1],
    )
)  # fmt: skip
def step_picture(
    time_ms: float, anew: bool, limits: BlockLimits, means: U16, strength: U8, changed: U8, facts: F64,
    ignored: U8, kept: U16, before: U16, shift: I16, low: I16, high: I16, where: U8, fields: F32, framed: F32,
    cells: F32, last_ms: F64, going: U8, lines: F64,
) -> None:  # fmt: skip
    """Decide about the next picture, and keep what the noise model remembers.

    Given `means` (planes, blocks) and the coded `strength` (blocks,), writes `changed` (rows, columns), and into
    `facts` how many changed and the summed strength (levels) of all that moved. `anew` says that the picture was
    coded anew: what it shifts without changing it visibly is no drift.

    Memory: `kept` the last kept means, `before` those of the picture before, `fields[0]` the recent strengths,
    `cells[0]` the peaks, `last_ms` when a cell changed last. The rest is work space: `shift`, `low`, `high`,
    `where` (blocks,) and `fields[1 … 4]` of the picture's shape, `framed[0 … 1]` with a border of one block that
    holds −1, `cells[1]` and `going` of the cells', `lines` (2, columns).

    Raises ValueError if the arrays do not fit each other.
    """
    if not (
        _blocks_fit(changed, means, kept, before, strength, ignored, where)
        and _work_fits(changed, shift, low, high, fields, framed, lines)
        and _cells_fit(changed, cells, last_ms, going)
        and len(facts) == 2
    ):
        raise ValueError("step_picture: these arrays do not belong to one picture")
    recent, together, drifted, lately, work = fields[0], fields[1], fields[2], fields[3], fields[4]
    step, drift, peak, highest = framed[0], framed[1], cells[0], cells[1]
    levels_of(strength, ignored, step)
    flat_shift, flat_low = shift.reshape(shift.size), low.reshape(low.size)
    shifts(means, before, ignored, flat_shift, flat_low)
    common_shift(shift, limits.coherent_reach, low, high, together)
    shifts(means, kept, ignored, flat_shift, flat_low)
    to_levels(low, drift)
    common_shift(shift, limits.coherent_reach, low, high, drifted)
    largest_around(recent, work, lately)
    peaks_around(peak, highest)
    cells_in_motion(last_ms, time_ms, -np.inf if anew else limits.in_motion_ms, going)
    decide(step, drift, together, drifted, lately, highest, going, limits, lines, changed)
    cells_in_motion(last_ms, time_ms, np.inf if anew else limits.correcting_ms, going)
    mark(step, drifted, changed, going, np.inf if anew else limits.fading, limits.jump, lines, where)
    for plane in range(means.shape[0]):
        replace(means[plane], where, kept[plane])
    remember(step, changed, time_ms, limits.decay, recent, peak, last_ms)
    for plane in range(means.shape[0]):
        for block in range(means.shape[1]):
            before[plane, block] = means[plane, block]
    facts[COUNT_AT], facts[ENERGY_AT] = 0.0, 0.0
    for row in range(changed.shape[0]):
        facts[COUNT_AT] += _count(changed[row])
        facts[ENERGY_AT] += _energy(step[row + 1], limits.stir)
