"""One film of one action: it is shot, developed, and said when in it the action was."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from upreg_recorder.drivers.adb import happening, tracing
from upreg_recorder.drivers.adb.clocks import Clocks, Known, exactly, read_clocks, stamp
from upreg_recorder.drivers.adb.hands import Deed, fault
from upreg_recorder.drivers.adb.link import Link
from upreg_recorder.drivers.adb.recording import recorder_of
from upreg_recorder.drivers.adb.settings import DeviceSettings
from upreg_recorder.drivers.adb.winscope import Film, hold_last_frame, read_film
from upreg_recorder.drivers.contract import Facts, Take
from upreg_recorder.failures import RecorderError, TrialError
from upreg_recorder.plans.model import App, Interaction

ROOM_S = 15.0  # of a film and its trace, for starting and for `input`
SET_MS = 20.0  # a clock that moved by more was set: a time server that slews moves it by 0.5 ms a second
NO_CHANGE = "the film shows no change after the action"


class Filming:
    """One film. What is asked of the device to place the action is asked after it, so that it disturbs no film."""

    def __init__(self, link: Link, settings: DeviceSettings, facts: Facts, into: Path) -> None:
        self.link, self.settings, self.facts, self.into = link, settings, facts, into
        self.since_s = stamp(link.sh("echo $EPOCHREALTIME")) / 1000
        self.clocks = read_clocks(link)
        self.recorder = recorder_of(link, settings, into)
        self.tracing: tracing.Trace | None = None
        self.trace: Path | None = None
        self.notes: list[str] = []

    def shoot(self, app: App, interaction: Interaction, deed: Deed) -> tuple[Known, Known]:
        """Film; return the REALTIME stamps around the first frame, and those around the command of the action."""
        seconds = (interaction.lead_ms + interaction.watch_ms + deed.step.ms) / 1000 + ROOM_S
        if self.settings.trace:
            self._start_trace(app, seconds)
        first = self.recorder.start(seconds)
        self.link.pace.sleep(interaction.lead_ms / 1000)
        said = self.link.sh(f"echo $EPOCHREALTIME; {deed.command}; echo $EPOCHREALTIME").splitlines()
        self.link.pace.sleep(interaction.watch_ms / 1000)
        failed = fault("\n".join(said)) or ("" if len(said) > 1 else "the device said nothing")
        if failed:
            raise TrialError(f"line {deed.step.line}: {deed.step.kind} failed: {failed}")
        return first, Known(stamp(said[0]), stamp(said[-1]))

    def develop(self, first: Known) -> tuple[Film, Known, str]:
        """End film and trace; return the film, when its first frame was (BOOTTIME, ms), and how that is known.

        Raises TrialError if the device's clock was set meanwhile.
        """
        until = self.clocks.boot_of_real(exactly(self.recorder.stop()))
        film = read_film(self.recorder.file)
        began, clock = _first_frame(film, self.clocks, first)
        hold_last_frame(self.recorder.file, until.minus(began).low)
        if self.tracing is not None:
            try:
                self.trace = self.tracing.stop(self.into)
            except TrialError as error:  # a film without a trace is a film
                self.notes.append(f"no trace: {error}")
            self.tracing = None
        moved = read_clocks(self.link).from_real.minus(self.clocks.from_real)
        if abs(moved.middle) > SET_MS:
            cure = "turn off automatic time on the device, or try again"
            raise TrialError(f"{self.link.serial}: its clock was set while it was filmed: {cure}")
        return film, began, clock

    def take(
        self, app: App, interaction: Interaction, deed: Deed, developed: tuple[Film, Known, str], asked: Known
    ) -> Take:
        """Say when the action was. Raises TrialError if the film does not begin early enough before it."""
        film, began, clock = developed
        when = self._when(app, deed, self.clocks.boot_of_real(asked))
        action = when.at.minus(began)
        if action.high < interaction.lead_ms - 1000 / self.facts.refresh_hz:
            lead = f"{action.middle:.0f} ms before the action, {interaction.lead_ms:.0f} ms are wanted"
            raise TrialError(f"the film is too short, it began {lead}: try again")
        if film.note:
            self.notes.append(film.note)
        if film.times_ms[-1] < action.low:
            self.notes.append(NO_CHANGE)
        return self._said(deed, film, action, f"{when.how}; {clock}")

    def give_up(self) -> None:
        """End what runs, and leave nothing half-written here or there."""
        for running in (self.recorder, self.tracing):
            if running is not None:
                with suppress(RecorderError):
                    running.give_up()
        for ending in (".mp4", ".perfetto-trace"):
            self.into.with_name(self.into.name + ending).unlink(missing_ok=True)

    def _start_trace(self, app: App, seconds: float) -> None:
        trace = tracing.Trace(self.link)
        try:
            trace.start(tracing.config(app.package, seconds, with_input=self.settings.trace_input))
            self.tracing = trace
        except TrialError as error:
            self.notes.append(str(error))

    def _when(self, app: App, deed: Deed, asked: Known) -> happening.When:
        if deed.step.kind == "launch":
            return happening.of_launch(self.link, self.clocks, app.package, asked)
        traced = self.trace.read_bytes() if self.trace is not None and self.settings.trace_input else b""
        return happening.of_input(self.link, self.clocks, deed.step, asked, traced)

    def _said(self, deed: Deed, film: Film, action: Known, clock: str) -> Take:
        """Write the instant down if it is known well enough; else leave it to what the recording shows."""
        good = action.within <= (self.settings.accept_ms or 1000 / self.facts.refresh_hz)
        if not good:
            lies = f"the action lies between {action.low:.0f} ms and {action.high:.0f} ms"
            self.notes.append(f"{lies}: too far apart for a number (`accept_ms`)")
        shown = self.settings.show_touches
        share = [of_film / of_screen for of_film, of_screen in zip(film.size, self.facts.size, strict=True)]
        return Take(
            video=self.recorder.file,
            action_ms=round(max(0.0, action.middle), 3) if good else None,
            uncertain_ms=round(action.within, 3),
            clock=clock,
            capture="vfr",
            x=deed.place[0] * share[0] if deed.place else None,
            y=deed.place[1] * share[1] if deed.place else None,
            show_touches=shown,
            action_from="" if good else "dot" if shown and deed.step.kind in happening.TOUCHES else "any",
            notes=tuple(self.notes),
        )


def _first_frame(film: Film, clocks: Clocks, first: Known) -> tuple[Known, str]:
    """Return when the first frame was taken, BOOTTIME ms, and how it came to be known."""
    told = "the film's own stamps of its frames"
    if film.stamps is not None and not film.stamps.monotonic:
        return exactly(film.stamps.first_ms), told
    if film.stamps is not None and clocks.from_monotonic is not None:
        return clocks.from_monotonic.plus(exactly(film.stamps.first_ms)), told
    return clocks.boot_of_real(first), "the first frame came between the recorder's start and its first bytes"
