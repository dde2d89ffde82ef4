"""Finding: thin lines that come or go from edge to edge of the screen, down or across."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from analysis.arrays import F32, I64, Bools
from analysis.video.areas import disc, grow
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class CrosslineLimits:
    """What a thin line does to the blocks that it runs through."""

    levels: float = 3.0  # by which half of them change the same way: a dark line of a pixel, on black
    whole: float = 0.8  # of them change, in light or in colour
    least: float = 0.25  # by so much of that: a dark line over dark letters
    above: float = 4.0  # times as much as four fifths of the other lines of blocks
    faintest: float = 0.5  # levels, in light or in colour: over a black bar of the system
    beyond: float = 0.5  # of the blocks of each arm beyond where lines cross stir by that
    wide: int = 4  # blocks of a line that moves by little, before and after: a row that lights up is higher
    alone: int = 2  # blocks: a line between two


CROSSLINE = CrosslineLimits()


@dataclass(frozen=True, slots=True)
class Cross:
    """Rows and columns of blocks through which lines run."""

    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether lines run both ways."""
        return bool(self.rows and self.columns)

    @property
    def any(self) -> bool:
        """Whether there is any line."""
        return bool(self.rows or self.columns)

    @property
    def single(self) -> bool:
        """Whether one line runs each way."""
        sides = (self.rows, self.columns)
        return self.whole and all(max(side) - min(side) < CROSSLINE.alone for side in sides)

    @property
    def middle(self) -> tuple[float, float]:
        """Where the lines cross, (row, column) in blocks; they must run both ways."""
        return sum(self.rows) / len(self.rows) + 0.5, sum(self.columns) / len(self.columns) + 0.5

    def crosses(self, blocks: Bools, share: float) -> bool:
        """Return whether lines go on beyond where they cross, in so large a share of what changed, (rows, columns).

        The edges of a window end there. Of an arm that is hardly longer than a block or two nothing is asked, but
        not of both: in a corner of the screen nothing is told.
        """
        if not self.whole:
            return False
        down: Bools = np.any(blocks[:, list(self.columns)], axis=1)
        across: Bools = np.any(blocks[list(self.rows)], axis=0)
        arms = [(line[: at[0]], line[at[-1] + 1 :]) for line, at in ((down, self.rows), (across, self.columns))]
        asked = [[arm for arm in both if len(arm) > CROSSLINE.alone] for both in arms]
        return any(len(both) > 1 for both in asked) and all(arm.mean() >= share for both in asked for arm in both)

    def along(self, blocks: Bools, share: float) -> Cross:
        """Return the lines along which so large a share of the blocks, (rows, columns), belongs to an area."""
        rows = tuple(row for row in self.rows if blocks[row].mean() >= share)
        return Cross(rows, tuple(column for column in self.columns if blocks[:, column].mean() >= share))

    def lines(self, shape: tuple[int, int], reach: int) -> Bools:
        """Return (rows, columns): the blocks of the lines, widened by `reach` blocks."""
        area = np.zeros(shape, dtype=bool)
        area[list(self.rows)] = True
        area[:, list(self.columns)] = True
        return grow(area, reach)

    def around(self, shape: tuple[int, int], radius: float) -> Bools:
        """Return (rows, columns): the blocks within so many blocks of where lines cross."""
        area = np.zeros(shape, dtype=bool)
        for row in self.rows:
            for column in self.columns:
                area |= disc(shape, (row + 0.5, column + 0.5), radius)
        return area


@dataclass(frozen=True, slots=True)
class Crosslines:
    """The lines that come in a picture, and those that go; `crossing`: they go on beyond where they cross."""

    come: Cross = Cross()
    gone: Cross = Cross()
    crossing: bool = False

    def below(self, first: int) -> Crosslines:
        """Return them without the rows above a first one, if there are any from it on."""
        rows, rows_gone = (tuple(row for row in cross.rows if row >= first) for cross in (self.come, self.gone))
        if not (rows or rows_gone):
            return self
        return replace(self, come=replace(self.come, rows=rows), gone=replace(self.gone, rows=rows_gone))

    @property
    def alone(self) -> bool:
        """Whether one line each way comes and none goes, or one each way goes and none comes."""
        return (self.come.single and not self.gone.any) or (self.gone.single and not self.come.any)


def find_crosslines(recording: Recording, picture: int) -> Crosslines:
    """Return the lines that come or go in a picture of a recording, not the first."""
    before, now = recording.levels(picture - 1, picture)
    across, down = _down(before.transpose(0, 2, 1), now.transpose(0, 2, 1)), _down(before, now)
    if Cross(tuple(across), tuple(down)).single and _agree(across) and _agree(down):  # both come, or both go
        clearest = max((line.more for line in (*across.values(), *down.values())), key=abs)
        across, down = (
            {at: replace(line, more=clearest) for at, line in found.items()} for found in (across, down)
        )
    come, gone = (
        Cross(*(tuple(at for at, line in found.items() if (line.more > 0) is comes) for found in (across, down)))
        for comes in (True, False)
    )
    stirred = np.abs(now - before).max(axis=0) >= CROSSLINE.faintest
    crossing = Cross(tuple(across), tuple(down)).crosses(stirred, CROSSLINE.beyond)
    return Crosslines(come, gone, crossing)


@dataclass(frozen=True, slots=True)
class _Line:
    """How many times more a line stands out than before (its logarithm), and if it grew lighter."""

    more: float
    lighter: bool


def _agree(found: Mapping[int, _Line]) -> bool:
    """Return whether some lines all grow lighter, or all darker: one that moves does both."""
    return len({line.lighter for line in found.values()}) == 1


def _down(before: F32, now: F32) -> dict[int, _Line]:
    """Return the columns of blocks in which a line comes or goes; both are (planes, rows, columns), levels."""
    moved = now - before
    half = np.median(moved, axis=1)  # (planes, columns)
    strength = np.abs(half).max(axis=0)
    touched = np.quantile(np.abs(moved).max(axis=0), 1 - CROSSLINE.whole, axis=0)
    least = max(CROSSLINE.levels, CROSSLINE.above * float(np.quantile(strength, CROSSLINE.whole)))
    found = _narrow(np.flatnonzero((strength >= least) & (touched >= CROSSLINE.least * strength)))
    lines = {}
    for at in found.tolist():
        more = np.log((_stands_out(now, at) + 1) / (_stands_out(before, at) + 1))
        lighter = half[np.abs(half[:, at]).argmax(), at] > 0
        lines[at] = _Line(float(more[np.abs(more).argmax()]), bool(lighter))
    return lines


def _narrow(found: I64) -> I64:
    """Return those of some columns that lie in groups no wider than a line before and after a step."""
    groups = np.split(found, np.flatnonzero(np.diff(found) > 1) + 1)
    return np.concatenate([group for group in groups if len(group) <= CROSSLINE.wide] or [found[:0]])


def _stands_out(levels: F32, column: int) -> F32:
    """Return (planes,): by how much a column of blocks differs from those beside it; `levels` is as for `_down`.

    A line in a colour stands out of a grey page in the planes of colour alone, where letters hide it.
    """
    last = levels.shape[2] - 1
    beside = (levels[..., max(column - 2, 0)] + levels[..., min(column + 2, last)]) / 2
    return np.median(np.abs(levels[..., column] - beside), axis=1)
