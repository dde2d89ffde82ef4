"""How a person sees a recording go on: bars with the time left on a terminal, plain lines in a log."""

from __future__ import annotations

import json
import threading
import time
import unicodedata
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TaskID, TextColumn

from upreg_recorder.delivering.folder import Row
from upreg_recorder.delivering.pushing import Pushed
from upreg_recorder.delivering.rows import Recording
from upreg_recorder.drivers.contract import Facts, Vitals
from upreg_recorder.engine.lanes import Outcome
from upreg_recorder.plans.model import Device, Plan
from upreg_recorder.plans.trials import Trial

OVERHEAD_S = 12.0  # of one trial beside its film: closing, restoring, opening, steps, gathering
WAIT_SHARE = 0.5  # a step that waits until something is seen is done before its time
MB_PER_S = 0.5  # of film, and what lies beside it: 4 Mbit/s
SHOWN = 20
_HIDES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def harmless(text: str) -> str:
    """Return a text with a sign in the place of what steers a terminal or moves other characters."""
    return "".join(
        "\ufffd" if unicodedata.category(sign) in _HIDES and sign not in "\n\u200c\u200d" else sign for sign in text
    )


class Show:
    """Shows lanes; `tell` is for whatever else a person must know. Used by several threads."""

    def __init__(self, lanes: Mapping[str, Sequence[Trial]]) -> None:
        self._console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
        words = [TextColumn(f"{{task.fields[{name}]}}", markup=False) for name in ("lane", "left", "now")]
        columns: tuple[ProgressColumn, ...] = (words[0], BarColumn(), MofNCompleteColumn(), *words[1:])
        self._bars = self._console.is_terminal
        self._progress = Progress(*columns, console=self._console, disable=not self._bars)
        self._lock, self._began = threading.Lock(), time.monotonic()
        self._tasks: dict[str, TaskID] = {}
        self._done: dict[str, int] = dict.fromkeys(lanes, 0)
        self._trials = {lane: len(trials) for lane, trials in lanes.items()}
        guess = {lane: sum(map(seconds_of, trials)) for lane, trials in lanes.items()}
        for lane, trials in lanes.items():
            left = _time_left(guess[lane])
            self._tasks[lane] = self._progress.add_task(
                "", total=len(trials), lane=harmless(lane), left=left, now=""
            )

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def tell(self, words: str) -> None:
        """Tell something, above the bars."""
        with self._lock:
            self._progress.console.print(harmless(words))

    def trying(self, lane: str, trial: Trial) -> None:
        """Show which trial is at work."""
        self._progress.update(self._tasks[lane], now=harmless(str(trial)))

    def again(self, lane: str, trial: Trial, reason: str) -> None:
        """Tell that a trial failed and is tried again."""
        self.tell(f"{trial}: {reason}; it is tried again")

    def recorded(self, lane: str, recording: Recording, row: Row) -> None:
        """Count a recording; say it in a log."""
        left = self._count(lane)
        flag = f", the screen before the action {recording.start}" if recording.flagged else ""
        if not self._bars or recording.flagged:
            self.tell(f"{self._done[lane]}/{self._trials[lane]} {recording.trial}: {row['video']}{flag}; {left}")

    def failed(self, lane: str, trial: Trial, reasons: Sequence[str]) -> None:
        """Count a trial that is given up, and say why."""
        self._count(lane)
        self.tell(f"{trial} is given up: {reasons[-1]}")

    def gone(self, lane: str, device: Device, reason: str) -> None:
        """Tell that a device is left out from now on."""
        self.tell(f"{device.name} is left out: {reason}")

    def _count(self, lane: str) -> str:
        with self._lock:
            self._done[lane] += 1
            done, trials = self._done[lane], self._trials[lane]
        left = _time_left((time.monotonic() - self._began) / done * (trials - done))
        self._progress.update(self._tasks[lane], advance=1, left=left)
        return left


def seconds_of(trial: Trial) -> float:
    """Return how long a trial takes, guessed from its plan."""
    script = trial.interaction
    waits_ms = sum(step.ms * (WAIT_SHARE if step.target else 1.0) for step in script.prepare if step.kind == "wait")
    return OVERHEAD_S + (waits_ms + script.lead_ms + script.action.ms + script.watch_ms) / 1000


def megabytes_of(trial: Trial) -> float:
    """Return how much room a trial takes, guessed from its plan."""
    return (trial.interaction.lead_ms + trial.interaction.watch_ms) / 1000 * MB_PER_S


