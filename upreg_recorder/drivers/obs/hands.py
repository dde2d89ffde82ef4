"""The Android driver as the hands of a phone that OBS films."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from upreg_recorder.drivers.adb import apps, happening, open_device, tracing
from upreg_recorder.drivers.adb.clocks import Clocks, Known, clock_notes, host_ahead, read_clocks, stamp
from upreg_recorder.drivers.adb.driver import AndroidDriver
from upreg_recorder.drivers.adb.hands import Deed, fault
from upreg_recorder.drivers.contract import Beside, Vitals
from upreg_recorder.drivers.hands import Aim, Hands, Touch
from upreg_recorder.drivers.obs.settings import Settings
from upreg_recorder.failures import RecorderError, TrialError
from upreg_recorder.plans.model import App, Device, Interaction, Step

TRACED_S = 120.0  # a trace ends with its film; this is how long one goes on that a cut left behind


def open_hands(device: Device, settings: Settings, cache: Path) -> Hands:
    """Open the phone by adb; DeviceGoneError if it is not there, or cannot be used."""
    phone = {**settings.phone, "show_touches": settings.marker == "dot"}
    return AdbHands(open_device(replace(device, driver="adb", settings=phone), cache), cache)


class AdbHands:
    """An Android phone that is touched by `input`; what tells the instant is asked of it after the film.

    `cache` holds a trace until it is gathered; `clock` is the host's clock on which instants are told, s.
    """

    def __init__(self, phone: AndroidDriver, cache: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._phone, self._clock = phone, clock
        self._kept = cache / f"trace-{phone.link.serial.replace(':', '-')}"
        self._traced: Path | None = None
        self._deed: Deed | None = None
        self._app: App | None = None
        self._clocks: Clocks | None = None
        self._asked = Known(0.0, 0.0)
        self._trace: tracing.Trace | None = None
        self._notes: list[str] = []
        self._since_s = 0.0
        self.facts = phone.facts

    def vitals(self) -> Vitals:
        """Return how the phone is."""
        return self._phone.vitals()

    def install(self, app: App, file: Path | None) -> str:
        """Install the app anew."""
        return self._phone.install(app, file)

    def make_ready(self, app: App, interaction: Interaction) -> None:
        """Wake the phone and bring the app into the state in which each trial begins."""
        self._phone.make_ready(app, interaction)

    def do(self, step: Step, app: App) -> None:
        """Do a step that is not filmed."""
        self._phone.do(step, app)

    def aim(self, step: Step, app: App) -> Aim:
        """Find the step's target, read the phone's clocks, and begin its trace."""
        self._give_up_trace()
        link, settings = self._phone.link, self._phone.settings
        self._notes = []
        self._deed, self._app = self._phone.hands.deed(step, app), app
        self._since_s = stamp(link.sh("echo $EPOCHREALTIME")) / 1000
        self._clocks = read_clocks(link)
        if settings.trace:
            trace = tracing.Trace(link)
            try:
                trace.start(tracing.config(app.package, TRACED_S, with_input=settings.trace_input))
                self._trace = trace
            except TrialError as error:  # a film without a trace is a film
                self._notes.append(str(error))
        place, (width, height) = self._deed.place, self.facts.size
        return Aim(self._deed.step, (place[0] / width, place[1] / height) if place is not None else None)

    def act(self, aim: Aim, app: App) -> None:
        """Send what was aimed, between two stamps of the phone's shell."""
        assert self._deed is not None
        assert self._clocks is not None
        link, step = self._phone.link, self._deed.step
        said = link.sh(f"echo $EPOCHREALTIME; {self._deed.command}; echo $EPOCHREALTIME").splitlines()
        failed = fault("\n".join(said)) or ("" if len(said) > 1 else "the device said nothing")
        if failed:
            raise TrialError(f"line {step.line}: {step.kind} failed: {failed}")
        asked = Known(stamp(said[0]), stamp(said[-1]))
        self._asked = self._clocks.boot_of_real(asked)

    def when(self) -> Touch:
        """Ask the phone when its input was, and bring that to the host's clock by round trips."""
        assert self._deed is not None
        assert self._clocks is not None
        assert self._app is not None
        link = self._phone.link
        if self._deed.step.kind == "launch":
            when = happening.of_launch(link, self._clocks, self._app.package, self._asked)
        else:
            trace = self._end_trace() if self._phone.settings.trace_input else None
            told = trace.read_bytes() if trace is not None else b""
            when = happening.of_input(link, self._clocks, self._deed.step, self._asked, told)
        ahead = host_ahead(link)
        host_ms = when.at.minus(self._clocks.from_real).plus(ahead)
        host_s = host_ms.middle / 1000 + self._clock() - link.pace.now()
        self._notes += clock_notes(ahead, ahead)
        return Touch(host_s, host_ms.within, when.how)

    def check(self, app: App) -> None:
        """Raise TrialError if the app crashed, hung or asks something."""
        assert self._deed is not None
        line = f"line {self._deed.step.line}: while it was filmed"
        fell = apps.fell_over(self._phone.link, app.package, self._since_s)
        if fell:
            raise TrialError(f"{line}, {fell}")
        self._phone.hands.see_clear(line)

    def gather(self, into: Path) -> Beside:
        """Fetch the log since `aim`, and the trace."""
        log, trace = into.with_name(into.name + ".log"), self._end_trace()
        said = self._phone.link.sh(f"logcat -d -v epoch -T {self._since_s:.3f}")
        log.write_text("".join(f"{line}\n" for line in [*self._notes, said]), encoding="utf-8")
        if trace is None:
            return Beside(log)
        self._traced, there = None, into.with_name(into.name + ".perfetto-trace")
        shutil.move(trace, there)
        return Beside(log, there)

    def close(self) -> None:
        """End the trace, and give the phone back what was changed."""
        self._give_up_trace()
        self._phone.close()

    def _end_trace(self) -> Path | None:
        """End the trace if it runs; return where it lies."""
        running, self._trace = self._trace, None
        if running is not None:
            try:
                self._traced = running.stop(self._kept)
            except TrialError as error:
                self._notes.append(f"no trace: {error}")
        return self._traced

    def _give_up_trace(self) -> None:
        running, self._trace = self._trace, None
        traced, self._traced = self._traced, None
        if traced is not None:
            traced.unlink(missing_ok=True)
        if running is not None:
            with suppress(RecorderError):
                running.give_up()
