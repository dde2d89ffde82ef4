"""The Android driver: one device that is open (upreg_recorder.drivers.contract)."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType

from upreg_recorder.drivers.adb import apps, recording, screen, tracing
from upreg_recorder.drivers.adb.clocks import clock_notes, exactly, host_ahead
from upreg_recorder.drivers.adb.facts import facts_of, vitals_of
from upreg_recorder.drivers.adb.filming import Filming
from upreg_recorder.drivers.adb.hands import Hands
from upreg_recorder.drivers.adb.keeping import Keeping, make_alike
from upreg_recorder.drivers.adb.link import Link
from upreg_recorder.drivers.adb.settings import AppSettings, DeviceSettings, settings_of
from upreg_recorder.drivers.contract import Beside, Facts, Take, Vitals
from upreg_recorder.failures import DeviceGoneError, RecorderError, TrialError
from upreg_recorder.plans.model import App, Interaction, Step


class AndroidDriver:
    """One Android device. Made by `open_device`, which calls `begin`."""

    def __init__(self, link: Link, settings: DeviceSettings, cache: Path) -> None:
        self.link, self.settings = link, settings
        self.keeping = Keeping(link, cache)
        self.facts = Facts("", "", 0.0, (0, 0))
        self.hands = Hands(link, settings, (0, 0))
        self._host_ahead = exactly(0.0)
        self._conditioning: list[str] = []
        self._filmed: Filming | None = None
        self._closed = False

    def __enter__(self) -> AndroidDriver:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()

    def begin(self) -> None:
        """Learn who the device is, look at its battery and clock, and make it ready for filming."""
        self.keeping.give_back_left()
        self.link.sh(f"rm -f {recording.FOLDER}/upreg-* {tracing.FOLDER}/upreg-*")  # what a cut left
        facts = facts_of(self.link)
        self._see_fit()
        self._host_ahead = host_ahead(self.link)
        self._conditioning = make_alike(self.keeping, self.settings)
        apart, side = self._host_ahead, "behind" if self._host_ahead.middle > 0 else "ahead of"
        clock = f"{abs(apart.middle):.0f} ± {apart.within:.0f} ms {side} the host's"
        more = {**facts.more, "device_clock": clock}
        if self._conditioning:
            more["conditioning"] = "; ".join(self._conditioning)
        self.facts = replace(facts, more=more)
        self.hands = Hands(self.link, self.settings, facts.size)

    def vitals(self) -> Vitals:
        """Return temperature, battery, free space and clocks; raises DeviceGoneError if the device is gone."""
        return vitals_of(self.link)

    def install(self, app: App, file: Path | None) -> str:
        """Install an app anew from its APK (`splits` beside it), with all permissions that it asks for."""
        return apps.install(self.link, app, settings_of(AppSettings, app.settings), file)

    def make_ready(self, app: App, interaction: Interaction) -> None:
        """Close dialogs, stop the app, restore its data, grant its permissions, and show the home screen.

        Raises DeviceGoneError where battery or storage do not last.
        """
        self._see_fit()
        self.link.sh("input keyevent KEYCODE_WAKEUP; wm dismiss-keyguard")
        for x, y in screen.dismiss_dialogs(self.link):
            self.link.sh(f"input tap {round(x)} {round(y)}")
            self.link.pace.sleep(screen.AGAIN_S)
        apps.make_fresh(self.link, app, settings_of(AppSettings, app.settings), root=self.settings.root)
        self.link.sh("input keyevent KEYCODE_HOME")

    def do(self, step: Step, app: App) -> None:
        """Do a step that is not filmed; raises TrialError if it fails or a dialog comes in the way."""
        self.hands.do(step, app)

    def picture(self) -> bytes:
        """Return the screen as PNG; raises TrialError if the device gives none."""
        png = self.link.picture()
        if not png.startswith(b"\x89PNG"):
            raise TrialError(f"{self.link.serial}: `screencap` gives no picture: is the screen on?")
        return png

    def film(self, app: App, interaction: Interaction, into: Path) -> Take:
        """Film the action; raises TrialError if it cannot be, or the app crashed or asked for a permission."""
        deed = self.hands.deed(interaction.action, app)
        film = self._filmed = Filming(self.link, self.settings, self.facts, into)
        film.notes += clock_notes(self._host_ahead, host_ahead(self.link))
        try:
            first, asked = film.shoot(app, interaction, deed)
            developed = film.develop(first)
            self._see_alive(app, interaction, film.since_s)
            return film.take(app, interaction, deed, developed, asked)
        except BaseException:
            film.give_up()
            raise

    def gather(self, into: Path) -> Beside:
        """Fetch the log since the last film began, and put its trace beside it."""
        film, self._filmed = self._filmed, None
        if film is None:
            return Beside()
        log = into.with_name(into.name + ".log")
        log.write_text(self.link.sh(f"logcat -d -v epoch -T {film.since_s:.3f}") + "\n", encoding="utf-8")
        if film.trace is None:
            return Beside(log)
        return Beside(log, film.trace.replace(into.with_name(into.name + ".perfetto-trace")))

    def close(self) -> None:
        """Give back what was changed. What cannot be given back to a device that is gone is kept for next time."""
        if self._closed:
            return
        self._closed = True
        with suppress(RecorderError):
            self.keeping.give_back()

    def _see_fit(self) -> None:
        """Raise DeviceGoneError if the battery or the storage do not last for a film."""
        vitals, settings = self.vitals(), self.settings
        level, least = vitals.battery_pct, settings.battery_min_pct
        if level is not None and level < least:
            cure = "charge it, or lower `battery_min_pct`"
            raise DeviceGoneError(f"{self.link.serial}: battery at {level:.0f} %, below {least:g} %: {cure}")
        free, wanted = vitals.free_mb, settings.free_min_mb
        if free is not None and free < wanted:
            cure = "delete what it does not need, or lower `free_min_mb`"
            full = f"{self.link.serial} is full: {free:.0f} MB free, {wanted:g} MB wanted"
            raise DeviceGoneError(f"{full}: {cure}")

    def _see_alive(self, app: App, interaction: Interaction, since_s: float) -> None:
        while_filmed = f"line {interaction.action.line}: while {interaction.name} was filmed"
        fell = apps.fell_over(self.link, app.package, since_s)
        if fell:
            raise TrialError(f"{while_filmed}, {fell}")
        self.hands.see_clear(while_filmed)
