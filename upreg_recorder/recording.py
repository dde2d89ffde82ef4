"""Record a plan into a folder and bring it to a server: what the commands of the recorder do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from upreg_recorder.delivering.folder import Folder, Row
from upreg_recorder.delivering.pushing import Pushed, Pusher, scope_of
from upreg_recorder.delivering.rows import Recording
from upreg_recorder.drivers.registry import Drivers
from upreg_recorder.engine.lanes import Outcome, Recorder
from upreg_recorder.engine.resuming import resume
from upreg_recorder.failures import RecorderError
from upreg_recorder.plans.model import Plan
from upreg_recorder.plans.selecting import chosen, needed
from upreg_recorder.plans.trials import Trial, all_trials, lanes
from upreg_recorder.showing import Show

DONE, SOME_FAILED, USAGE, SERVER, NOT_ALLOWED, DISK_FULL, INTERRUPTED = 0, 1, 2, 3, 4, 5, 130


@dataclass(frozen=True)
class Wishes:
    """What a command was called with. `push` says whether runs go to the `server` as they are made."""

    only: Sequence[str] = ()
    scope: str = ""
    needs: Path | None = None
    server: str = ""
    push: bool = False
    token: str = ""
    batch: str = ""
    batch_version: str = ""
    keep_open: bool = False
    cache: Path = Path()


class _Watch(Show):
    """Shows lanes, and hands what is recorded to whoever pushes."""

    pusher: Pusher | None = None

    def recorded(self, lane: str, recording: Recording, row: Row) -> None:
        """Show a recording, and have it pushed."""
        super().recorded(lane, recording, row)
        if self.pusher:
            self.pusher.later(recording.trial.key, row)


def chosen_trials(plan: Plan, wishes: Wishes) -> list[Trial]:
    """Return the trials that are wanted; raises RecorderError if none is."""
    scope = scope_of(wishes.scope, wishes.server, wishes.token) if wishes.scope else None
    accepts = chosen(plan, wishes.only, scope)
    if wishes.needs:
        every = needed(plan, wishes.needs)
        found = [trial for trial in every if accepts(trial.device, trial.app, trial.interaction)]
    else:
        found = all_trials(plan, accepts)
    if not found:
        raise RecorderError("nothing is chosen: no interaction of the plan fits all of --only, --scope and --needs")
    return found


def record(
    plan: Plan, trials: Sequence[Trial], folder: Folder, wishes: Wishes, drivers: Drivers
) -> tuple[Outcome, Pushed | None]:
    """Record what is not recorded yet; push it if that is wished."""
    todo = resume(folder, plan, trials)
    left = {trial.key for trial in todo}  # the order is that of the whole plan, wherever it goes on
    every = {lane: [trial for trial in own if trial.key in left] for lane, own in lanes(trials).items()}
    work = {lane: own for lane, own in every.items() if own}
    with _Watch(work) as show, _pusher(folder, wishes, show) or nullcontext() as pusher:
        for words in _before(folder, len(trials) - len(todo)):
            show.tell(words)
        if pusher and wishes.batch:
            pusher.open_batch(wishes.batch_version or newest(trial.device.os_version for trial in trials))
        show.pusher = pusher

        recorder = Recorder(
            folder,
            lambda device: drivers.open_device(device, wishes.cache),
            show,
            tries=plan.tries,
            batch=wishes.batch,
        )
        outcome = recorder.run(work)
        if pusher is None:
            return outcome, None
        pushed = pusher.pushed if outcome.interrupted else pusher.finish()
        pushed.waits = pusher.waiting()
        _complete(pusher, pushed, wishes, show, whole=not (outcome.left or outcome.stopped))
    return outcome, pushed


def deliver(folder: Folder, wishes: Wishes) -> Pushed:
    """Push what a server has not taken yet of the runs of a folder."""
    with Show({}) as show:
        pusher = _pusher(folder, wishes, show)
        if pusher is None:
            raise RecorderError("no server: give --push https://… or set UPREG_SERVER")
        with pusher:
            if wishes.batch:
                versions = [row["os_version"] for row in folder.rows.values()]
                pusher.open_batch(wishes.batch_version or newest(versions))
            pushed = pusher.finish()
            _complete(pusher, pushed, wishes, show, whole=True)
    return pushed


def exit_code_of(outcome: Outcome | None, pushed: Pushed | None) -> int:
    """Return what a command ends with."""
    if outcome and outcome.interrupted:
        return INTERRUPTED
    if outcome and outcome.disk_full:
        return DISK_FULL
    if pushed and pushed.for_good:
        return pushed.code
    if pushed and pushed.waits:
        return SERVER
    wrong = outcome and (outcome.failed or outcome.left or outcome.gone or outcome.stopped)
    return SOME_FAILED if wrong or (pushed and pushed.refused) else DONE


def newest(versions: Iterable[str]) -> str:
    """Return the newest OS version by its name, as the server orders them: 13.0.9 comes before 13.0.13."""

    def order(name: str) -> list[tuple[int, str]]:
        return [(int(part) if part.isdecimal() else -1, part) for part in re.findall(r"\d+|\D+", name)]

    return max(versions, key=order)


def _pusher(folder: Folder, wishes: Wishes, show: Show) -> Pusher | None:
    if not wishes.push:
        return None
    if not wishes.server:
        raise RecorderError("no server: give --push https://… or set UPREG_SERVER")
    return Pusher(folder, wishes.server, wishes.token, wishes.batch, show.tell)


def _before(folder: Folder, done: int) -> list[str]:
    """Say what is there already."""
    said = [f"{done} of the trials are recorded already"] if done else []
    if folder.lost:
        said.append(f"{len(folder.lost)} recordings are gone from {folder.path}: they are recorded again")
    if folder.journal.damaged:
        said.append(
            f"{folder.journal.damaged} lines of the journal cannot be read: what they told of is done again"
        )
    return said


def _complete(pusher: Pusher, pushed: Pushed, wishes: Wishes, show: Show, *, whole: bool) -> None:
    """Say that the batch is whole, if it is."""
    if not wishes.batch or wishes.keep_open:
        return
    if not whole or pushed.waits:
        show.tell(f"batch {wishes.batch} stays open: more comes in")
        return
    try:
        pusher.complete_batch()
        show.tell(f"batch {wishes.batch} is complete: it is compared when all its runs are measured")
    except RecorderError as error:
        pushed.why = f"batch {wishes.batch} is not said to be complete: {error}"
        show.tell(pushed.why)


def cache_of(environment: Mapping[str, str]) -> Path:
    """Return the folder that is kept between plans, for what drivers download."""
    home = environment.get("XDG_CACHE_HOME") or Path(environment.get("HOME") or Path.home()) / ".cache"
    return Path(home) / "upreg-recorder"
