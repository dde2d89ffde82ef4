"""The driver: its calls come from one thread, and what they ask for is done in the loop of the device."""

from __future__ import annotations

import tarfile
import tempfile
import zipfile
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from playwright.async_api import Browser, CDPSession, Playwright, async_playwright
from playwright.async_api import Error as PlaywrightError

from upreg_recorder.drivers.chromium import host, npm
from upreg_recorder.drivers.chromium.filming import REFRESH_HZ, write_video
from upreg_recorder.drivers.chromium.looping import Loop
from upreg_recorder.drivers.chromium.options import Phone, Web
from upreg_recorder.drivers.chromium.serving import Sites
from upreg_recorder.drivers.chromium.starting import executable, process_of, start
from upreg_recorder.drivers.chromium.trial import Addresses, Filmed, Trial
from upreg_recorder.drivers.contract import Beside, Driver, Facts, Take, Vitals
from upreg_recorder.failures import DeviceGoneError, RecorderError, SettledTrialError, TrialError
from upreg_recorder.plans.model import App, Device, Interaction, Step
from upreg_recorder.traces import Recording, Sampler, write_trace

ANSWER_S = 60.0  # until a browser that still has not answered is given up, beyond what was asked of it
T = TypeVar("T")


class ChromiumDriver(Driver):
    """A browser with phone emulation; see settings.schema.json for what it can be told."""

    def __init__(self, device: Device, cache: Path) -> None:
        cache.mkdir(parents=True, exist_ok=True)
        self._phone, self._cache = _settings(device), cache
        self._apps: dict[str, tuple[Web, Addresses]] = {}
        self._warm: set[str] = set()
        self._trial: Trial | None = None
        self._sampled: Recording | None = None
        self._playwright: Playwright | None = None
        self._sites: Sites | None = None
        self._unpacked: list[tempfile.TemporaryDirectory[str]] = []
        self._closed = False
        self._loop = Loop(f"chromium {device.name}")
        try:
            own = self._call(self._prepare())
            path = executable(self._phone, cache, own)  # may take minutes: it is fetched the first time
            self._browser, self._session, self._pid = self._call(self._start(path))
        except BaseException:
            self.close()
            raise
        self.facts = self._facts(device)

    def vitals(self) -> Vitals:
        """Return how the host is, once the browser has answered."""
        self._call(self._session.send("Browser.getVersion"))
        return host.vitals(self._cache)

    def install(self, app: App, file: Path | None) -> str:
        """Serve the app: a file is an archive of its site; without one, its settings say where it is."""
        web = Web.of(app, file)
        self._sites = self._sites or Sites()
        folder, version = self._folder(web, file)
        address = f"{self._sites.add(app.package, folder, web.aliases)}{web.path}" if folder else web.url
        home = self._sites.add_home(app.package, app.name, address)
        self._apps[app.package] = web, Addresses(address, home)
        self._warm.discard(app.package)
        return app.version or version

    def make_ready(self, app: App, interaction: Interaction) -> None:
        """Show the home screen in a fresh profile; the first time, the app is opened and closed before."""
        if app.package not in self._apps:
            self.install(app, None)
        self._end_trial()
        if app.package not in self._warm:  # no trial pays for what a browser does when it is new
            self._begin_trial(app)
            self.do(Step("launch"), app)
            self._warm.add(app.package)
            self._end_trial()
        self._begin_trial(app)

    def do(self, step: Step, app: App) -> None:
        """Do a step that is not filmed."""
        trial = self._running()
        with self._ended_if_it_fails():
            self._call(trial.unless_crashed(trial.do(step)), more_s=step.ms / 1000)

    def picture(self) -> bytes:
        """Return the screen as PNG."""
        trial = self._running()
        return self._call(trial.unless_crashed(trial.picture()))

    def film(self, app: App, interaction: Interaction, into: Path) -> Take:
        """Film the action into an MP4 file, while resources are sampled."""
        trial = self._running()
        into.parent.mkdir(parents=True, exist_ok=True)
        sampler = Sampler(self._pid, self._phone.sample_ms) if self._pid and self._phone.sample_ms else None
        if sampler:
            sampler.start()
        seconds = (
            interaction.lead_ms + interaction.watch_ms + interaction.action.ms + self._phone.settle_ms
        ) / 1000
        with self._ended_if_it_fails():
            try:
                filmed = self._call(trial.unless_crashed(trial.film(interaction, into.parent)), more_s=seconds)
            finally:
                self._sampled = sampler.stop() if sampler else None
            if self._sampled:
                self._sampled.mark("first picture", filmed.film.seconds[0])
                self._sampled.mark("action", filmed.action)
            video = into.with_name(f"{into.name}.mp4")
            with filmed.film.file:
                write_video(filmed.film, self._phone, video)
            return self._take(video, filmed, trial)

    def gather(self, into: Path) -> Beside:
        """Write the log of the page since `make_ready`, and the trace of the film; close the page."""
        log = into.with_name(f"{into.name}.log")
        log.write_text("\n".join([*self._running().diary.lines, ""]), encoding="utf-8")
        trace = None
        if self._sampled:
            trace = into.with_name(f"{into.name}.perfetto-trace")
            write_trace(self._sampled, trace)
        self._end_trial()  # its page does not go on while another device films
        return Beside(log, trace)

    def close(self) -> None:
        """End the browser and the server of the apps."""
        if self._closed:
            return
        self._closed = True
        try:
            self._loop.run(self._stop(), ANSWER_S)
        except (PlaywrightError, RecorderError):  # it is gone already
            pass
        finally:
            self._loop.close()
            if self._sites:
                self._sites.close()
            for folder in self._unpacked:
                folder.cleanup()

    def __enter__(self) -> ChromiumDriver:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def _prepare(self) -> str:
        self._playwright = await async_playwright().start()
        return self._playwright.chromium.executable_path

    async def _start(self, path: Path) -> tuple[Browser, CDPSession, int | None]:
        assert self._playwright is not None
        browser = await start(self._playwright, path, self._phone)
        return browser, await browser.new_browser_cdp_session(), await process_of(browser)

    async def _stop(self) -> None:
        if self._playwright:
            await self._playwright.stop()

    def _facts(self, device: Device) -> Facts:
        phone = self._phone
        said = {"browser": phone.browser, "slowdown": f"{phone.slowdown:g}", "scale": f"{phone.scale:g}"}
        model, hertz = "phone emulation {} × {}".format(*phone.pixels), device.refresh_hz or REFRESH_HZ
        if phone.script:
            name, digest = Path(device.settings["script"]).name, sha256(phone.script.encode()).hexdigest()
            said["script"] = f"{name} {digest[:8]}"
        return Facts(model, self._browser.version, hertz, phone.pixels, {**said, **host.facts(), **phone.more})

    def _folder(self, web: Web, file: Path | None) -> tuple[Path | None, str]:
        """Return the folder of an app, if it is one, and its version: of npm, or one that stands for its files."""
        if file is not None:
            self._unpacked.append(tempfile.TemporaryDirectory(prefix="upreg-app-"))
            folder = _unpack(file, Path(self._unpacked[-1].name))
            return folder, _digest(folder)
        if not web.site:
            return None, ""
        if not web.site.startswith(npm.SIGN):
            folder = Path(web.site).expanduser()
            if not folder.is_dir():
                raise SettledTrialError(
                    f"site {web.site!r} is no folder: name a folder of files, or npm:NAME@VERSION"
                )
            return folder, _digest(folder)
        package = web.site.removeprefix(npm.SIGN)
        try:
            return npm.fetch(package, self._cache), npm.name_and_version(package)[1]
        except RecorderError as error:
            raise SettledTrialError(str(error)) from error

    def _begin_trial(self, app: App) -> None:
        web, addresses = self._apps[app.package]
        self._trial = self._call(Trial.begin(self._browser, self._phone, app, web, addresses))

    def _end_trial(self) -> None:
        trial, self._trial = self._trial, None
        if trial:
            self._call(trial.close())

    @contextmanager
    def _ended_if_it_fails(self) -> Iterator[None]:
        """Close the page of a trial that came to nothing: another device may film before this one goes on."""
        try:
            yield
        except BaseException:
            with suppress(RecorderError):
                self._end_trial()
            raise

    def _running(self) -> Trial:
        if self._trial is None:
            raise TrialError("no app is open: make_ready comes first")
        return self._trial

    def _take(self, video: Path, filmed: Filmed, trial: Trial) -> Take:
        x, y = (at * self._phone.scale for at in filmed.finger) if filmed.finger else (None, None)
        return Take(
            video=video,
            action_ms=round((filmed.action - filmed.film.seconds[0]) * 1000, 2),
            uncertain_ms=filmed.uncertain_ms,
            clock=filmed.clock,
            capture="vfr",
            x=x,
            y=y,
            notes=tuple(trial.diary.notes),
        )

    def _call(self, work: Coroutine[Any, Any, T], more_s: float = 0.0) -> T:
        """Return what the loop makes of it; errors of the browser become those that a plan knows."""
        try:
            return self._loop.run(work, ANSWER_S + more_s)
        except PlaywrightError as error:
            said = error.message.strip().splitlines()[0]
            if not self._loop.run(self._alive(), ANSWER_S):
                raise DeviceGoneError(
                    f"the browser has ended ({said}): see whether the host ran out of memory"
                ) from error
            if self._trial:
                self._trial.diary.check()
            raise TrialError(f"the browser could not do it: {said}") from error

    async def _alive(self) -> bool:
        if not hasattr(self, "_browser"):
            return False
        try:
            await self._session.send("Browser.getVersion")
        except PlaywrightError:
            return False
        return True


def _settings(device: Device) -> Phone:
    try:
        return Phone.of(device.settings)
    except RecorderError as error:
        raise DeviceGoneError(f"{device.name}: {error}") from error


def _digest(folder: Path) -> str:
    """Return what stands for the version of an app that has none: other files, another one."""
    digest = sha256()
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            digest.update(f"{file.relative_to(folder)}\0{file.stat().st_size}\0".encode() + file.read_bytes())
    return f"files {digest.hexdigest()[:8]}"


def _unpack(file: Path, into: Path) -> Path:
    """Unpack an app; return the folder with its files, which may be the only entry of the archive."""
    try:
        if zipfile.is_zipfile(file):
            with zipfile.ZipFile(file) as archive:
                archive.extractall(into)
        else:
            with tarfile.open(file) as members:
                members.extractall(into, filter="data")
    except (OSError, zipfile.BadZipFile, tarfile.TarError) as error:
        raise SettledTrialError(
            f"{file.name} cannot be unpacked ({error}): Chromium installs .zip, .tar and .tgz"
        ) from error
    entries = list(into.iterdir())
    return entries[0] if len(entries) == 1 and entries[0].is_dir() else into
