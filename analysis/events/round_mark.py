"""A ring or a dot that marks the action, pixel by pixel: it may spread, fade and move before anything answers.

Block by block (mark.py) only what comes and goes again is a mark. A ring that spreads, grows clearer, or goes along
with a finger before the page does, shows a third picture. Pixel by pixel it stays what it was: round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, takewhile

import cv2
import numpy as np

from analysis.arrays import F64, I16, U8, Bools
from analysis.detection.changes import Changes
from analysis.events.circles import CIRCLE, Circle, find_circle
from analysis.events.cursor.pointer import Pointer
from analysis.events.late_mark import LATE, comes, grows_over, has_rim, last_of_tap, leaves
from analysis.events.mark import MARK, Mark
from analysis.video.areas import box_around, grow
from analysis.video.pixels import BLOCK_PX
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class RoundLimits:
    """When what changes at the action is a ring or a dot, and what it may do."""

    latest_ms: float = 100.0  # after the action: systems draw what they show of a finger some pictures late
    wider: float = 0.5  # than high, of its height, in blocks: what is longer is not round
    veiled: float = 0.25  # of what a veil takes from a pixel: encoders leave letters under it darker or lighter
    most_share: float = 0.1  # of the screen: a ring around a thumb in a small picture
    least_px: float = 6.0  # its radius: arrows and letters are as round as a smaller one
    most_radius: float = 0.3  # of the screen's shorter side
    hollow: float = 0.4  # of its sectors are free within, at least: but for a cursor all is as it was
    beside_px: int = 200  # beyond the circle as it comes, at most, or as much as it: a cursor that stops there
    lasts_ms: float = 1500.0  # after it came: so long a finger drags
    reach_px: int = 64  # it moves from one picture to the next: a fling at 60 Hz
    stray_blocks: int = 2  # beside it: what an encoder stirs
    shrinks: float = 0.75  # times its radius in the picture before, at least
    grows: float = 1.3  # at most
    spreads: float = 2.5  # but where it is hollow: a ring of a click spreads out, often from a dot
    changed: float = LATE.changed  # levels: a person sees it
    seen_px: int = LATE.seen_px  # that many pixels of it
    moves: float = 0.15  # of its radius: it goes to another place, or spreads, as no spinner does
    along: float = 0.5  # likewise, as a finger goes, and nothing that is pressed
    still_px: float = 1.0  # so far a middle, or a radius, may be off where it rests
    beside_rim_px: float = 6.0  # so far beyond it lies what it may hide
    soft_px: float = 2.0  # its edge is soft, and encoders stir what lies there
    soft: float = 0.1  # of its radius, besides
    stirred: float = 4.0  # levels: a pixel of it changes
    stirs: float = 0.25  # of them: it moves, spreads or fades
    shifts: float = 2.0  # levels: so far all of a dot of one piece becomes lighter or darker
    left: float = 0.1  # of them may differ where it has gone: what an encoder leaves
    lost_ms: float = 500.0  # after it was seen last it is looked for no more
    rests_ms: float = 250.0  # nor after so long in which nothing changed there: what moved over it hid it no more


ROUND = RoundLimits()


@dataclass(frozen=True, slots=True, eq=False)
class RoundMark:
    """The mark, also one that blocks alone did not tell, and what it changes (rows, columns) by picture."""

    mark: Mark | None
    own: Mapping[int, Bools] = field(default_factory=dict)


def follow_round(
    recording: Recording,
    changes: Changes,
    times_ms: F64,
    action_ms: float,
    mark: Mark | None,
    pointer: Pointer,
    limits: RoundLimits = ROUND,
) -> RoundMark:
    """Return what a round mark of the action changes until something else answers.

    `mark` is what blocks told, `times_ms` (m,) says when each picture came. Where they told none, one may come some
    pictures late (late_mark.py). Without a file, or where nothing follows at the mark before the page answers, no
    pixels are looked at; nor where nothing that may be round came.
    """
    chosen = mark or _late(changes, times_ms, action_ms, limits)
    if chosen is None or recording.pixels is None:
        return RoundMark(mark)
    wanted = _near_by(changes, times_ms, chosen, limits)
    if mark is not None and not wanted and not _changes_soon(changes, times_ms, chosen, limits):
        return RoundMark(mark)
    later = last_of_tap(times_ms, chosen.came)
    asked = {chosen.came - 1, chosen.came, *wanted, *([later] if mark is None else ())}
    lumas = recording.pixels(recording, sorted(asked), chosen.came)
    if not {chosen.came - 1, chosen.came} <= set(lumas):
        return RoundMark(mark)
    first = _as_it_came(lumas, chosen, limits, CIRCLE.levels)
    if first is None and mark is not None:  # what comes at once may do so as faint as this
        first = _as_it_came(lumas, chosen, limits, limits.stirred)
    seen = [picture for picture in wanted if picture in lumas]
    if first is None or (mark is None and first.beyond > first.radius):
        return RoundMark(mark)
    own, last, gone = _followed(changes, lumas, chosen, first, seen, pointer, limits)
    ring = _is_ring(first, limits) or _is_ring(last, limits) or has_rim(lumas, chosen.came, first)
    if mark is None and _grows(first, last, limits) and grows_over(lumas, chosen.came, first):
        return RoundMark(None)  # an app's ripple
    along = mark is not None or _goes_along(first, last, limits)
    if not along and (not ring or not comes(lumas, chosen.came, first)):
        return RoundMark(None)  # an app's: what is pressed, or goes pale
    later_own: dict[int, Bools] = {}
    widest = last
    if ring and not gone:
        since = max(own, default=chosen.came)
        later_own, widest = _spreads_on(recording, changes, times_ms, chosen.came, since, last, limits)
    late = times_ms[chosen.came] - action_ms >= MARK.sooner_ms
    rests = _rests(first, widest if _is_ring(first, limits) else last, limits)
    if not along and late and rests and not leaves(lumas, chosen.came, gone, later, first):
        return RoundMark(None)  # an app's, as a button of a choice, or a spinner
    own |= later_own
    return RoundMark(replace(chosen, ring=ring), own)


def _late(changes: Changes, times_ms: F64, action_ms: float, limits: RoundLimits) -> Mark | None:
    """Return what may be a ring or a dot where nothing small came at once: systems draw some pictures late."""
    first, last = np.searchsorted(times_ms, (action_ms - MARK.rounded_ms, action_ms + limits.latest_ms))
    came = next((picture for picture in range(max(int(first), 1), int(last)) if changes.count[picture]), None)
    if came is None or (blocks := changes.blocks(came)).mean() > limits.most_share:
        return None
    sides = sorted(blocks[box_around(blocks)].shape)
    return Mark(came, blocks, False) if sides[1] - sides[0] <= max(1, limits.wider * sides[0]) else None


def _near_by(changes: Changes, times_ms: F64, mark: Mark, limits: RoundLimits) -> list[int]:
    """Return the pictures in which things change where the mark is or can have gone, and little elsewhere."""
    found: list[int] = []
    place, reach = mark.blocks, limits.reach_px // BLOCK_PX
    for picture in changes.changed_pictures():
        if picture <= mark.came:
            continue
        blocks = changes.blocks(picture)
        if times_ms[picture] - times_ms[mark.came] > limits.lasts_ms or blocks.mean() > limits.most_share:
            break
        near = blocks & grow(place, reach)
        if near.any():
            found.append(picture)
            place = near
    return found


def _changes_soon(changes: Changes, times_ms: F64, mark: Mark, limits: RoundLimits) -> bool:
    """Return whether anything changes at the mark while it may last."""
    later = (picture for picture in changes.changed_pictures() if picture > mark.came)
    soon = takewhile(lambda picture: times_ms[picture] - times_ms[mark.came] <= limits.rests_ms, later)
    return any((changes.blocks(picture) & mark.blocks).any() for picture in soon)


def _as_it_came(lumas: Mapping[int, U8], mark: Mark, limits: RoundLimits, levels: float) -> Circle | None:
    """Return the circle that came with the action, None if what differs by more than `levels` is not round."""
    then, now = (lumas[picture].astype(np.int16) for picture in (mark.came - 1, mark.came))
    reach = 1 if levels >= CIRCLE.levels else limits.reach_px // BLOCK_PX  # the rest of it is fainter still
    rows, columns = box_around(grow(mark.blocks, reach))
    top, left = rows.start * BLOCK_PX, columns.start * BLOCK_PX
    box = np.s_[top : rows.stop * BLOCK_PX, left : columns.stop * BLOCK_PX]
    most_px, at = limits.most_radius * min(then.shape), replace(CIRCLE, levels=levels)
    circle = find_circle(np.abs(now[box] - then[box]), limits.least_px, most_px, at)
    if circle is None or circle.beyond > min(limits.beside_px, np.pi * circle.radius**2):
        return None
    return circle.moved(left, top)


def _is_ring(circle: Circle, limits: RoundLimits) -> bool:
    return circle.free >= limits.hollow


def _followed(
    changes: Changes,
    lumas: Mapping[int, U8],
    mark: Mark,
    circle: Circle,
    pictures: Sequence[int],
    pointer: Pointer,
    limits: RoundLimits,
) -> tuple[dict[int, Bools], Circle, int]:
    """Return what the mark changes in those pictures, (rows, columns), until it is no longer seen, or more is.

    And where it was seen last, and the picture in which it was seen to have gone without a trace, 0 if none was.
    """
    found: dict[int, Bools] = {}
    last, gone = mark.came, 0
    for picture in pictures:
        rows, columns = _reached(circle, changes.shape, limits)
        top, left = rows.start * BLOCK_PX, columns.start * BLOCK_PX
        box = np.s_[top : rows.stop * BLOCK_PX, left : columns.stop * BLOCK_PX]
        then, before, now = (lumas[at][box].astype(np.int16) for at in (mark.came - 1, last, picture))
        was = circle.moved(-left, -top)
        seen = _seen_again(then, now, was, limits)
        outgrown: Circle | None = None
        if seen is not None and not _is_ring(seen, limits) and seen.radius > limits.grows * was.radius:
            outgrown, seen = seen.moved(left, top), None
        vanished = seen is None and _has_gone(then, now, was, limits)  # what fades is not seen as round at last
        if outgrown and not vanished:
            circle = outgrown  # as an app's ripple does
            break
        here = was if vanished else seen
        gone = 0 if seen is not None else gone or (picture if vanished else 0)
        if here is None or _answers_beneath(then, before, now, was, here, limits):
            break
        blocks = changes.blocks(picture)
        around = _covered(_where(now.shape, (was, here)), rows, columns, changes.shape)
        stirs = vanished or _stirs(before, now, was, here, limits)
        if stirs or _changes_alone(before, now, was, here, blocks[rows, columns], limits):
            found[picture] = blocks & around
        if (blocks & ~grow(around, limits.stray_blocks) & ~pointer.steps.get(picture, around)).any():
            break  # something else answers
        circle, last = here.moved(left, top), picture
    return found, circle, gone


def _spreads_on(
    recording: Recording,
    changes: Changes,
    times_ms: F64,
    came: int,
    since: int,
    circle: Circle,
    limits: RoundLimits,
) -> tuple[dict[int, Bools], Circle]:
    """Return what a ring changes, (rows, columns), in pictures after `since`, in which something else had answered.

    And where it was seen last. What was there before it came may not come back. So each picture is held against the
    one before: where nothing but the ring changes around there, it changes in a circle around the same middle.
    """
    assert recording.pixels is not None
    around = _reached(circle, changes.shape, limits)
    later = (picture for picture in changes.changed_pictures() if picture > since)
    wanted = [
        picture
        for picture in later
        if times_ms[picture] - times_ms[came] <= limits.lasts_ms and changes.blocks(picture)[around].any()
    ]
    lumas = recording.pixels(recording, sorted({at for picture in wanted for at in (picture - 1, picture)}), came)
    found: dict[int, Bools] = {}
    for earlier, picture in pairwise([since, *wanted]):
        lost_ms, rests_ms = (times_ms[picture] - times_ms[at] for at in (max(found, default=since), earlier))
        if lost_ms > limits.lost_ms or rests_ms > limits.rests_ms or not {picture - 1, picture} <= set(lumas):
            break
        rows, columns = _reached(circle, changes.shape, limits)
        top, left = rows.start * BLOCK_PX, columns.start * BLOCK_PX
        box = np.s_[top : rows.stop * BLOCK_PX, left : columns.stop * BLOCK_PX]
        before, now = (lumas[at][box].astype(np.int16) for at in (picture - 1, picture))
        was = circle.moved(-left, -top)
        least, most = limits.shrinks * was.radius, limits.spreads * was.radius
        if picture - 1 > max(found, default=since):
            most = limits.most_radius * min(lumas[picture].shape)  # it went on beneath what moved over it
        here = find_circle(np.abs(now - before), least, most, replace(CIRCLE, levels=limits.stirred))
        if here is None or not _is_ring(here, limits) or _is_off(here, was, limits):
            if not found or not _fades_on(before, now, was, limits):
                continue
            here = was
        rims = _rims(now.shape, was, here, 1.0, limits)
        found[picture] = changes.blocks(picture) & _covered(rims, rows, columns, changes.shape)
        circle = here.moved(left, top)
    return found, circle


def _is_off(here: Circle, was: Circle, limits: RoundLimits) -> bool:
    return bool(np.hypot(here.x - was.x, here.y - was.y) > limits.moves * was.radius)


def _reached(circle: Circle, shape: tuple[int, int], limits: RoundLimits) -> tuple[slice, slice]:
    """Return the rows and columns of blocks in which the circle may be in the next picture."""
    far = limits.spreads * circle.radius + limits.reach_px

    def side(middle: float, length: int) -> slice:
        return slice(max(0, int((middle - far) / BLOCK_PX)), min(length, int((middle + far) / BLOCK_PX) + 1))

    return side(circle.y, shape[0]), side(circle.x, shape[1])


def _goes_along(first: Circle, last: Circle, limits: RoundLimits) -> bool:
    """Return whether it got further than any dot on which something is pressed."""
    return bool(np.hypot(last.x - first.x, last.y - first.y) > limits.along * first.radius)


def _grows(first: Circle, last: Circle, limits: RoundLimits) -> bool:
    """Return whether a dot became larger, and no ring; one that grows clear seems to, by a little."""
    return (
        not _is_ring(first, limits) and not _is_ring(last, limits) and last.radius > first.radius + limits.still_px
    )


def _rests(first: Circle, last: Circle, limits: RoundLimits) -> bool:
    return not _is_off(last, first, limits) and last.radius <= (1 + limits.moves) * first.radius


def _seen_again(then: I16, now: I16, last: Circle, limits: RoundLimits) -> Circle | None:
    """Return where the circle is by now, held against what was there before it came."""
    circle = find_circle(np.abs(now - then), limits.shrinks * last.radius, limits.spreads * last.radius)
    if circle is None or (_is_ring(last, limits) and not _is_ring(circle, limits)):
        return None
    return circle


def _has_gone(then: I16, now: I16, last: Circle, limits: RoundLimits) -> bool:
    """Return whether its place shows again what was there before it came."""
    band = _rims(now.shape, last, last, 0.0, limits)
    return float(np.mean(np.abs(now - then)[band] > limits.changed)) <= limits.left


def _stirs(before: I16, now: I16, last: Circle, here: Circle, limits: RoundLimits) -> bool:
    """Return whether the circle itself changes: what changes beside one that rests as it was is not its own."""
    band = _rims(now.shape, last, here, 0.0, limits)
    differs = (now - before)[band]
    as_a_whole = not _is_ring(here, limits) and abs(float(np.median(differs))) >= limits.shifts
    return as_a_whole or float(np.mean(np.abs(differs) > limits.stirred)) >= limits.stirs


def _changes_alone(before: I16, now: I16, last: Circle, here: Circle, changed: Bools, limits: RoundLimits) -> bool:
    """Return whether in the blocks that `changed`, (rows, columns), nothing does beside the rim of a ring.

    An encoder may only draw its colours finer.
    """
    if not _is_ring(here, limits):
        return False
    rims = _rims(now.shape, last, here, 1.0, limits)
    return not (_as_pixels(changed, now.shape) & ~rims & (np.abs(now - before) > limits.stirred)).any()


def _fades_on(before: I16, now: I16, last: Circle, limits: RoundLimits) -> bool:
    """Return whether a ring that is too faint to be round still changes, and nothing within or beside it."""
    far, margin = last.distance(now.shape), limits.soft_px + limits.soft * last.radius
    rim = (far >= last.inner - margin) & (far <= limits.grows * last.radius + margin)
    stirred = np.abs(now - before) > limits.stirred
    near = far <= limits.grows * last.radius + margin + BLOCK_PX
    return bool(stirred[rim].any()) and int(np.count_nonzero(stirred & near & ~rim)) < limits.seen_px


def _answers_beneath(then: I16, before: I16, now: I16, last: Circle, here: Circle, limits: RoundLimits) -> bool:
    """Return whether more changed within the circle, or right beside it, than the circle alone can.

    What comes no further from what was there before it came (`then`) is its own; and where it moves, what moves
    along as far, a cursor, and what shows what was there behind a veil.
    """
    near = _where(now.shape, (last, here), limits.beside_rim_px)
    box = box_around(near)
    one, other = before[box], now[box]
    rims = _rims(now.shape, last, here, 1.0, limits)
    changed = near[box] & (np.abs(other - one) > limits.changed) & ~rims[box]
    for dot in (circle for circle in (last, here) if not _is_ring(circle, limits)):
        changed &= dot.distance(now.shape)[box] > dot.radius
    off = np.abs(other - then[box])
    changed &= off > np.maximum(limits.changed, np.abs(one - then[box]))
    right, down = here.x - last.x, here.y - last.y
    if np.hypot(right, down) > limits.still_px:
        changed &= ~_went_along(one, other, (round(down), round(right)), limits)
        changed &= ~_seen_through(then, now, here, limits)[box]
    return int(np.count_nonzero(changed)) >= limits.seen_px


def _rims(shape: tuple[int, ...], last: Circle, here: Circle, wide: float, limits: RoundLimits) -> Bools:
    """Return the pixels of the rims, and so many times a margin within and beyond them."""
    rims = np.zeros(shape, dtype=bool)
    for circle in (last, here):
        far, margin = circle.distance(shape), wide * (limits.soft_px + limits.soft * circle.radius)
        rims |= (far >= circle.inner - margin) & (far <= circle.radius + margin)
    return rims


def _went_along(one: I16, other: I16, by: tuple[int, int], limits: RoundLimits) -> Bools:
    """Return the pixels that show what was there so far off before, or what they showed is there now."""
    return _is_from(other, one, by, limits) | _is_from(one, other, (-by[0], -by[1]), limits)


def _seen_through(then: I16, now: I16, here: Circle, limits: RoundLimits) -> Bools:
    """Return the pixels within a circle that show what was there, behind a veil that takes as much of each."""
    within = here.distance(then.shape) < here.inner
    x, y = then[within].astype(float), now[within].astype(float)
    if not within.any():
        return within
    spread = float(np.var(x))
    dims = float(np.clip(np.mean((x - x.mean()) * (y - y.mean())) / spread, 0, 1)) if spread > 0 else 0.0
    veiled = dims * x + np.median(y - dims * x)
    shows = np.zeros_like(within)
    shows[within] = np.abs(y - veiled) <= np.maximum(limits.changed, limits.veiled * np.abs(veiled - x))
    return shows


def _is_from(here: I16, there: I16, by: tuple[int, int], limits: RoundLimits) -> Bools:
    """Return the pixels that show what the other picture shows so far off, give or take a pixel."""
    moved = np.roll(there, by, axis=(0, 1)).astype(np.uint8)
    least, most = (change(moved, np.ones((3, 3), np.uint8)) for change in (cv2.erode, cv2.dilate))
    near = (here - least >= -limits.changed) & (here - most <= limits.changed)
    return np.asarray(near, dtype=bool)


def _where(shape: tuple[int, ...], circles: Sequence[Circle], beyond_px: float = 2.0) -> Bools:
    area = np.zeros(shape, dtype=bool)
    for circle in circles:
        area |= circle.distance(shape) <= circle.radius + beyond_px
    return area


def _covered(pixels: Bools, rows: slice, columns: slice, shape: tuple[int, int]) -> Bools:
    """Return the blocks, (rows, columns), that hold any of the pixels of a part of them, and those beside these."""
    covered = np.zeros(shape, dtype=bool)
    inside = covered[rows, columns]
    inside[:] = _as_blocks(pixels, inside.shape)
    return grow(covered, 1)


def _as_blocks(pixels: Bools, shape: tuple[int, ...]) -> Bools:
    """Return (rows, columns): the blocks that hold any of these pixels."""
    wide = np.zeros((shape[0] * BLOCK_PX, shape[1] * BLOCK_PX), dtype=bool)
    wide[: pixels.shape[0], : pixels.shape[1]] = pixels[: wide.shape[0], : wide.shape[1]]
    return np.asarray(wide.reshape(shape[0], BLOCK_PX, shape[1], BLOCK_PX).any(axis=(1, 3)), dtype=bool)


def _as_pixels(blocks: Bools, shape: tuple[int, ...]) -> Bools:
    """Return (height, width): the pixels that lie in these blocks."""
    return blocks.repeat(BLOCK_PX, axis=0).repeat(BLOCK_PX, axis=1)[: shape[0], : shape[1]]
