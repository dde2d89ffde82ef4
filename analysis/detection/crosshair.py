"""Finding: Android's *Pointer location*, which draws where the finger is over everything else.

A developer option: while a finger is down two lines cross under it, from edge to edge of the screen, a table at the
top tells its numbers with each report, and ovals lie around it; its trace stays until it comes again. No app draws
lines so thin and so long both ways at once, and nothing else. They answer nothing, and say when and where the
finger came.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from analysis.arrays import Bools
from analysis.detection.changes import Changes
from analysis.detection.crosslines import Cross, Crosslines, find_crosslines
from analysis.kernels.levels import LEVELS
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class CrosshairLimits:
    """What *Pointer location* draws, and when."""

    busy: float = 0.4  # of the screen: where more changes no line is looked for
    stirred: float = 0.5  # of a line's blocks change visibly at least, as it comes or moves
    rim_blocks: int = 2  # an encoder stirs what lies beside a line
    table: float = 0.08  # of the screen's height: the table at most, with a cutout above it
    oval: float = 0.1  # of its width: the ovals and the arrow around the finger
    trace: float = 0.02  # of the screen: the former trace, which goes as the finger comes
    stray_blocks: int = 3  # beyond all of these, which an encoder stirs
    slowest_ms: float = 40.0  # a slower recorder's picture may show an answer as well
    corrected_levels: float = 12.0  # by which an encoder corrects a block of it at most
    before_ms: float = 8.0  # the action: so far it may lie beside the picture that it was chosen by
    drawn_ms: float = 50.0  # after the action: three slots, for reading the finger, drawing and showing


CROSSHAIR = CrosshairLimits()


@dataclass(frozen=True, slots=True)
class Touch:
    """A finger that is put down: the picture in which it is seen, and where, (row, column) in blocks.

    `gone` is the first picture without it; None where it is not seen to leave.
    """

    picture: int
    place: tuple[float, float]
    gone: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Crosshair:
    """What *Pointer location* draws: its blocks (rows, columns) by picture; empty where it is not on.

    `late` is the first touch after the action where it comes too late to be the action: that one is among the
    changes, as nobody can tell what else the action was, and others follow.
    """

    steps: Mapping[int, Bools] = field(default_factory=dict)
    touches: Sequence[Touch] = ()
    late: Touch | None = None

    def since(self, recording: Recording, changes: Changes, action_ms: float) -> Crosshair:
        """Return it for an action, ms: a slow recorder's next picture shows what was drawn.

        Where nothing else changes after it, a late finger is no answer either.
        """
        times, latest_ms = recording.picture_ms, action_ms + max(CROSSHAIR.drawn_ms, recording.slot_ms)
        since_ms = action_ms - CROSSHAIR.before_ms
        first = next((one for one in self.touches if times[one.picture] >= since_ms), None)
        if first is None or times[first.picture] <= latest_ms:
            return self
        if not any(picture > first.picture for picture in changes.without(self.steps).changed_pictures()):
            return self
        steps = {picture: blocks for picture, blocks in self.steps.items() if picture != first.picture}
        return replace(self, steps=steps, late=first)

    def notes(self, recording: Recording, action_ms: float) -> Iterator[str]:
        """Yield what a person should know of it."""
        if not self.steps:
            return
        yield "Android's Pointer location is on: its lines, its table and its trace do not count"
        if self.late is not None:
            at_ms = float(recording.picture_ms[self.late.picture])
            yield (
                f"it shows a finger {at_ms - action_ms:.1f} ms after the action, too late to be it, so it counts: "
                f"if the finger is the action, action_ms is {at_ms:.1f}"
            )


def find_crosshair(recording: Recording, changes: Changes) -> Crosshair:
    """Return what *Pointer location* draws in the pictures of a recording."""
    rows, columns = changes.shape
    calm = [
        picture
        for picture in changes.changed_pictures()
        if changes.count[picture] <= CROSSHAIR.busy * rows * columns
    ]
    enough = (picture for picture in calm if changes.count[picture] >= CROSSHAIR.stirred * (rows + columns - 1))
    if not any(_shows_it(recording, changes, picture) for picture in enough):
        return Crosshair()
    seen = {picture: _lines(recording, changes, picture) for picture in calm}
    return _followed(recording, changes, seen)


def _shows_it(recording: Recording, changes: Changes, picture: int) -> bool:
    """Return whether a line each way comes or goes in a picture, in most of its blocks, and hardly anything else.

    The edges of a window that opens are lines as well, but not without what is in it.
    """
    blocks = changes.blocks(picture)
    if min(blocks.mean(axis=0).max(), blocks.mean(axis=1).max()) < CROSSHAIR.stirred:
        return False
    lines = _lines(recording, changes, picture)
    if not (lines.alone and lines.crossing):
        return False
    return bool(_beyond(changes, picture, lines)[_zone(changes) :].mean() <= CROSSHAIR.trace)


def _lines(recording: Recording, changes: Changes, picture: int) -> Crosslines:
    """Return the lines of a picture; what changes in the table all across the screen is one only if no other is."""
    return find_crosslines(recording, picture).below(_zone(changes))


def _zone(changes: Changes) -> int:
    """Return the first row below where the table may be."""
    return round(CROSSHAIR.table * changes.shape[0])


def _drawn(shape: tuple[int, int], lines: Crosslines) -> Bools:
    """Return (rows, columns): the lines that come and go, and what an encoder stirs beside them."""
    return lines.come.lines(shape, CROSSHAIR.rim_blocks) | lines.gone.lines(shape, CROSSHAIR.rim_blocks)


def _around(shape: tuple[int, int], lines: Crosslines) -> Bools:
    """Return (rows, columns): what lies around where the lines cross that come, and those that go."""
    radius = CROSSHAIR.oval * shape[1]
    return lines.come.around(shape, radius) | lines.gone.around(shape, radius)


def _beyond(changes: Changes, picture: int, lines: Crosslines) -> Bools:
    """Return (rows, columns): what else a picture changes than lines and what lies around where they cross."""
    return changes.blocks(picture) & ~(_drawn(changes.shape, lines) | _around(changes.shape, lines))


def _followed(recording: Recording, changes: Changes, seen: Mapping[int, Crosslines]) -> Crosshair:
    """Return what is drawn in each picture, by the lines `seen` to come and go; busy pictures hide them."""
    table, soon = _table(changes, seen), recording.slot_ms <= CROSSHAIR.slowest_ms
    steps: dict[int, Bools] = {}
    touches: list[Touch] = []
    here, down = Crosslines(), False
    for picture in changes.changed_pictures():
        blocks, lines = changes.blocks(picture), seen.get(picture, Crosslines())
        down = down and picture in seen
        comes = lines.alone and lines.come.whole and not down
        if comes:
            touches.append(Touch(picture, lines.come.middle))
        if lines.alone or (down and (lines.come.any or lines.gone.any)):
            here, down = _moved(here, lines), not _leaves(lines)
            own = table | _step(recording, changes, picture, here, comes and soon)
        elif down:
            own = table | _meanwhile(recording, changes, picture, here, bool((blocks & table).any()))
        else:
            continue
        if not down and touches and touches[-1].gone is None:
            touches[-1] = replace(touches[-1], gone=picture)
        if (own & blocks).any():
            steps[picture] = own & blocks
    return Crosshair(steps, touches)


def _step(recording: Recording, changes: Changes, picture: int, lines: Crosslines, comes: bool) -> Bools:
    """Return (rows, columns): what is drawn in a picture in which lines move, or come before any answer can.

    What lies around where they cross is an answer's as soon as something changes beyond.
    """
    blocks = changes.blocks(picture)
    own = _along(recording, changes.shape, picture, lines, lines)
    rest = blocks & ~(own | _around(changes.shape, lines))
    rest[: _zone(changes)] = False
    alone = np.count_nonzero(rest) <= CROSSHAIR.stray_blocks or (comes and rest.mean() <= CROSSHAIR.trace)
    return blocks if alone else own


def _meanwhile(recording: Recording, changes: Changes, picture: int, lines: Crosslines, reported: bool) -> Bools:
    """Return (rows, columns): what is drawn while a finger is down, where no line is seen to move.

    Where it `reported` something, as the table tells, a line moves by less than a block, seen only over what has
    another colour, and the ovals change. Where it did not, what lies around it is an answer, as a button's.
    """
    blocks = changes.blocks(picture)
    around = _around(changes.shape, lines) | lines.come.lines(changes.shape, 0)
    moved = Crosslines(lines.come.along(blocks, CROSSHAIR.stirred))
    own = _along(recording, changes.shape, picture, lines, moved)
    rest = blocks & ~(own | around)
    rest[: _zone(changes)] = False
    return blocks if reported and not rest.any() else own


def _along(
    recording: Recording, shape: tuple[int, int], picture: int, lines: Crosslines, moved: Crosslines
) -> Bools:
    """Return (rows, columns): the lines that `moved`, and what an encoder may correct of all of them in a picture.

    What is stronger, and beside a line, is an answer: a row lights up that was touched, a box is ticked in it.
    """
    _, codes = recording.store.at(picture)
    weak = (LEVELS[codes] < CROSSHAIR.corrected_levels).reshape(shape)
    corrected = weak & (_drawn(shape, lines) | _around(shape, lines))
    return moved.come.lines(shape, 0) | moved.gone.lines(shape, 0) | corrected


def _leaves(lines: Crosslines) -> bool:
    """Return whether a finger leaves: lines go both ways, and none comes."""
    return lines.gone.whole and not lines.come.any


def _moved(here: Crosslines, seen: Crosslines) -> Crosslines:
    """Return where lines are now, and where they were in the picture before: one of them may stay."""
    stays = Cross() if _leaves(seen) else here.come
    come = Cross(seen.come.rows or stays.rows, seen.come.columns or stays.columns)
    gone = Cross(seen.gone.rows or here.come.rows, seen.gone.columns or here.come.columns)
    return Crosslines(come, gone)


def _table(changes: Changes, seen: Mapping[int, Crosslines]) -> Bools:
    """Return (rows, columns): the table, as high as it changes as a finger comes or goes and nothing else does."""
    table, zone = np.zeros(changes.shape, dtype=bool), _zone(changes)
    for picture, lines in seen.items():
        if lines.alone:
            rest = _beyond(changes, picture, lines)
            most = CROSSHAIR.trace * rest.size if lines.come.any else CROSSHAIR.stray_blocks
            if np.count_nonzero(rest[zone:]) <= most:
                table[: np.flatnonzero(rest[:zone].any(axis=1)).max(initial=-1) + 1] = True
    return table
