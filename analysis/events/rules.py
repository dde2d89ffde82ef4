"""The rules: why a change does not decide response or finish. One entry of `RULES` each.

Adding one is a predicate, an entry, a test on hand-made events, a line in docs/metrics.md, and a row of
`python -m benchmarks.ablation` that says what gets worse without it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from analysis.arrays import F64, Bools
from analysis.detection.changes import Changes
from analysis.events.background import BACKGROUND, Background, widen
from analysis.events.bars import (
    Company,
    alone_in_bars,
    changing_in_bars,
    fading_in_bars,
    in_bars,
    is_button_aside,
    moving_in_bars,
)
from analysis.events.carets import CARET, returns
from analysis.events.event import EVENT, Event, is_at
from analysis.events.faint import FAINT, goes_astray, is_stray, is_tail, is_unseen, strongest_of
from analysis.events.lamps import Lamp, goes_on
from analysis.events.mark import Mark, is_mark
from analysis.events.pointer import Pointer
from analysis.events.recurrence import difference, state
from analysis.events.refreshing import is_refresh, takes_back_a_key_frame
from analysis.kernels.levels import CELL, LEVELS
from analysis.video.areas import by_cells, grow
from analysis.video.recording import Recording

Moment = Literal["response", "finish"]


@dataclass(frozen=True, slots=True)
class RuleLimits:
    """When a small change only takes back another, and when it is an encoder's work."""

    returned: float = 0.25  # of the change: what may be left of the difference to the picture that came back
    first_ms: float = 500.0  # of a recording: so long an encoder may sharpen its first picture
    first_rest_ms: float = 50.0  # without any block that stirs: then it has done
    first_share: float = 0.25  # of what it changes: what stirs less has come to rest
    first_levels: float = 24.0  # what is stronger is no noise, not even of a key frame
    used_ms: float = 2500.0  # before the action: a lamp, or a field in use, changes at least this often
    correction_ms: float = 150.0  # before a correction, in which the motion was
    beside_blocks: int = 1  # what comes back may do so a little beside its place
    anew_blocks: int = 3  # a correction that fades may still lift one or two blocks over the limit
    refreshed_blocks: int = 9  # at most: a few among thousands pass a limit by chance, with those beside them
    speck_blocks: int = 2  # at most: part of a caret that fades, a block that an encoder corrects at last
    speck_ms: float = 1000.0  # of rest before it: what loads late is larger than a speck
    spot_blocks: int = 4  # at most: a digit of a clock, a light
    answer: float = 0.01  # of the screen: what is larger is an answer for sure
    refreshed_share: float = 0.25  # of the parts of the screen stir as strongly without a visible change


RULE = RuleLimits()


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """What rules look at besides the event itself.

    `times_ms` (m,) says when each picture came, `variable_rate` how the recorder wrote: both are asked for at every
    step, and cost a walk over the recording. `bars` is where systems have theirs, `lamps` are in
    them, `touched` lies around the finger, `mark` came with the action, `dragged` is what it changes, by picture,
    as it moves.
    """

    recording: Recording
    changes: Changes
    events: Sequence[Event]
    background: Background
    finger: Bools
    action_ms: float
    times_ms: F64
    variable_rate: bool
    bars: Bools
    touched: Bools
    pointer: Pointer
    company: Company
    lamps: tuple[Lamp, ...] = ()
    mark: Mark | None = None
    dragged: Mapping[int, Bools] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """What one event changes in one picture; `blocks` are those that no rule has explained so far."""

    event: Event
    picture: int
    blocks: Bools


@dataclass(frozen=True, slots=True)
class Rule:
    """Why a step does not decide.

    A rule that `holds` for a step (always, if it does not say) accounts for the blocks in its `area` (all, if it
    has none); one that looks at the event as a whole `accounts` for all its steps. A step all of whose blocks are
    accounted for does not decide the moments `of`. One that is `sure` has seen it several times over; what any
    other leaves out stays a candidate (confidence.py).
    """

    key: str
    reason: str
    of: tuple[Moment, ...]
    area: Callable[[Scene], Bools] | None = None
    holds: Callable[[Step, Scene], bool] | None = None
    accounts: Callable[[Event, Scene], bool] | None = None
    sure: bool = False

    @property
    def always(self) -> bool:
        """Whether it asks no step and no event: what lies in its area never decides."""
        return self.holds is None and self.accounts is None


