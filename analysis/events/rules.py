"""The rules: why a change does not decide response or finish. One entry of `RULES` each.

Adding one is a predicate, an entry, a test on hand-made events, a line in docs/metrics.md, and a row of
`python -m benchmarks.ablation` that says what gets worse without it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain

import numpy as np

from analysis.arrays import Bools
from analysis.events import coding, edges
from analysis.events.background import BACKGROUND, widen
from analysis.events.bars import (
    changing_in_bars,
    fading_in_bars,
    moving_in_bars,
    stirring_in_bars,
)
from analysis.events.carets import CARET, returns
from analysis.events.event import Event, is_at
from analysis.events.lamps import goes_on
from analysis.events.mark import MARK, is_mark, stirred_by_mark
from analysis.events.recurrence import difference, state
from analysis.events.scene import BOTH, Moment, Scene, Step
from analysis.video.areas import grow


@dataclass(frozen=True, slots=True)
class RuleLimits:
    """When a small change only takes back another, or does not belong to the answer."""

    returned: float = 0.25  # of the change: what may be left of the difference to the picture that came back
    used_ms: float = 2500.0  # before the action: a lamp, or a field in use, changes at least this often
    beside_blocks: int = 1  # what comes back may do so a little beside its place
    speck_blocks: int = 2  # at most: part of a caret that fades, a block that an encoder corrects at last
    speck_ms: float = 500.0  # of rest before it: what loads late is larger than a speck
    flickers: int = 2  # pictures that had changed a speck before: one may have been used


RULE = RuleLimits()


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
    return scene.background.near_before


def _keeps_time(scene: Scene) -> Bools:
    return scene.background.near_timed


def _goes_on(scene: Scene) -> Bools:
    return scene.background.near_end


def _moves_in_bars(scene: Scene) -> Bools:
    fading = fading_in_bars(scene.recording, scene.changes, scene.bars, scene.action_ms)
    after = np.flatnonzero((scene.changes.count > 0) & (scene.times_ms >= scene.action_ms))
    whole = widen(scene.changes, after, fading, scene.bars)
    stirring = stirring_in_bars(scene.recording, scene.bars, scene.action_ms)
    return moving_in_bars(scene.background.before | whole | stirring, scene.bars)


def _changes_in_bars(scene: Scene) -> Bools:
    return changing_in_bars(scene.bars, scene.company, scene.action_ms) & ~scene.touched


def _near_caret(scene: Scene) -> Bools:
    return scene.background.near_caret


def _finger(scene: Scene) -> Bools:
    return scene.finger


def _dithering(scene: Scene) -> Bools:
    return scene.dithering


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

    A letter shows a third one, in its own event or, while the caret fades, in the same. Of the fade in which a
    recording ends only the first step may be seen.
    """
    carets, blocks = scene.background.carets, step.blocks
    if step.event in carets.blinks or step.event in carets.new:
        return step.event in carets.blinks
    if (blocks & ~scene.background.near_caret).any():
        return True  # what lies beside it decides
    pictures = [state(scene.recording, blocks, picture) for picture in (step.picture - 1, step.picture)]
    fades = len(step.event.pictures) > 1
    return any(
        all(bar.shows(blocks, shown, fades or len(bar.event.pictures) > 1) for shown in pictures)
        for bar in carets.bars
    )


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


def _comes_again(event: Event, scene: Scene) -> bool:
    """Return whether a little thing changes alone, now or soon, after the answer, where as little had before.

    A player's bar, a counter, a pointer that trembles: it goes on at its own pace, in a recording too short to see
    that. What was used longer before the action was another interaction.
    """
    if event.share > BACKGROUND.little or scene.under_finger(event):
        return False
    since = scene.action_ms - RULE.used_ms
    earlier = (other for other in scene.events if since <= other.end_ms < scene.action_ms)
    little = (other for other in earlier if other.share <= BACKGROUND.little and is_at(other, event))
    if all(_is_of_the_cursor(other, scene) for other in little):
        return False
    answers = (other for other in scene.events if scene.action_ms <= other.start_ms < event.start_ms)
    if not any(other.share > edges.EDGE.answer for other in answers):
        return False
    until = event.end_ms + RULE.used_ms
    later = (other for other in scene.events if event.start_ms < other.start_ms <= until and is_at(event, other))
    return any(_is_alone(one, scene) for one in chain([event], later))


