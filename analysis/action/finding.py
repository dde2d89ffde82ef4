"""Find the user's action in a recording of which nobody said it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from analysis.action.dots import Dot, find_dots
from analysis.action.patches import LEVEL, PATCH, Flash, Found, Patch, find_patches, rect_of
from analysis.action.proposals import Proposal
from analysis.detection.changes import NOTHING, Changes
from analysis.detection.crosshair import CROSSHAIR, Touch, find_crosshair
from analysis.options import CONFIRMED, MeasureOptions
from analysis.video.areas import disc, grow
from analysis.video.grid import Rect
from analysis.video.masks import Mask
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class KeyLimits:
    """What a pressed key looks like, as shares of the picture as shown."""

    top: float = 0.5  # keyboards lie below; what is pressed above it is a button, and an answer
    widest: float = 0.3  # a key with its popup; a space bar is wider, and nothing else than its colour changes
    tallest: float = 0.16
    least_ms: float = 25.0
    most_ms: float = 900.0  # longer presses bring other letters
    text_ms: float = 1500.0  # something above it follows within: the letter


KEY = KeyLimits()
SETTLED_MS = 60.0  # after a flash of the whole screen an encoder still corrects what it coded in a hurry
DOT_REACH = 0.16  # of the screen's shorter side: as near to the touch that the manifest names a dot is that touch
TOP_BAR = 0.05  # of the screen's height: what is round and comes and goes there is a recorder's sign
BEFORE_MS = 400.0  # the action comes first: answers come within that
TOGETHER_MS = 250.0  # a key under a dot is that touch


def find_actions(
    path: str | Path, recording: Recording, changes: Changes, options: MeasureOptions, threads: int = 0
) -> tuple[list[Proposal], Found]:
    """Return what may be the user's action, in the order of time, and the patches and flashes it was found among.

    One pass over the blocks, and one more over the pictures where something small and square appeared.
    """
    crosshair = find_crosshair(recording, changes)
    found = find_patches(recording, changes.without(crosshair.steps))
    touches = [_touch(recording, touch) for touch in crosshair.touches]
    dots = [_dot(recording, changes, dot, options) for dot in find_dots(path, recording, found.patches, threads)]
    _, top, _, bottom = recording.grid.screen
    dots = [dot for dot in dots if dot.rect[3] > top + TOP_BAR * (bottom - top)]
    flashes = [_flash(recording, flash) for flash in found.flashes]
    lit = [flash for flash in found.flashes if flash.on is not None]
    dots = [dot for dot in dots if not any(_within(recording, dot, flash) for flash in lit)]
    keys = list(_keys(recording, found.patches, dots, options))
    return sorted([*touches, *dots, *flashes, *keys], key=lambda one: one.time_ms), found


def without_marker(options: MeasureOptions, chosen: Proposal) -> MeasureOptions:
    """Return options with this action, and with which what marks it is no answer to it.

    A dot is the platform's (`show_touches`); a key and a corner are masked; what *Pointer location* draws never
    counts. See `without_flash` for a whole screen.
    """
    known = replace(options, action_ms=chosen.time_ms, find_action="")
    if chosen.kind == "dot":
        return replace(known, touch_xy=options.touch_xy or chosen.middle, show_touches=True)
    if chosen.kind == "cross":
        return replace(known, touch_xy=options.touch_xy or chosen.middle)
    if chosen.whole_screen:
        return known
    x0, y0, x1, y1 = chosen.rect
    return replace(known, masks=(*known.masks, Mask("the marker of the action", x0, y0, x1, y1, "px")))


def without_flash(recording: Recording, changes: Changes, found: Found, chosen: Proposal) -> Changes:
    """Return the changes without those of a flash of the whole screen.

    While it is lit nothing can be judged; what differs from before it when it is over counts then.
    """
    flash = next((one for one in found.flashes if one.whole and _starts(recording, one) == chosen.frame), None)
    if not chosen.whole_screen or flash is None:
        return changes
    count, energy, packed = changes.count.copy(), changes.energy.copy(), list(changes.packed)
    times, first = recording.picture_ms, (flash.on or 1) - 1
    last = int(np.searchsorted(times, times[flash.gone] + SETTLED_MS, side="right")) - 1
    before = None
    for picture, (means, _) in zip(range(first, last + 1), recording.store.span(first, last), strict=True):
        now = means[0].reshape(changes.shape) / np.float32(LEVEL)
        if before is None:
            before = now
            continue
        left = changes.blocks(picture) & (np.abs(now - before) > PATCH.back_levels)
        left &= picture >= flash.gone
        count[picture], packed[picture] = left.sum(), np.packbits(left) if left.any() else NOTHING
        energy[picture] *= bool(left.any())
    return replace(changes, count=count, energy=energy, packed=packed)


def _starts(recording: Recording, flash: Flash) -> int:
    return 0 if flash.on is None else int(recording.first_frame[flash.on])


def _proposal(
    recording: Recording,
    kind: str,
    picture: int,
    gone: int | None,
    rect: Rect,
    *,
    certain: bool,
    why: str,
    whole_screen: bool = False,
) -> Proposal:
    frame = int(recording.first_frame[picture])
    gap = float(recording.time_ms[frame] - recording.time_ms[frame - 1]) if frame else 0.0
    return Proposal(
        kind=kind,
        time_ms=round(float(recording.time_ms[frame]), 3),
        frame=frame,
        frame_before=max(frame - 1, 0),
        gone_ms=None if gone is None else round(float(recording.time_ms[gone]), 3),
        rect=rect,
        uncertain_ms=round(min(gap, 1000 / 60), 3) if recording.variable_rate else round(gap, 3),
        certain=certain,
        why=why,
        whole_screen=whole_screen,
    )


def _dot(recording: Recording, changes: Changes, dot: Dot, options: MeasureOptions) -> Proposal:
    width, height = recording.grid.shown_size
    x0, y0, x1, y1 = recording.grid.to_shown(dot.rect)
    rect = max(0, x0), max(0, y0), min(width, x1), min(height, y1)
    why = "a round patch appears at once, stays as large as it is and goes again"
    certain = dot.gone is not None
    if not certain:
        why = "a round patch appears at once and stays to the end of the recording"
    elif not dot.plain:
        certain, why = False, f"{why}; there is something drawn in it, as in a button"
    elif _stirred_before(recording, changes, dot):
        certain, why = False, f"{why}; something changed there shortly before, which it may be an answer to"
    if options.touch_xy is not None:
        away = np.hypot(
            (rect[0] + rect[2]) / 2 - options.touch_xy[0], (rect[1] + rect[3]) / 2 - options.touch_xy[1]
        )
        if away > DOT_REACH * min(recording.grid.width, recording.grid.height):
            certain, why = False, f"{why}; it lies elsewhere than the touch that the manifest names"
    return _proposal(recording, "dot", dot.patch.picture, dot.gone, rect, certain=certain, why=why)


def _touch(recording: Recording, touch: Touch) -> Proposal:
    grid = recording.grid
    rect = grid.rect_of(disc(grid.shape, touch.place, CROSSHAIR.oval * grid.shape[1]))
    assert rect is not None
    gone = None if touch.gone is None else int(recording.first_frame[touch.gone])
    why = "two thin lines come that cross from edge to edge, as Android's Pointer location draws them"
    return _proposal(recording, "cross", touch.picture, gone, rect, certain=True, why=why)


def _stirred_before(recording: Recording, changes: Changes, dot: Dot) -> bool:
    """Return whether something changed at its place shortly before: a round button lights up after a touch, too."""
    patch, times = dot.patch, recording.picture_ms
    near = np.zeros(changes.shape, dtype=bool)
    near[patch.rows, patch.columns] = True
    near = grow(near, patch.rows.stop - patch.rows.start)
    since = int(np.searchsorted(times, times[patch.picture] - BEFORE_MS))
    return any(bool((changes.blocks(picture) & near).any()) for picture in range(since, patch.picture))


def _flash(recording: Recording, flash: Flash) -> Proposal:
    rect = recording.grid.rect_of(flash.blocks)
    assert rect is not None
    gone = int(recording.first_frame[flash.gone])
    where = "the whole screen" if flash.whole else "a corner of the screen"
    if flash.on is None:
        why = "the recording begins with the whole screen in one colour: when that began is not in it"
    else:
        frames = gone - int(recording.first_frame[flash.on])
        why = f"{where} turns to one colour for {frames} frame{'s' if frames > 1 else ''} and back to what it was"
    certain = flash.on is not None
    return _proposal(
        recording, "flash", flash.on or 0, gone, rect, certain=certain, why=why, whole_screen=flash.whole
    )


def _within(recording: Recording, dot: Proposal, flash: Flash) -> bool:
    return (
        flash.on is not None and recording.first_frame[flash.on] <= dot.frame <= recording.first_frame[flash.gone]
    )


def _keys(
    recording: Recording, patches: Sequence[Patch], dots: Sequence[Proposal], options: MeasureOptions
) -> Iterator[Proposal]:
    """Yield the pressed keys; for a tap what is pressed is the answer, not the action."""
    if options.interaction_type != "type" and options.find_action not in ("key", CONFIRMED):
        return
    left, top, right, bottom = recording.grid.screen
    width, height = right - left, bottom - top
    times = recording.picture_ms
    for patch in patches:
        x0, y0, x1, y1 = rect = rect_of(recording.grid, patch)
        small = x1 - x0 <= KEY.widest * width and y1 - y0 <= KEY.tallest * height
        if not small or y0 < top + KEY.top * height or patch.gone is None or patch.beyond is None:
            continue
        if times[patch.beyond] - times[patch.picture] > KEY.text_ms:
            continue
        stayed = times[patch.gone] - times[patch.picture]
        if not KEY.least_ms <= stayed <= KEY.most_ms:
            continue
        if any(abs(dot.time_ms - times[patch.picture]) <= TOGETHER_MS for dot in dots):
            continue
        gone = int(recording.first_frame[patch.gone])
        why = "a key is lit and goes out again, and something above the keyboard changes"
        yield _proposal(recording, "key", patch.picture, gone, rect, certain=True, why=why)
