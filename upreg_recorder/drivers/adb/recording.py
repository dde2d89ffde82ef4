"""What films the screen: `screenrecord` on the device, or scrcpy on this host."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import uuid
from pathlib import Path
from typing import Protocol

from adbutils import AdbConnection
from adbutils.errors import AdbError

from upreg_recorder.drivers.adb.clocks import Known, stamp
from upreg_recorder.drivers.adb.link import Link
from upreg_recorder.drivers.adb.settings import DeviceSettings
from upreg_recorder.failures import SettledTrialError, TrialError

LIMIT_S = 180  # of screenrecord
START_S = 10.0  # until the first picture is in the file
STOP_S = 20.0  # until the file is written to its end
LOOK_S = 0.05
FOLDER = "/data/local/tmp"


class Recorder(Protocol):
    """Something that films one action into `file`."""

    file: Path

    def start(self, seconds: float) -> Known:
        """Begin a film of at most so many seconds; return the REALTIME stamps around its first frame."""

    def stop(self) -> float:
        """End the film, bring it here, and return the REALTIME stamp up to which it went on.

        Raises TrialError if it broke off before.
        """

    def give_up(self) -> None:
        """End what runs and delete what it wrote; does nothing if nothing runs."""


class Screenrecord:
    """Films with `screenrecord`: on each Android since 4.4, a frame per change, at most three minutes."""

    def __init__(self, link: Link, settings: DeviceSettings, into: Path) -> None:
        self.link, self.settings = link, settings
        self.file = into.with_name(into.name + ".mp4")
        self.there = f"{FOLDER}/upreg-{uuid.uuid4().hex[:12]}.mp4"
        self.pid = ""
        self.says: AdbConnection | None = None

    def start(self, seconds: float) -> Known:
        """Begin to film, and wait until the file has grown: its first frame is taken by then."""
        if seconds > LIMIT_S:
            cure = "shorten `lead_ms` and `watch_ms`, or set `recorder: scrcpy`"
            raise SettledTrialError(f"screenrecord films {LIMIT_S} s at most, {seconds:.0f} s are wanted: {cure}")
        size = f" --size {self.settings.size}" if self.settings.size else ""
        rate = round(self.settings.bit_rate_mbps * 1_000_000)
        film = f"screenrecord --bit-rate {rate}{size} --time-limit {LIMIT_S} {self.there}"
        before = self.link.sh("echo $EPOCHREALTIME")
        self.says = self.link.stream(f"sh -c 'echo $$; exec {film}'; echo upreg-exit:$?")
        self.pid = _line(self.says)
        if not self.pid.isdigit():
            self.link.sh("true")  # raises if it is the device that is gone
            raise TrialError(f"{self.link.serial}: screenrecord does not start: {self.pid or 'it says nothing'}")
        more = f"[ ! -s {self.there} ] && [ -d /proc/{self.pid} ] && [ $n -lt {int(START_S / LOOK_S)} ]"
        wait = f"n=0; while {more}; do sleep {LOOK_S}; n=$((n+1)); done"
        after = self.link.sh(f"{wait}; [ -s {self.there} ] && echo $EPOCHREALTIME")
        if not after:
            self.link.sh(f"kill -INT {self.pid}")
            said, self.pid = self._ended(), ""
            raise TrialError(f"{self.link.serial}: screenrecord writes nothing: {said or 'is the screen on?'}")
        return Known(stamp(before), stamp(after))

    def stop(self) -> float:
        """End the film as Ctrl-C does, wait until it is written, and fetch it."""
        link = self.link
        until = stamp(link.sh("echo $EPOCHREALTIME"))
        said, code = link.run(f"kill -INT {self.pid}")
        if code:
            why = self._ended() or said
            self.give_up()
            raise TrialError(
                f"{link.serial}: screenrecord ended before the action was filmed: {why}; is storage full?"
            )
        self._ended()
        self.pid = ""
        link.pull(self.there, self.file)
        link.remove(self.there)
        return until

    def give_up(self) -> None:
        """End screenrecord and delete its file on the device."""
        if self.says is not None:
            self.says.close()
            self.says = None
        pid, self.pid = self.pid, ""
        if pid:
            self.link.sh(f"kill -INT {pid}; sleep {LOOK_S}; kill -KILL {pid}")
        self.link.remove(self.there)

    def _ended(self) -> str:
        """Wait until screenrecord has ended; return what it said."""
        if self.says is None:
            return ""
        self.says.conn.settimeout(STOP_S)
        try:
            said = str(self.says.read_until_close())
        except (AdbError, OSError) as error:
            raise TrialError(f"{self.link.serial}: screenrecord does not end: restart the device") from error
        finally:
            self.says.close()
            self.says = None
        if "upreg-exit" not in said:
            self.link.sh("true")  # raises if it is the device that is gone
        return " ".join(line for line in said.split("\n") if line and "upreg-exit" not in line).strip()


class Scrcpy:
    """Films with scrcpy where this host has it: no limit of time, but nothing tells when a frame was taken."""

    def __init__(self, link: Link, settings: DeviceSettings, into: Path) -> None:
        self.link, self.settings = link, settings
        self.file = into.with_name(into.name + ".mp4")
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, seconds: float) -> Known:
        """Begin to film, and wait until the file is there: scrcpy makes it when the first frame has come."""
        before = self.link.sh("echo $EPOCHREALTIME")
        server = f"tcp:{self.settings.host}:{self.settings.port}"
        self.process = subprocess.Popen(
            self._command(),
            env={**os.environ, "ADB_SERVER_SOCKET": server},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        waited = 0.0
        while not (self.file.is_file() and self.file.stat().st_size) and waited < START_S:
            if self.process.poll() is not None:
                raise TrialError(f"{self.link.serial}: scrcpy ended at once: {self._error()}")
            self.link.pace.sleep(LOOK_S)
            waited += LOOK_S
        if waited >= START_S:
            self.give_up()
            raise TrialError(f"{self.link.serial}: scrcpy writes nothing: is the screen on?")
        return Known(stamp(before), stamp(self.link.sh("echo $EPOCHREALTIME")))

    def stop(self) -> float:
        """End scrcpy as Ctrl-C does; it writes the file to its end."""
        process, until = self.process, stamp(self.link.sh("echo $EPOCHREALTIME"))
        if process is None or process.poll() is not None:
            raise TrialError(f"{self.link.serial}: scrcpy ended before the action was filmed: {self._error()}")
        process.send_signal(signal.SIGINT)
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired as error:
            self.give_up()
            raise TrialError(f"{self.link.serial}: scrcpy does not end: restart the device") from error
        self._error()
        self.process = None
        return until

    def give_up(self) -> None:
        """End scrcpy and delete its file."""
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._error()
        self.process = None
        self.file.unlink(missing_ok=True)

    def _command(self) -> list[str]:
        program = scrcpy_program()
        rate = f"--video-bit-rate={round(self.settings.bit_rate_mbps * 1_000_000)}"
        quiet = ["--no-playback", "--no-window", "--no-audio", "--no-control"]
        longest = [f"--max-size={max(map(int, self.settings.size.split('x')))}"] if self.settings.size else []
        return [program, "--serial", self.link.serial, *quiet, rate, *longest, f"--record={self.file}"]

    def _error(self) -> str:
        """Return what scrcpy said last, and close its pipe."""
        if self.process is None or self.process.stderr is None or self.process.stderr.closed:
            return ""
        with self.process.stderr as pipe:
            lines = pipe.read().decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else "it says nothing"


def scrcpy_program() -> str:
    """Return where scrcpy is on this host; raises SettledTrialError where it is not."""
    program = shutil.which("scrcpy")
    if program is None:
        cure = "install scrcpy 2.1 or later, or set `recorder: screenrecord`"
        raise SettledTrialError(f"this host has no scrcpy: {cure}")
    return program


def recorder_of(link: Link, settings: DeviceSettings, into: Path) -> Recorder:
    """Return the recorder that the settings name."""
    return Scrcpy(link, settings, into) if settings.recorder == "scrcpy" else Screenrecord(link, settings, into)


def _line(connection: AdbConnection) -> str:
    """Return the first line that a command prints."""
    said = b""
    connection.conn.settimeout(START_S)
    try:
        while not said.endswith(b"\n") and (byte := connection.recv(1)):
            said += byte
    except (AdbError, OSError) as error:
        raise TrialError("the device does not answer: restart it") from error
    return said.decode(errors="replace").strip()