def _is_of_the_cursor(event: Event, scene: Scene) -> bool:
    """Return whether a mouse cursor accounts for all of an event: it may pass anywhere."""
    pictures = event.pictures.tolist()
    return all(scene.pointer.explains(picture, event.blocks(scene.changes, picture)) for picture in pictures)


def _is_alone(event: Event, scene: Scene) -> bool:
    """Return whether a little thing changes while nothing does elsewhere."""
    if event.share > BACKGROUND.little:
        return False
    return all(is_at(other, event) for other in scene.company.of(event))


def _is_lamp(step: Step, scene: Scene) -> bool:
    """Return whether the blocks of a lamp only go on as before the action; what lies beside them decides."""
    place = next((lamp.place for lamp in scene.lamps if (lamp.place & step.blocks).any()), None)
    if place is None:
        return False
    return goes_on(scene.lamps, scene.recording, step.blocks & place, step.picture)


def _goes_on_at_once(step: Step, scene: Scene) -> bool:
    """Return whether what had begun before the action goes on sooner than any screen can answer.

    A recorder's next picture may be due just then: what it shows was on its way already.
    """
    after_ms = float(scene.times_ms[step.picture]) - scene.action_ms
    return after_ms < MARK.rounded_ms and step.event.start_ms < scene.action_ms


def _marks_the_action(step: Step, scene: Scene) -> bool:
    own = scene.dragged.get(step.picture)
    if own is not None and scene.pointer.explains_rest(step.picture, step.blocks & ~own):
        return True
    if scene.mark is None:
        return False
    after_ms = float(scene.times_ms[step.picture]) - scene.action_ms
    always = scene.background.always
    if is_mark(scene.recording, scene.changes, scene.mark, step.blocks, step.picture, after_ms, always):
        return True
    return stirred_by_mark(scene.recording, scene.changes, scene.mark, step.blocks, step.picture)


def _is_speck(event: Event, scene: Scene) -> bool:
    """Return whether a speck changes once, long after the screen has answered and come to rest.

    Nobody waits for it: it is the one visible step of a caret that fades, or a block that an encoder gets round to.
    """
    if len(event.pictures) > 1 or np.count_nonzero(event.part) > RULE.speck_blocks:
        return False
    if scene.under_finger(event):
        return False
    answers = (other for other in scene.events if scene.action_ms <= other.end_ms < event.start_ms)
    ended = max((one.end_ms for one in answers if np.count_nonzero(one.part) > RULE.speck_blocks), default=np.inf)
    return bool(event.start_ms - ended >= RULE.speck_ms)


def _flickers(event: Event, scene: Scene) -> bool:
    """Return whether a speck changes where one had flickered before the action: it does so by itself."""
    if np.count_nonzero(event.part) > RULE.speck_blocks or scene.under_finger(event):
        return False
    since = scene.action_ms - RULE.used_ms
    earlier = (other for other in scene.events if since <= other.end_ms < scene.action_ms)
    specks = (one for one in earlier if np.count_nonzero(one.part) <= RULE.speck_blocks and is_at(one, event))
    return sum(len(one.pictures) for one in specks) >= RULE.flickers


def _is_finer(step: Step, scene: Scene) -> bool:
    """Return whether an encoder of few bits draws finer what had come to rest."""
    return step.picture in scene.refined


def _is_cursor(step: Step, scene: Scene) -> bool:
    """Return whether a mouse cursor accounts for the step: where it comes to, and what it uncovers."""
    return scene.pointer.explains(step.picture, step.blocks)


def _is_passed(step: Step, scene: Scene) -> bool:
    """Return whether the step lights something up, or lets it go out, as a mouse cursor comes over it or leaves."""
    return scene.pointer.passes(step.picture, step.blocks)


