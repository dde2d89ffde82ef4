"""What a finger does: targets are found on the screen, and steps become commands."""

from __future__ import annotations

from dataclasses import dataclass, replace

from upreg_recorder.drivers.adb import apps, inputs, screen
from upreg_recorder.drivers.adb.link import Link
from upreg_recorder.drivers.adb.settings import AppSettings, DeviceSettings, settings_of
from upreg_recorder.failures import SettledTrialError, TrialError
from upreg_recorder.plans.model import App, Step, Target

LOOK_AGAIN_S = 0.5
KEYBOARD_S = 1.0  # until the keyboard has come up


@dataclass(frozen=True)
class Deed:
    """A step as it is going to be done: the command, and where the finger goes down, px of the screen."""

    step: Step
    command: str
    place: tuple[float, float] | None = None


class Hands:
    """Does steps on one device, whose screen has `size` px."""

    def __init__(self, link: Link, settings: DeviceSettings, size: tuple[int, int]) -> None:
        self.link, self.settings, self.size = link, settings, size

    def do(self, step: Step, app: App) -> None:
        """Do a step; raises TrialError if it fails, or a dialog comes in the way."""
        if step.kind == "wait" and step.target is None:
            self.link.pace.sleep(step.ms / 1000)
        elif step.kind == "wait":
            self._find(step, step.target, step.ms)
        else:
            said, code = self.link.run(self.deed(step, app).command)
            failed = fault(said) or (f"exit code {code}" if code else "")
            if failed:
                raise TrialError(f"line {step.line}: {step.kind} failed: {failed}")
            self.see_clear(f"line {step.line}: after {step.kind}")

    def see_clear(self, when: str) -> None:
        """Raise TrialError if a dialog is in the way, such as of an app that crashed."""
        what = screen.in_the_way(self.link)
        if what:
            raise TrialError(f"{when}: {what}")

    def deed(self, step: Step, app: App) -> Deed:
        """Say how a step is done. What has to be found or tapped before is: a film shows the action alone."""
        if step.kind in inputs.KEYS:
            return Deed(step, f"input keyevent {inputs.KEYS[step.kind]}")
        if step.kind == "launch":
            return Deed(step, apps.launch_command(self.link, app, settings_of(AppSettings, app.settings)))
        if step.kind == "type":
            return self._typing(step)
        if step.kind == "wait":
            raise SettledTrialError(f"line {step.line}: `wait` is no action that can be filmed: choose another")
        places = self._places(step)
        timed = replace(step, ms=inputs.took_ms(step))
        return Deed(timed, inputs.touch_command(timed, places, self.link), places[0])

    def _typing(self, step: Step) -> Deed:
        command = inputs.text_command(step)
        if step.target is not None:
            x, y = self._find(step, step.target)
            self.link.sh(f"input tap {round(x)} {round(y)}")
            self.link.pace.sleep(KEYBOARD_S)
        return Deed(step, command)

    def _places(self, step: Step) -> list[tuple[float, float]]:
        """Return where the finger goes, px."""
        if step.kind == "tap":
            return [self._find(step, step.target)]
        if step.kind == "scroll":
            where = self._find(step, step.target or Target(at=(0.5, 0.5)))
            return list(inputs.scroll_path(where, step.by, self.size))
        if len(step.path) < 2:
            raise SettledTrialError(f"line {step.line}: {step.kind} needs a path of two places or more")
        width, height = self.size
        return [(x * width, y * height) for x, y in step.path]

    def _find(self, step: Step, target: Target | None, for_ms: float = 0.0) -> tuple[float, float]:
        """Return where a target is, px; raises TrialError if it does not come in `for_ms` (0: as set)."""
        if target is None:
            raise SettledTrialError(f"line {step.line}: {step.kind} needs a target")
        if target.at is not None:
            return target.at[0] * self.size[0], target.at[1] * self.size[1]
        for_ms = for_ms or self.settings.find_ms
        until = self.link.pace.now() + for_ms / 1000
        while True:
            found = screen.matching(screen.look(self.link), target)
            if found is not None:
                return found.middle
            if self.link.pace.now() >= until:
                self.see_clear(f"line {step.line}: {target} is not on the screen")
                cure = "correct the target, or wait longer"
                raise TrialError(f"line {step.line}: {target} is not on the screen after {for_ms:.0f} ms: {cure}")
            self.link.pace.sleep(LOOK_AGAIN_S)


def fault(said: str) -> str:
    """Return what a command of the device complains of; they often end with exit code 0 all the same."""
    wrong = [line.strip() for line in said.splitlines() if "Error:" in line or "Exception" in line]
    return wrong[-1][:200] if wrong else ""