def _moved_before(scene: Scene) -> Bools:
    return grow(scene.background.before, BACKGROUND.rim_blocks)


def _keeps_time(scene: Scene) -> Bools:
    return grow(scene.background.timed, BACKGROUND.rim_blocks)


def _goes_on(scene: Scene) -> Bools:
    return grow(scene.background.at_end, BACKGROUND.rim_blocks)


def _moves_in_bars(scene: Scene) -> Bools:
    fading = fading_in_bars(scene.recording, scene.changes, scene.bars, scene.action_ms)
    after = np.flatnonzero((scene.changes.count > 0) & (scene.times_ms >= scene.action_ms))
    whole = widen(scene.changes, after, fading, scene.bars)
    return moving_in_bars(scene.background.before | whole, scene.bars)


def _changes_in_bars(scene: Scene) -> Bools:
    return changing_in_bars(scene.bars, scene.company, scene.action_ms) & ~scene.touched


def _near_caret(scene: Scene) -> Bools:
    return scene.background.near_caret


def _finger(scene: Scene) -> Bools:
    return scene.finger


def _lamps(scene: Scene) -> Bools:
    area = np.zeros(scene.changes.shape, dtype=bool)
    for lamp in scene.lamps:
        area |= lamp.place
    return area


def _changed_before(scene: Scene) -> Bools:
    """Return where something had come and gone by the action."""
    area = np.zeros(scene.changes.shape, dtype=bool)
    for event in scene.events:
        if event.end_ms < scene.action_ms:
            area |= event.place
    return grow(area, RULE.beside_blocks)


def _blinks(step: Step, scene: Scene) -> bool:
    """Return whether a caret blinks: its own blocks go from one of its two pictures to the other.

    A letter shows a third one, in its own event or, while the caret fades, in the same.
    """
    carets, blocks = scene.background.carets, step.blocks
    if step.event in carets.blinks or step.event in carets.new:
        return step.event in carets.blinks
    if (blocks & ~scene.background.near_caret).any():
        return True  # what lies beside it decides
    pictures = [state(scene.recording, blocks, picture) for picture in (step.picture - 1, step.picture)]
    fades = len(step.event.pictures) > 1
    return any(all(bar.shows(blocks, shown, fades) for shown in pictures) for bar in carets.bars)


def _caret_returns(event: Event, scene: Scene) -> bool:
    """Return whether a caret that had blinked before the action is drawn at another place, soon after the answer.

    A field that was sent is cleared, and its caret comes back at the line's start when it would blink next: the
    field had answered before. Where nothing else answers, the caret is the answer.
    """
    carets = scene.background.carets
    if not returns(carets, event, scene.action_ms):
        return False
    since = max(scene.action_ms, event.start_ms - CARET.shown_ms[1])
    return any(since <= other.end_ms < event.start_ms and other not in carets.blinks for other in scene.events)


def _corrects(step: Step, scene: Scene) -> bool:
    """Return whether a picture changes next to nothing of what moved just before it: an encoder corrects that.

    Corrections fade while they go on: what changes again after a picture without any change, and not too faintly to
    be seen, is a step of the screen. A recorder at a variable rate has bits enough, and its last frame may be the
    last step; but not where a cursor goes on, nor where nobody can see it.
    """
    recording, count, times, picture = scene.recording, scene.changes.count, scene.times_ms, step.picture
    if strongest_of(recording, step.blocks, picture) <= FAINT.levels:
        apart = scene.changes.blocks(picture) & ~_goes_on(scene) | step.blocks
        if is_tail(recording, count, apart, picture, times, scene.changes.limits.moving):
            return True
    own = scene.pointer.steps.get(picture)
    if own is not None and is_stray(recording, count, step.blocks & ~own, picture, times):
        return True
    if scene.variable_rate:
        return False
    recent = (times >= times[picture] - RULE.correction_ms) & (times < times[picture])
    faint = count[picture] < FAINT.correction_share * count[recent].max(initial=0)
    anew = count[picture] >= RULE.anew_blocks and not count[picture - 1]
    if not faint:
        return False
    return strongest_of(recording, step.blocks, picture) < (FAINT.levels if anew else FAINT.correction_levels)


