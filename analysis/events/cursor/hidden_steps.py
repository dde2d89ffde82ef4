"""What more a known cursor changes: steps that an encoder blurred or hid, once something has answered."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from analysis.arrays import Bools
from analysis.detection.changes import Changes
from analysis.events.cursor.crossing import crosses_the_edge
from analysis.events.cursor.own_changes import with_steady
from analysis.events.cursor.paths import POINTER, rest_of_hand_ms
from analysis.events.cursor.tracks import Tracked
from analysis.events.cursor.unseen_moves import (
    follows_on,
    goes_out,
    joins,
    moves_at_once,
    moves_between,
    sets_out,
    since_answered,
    since_rested,
)
from analysis.events.pace import slot_of_screen_ms
from analysis.events.touch import MOVING
from analysis.options import MeasureOptions
from analysis.video.recording import Recording


def with_hidden_steps(
    steps: Mapping[int, Bools],
    recording: Recording,
    changes: Changes,
    elsewhere: Bools,
    options: MeasureOptions,
    steady: Bools | None,
    tracked: Tracked,
    stood: Collection[int],
    wide: int,
) -> dict[int, Bools]:
    """Return the `steps` of a cursor that is known, (rows, columns) by picture, with those that were hidden.

    `elsewhere` (rows, columns) goes on by itself, and `steady` is what of that blinks or keeps time. `tracked` is
    what pixels showed; in the pictures in which it `stood` it did not shift. It is `wide` blocks on each side at
    most, as far as blocks show it.
    """
    steps, times, rest_ms = dict(steps), recording.picture_ms, rest_of_hand_ms(recording, changes)
    slot_ms = slot_of_screen_ms(recording, changes)
    calm_ms = max(rest_ms, POINTER.later_ms) if options.interaction_type in MOVING else rest_ms
    quick = slot_ms <= POINTER.pause_ms  # on a slower screen a hand may rest and click from picture to picture

    def since_then() -> dict[int, Bools]:
        since = since_answered(changes, elsewhere, times, options.action_ms, wide)
        if since or not quick:
            return since
        since = since_rested(changes, elsewhere, times, options.action_ms, wide, steps, calm_ms)
        return {picture: blocks for picture, blocks in since.items() if picture not in stood}

    since = since_then()
    steps |= moves_between(steps, since, times, rest_ms)
    steps |= goes_out(steps, since, times, rest_ms)
    if wide > POINTER.widest_blocks:  # an encoder leaves more of a disc that the screen shines through
        steps |= sets_out(steps, since, times, rest_ms)
    else:
        wide = POINTER.with_halo_blocks
        since = since_then()
    if quick:
        steps |= moves_at_once(steps, since, times, slot_ms)
    if tracked.worn:
        first, last = min(tracked.worn), max(tracked.worn)
        seen = {picture: blocks for picture, blocks in since.items() if first <= picture <= last}
        steps |= joins(steps, seen, times, rest_ms)
    steps |= _followed(steps, since, recording, changes, calm_ms, slot_ms)
    for picture, blocks in crosses_the_edge(recording, changes, steps, elsewhere).items():
        steps[picture] = steps[picture] | blocks if picture in steps else blocks
    if steady is not None:
        both = steps.keys() & since.keys()
        steps |= {picture: with_steady(steps[picture], changes.blocks(picture) & steady) for picture in both}
    return steps


def _followed(
    steps: Mapping[int, Bools],
    since: Mapping[int, Bools],
    recording: Recording,
    changes: Changes,
    calm_ms: float,
    slot_ms: float,
) -> dict[int, Bools]:
    """Return what else a known cursor changes, (rows, columns) by picture, before, between and after its `steps`.

    `since` is what changes since something has answered, and all has rested for `calm_ms`; the screen shows a
    picture each `slot_ms`.
    """
    if not since:
        return {}
    answered_ms = float(recording.picture_ms[max(at for at in changes.changed_pictures() if at < min(since))])
    end_ms = float(recording.time_ms[-1])
    return follows_on(steps, since, recording.picture_ms, calm_ms, answered_ms, slot_ms, end_ms)
