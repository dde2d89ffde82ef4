"""Asking the rules: which pictures of which events may decide response and finish, and why the others do not."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from analysis.arrays import Bools
from analysis.events.event import Event
from analysis.events.mark import has_gone
from analysis.events.rules import IF_OTHERS, RULES, Rule
from analysis.events.scene import BOTH, Moment, Scene, Step


@dataclass(frozen=True, slots=True)
class OutgrownLimits:
    """When a change is more than what had moved at its place before."""

    times: float = 3.0  # as many blocks in a picture: what goes on by itself changes about as many each time
    look_back_ms: float = 1000.0  # before the action


OUTGROWN = OutgrownLimits()


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """An event after the action, and which rule left which of its pictures out of a moment: None where none did.

    A response is looked for from the first of its pictures on, a finish from the last one back. Of the pictures
    behind the one that counts no rule is asked: they stand as None as well.
    """

    event: Event
    pictures: tuple[int, ...]
    left_out: dict[Moment, list[Rule | None]]

    def counting(self, moment: Moment) -> int | None:
        """Return the picture that may decide this moment: the first for a response, the last for a finish."""
        counting = [p for p, rule in zip(self.pictures, self.left_out[moment], strict=True) if rule is None]
        return None if not counting else counting[0] if moment == "response" else counting[-1]

    def pictures_left_by(self, key: str, moment: Moment) -> list[int]:
        """Return the pictures that a rule left out of this moment, rising."""
        pairs = zip(self.pictures, self.left_out[moment], strict=True)
        return [picture for picture, rule in pairs if rule is not None and rule.key == key]

    def why_not(self, moment: Moment) -> Rule | None:
        """Return the rule that left out the whole event, None if any picture counts."""
        rules = self.left_out[moment]
        return None if None in rules else rules[-1]


def judge_events(scene: Scene, without: Collection[str] = ()) -> list[Judged]:
    """Return the events after the action with what the rules say of them; `without` names rules to leave off.

    Where nothing answers, what rules left out by weak evidence is the answer, but for a mark that came and went.
    Where still nothing does, it is what is much more than what had moved there before the action.
    """
    judged = apply_rules(scene, without)
    if _answers(judged):
        return judged
    weak = {key for key in IF_OTHERS if key != "mark" or not _comes_and_goes(scene, judged)}
    others = apply_rules(scene, {*without, *weak})
    if _answers(others):
        return others
    return _outgrown(scene, without) or others


def _answers(judged: Sequence[Judged]) -> bool:
    return any(event.counting("response") is not None for event in judged)


def _comes_and_goes(scene: Scene, judged: Sequence[Judged]) -> bool:
    """Return whether the mark of the action is a ring, or had gone without a trace: a button flashes otherwise.

    What is round and stays beside a caret is a letter.
    """
    if scene.mark is None or not (scene.mark.ring or scene.mark.sure):
        return False
    pictures = sorted({picture for event in judged for picture in event.pictures_left_by("mark", "response")})
    if scene.mark.ring:
        return len(pictures) > 1 or not (scene.mark.blocks & scene.background.near_caret).any()
    return len(pictures) > 1 and has_gone(scene.recording, scene.changes, pictures[0], pictures[-1])


def _outgrown(scene: Scene, without: Collection[str]) -> list[Judged]:
    """Return the events anew if one changes much more where something had moved before the action; else nothing.

    What is near to a cursor that stirred just before belongs to its motion only as long as it is about as large.
    """
    area, times = scene.background.before, scene.times_ms
    counts = {
        picture: np.count_nonzero(scene.changes.blocks(picture) & area)
        for picture in scene.changes.changed_pictures()
    }
    since = scene.action_ms - OUTGROWN.look_back_ms
    most = max((count for picture, count in counts.items() if since <= times[picture] < scene.action_ms), default=0)
    after = (picture for picture, count in counts.items() if times[picture] >= scene.action_ms and count)
    first = next((picture for picture in after if counts[picture] >= OUTGROWN.times * most), None)
    if not most or first is None:
        return []
    still = replace(scene, background=replace(scene.background, before=np.zeros_like(area)))
    return apply_rules(still, without, first)


def never_counting(scene: Scene, moment: Moment, without: Collection[str] = ()) -> Bools:
    """Return (rows, columns): where nothing that changes decides a moment; `without` names rules to leave off."""
    none = np.zeros(scene.changes.shape, dtype=bool)
    rules = (rule for rule in RULES if rule.always and moment in rule.of and rule.key not in without)
    areas = [rule.area(scene) for rule in rules if rule.area]
    covered: Bools = np.any([none, *areas], axis=0)
    return covered


def apply_rules(scene: Scene, without: Collection[str] = (), still_until: int = 0) -> list[Judged]:
    """Return the events after the action with what the rules say of them; `without` names rules to leave off.

    What no other rule leaves out before picture `still_until` is taken for what had moved before.
    """
    areas = [(rule, rule.area(scene) if rule.area else None) for rule in RULES if rule.key not in without]
    chosen = [(rule, area) for rule, area in areas if area is None or area.any()]
    judged = []
    for event in scene.events:
        pictures = tuple(event.pictures[scene.times_ms[event.pictures] >= scene.action_ms].tolist())
        if pictures:
            judged.append(Judged(event, pictures, _left_out(event, pictures, scene, chosen, still_until)))
    return judged


def _left_out(
    event: Event,
    pictures: Sequence[int],
    scene: Scene,
    rules: Sequence[tuple[Rule, Bools | None]],
    still_until: int,
) -> dict[Moment, list[Rule | None]]:
    """Return which rule leaves which picture of an event out of a moment, asked until one counts.

    Of an event that lies within the area of a moment's first rule no other is asked: that one is told.
    """
    moved = next(rule for rule in RULES if rule.key == "moved_before")
    left_out: dict[Moment, list[Rule | None]] = {moment: [None] * len(pictures) for moment in BOTH}
    of_event: dict[str, bool] = {}
    of_steps: dict[int, dict[str, bool]] = {}
    for moment, found in left_out.items():
        chosen = [(rule, area) for rule, area in rules if moment in rule.of]
        rule, area = chosen[0]
        if rule.always and area is not None and not (event.part & ~area[event.box]).any():
            found[:] = [rule] * len(pictures)  # as a game, which changes there in thousands of pictures
            continue
        for at in range(len(pictures)) if moment == "response" else range(len(pictures) - 1, -1, -1):
            step = Step(event, pictures[at], event.blocks(scene.changes, pictures[at]))
            found[at] = _explained(step, scene, chosen, of_event, of_steps.setdefault(step.picture, {}))
            if found[at] is None and moment == "response" and step.picture < still_until:
                found[at] = moved
            if found[at] is None:
                break
    return left_out


def _explained(
    step: Step,
    scene: Scene,
    rules: Iterable[tuple[Rule, Bools | None]],
    of_event: dict[str, bool],
    of_step: dict[str, bool],
) -> Rule | None:
    """Return the rule that accounts for the last of the step's blocks, None if some are left.

    `of_event` and `of_step` keep what rules say of the event and of the whole step, by key: they are asked once.
    """
    left = step
    for rule, area in rules:
        if area is not None and not (left.blocks & area).any():
            continue
        if rule.accounts is not None:
            if rule.key not in of_event:
                of_event[rule.key] = rule.accounts(step.event, scene)
            holds = of_event[rule.key]
        elif rule.holds is None:
            holds = True
        elif left is step:
            if rule.key not in of_step:
                of_step[rule.key] = rule.holds(step, scene)
            holds = of_step[rule.key]
        else:
            holds = rule.holds(left, scene)
        if holds:
            left = replace(step, blocks=np.zeros_like(left.blocks) if area is None else left.blocks & ~area)
            if not left.blocks.any():
                return rule
    return None