def _brings_back(step: Step, scene: Scene) -> bool:
    """Return whether a little step shows what its blocks showed before they last changed, before the action.

    What came and went of its own accord before the action may do so again between action and response. What was
    changed longer ago was used by an earlier interaction: a switch that is turned back answers the finger.
    """
    blocks = step.blocks
    if blocks.mean() > BACKGROUND.little:
        return False
    earlier = [event for event in scene.events if event.last < step.picture and (event.place & blocks).any()]
    latest = max(earlier, key=lambda event: event.last, default=None)
    if (
        latest is None
        or not scene.action_ms - RULE.used_ms <= latest.end_ms < scene.action_ms
        or (blocks & ~grow(latest.place, RULE.beside_blocks)).any()
    ):
        return False
    asked = (latest.first - 1, step.picture - 1, step.picture)
    then, before, now = (state(scene.recording, blocks, picture) for picture in asked)
    return difference(now, then) <= RULE.returned * difference(now, before)


def _from_second_to_second(event: Event, scene: Scene) -> bool:
    """Return whether an event belongs to what goes on once a second: a countdown, a player's bar, a clock."""
    return event in scene.background.seconds


def _alone_at_edge(event: Event, scene: Scene) -> bool:
    """Return whether a little thing in the system's bars changes while nothing else does: a Wi-Fi arrow."""
    return not _under_finger(event, scene) and alone_in_bars(event, scene.bars, scene.company)


def _is_spot_in_bars(event: Event, scene: Scene) -> bool:
    """Return whether a spot in the system's bars changes in a picture of its own before an answer elsewhere.

    An answer that is seen in the bars first is larger: a button there. A clock or a light may go on at any time.
    """
    answers = (other for other in scene.events if other.start_ms > event.end_ms)
    return _is_spot(event, scene) and any(other.share > RULE.answer for other in answers)


def _is_spot_after(event: Event, scene: Scene) -> bool:
    """Return whether such a spot changes when the answer elsewhere has ended, however soon after.

    It is clear to see, as digits are; the last steps of an answer are faint.
    """
    answers = (other for other in scene.events if scene.action_ms <= other.end_ms < event.start_ms)
    if not _is_spot(event, scene) or not any(
        other.share > RULE.answer and not in_bars(other, scene.bars) for other in answers
    ):
        return False
    return strongest_of(scene.recording, event.place, event.first) >= FAINT.correction_levels


def _is_spot(event: Event, scene: Scene) -> bool:
    """Return whether an event is a spot in the system's bars that changes once, in a picture of its own."""
    if len(event.pictures) > 1 or np.count_nonzero(event.part) > RULE.spot_blocks:
        return False
    if _under_finger(event, scene) or not in_bars(event, scene.bars):
        return False
    return all(in_bars(other, scene.bars) for other in scene.company.of(event, 0.0))


def _comes_again(event: Event, scene: Scene) -> bool:
    """Return whether a little thing changes alone after the answer, where as little had changed before the action.

    A player's bar, a counter, a pointer that trembles: it goes on at its own pace, in a recording too short to see
    that. What was used longer ago was another interaction.
    """
    if event.share > BACKGROUND.little or _under_finger(event, scene):
        return False
    if any(not is_at(other, event) for other in scene.company.of(event)):
        return False
    answers = (other for other in scene.events if scene.action_ms <= other.start_ms < event.start_ms)
    if not any(other.share > RULE.answer for other in answers):
        return False
    since = scene.action_ms - RULE.used_ms
    earlier = (other for other in scene.events if since <= other.end_ms < scene.action_ms)
    return any(other.share <= BACKGROUND.little and is_at(other, event) for other in earlier)


def _slips_aside(event: Event, scene: Scene) -> bool:
    """Return whether a floating button at the screen's edge changes alone, after the screen had answered.

    A recorder's fades, and slips into the edge, when nobody has touched it for a while.
    """
    if _under_finger(event, scene) or not is_button_aside(event) or any(True for _ in scene.company.of(event)):
        return False
    return any(scene.action_ms <= other.start_ms < event.start_ms for other in scene.events)