def _is_trace(step: Step, scene: Scene) -> bool:
    """Return whether the step is what little is left of a mouse cursor, with its own."""
    trace = scene.traces.get(step.picture)
    return trace is not None and scene.pointer.explains_rest(step.picture, step.blocks & ~trace)


def _is_stale(step: Step, scene: Scene) -> bool:
    """Return whether the step draws what the encoder had left behind, and nothing else but a cursor."""
    stale = scene.stale.get(step.picture)
    return stale is not None and scene.pointer.explains_rest(step.picture, step.blocks & ~stale)


# Two steps a second apart may be two answers: where there is no other, what these leave out is the answer.
IF_OTHERS = ("mark", "seconds", "hover", "anew", "flickers", "faint", "unseen", "left_over")
RULES = (
    Rule("moved_before", "already changing before the action", ("response",), area=_moved_before, sure=True),
    Rule(
        "at_once",
        "had begun before the action, and goes on sooner than any screen answers",
        ("response",),
        holds=_goes_on_at_once,
        sure=True,
    ),
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
    Rule("trace", "little, beside a mouse cursor that moves, when all else rests", ("finish",), holds=_is_trace),
    Rule("seconds", "goes on from second to second", BOTH, accounts=_from_second_to_second),
    Rule("lamp", "pulses in the system's bars, as before the action", BOTH, area=_lamps, holds=_is_lamp),
    Rule("bars", "in the system's bars, where something changes when all else rests", BOTH, area=_changes_in_bars),
    Rule("edge", "a little change alone in the system's bars", BOTH, accounts=edges.alone_at_edge),
    Rule("spot", "a spot in the system's bars, before the answer", ("response",), accounts=edges.spot_in_bars),
    Rule("spot_after", "a spot in the system's bars, after the answer", ("finish",), accounts=edges.spot_after),
    Rule("again", "a little thing alone, which had changed before the action", ("finish",), accounts=_comes_again),
    Rule(
        "aside",
        "a little thing alone at the screen's edge, as a recorder's button",
        ("finish",),
        accounts=edges.slips_aside,
    ),
    Rule(
        "scrollbar",
        "a scroll bar that was there before the action goes",
        ("finish",),
        accounts=edges.scrollbar_goes,
    ),
    Rule(
        "mark",
        "shows where the user acts, as a touch dot does, or goes as it came",
        BOTH,
        holds=_marks_the_action,
    ),
    Rule(
        "first",
        "the first picture, which the encoder still sharpens",
        ("response",),
        holds=coding.sharpens_the_first,
    ),
    Rule(
        "stirs",
        "as faint as what stirs by itself before the action",
        ("response",),
        holds=coding.stirs_as_before,
        sure=True,
    ),
    Rule("flickers", "a speck where one had flickered before the action", BOTH, accounts=_flickers),
    Rule("speck", "a speck, half a second after all else", ("finish",), accounts=_is_speck),
    Rule("faint", "too faint to be seen", ("response",), accounts=coding.faint, sure=True),
    Rule("unseen", "too faint to be seen, when all else rests", ("finish",), accounts=coding.unseen, sure=True),
    Rule("left_over", "what is left of it is too faint to be seen", BOTH, holds=coding.left_over, sure=True),
    Rule(
        "astray",
        "a level or two, not the way its place went: the encoder's correction",
        ("finish",),
        holds=coding.astray,
    ),
    Rule("correction", "the encoder's correction of a motion", ("finish",), holds=coding.corrects),
    Rule("finer", "drawn finer by the encoder when all rests", ("finish",), holds=_is_finer),
    Rule("stale", "a piece that the encoder had left behind", ("finish",), holds=_is_stale),
    Rule("dither", "noise that goes on to the end", ("finish",), area=_dithering, holds=coding.dithers),
    Rule("anew", "all of the picture stirs a little: the encoder codes it anew", BOTH, holds=coding.coded_anew),
    Rule("restored", "a key frame disturbs it, and the next pictures bring it back", BOTH, holds=coding.restored),
    Rule("refreshed", "no more than what the encoder refines all over the picture", BOTH, holds=coding.refreshed),
)
REASONS = {rule.key: rule.reason for rule in RULES}
