"""A model phone: clocks, files, settings, apps, screen and films. Only what it does takes time, its own."""

from __future__ import annotations

import io
import re
import stat
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from upreg_recorder.drivers.adb.link import Pace

from . import film
from .shell import Shell

Say = Callable[..., None]
INPUT_MS = 300.0  # from the call of `input` until its event
DUMP_MS = 30.0
SETUP_MS = 400.0  # from the call of screenrecord until its first frame
PACKAGE = "com.example.mail"
ELEMENTS = (
    ("Inbox", "com.example.mail:id/inbox", "", (20, 100, 250, 140)),
    ("", "com.example.mail:id/compose", "Write a message", (200, 500, 260, 560)),
)


@dataclass
class Clock:
    """The time of host and phone, in seconds of the host's day."""

    now_s: float = 1_795_000_000.0

    def pace(self) -> Pace:
        return Pace(lambda: self.now_s, self.wait)

    def wait(self, seconds: float) -> None:
        self.now_s += seconds


class HostClock(Clock):
    """The time of this host, for a phone that is there to be looked at: it takes as long as it says."""

    def __init__(self) -> None:
        pass

    @property
    def now_s(self) -> float:  # type: ignore[override]
        return time.time()

    def wait(self, seconds: float) -> None:
        time.sleep(seconds)


@dataclass
class Event:
    """An event of the input dispatcher, at an instant of MONOTONIC in ms."""

    kind: str
    action: str
    at_ms: float


@dataclass
class Process:
    """Something that runs until it is ended; `finish` writes what it leaves."""

    finish: Callable[[], None]
    ended: threading.Event = field(default_factory=threading.Event)

    def end(self) -> None:
        if not self.ended.is_set():
            self.finish()
            self.ended.set()