def _under_finger(event: Event, scene: Scene) -> bool:
    return bool((event.part & scene.touched[event.box]).any())


def _is_unseen(event: Event, scene: Scene) -> bool:
    """Return whether the whole event is too faint to be seen, when all else rests."""
    others = (
        other
        for other in scene.company.of(event, EVENT.apart_ms)
        if other.start_ms < event.start_ms and not in_bars(other, scene.bars)
    )
    return is_unseen(event, others, scene.recording, scene.times_ms)


def _goes_astray(step: Step, scene: Scene) -> bool:
    least = scene.changes.limits.moving
    return goes_astray(scene.recording, step.blocks, step.picture, scene.times_ms, least)


def _is_lamp(step: Step, scene: Scene) -> bool:
    """Return whether the blocks of a lamp only go on as before the action; what lies beside them decides."""
    place = next((lamp.place for lamp in scene.lamps if (lamp.place & step.blocks).any()), None)
    if place is None:
        return False
    return goes_on(scene.lamps, scene.recording, step.blocks & place, step.picture)


def _refreshed(step: Step, scene: Scene) -> bool:
    """Return whether a few blocks do no more than a quarter of the screen does without a visible change.

    An encoder goes on refining a photograph or grain long after it was shown, everywhere a little. Among thousands
    of blocks some pass a limit; a change of the screen stands out of its picture.
    """
    event = step.event
    if np.count_nonzero(event.part) > RULE.refreshed_blocks:
        return False
    ((_, codes),) = scene.recording.store.span(step.picture, step.picture)
    codes = codes.reshape(event.shape)  # which rise with the strength that they stand for
    strongest = codes[grow(step.blocks, RULE.beside_blocks)].max()
    quiet = np.where(scene.changes.blocks(step.picture), 0, codes) >= strongest
    if np.count_nonzero(quiet) < RULE.refreshed_share * -(-quiet.size // CELL**2):
        return False  # however they lie
    return bool(by_cells(quiet.astype(np.float32)).mean() >= RULE.refreshed_share)


def _coded_anew(step: Step, scene: Scene) -> bool:
    """Return whether an encoder coded the whole picture anew, and the step is part of that alone."""
    return is_refresh(scene.recording, step.blocks, step.picture, scene.times_ms)


def _takes_back_a_key_frame(step: Step, scene: Scene) -> bool:
    return takes_back_a_key_frame(scene.recording, step.blocks, step.picture, scene.times_ms)


def _marks_the_action(step: Step, scene: Scene) -> bool:
    own = scene.dragged.get(step.picture)
    if own is not None and scene.pointer.explains_rest(step.picture, step.blocks & ~own):
        return True
    if scene.mark is None:
        return False
    after_ms = float(scene.times_ms[step.picture]) - scene.action_ms
    return is_mark(scene.recording, scene.changes, scene.mark, step.blocks, step.picture, after_ms)


def _is_speck(event: Event, scene: Scene) -> bool:
    """Return whether a speck changes once, long after the screen has answered and come to rest.

    Nobody waits for it: it is the one visible step of a caret that fades, or a block that an encoder gets round to.
    """
    if len(event.pictures) > 1 or np.count_nonzero(event.part) > RULE.speck_blocks:
        return False
    if _under_finger(event, scene):
        return False
    answers = (other for other in scene.events if scene.action_ms <= other.end_ms < event.start_ms)
    ended = max((one.end_ms for one in answers if np.count_nonzero(one.part) > RULE.speck_blocks), default=np.inf)
    return bool(event.start_ms - ended >= RULE.speck_ms)


def _is_cursor(step: Step, scene: Scene) -> bool:
    """Return whether a mouse cursor accounts for the step: where it comes to, and what it uncovers."""
    return scene.pointer.explains(step.picture, step.blocks)


def _is_passed(step: Step, scene: Scene) -> bool:
    """Return whether the step lights something up, or lets it go out, as a mouse cursor comes over it or leaves."""
    return scene.pointer.passes(step.picture, step.blocks)


def _sharpens_the_first(step: Step, scene: Scene) -> bool:
    """Return whether the picture that a recording began with is still being sharpened.

    It has stirred ever since, and weakly: no screen answers a finger with the first picture that is filmed. What is
    clear to see, where next to nothing had stirred for a while, is no sharpening, which fades.
    """
    times = scene.times_ms
    if times[step.picture] - times[0] > RULE.first_ms:
        return False
    stirs = scene.changes.energy[: step.picture + 1] > 0
    if _rests(stirs, times):
        return False
    near = grow(step.blocks, RULE.beside_blocks).ravel()
    levels = np.array([LEVELS[codes[near]].max() for _, codes in scene.recording.store.span(0, step.picture)])
    if levels[-1] >= RULE.first_levels:
        return False
    return levels[-1] < FAINT.correction_levels or not _rests(levels >= RULE.first_share * levels[-1], times)


def _rests(stirs: Bools, times_ms: F64) -> bool:
    """Return whether nothing had stirred for a while by one of these pictures, the first of a recording."""
    return bool(np.diff(times_ms[np.flatnonzero(stirs)], prepend=times_ms[0]).max(initial=0) > RULE.first_rest_ms)


# Two steps a second apart may be two answers: where there is no other, what these leave out is the answer.
IF_OTHERS = ("mark", "seconds", "hover", "anew")
BOTH: tuple[Moment, ...] = ("response", "finish")
RULES = (
    Rule("moved_before", "already changing before the action", ("response",), area=_moved_before, sure=True),
    Rule("keeps_time", "changing at even intervals", ("response",), area=_keeps_time, sure=True),
    Rule("goes_on", "still changing at the end of the recording", ("finish",), area=_goes_on, sure=True),
    Rule("bar_moves", "moving in the system's bars since before the action", BOTH, area=_moves_in_bars),
    Rule("finger", "the platform's dot under the finger", ("response",), area=_finger, sure=True),
    Rule("caret", "a blinking caret", BOTH, area=_near_caret, holds=_blinks, sure=True),
    Rule("caret_back", "a caret that had blinked before comes back", ("finish",), accounts=_caret_returns),
    Rule(
        "brings_back",
        "brings back what was there before the action",
        ("response",),
        area=_changed_before,
        holds=_brings_back,
    ),
    Rule("cursor", "a mouse cursor that moves over the screen", BOTH, holds=_is_cursor),
    Rule("hover", "lights up or goes out as a mouse cursor passes", BOTH, holds=_is_passed),
    Rule("seconds", "goes on from second to second", BOTH, accounts=_from_second_to_second),
    Rule("lamp", "pulses in the system's bars, as before the action", BOTH, area=_lamps, holds=_is_lamp),
    Rule("bars", "in the system's bars, where something changes when all else rests", BOTH, area=_changes_in_bars),
    Rule("edge", "a little change alone in the system's bars", BOTH, accounts=_alone_at_edge),
    Rule("spot", "a spot in the system's bars, before the answer", ("response",), accounts=_is_spot_in_bars),
    Rule("spot_after", "a spot in the system's bars, after the answer", ("finish",), accounts=_is_spot_after),
    Rule("again", "a little thing alone, which had changed before the action", ("finish",), accounts=_comes_again),
    Rule(
        "aside",
        "a little thing alone at the screen's edge, as a recorder's button",
        ("finish",),
        accounts=_slips_aside,
    ),
    Rule(
        "mark",
        "comes with the action itself, as a touch dot does, or goes as it came",
        BOTH,
        holds=_marks_the_action,
    ),
    Rule("first", "the first picture, which the encoder still sharpens", ("response",), holds=_sharpens_the_first),
    Rule("speck", "a speck, a second after all else", ("finish",), accounts=_is_speck),
    Rule("unseen", "too faint to be seen", ("finish",), accounts=_is_unseen, sure=True),
    Rule(
        "astray",
        "a level or two, not the way its place went: the encoder's correction",
        ("finish",),
        holds=_goes_astray,
    ),
    Rule("correction", "the encoder's correction of a motion", ("finish",), holds=_corrects),
    Rule("anew", "all of the picture stirs a little: the encoder codes it anew", BOTH, holds=_coded_anew),
    Rule("key", "takes back what a key frame had stirred", BOTH, holds=_takes_back_a_key_frame, sure=True),
    Rule("refreshed", "no more than what the encoder refines all over the picture", BOTH, holds=_refreshed),
)
REASONS = {rule.key: rule.reason for rule in RULES}
