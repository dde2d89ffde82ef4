"""Trials: which are in a plan, in which order they are done, and which devices take turns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from upreg_recorder.plans.model import App, Device, Interaction, Plan

SHARED = frozenset({"chromium"})  # drivers whose devices run on the host itself: they share its processor


@dataclass(frozen=True)
class Trial:
    """One recording that is to be made."""

    device: Device
    app: App
    interaction: Interaction
    repetition: int

    @property
    def key(self) -> str:
        """What the journal calls it: the same trial has the same key however often the plan is recorded."""
        return "/".join([self.device.name, self.app.package, self.interaction.name, str(self.repetition)])

    @property
    def of(self) -> str:
        """The same without the repetition: runs of it begin with the same picture."""
        return self.key.rpartition("/")[0]

    def __str__(self) -> str:
        """Say which it is, as messages do."""
        return f"{self.app.name} · {self.interaction.name} · {self.device.name} · {self.repetition}"


Accepts = Callable[[Device, App, Interaction], bool]


def all_trials(plan: Plan, accepts: Accepts = lambda device, app, interaction: True) -> list[Trial]:
    """Return every trial of a plan that is accepted.

    Two devices of one model on one OS version count on: the first records 1 to n, the second n + 1 to 2n, so that
    no two runs of theirs are the same repetition.
    """
    return [
        Trial(device, app, interaction, first + number)
        for device, first in zip(plan.devices, _firsts(plan), strict=True)
        for app in plan.apps
        for interaction in app.interactions
        for number in range(plan.repetitions)
        if accepts(device, app, interaction)
    ]


def lane_of(device: Device) -> str:
    """Return the lane of a device: that of the plan, else its model; devices that share a host share its lane."""
    return device.lane or (device.driver if device.driver in SHARED else device.model) or device.driver


def lanes(trials: Iterable[Trial]) -> dict[str, list[Trial]]:
    """Return what each lane does, in its order.

    The devices of a lane take turns trial by trial, forwards and then backwards (A B B A), so that heat, a server
    that gets slower and the hour hit all of them alike. So does each interaction by itself: who begins one
    repetition ends the next.
    """
    found: dict[str, list[Trial]] = {}
    for trial in trials:
        found.setdefault(lane_of(trial.device), []).append(trial)
    return {lane: _in_turns(own) for lane, own in found.items()}


def _in_turns(trials: Sequence[Trial]) -> list[Trial]:
    """Order by repetition as each device counts, then by interaction; every second turn goes backwards."""
    devices = list(dict.fromkeys(trial.device.name for trial in trials))
    scripts = {script: number for number, script in enumerate(dict.fromkeys(map(_script, trials)))}
    turns: dict[tuple[int, int], list[Trial]] = {}
    done: dict[str, int] = {}
    for trial in sorted(trials, key=lambda each: each.repetition):
        turns.setdefault((done.get(trial.of, 0), scripts[_script(trial)]), []).append(trial)
        done[trial.of] = done.get(trial.of, 0) + 1
    ordered: list[Trial] = []
    for place in sorted(turns):
        turn = sorted(turns[place], key=lambda each: devices.index(each.device.name))
        ordered += turn if sum(place) % 2 == 0 else reversed(turn)
    return ordered


def _script(trial: Trial) -> tuple[str, str]:
    return trial.app.package, trial.interaction.name


def _firsts(plan: Plan) -> list[int]:
    seen: dict[tuple[str, str], int] = {}
    firsts = []
    for device in plan.devices:
        alike = (device.os_version, device.model)
        firsts.append(seen.get(alike, 0) * plan.repetitions + 1)
        seen[alike] = seen.get(alike, 0) + 1
    return firsts