class Phone:
    """One phone. What a test changes are plain attributes."""

    def __init__(self, serial: str = "4A101FDJH001", clock: Clock | None = None) -> None:
        self.serial, self.state, self.clock = serial, "device", clock or Clock()
        self.features = "shell_v2,cmd,stat_v2,ls_v2,fixed_push_mkdir"
        self.started_s = self.clock.now_s - 5000.0  # when it was switched on
        self.slept_ms = 1_234_567.0
        self.ahead_ms = 700.0  # its clock before the host's
        self.hz, self.size = 60.0, (270, 600)
        self.answer_ms = film.ANSWER_MS
        self.props = {
            "ro.product.model": "Model 7",
            "ro.product.manufacturer": "Example",
            "ro.build.fingerprint": "example/lynx/lynx:14/UQ1A.240205.002/1:userdebug/dev-keys",
            "ro.build.version.release": "14",
            "ro.build.version.sdk": "34",
            "ro.build.version.security_patch": "2024-02-05",
            "ro.build.type": "userdebug",
        }
        self.settings = {
            ("global", "stay_on_while_plugged_in"): "0",
            ("system", "accelerometer_rotation"): "1",
            ("global", "zen_mode"): "0",
        }
        self.battery_pct, self.full, self.rooted, self.debuggable_app = 80, False, False, False
        self.tells_events, self.tracks, self.blinks, self.has_perfetto = True, ("old", "new"), True, True
        self.files: dict[str, bytes] = {"/proc/version": b"Linux version 6.1\n"}
        self.modes: dict[str, int] = {}
        self.apps = {"com.android.systemui": "14"}
        self.sessions: dict[str, list[int]] = {}
        self.granted: list[tuple[str, str]] = []
        self.events: list[Event] = []
        self.touches_ms: list[float] = []  # BOOTTIME, exactly: the truth
        self.starts_ms: list[float] = []  # BOOTTIME at which apps were asked to start
        self.taps: list[tuple[float, float]] = []
        self.typed: list[str] = []
        self.log: list[tuple[str, float, str]] = []  # buffer, REALTIME ms, line
        self.focus = "com.example.mail/com.example.mail.MainActivity"
        self.elements = list(ELEMENTS)
        self.processes: dict[int, Process] = {}
        self.first_frames_ms: list[float] = []
        self.commands: list[str] = []
        self.gone_at = ""  # what ends the connection for good, as a pattern of a command
        self.fails: dict[str, str] = {}  # what commands say instead, by pattern
        self.breaks_off, self.writes_nothing, self.crash = False, False, ""
        self.clock_step_ms = 0.0  # by which its clock is set during a film
        self._lock = threading.RLock()

    # the clocks, ms
    @property
    def boot_ms(self) -> float:
        return (self.clock.now_s - self.started_s) * 1000

    @property
    def monotonic_ms(self) -> float:
        return self.boot_ms - self.slept_ms

    @property
    def real_ms(self) -> float:
        return self.clock.now_s * 1000 + self.ahead_ms

    def wait_ms(self, ms: float) -> None:
        self.clock.wait(ms / 1000)

    @property
    def alive(self) -> bool:
        return self.state == "device"

    def shell(self, command: str, say: Say) -> int:
        """Run a command as its shell does; return the exit code."""
        self.commands.append(command)
        if self.gone_at and re.search(self.gone_at, command):
            self.vanish()
            return 255
        self.wait_ms(3)
        code = Shell(self, say).run(command)
        self.wait_ms(3)
        return code

    def vanish(self) -> None:
        self.state = "absent"
        for process in list(self.processes.values()):
            process.ended.set()

    def end_all(self) -> None:
        for process in list(self.processes.values()):
            process.ended.set()

    # files
    def read(self, path: str) -> bytes | None:
        return self.files.get(path)

    def names_in(self, path: str) -> list[str]:
        inside = path.rstrip("/") + "/"
        return sorted({name[len(inside) :].split("/")[0] for name in self.files if name.startswith(inside)})

    def kind_and_size(self, path: str) -> tuple[int, int]:
        if path in self.files:
            return self.modes.get(path, stat.S_IFREG | 0o644), len(self.files[path])
        folder = path.rstrip("/") in ("", "/data/local/tmp", "/sdcard") or bool(self.names_in(path))
        return (stat.S_IFDIR | 0o771, 4096) if folder else (0, 0)

    # what happens on it
    def inject(self, kind: str, actions: list[tuple[str, float]]) -> None:
        """Take events in: `input` stamps them with whole ms of MONOTONIC."""
        began = self.monotonic_ms
        for action, after in actions:
            self.events.append(Event(kind, action, float(int(began + after))))
        self.touches_ms.append(self.boot_ms)
        self.wait_ms(actions[-1][1])

    def start_app(self, component: str) -> None:
        package = component.partition("/")[0]
        self.starts_ms.append(self.boot_ms)
        self.wait_ms(4)
        line = f"START u0 {{act=android.intent.action.MAIN cmp={component}}} with LAUNCH_MULTIPLE from uid 2000"
        self.log.append(("system", self.real_ms, f"I ActivityTaskManager: {line}"))
        self.touches_ms.append(self.boot_ms)
        self.focus = component
        if self.crash:
            self.log.append(("events", self.real_ms + 50, f"I am_crash: [4711,0,{package},123,{self.crash}]"))
            self.focus = f"Application Error: {package}"

    def begin_film(self, file: str, size: tuple[int, int]) -> Process:
        """Film until the process is ended, which then writes the file."""
        first = self.boot_ms + SETUP_MS
        self.first_frames_ms.append(first)

        def finish() -> None:
            if self.writes_nothing:
                return
            shown = [touch + self.answer_ms for touch in self.touches_ms if touch > first]
            times = film.frame_times(first, self.boot_ms, shown, self.hz, blinks=self.blinks)
            self.files[file] = film.with_tracks(film.render(times, shown, size), self._tracks(times))

        if not self.writes_nothing:
            self.files[file] = b"\0\0\0\x18ftypmp42"
        return Process(finish)

    def _tracks(self, times: list[float]) -> list[bytes]:
        made = {
            "old": lambda: film.old_track(times),
            "new": lambda: film.new_track(times, self.real_ms - self.boot_ms),
            "first": lambda: film.new_track([time - self.slept_ms for time in times], 0.0, version=1),
        }
        return [made[name]() for name in self.tracks]

    def screenshot(self) -> bytes:
        out = io.BytesIO()
        film.picture(self.size).save(out, "png")
        return out.getvalue()
