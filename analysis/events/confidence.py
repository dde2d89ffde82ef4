"""How sure response and finish are, and what each would be otherwise.

A moment is doubted for one of two causes. Something was *overlooked*: a rule whose evidence is weak left out what
would have been an earlier response, or a later finish. Or something was *mistaken*: what decides is small and away
from the finger, and another change, that nobody could miss, comes later (earlier, for the finish). What differs by
less than a person notices is no other answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from analysis.arrays import Bools
from analysis.events.event import is_at
from analysis.events.faint import FAINT, strongest_of
from analysis.events.gliding import Ending
from analysis.events.judging import Judged
from analysis.events.onset import Onset
from analysis.events.rules import Rule
from analysis.events.scene import Moment, Scene
from analysis.kernels.levels import LEVELS

Word = Literal["certain", "likely", "doubtful"]
WORDS: tuple[Word, ...] = ("certain", "likely", "doubtful")  # by rising doubt


@dataclass(frozen=True, slots=True)
class DoubtLimits:
    """When another answer matters, and which evidence for a moment is weak."""

    response_ms: float = 50.0  # what people notice of a response, and of a finish: as the thresholds of a policy
    finish_ms: float = 100.0
    small: float = 0.01  # of the screen: carets, arrows, digits and badges stay below, pages and dialogs above
    spots: int = 2  # blocks: what the encoder's rounding may lift over the limit by chance
    faint: float = 2.0  # times the limit of a single block, which noise passes once in a while
    steps: int = 2  # pictures: what goes on by itself shows more
    looked_at: int = 16  # of the outermost changes that a motion explains: a game has thousands
    narrow_blocks: int = 2  # the width of a caret, wherever it lies in the grid
    late_ms: float = 250.0  # of rest before it: parts of one answer follow each other sooner
    slight_ms: float = 150.0  # of rest before what is faint: a fade goes on sooner
    long_after_ms: float = 1000.0  # likewise, however large: content loads so late, and slides change by themselves
    steady_ms: float = 500.0  # before the end, in which what goes on changes about as much in each picture
    steady_pictures: int = 8  # so many at least
    as_large: float = 0.5  # of the last step is the next, where what decided goes on to the end
    outgrown: float = 3.0  # times as many blocks as then: an answer that ends over it
    tails_off: float = 0.5  # of its largest step is the last of what comes to rest as the recording ends


DOUBT = DoubtLimits()
MOTION = ("moved_before", "goes_on")  # rules that say that an area is in motion
OF_THE_SCREEN = "what decided is small, and away from the finger"
SPOTS = "what decided is no more than one or two spots of a few pixels"
HARDLY = "what decided is hardly stronger than the recording's noise"
IN_BARS = "what decided is small, and in the system's bars"
NARROW = "what decided is as narrow as a caret"
LATE = "what decided is small, away from the finger, and came when all else had come to rest"
LONG_AFTER = "what decided came when all else had been at rest for a second"
MOVED = "what decided lies where something had moved by itself before the action"
SLIGHT = "what decided is faint, and came after a rest"
ENDS = "the recording ends with what decided, which may have gone on"
GOES_ON = "what decided goes on to the end, nearly as large"
MOVES = "the recording ends in the middle of what decided: record longer"
AGAIN = "what decided is small, where something small had changed before"
WENT_ON = "something large that began after the action goes on to the end, and was left out"
TAILED_OFF = "something large that began after the action was left out, and comes to rest as the recording ends"
TURNED_INTO = "what goes on to the end came with the answer, and changed more until then"
FAINTLY = "what decided began so faintly that it may have begun later"
POINTED = "Android's Pointer location shows there that a finger is put down: if that is the action, set it there"
GLIDED = "what decided went on at last by parts of a pixel or a few levels, so it may be taken to rest earlier"


@dataclass(frozen=True, slots=True)
class Other:
    """What else the moment may be: a picture, and what is weak about the one that was taken, or why it was left."""

    picture: int
    reason: str


@dataclass(frozen=True, slots=True)
class Confidence:
    """A word for how sure a moment is; `certain` has no other candidate."""

    word: Word = "certain"
    other: Other | None = None


CERTAIN = Confidence()


def confidence_of(scene: Scene, judged: Sequence[Judged], moment: Moment, chosen: int) -> Confidence:
    """Return how sure it is that the picture `chosen` is this moment; the gravest doubt is the one told."""
    doubts = [*_overlooked(scene, judged, moment, chosen), *_mistaken(scene, judged, moment, chosen)]
    if moment == "finish":
        later = _last_outgrown(scene, judged)
        if later is not None and _beyond(scene, "finish", later, chosen):
            doubts.append(Confidence("likely", Other(later, TURNED_INTO)))
        doubts.extend(_went_on(scene, judged, chosen))
    return max(doubts, key=lambda doubt: WORDS.index(doubt.word), default=CERTAIN)


def response_confidence(scene: Scene, judged: Sequence[Judged], onset: Onset) -> Confidence:
    """Return the same for the response, which was looked for before the picture in which it was found."""
    late = scene.crosshair.late
    if late is not None and late.picture == onset.picture:
        after = next(picture for picture in scene.changes.changed_pictures() if picture > late.picture)
        return Confidence("doubtful", Other(after, POINTED))
    sure = confidence_of(scene, judged, "response", onset.picture)
    found = min(picture for event in judged if (picture := event.counting("response")) is not None)
    if sure.word == "certain" and _beyond(scene, "response", onset.picture, found):
        return Confidence("likely", Other(found, FAINTLY))
    return sure


def finish_confidence(scene: Scene, judged: Sequence[Judged], ending: Ending) -> Confidence:
    """Return the same for the finish, which may lie behind the last picture in which a step was visible."""
    sure = confidence_of(scene, judged, "finish", ending.visible)
    if sure.word == "certain" and _beyond(scene, "finish", ending.picture, ending.visible):
        return Confidence("likely", Other(ending.visible, GLIDED))
    return sure


def _overlooked(scene: Scene, judged: Sequence[Judged], moment: Moment, chosen: int) -> Iterator[Confidence]:
    """Yield the outermost change that an unsure rule left out: a small one is likely what the rule takes it for."""
    found = [
        (picture, rule, event)
        for event in judged
        for picture, rule in zip(event.pictures, event.left_out[moment], strict=True)
        if rule is not None and _beyond(scene, moment, picture, chosen)
    ]
    found.sort(key=lambda it: it[0], reverse=moment == "finish")
    unsure = [it for it in found if not it[1].sure]
    steps = (it for it in found[: DOUBT.looked_at] if it[1].key in MOTION and _one_step(it[2], judged))
    large = [it for it in unsure if _size(scene, it[2], it[0]) > DOUBT.small]
    large += [it for it in steps if _size(scene, it[2], it[0]) > DOUBT.small]
    left_out: dict[Word, list[tuple[int, Rule, Judged]]] = {"doubtful": large, "likely": unsure}
    for word, left in left_out.items():
        if left:
            picture, rule, _ = left[0]
            yield Confidence(word, Other(picture, f"this was left out: {rule.reason}"))


def _last_outgrown(scene: Scene, judged: Sequence[Judged]) -> int | None:
    """Return the last picture in which what goes on to the end changes far more than it does at the end.

    A button that turns into a spinner fades in while that turns already. What went on before the action is none.
    """
    end_ms, area = float(scene.recording.time_ms[-1]), scene.background.near_end & ~scene.background.near_before
    left = {picture for event in judged for picture in event.pictures_left_by("goes_on", "finish")}
    counts = {picture: np.count_nonzero(scene.changes.blocks(picture) & area) for picture in sorted(left)}
    steady = [count for at, count in counts.items() if scene.times_ms[at] >= end_ms - DOUBT.steady_ms]
    if len(steady) < DOUBT.steady_pictures or max(steady) >= DOUBT.outgrown * np.median(steady):
        return None
    return max((at for at, count in counts.items() if count >= DOUBT.outgrown * np.median(steady)), default=None)


def _went_on(scene: Scene, judged: Sequence[Judged], chosen: int) -> Iterator[Confidence]:
    """Yield the last picture of what goes on to the end, if that is large and the action began it.

    A video that plays goes on as large; a list that is flung, or a page that grows, slows down and comes to rest.
    """
    since_ms = float(scene.recording.time_ms[-1]) - DOUBT.steady_ms
    sizes: dict[int, float] = {}
    for one in (one for one in judged if one.event.start_ms >= scene.action_ms):
        for picture in one.pictures_left_by("goes_on", "finish"):
            if scene.times_ms[picture] >= since_ms and _beyond(scene, "finish", picture, chosen):
                sizes[picture] = max(sizes.get(picture, 0.0), _size(scene, one, picture))
    if max(sizes.values(), default=0.0) <= DOUBT.small:
        return
    tails_off = sizes[max(sizes)] <= DOUBT.tails_off * max(sizes.values())
    reason = TAILED_OFF if tails_off else WENT_ON
    yield Confidence("doubtful" if tails_off else "likely", Other(max(sizes), reason))


def _one_step(step: Judged, judged: Sequence[Judged]) -> bool:
    """Return whether what a rule takes for a motion is next to none after the action: a step or two, then rest."""
    there = (other for other in judged if other is step or is_at(other.event, step.event))
    return sum(len(other.pictures) for other in there) <= DOUBT.steps


def _mistaken(scene: Scene, judged: Sequence[Judged], moment: Moment, chosen: int) -> Iterator[Confidence]:
    """Yield the first change that nobody could miss (the last, for the finish), where less decided."""
    first = min if moment == "response" else max
    counting = [(picture, event) for event in judged if (picture := event.counting(moment)) is not None]
    if not counting:
        return
    outermost = first(picture for picture, _ in counting)
    together = [event for picture, event in counting if picture == outermost]
    if moment == "finish":
        yield from _of_its_own(scene, counting, together, chosen)
    if any(_firm(scene, event) for event in together):
        return
    deciding = max(together, key=lambda event: event.event.share)
    weak = _weakness(scene, judged, deciding)
    others = [picture for picture, event in counting if _firm(scene, event)]
    if not others and weak:  # letters after a caret: something small elsewhere
        others = [picture for picture, event in counting if not (event.event.place & deciding.event.place).any()]
    if not others and weak and moment == "finish":  # it changes there again and again: a caret that is hardly seen
        rested_ms = deciding.event.start_ms - DOUBT.late_ms
        earlier = [picture for picture, _ in counting if scene.times_ms[picture] <= rested_ms]
        others = [min(earlier)] if earlier else []
    picture = first(others, default=chosen)
    if moment == "finish" and deciding.event.start_ms - scene.times_ms[picture] >= DOUBT.late_ms:
        weak = weak or LATE
    if _beyond(scene, moment, chosen, picture):
        yield Confidence("doubtful" if weak else "likely", Other(picture, weak or OF_THE_SCREEN))


def _of_its_own(
    scene: Scene, counting: Sequence[tuple[int, Judged]], together: Sequence[Judged], chosen: int
) -> Iterator[Confidence]:
    """Yield the finish of all else, where what decides began long after it, or had moved by itself before."""
    start_ms = min(event.event.start_ms for event in together)
    before = max((p for p, _ in counting if scene.times_ms[p] < start_ms), default=None)
    if before is not None and start_ms - scene.times_ms[before] >= DOUBT.long_after_ms:
        yield Confidence("likely", Other(before, LONG_AFTER))
    earlier = {SLIGHT: _before_slight(scene, counting), ENDS: _before_the_end(scene, counting, chosen)}
    for reason, other in earlier.items():
        if other is not None and _beyond(scene, "finish", chosen, other):
            yield Confidence("likely", Other(other, reason))
    going = [p for event in together for p in event.pictures_left_by("goes_on", "finish") if p > chosen]
    if going and scene.changes.count[min(going)] >= DOUBT.as_large * scene.changes.count[chosen]:
        yield Confidence("doubtful", Other(max(going), GOES_ON))
    if _is_the_last(scene, chosen):
        steps = [p for event in together for p in event.pictures if p < chosen]
        if steps:
            yield Confidence("doubtful", Other(max(steps), MOVES))
    moved = scene.background.near_before
    if any(_last_outside(scene, event, moved) == chosen for event in together):
        return
    elsewhere = [_last_outside(scene, event, moved) for _, event in counting]
    inner = max((picture for picture in elsewhere if picture is not None), default=chosen)
    if _beyond(scene, "finish", chosen, inner):
        yield Confidence("likely", Other(inner, MOVED))


def _before_slight(scene: Scene, counting: Sequence[tuple[int, Judged]]) -> int | None:
    """Return the last picture that changes something clearly, if all that follows is faint, after a rest."""
    later: int | None = None
    for picture in _pictures(counting)[: DOUBT.looked_at]:
        blocks = [one.event.blocks(scene.changes, picture) for last, one in counting if picture <= last]
        changed: Bools = np.any(blocks, axis=0)
        if changed.any() and strongest_of(scene.recording, changed, picture) >= FAINT.correction_levels:
            rest_ms = 0.0 if later is None else scene.times_ms[later] - scene.times_ms[picture]
            return picture if rest_ms >= DOUBT.slight_ms else None
        later = picture
    return None


def _before_the_end(scene: Scene, counting: Sequence[tuple[int, Judged]], chosen: int) -> int | None:
    """Return the last picture with a large change before the one that a recording at a constant rate ends with."""
    if not _is_the_last(scene, chosen):
        return None
    pictures = (picture for picture in _pictures(counting) if picture < chosen)
    return next((p for p in pictures if any(_size(scene, one, p) > DOUBT.small for _, one in counting)), None)


def _is_the_last(scene: Scene, picture: int) -> bool:
    """Return whether a picture is the last frame alone of a recording at a constant rate: none shows it rest."""
    recording = scene.recording
    return not scene.variable_rate and bool(recording.first_frame[picture] == len(recording.time_ms) - 1)


def _pictures(counting: Sequence[tuple[int, Judged]]) -> list[int]:
    """Return the pictures of events up to those that count, the last one first."""
    return sorted({p for last, one in counting for p in one.pictures if p <= last}, reverse=True)


def _last_outside(scene: Scene, judged: Judged, area: Bools) -> int | None:
    """Return the last picture in which an event changes something outside of an area, up to the one that counts."""
    counting = judged.counting("finish")
    pictures = (p for p in reversed(judged.pictures) if counting is not None and p <= counting)
    return next((p for p in pictures if (judged.event.blocks(scene.changes, p) & ~area).any()), None)


def _beyond(scene: Scene, moment: Moment, outer: int, inner: int) -> bool:
    """Return whether `outer` comes before `inner` (after it, for the finish) by more than people notice."""
    apart = float(scene.times_ms[inner] - scene.times_ms[outer])
    return apart > DOUBT.response_ms if moment == "response" else -apart > DOUBT.finish_ms


def _firm(scene: Scene, judged: Judged) -> bool:
    """Return whether nobody could miss an event, or take it for anything but an answer to the finger."""
    event = judged.event
    return event.share > DOUBT.small or scene.under_finger(event)


def _size(scene: Scene, judged: Judged, picture: int) -> float:
    return float(judged.event.blocks(scene.changes, picture).mean())


def _weakness(scene: Scene, judged: Sequence[Judged], deciding: Judged) -> str:
    """Return what is weak about an event that is small; nothing where it is only that."""
    event = deciding.event
    rows, columns = np.flatnonzero(event.part.any(axis=1)), np.flatnonzero(event.part.any(axis=0))
    height, width = (int(found[-1] - found[0]) + 1 for found in (rows, columns))
    if np.count_nonzero(event.part) <= DOUBT.spots:
        return SPOTS
    if not (event.part & ~scene.bars[event.box]).any():
        return IN_BARS
    if width <= DOUBT.narrow_blocks and height > width:
        return NARROW
    earlier = (other for other in scene.events if other.last < event.first and other.share <= DOUBT.small)
    if any(is_at(other, event) for other in earlier):
        return AGAIN
    return HARDLY if _peak(scene, deciding) < DOUBT.faint * scene.changes.limits.isolated else ""


def _peak(scene: Scene, deciding: Judged) -> float:
    """Return the strongest change of a block in all pictures of an event, levels."""
    where = deciding.event.place.ravel()
    strengths = (scene.recording.store.at(picture)[1] for picture in deciding.pictures)
    return max(float(LEVELS[strength[where]].max()) for strength in strengths)