def plan_text(plan: Plan, lanes: Mapping[str, Sequence[Trial]]) -> str:
    """Say what a plan will do, for a terminal."""
    trials = [trial for own in lanes.values() for trial in own]
    minutes = max((sum(map(seconds_of, own)) for own in lanes.values()), default=0.0) / 60
    scripts = {(trial.app.package, trial.interaction.name) for trial in trials}
    devices = {trial.device.name: trial.device for trial in trials}.values()
    apps = {trial.app.package: trial.app.name for trial in trials}
    lines = [
        f"{plan.name}: {_count(len(trials), 'trial')}, {_count(len(scripts), 'interaction')} of "
        f"{_count(len(apps), 'app')} ({', '.join(sorted(apps.values()))})",
        f"  about {minutes:.0f} min and {sum(map(megabytes_of, trials)):.0f} MB, "
        f"{_count(len(lanes), 'lane')} side by side",
    ]
    lines += [f"  {device.name}: {device.os_version} by {device.driver}" for device in devices]
    return "\n".join(lines)


def device_text(device: Device, facts: Facts, vitals: Vitals) -> str:
    """Say what a device is and how it is, in one line."""
    size = f"{facts.size[0]}×{facts.size[1]} at {facts.refresh_hz:g} Hz"
    said = [f"{device.name}: {device.os_version} by {device.driver}", facts.model, f"build {facts.os_build}", size]
    if vitals.temperature_c is not None:
        said.append(f"{vitals.temperature_c:g} °C")
    if vitals.battery_pct is not None:
        said.append(f"battery {vitals.battery_pct:g} %")
    if vitals.free_mb is not None:
        said.append(f"{vitals.free_mb:.0f} MB free")
    return ", ".join([*said, *(f"{name} {value}" for name, value in facts.more.items())])


def outcome_text(outcome: Outcome, pushed: Pushed | None) -> str:
    """Say what came of a recording, for a terminal."""
    counts = f"{len(outcome.recorded)} recorded, {len(outcome.failed)} given up, {len(outcome.left)} left"
    lines = [counts + (f": {outcome.stopped}" if outcome.stopped else "")]
    lines += [f"  {name} was left out: {reason}" for name, reason in outcome.gone.items()]
    lines += _some([f"  {trial}: {'; '.join(dict.fromkeys(reasons))}" for trial, reasons in outcome.failed])
    if outcome.flagged:
        lines.append(f"{_count(len(outcome.flagged), 'run')} began from another screen than the first of its kind:")
        lines += _some([f"  {trial}: it {state}" for trial, state in outcome.flagged])
        lines += [f"  most of {of} differ: look whether its first one is the odd one" for of in _odd(outcome)]
    return "\n".join([*lines, *([pushed_text(pushed)] if pushed else [])])


def pushed_text(pushed: Pushed) -> str:
    """Say what is on the server now."""
    counts = ", ".join(f"{count} {kind}" for kind, count in sorted(pushed.counts.items())) or "nothing new"
    lines = [f"on the server: {counts}"]
    lines += _some([f"  {key} was refused: {why}" for key, why in pushed.refused])
    if pushed.waits:
        said = f"{_count(len(pushed.waits), 'run')} not in yet: {pushed.why}"
        lines.append(f"{said} `deliver` brings them in later")
    return "\n".join(lines)


def summary(outcome: Outcome | None, pushed: Pushed | None, manifest: str) -> dict[str, Any]:
    """Return the same for scripts."""
    found: dict[str, Any] = {"manifest": manifest}
    if outcome:
        found |= {
            "recorded": [trial.key for trial in outcome.recorded],
            "failed": [{"trial": trial.key, "reasons": reasons} for trial, reasons in outcome.failed],
            "left": [trial.key for trial in outcome.left],
            "gone": outcome.gone,
            "flagged": [{"trial": trial.key, "start_picture": state} for trial, state in outcome.flagged],
            "stopped": outcome.stopped,
        }
    if pushed:
        refused = [{"trial": key, "because": why} for key, why in pushed.refused]
        found["pushed"] = {**pushed.counts, "refused": refused, "waits": pushed.waits, "why": pushed.why}
    return found


def as_json(found: Mapping[str, Any]) -> str:
    """Return JSON in ASCII: whatever a name holds, a script reads it as it is."""
    return json.dumps(found, indent=1)


def _odd(outcome: Outcome) -> list[str]:
    """Return the interactions of which most runs differ from their first."""
    every: dict[str, int] = {}
    for trial in outcome.recorded:
        every[trial.of] = every.get(trial.of, 0) + 1
    differ: dict[str, int] = {}
    for trial, _ in outcome.flagged:
        differ[trial.of] = differ.get(trial.of, 0) + 1
    return [of for of, count in differ.items() if count > 2 and 2 * count > every.get(of, 0)]


def _some(lines: Sequence[str]) -> list[str]:
    more = len(lines) - SHOWN
    return [*lines[:SHOWN], *([f"  and {more} more: --json names all"] if more > 0 else [])]


def _time_left(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s left"
    minutes = round(seconds / 60)
    return f"{minutes} min left" if minutes < 120 else f"{minutes // 60} h {minutes % 60:02} min left"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
