"""One device through the adb server: shell commands, files, and what is wrong in plain words."""

from __future__ import annotations

import re
import shlex
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from adbutils import AdbClient, AdbConnection, AdbDevice
from adbutils.errors import AdbError, AdbTimeout

from upreg_recorder.drivers.adb.settings import DeviceSettings
from upreg_recorder.failures import DeviceGoneError, TrialError

COMMAND_S = 60.0  # longer than any command of this driver takes, but for installing
INSTALL_S = 600.0
CONNECT_S = 3.0
HERE = ("127.0.0.1", "localhost", "::1")
USUAL_PORT = 5037
CURES = {
    "offline": "it is plugged in but does not answer: plug it in again, or restart it",
    "unauthorized": "unlock it and allow USB debugging for this host",
    "no permissions": "give this user access to USB devices (udev rules), and restart the adb server",
    "recovery": "it is in recovery: restart it",
    "bootloader": "it is in its bootloader: restart it",
    "sideload": "it waits for an update: restart it",
}
_EXIT = re.compile(r"upreg-exit:(\d+)\s*\Z")
_STATES = re.compile(r"not found|offline|unauthorized|no devices|closed|no such device", re.IGNORECASE)


@dataclass(frozen=True)
class Pace:
    """The host's clock in seconds, and how this driver waits; tests have a clock of their own."""

    now: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep


class _Client(AdbClient):  # type: ignore[misc]
    """adbutils' client, which forgets connections that fail: here they are known, and closed."""

    def __init__(self, host: str, port: int) -> None:
        super().__init__(host, port)
        self.made: list[AdbConnection] = []
        self._version = 0

    def make_connection(self, timeout: float | None = None) -> AdbConnection:
        connection = super().make_connection(timeout)
        self.made = [each for each in self.made if not each.closed]
        self.made.append(connection)
        return connection

    def server_version(self) -> int:
        """Return the protocol's version, which each command asks for: it is asked of the server once."""
        self._version = self._version or int(super().server_version())
        return self._version


class Link:
    """The connection to one device. Every call raises DeviceGoneError if the device is not there any more."""

    def __init__(self, client: _Client, device: AdbDevice, pace: Pace) -> None:
        self.client = client
        self.device = device
        self.pace = pace
        self.serial = str(device.serial)

    def sh(self, command: str, *, timeout_s: float = COMMAND_S) -> str:
        """Run a command of the device's shell; return what it prints, errors too, without the last line end."""
        return self.run(command, timeout_s=timeout_s)[0]

    def run(self, command: str, *, timeout_s: float = COMMAND_S) -> tuple[str, int]:
        """Run a command; return what it prints and its exit code.

        The mark at the end tells a command that ended from a connection that did: both look alike otherwise.
        """
        with self._guarded(command):
            said = str(self.device.shell(f"{command}; echo upreg-exit:$?", timeout=timeout_s))
        found = _EXIT.search(said)
        if found is None:
            raise DeviceGoneError(f"{self.serial} broke off during `{_short(command)}`: plug it in again")
        return said[: found.start()].rstrip(), int(found[1])

    def need(self, command: str, what: str) -> str:
        """Run a command that has to succeed; raises TrialError that says `what` could not be done."""
        said, code = self.run(command)
        if code:
            raise TrialError(f"{self.serial}: {what}: {_short(said) or f'exit code {code}'}")
        return said

    def stream(self, command: str) -> AdbConnection:
        """Begin a command and return the connection on which it prints; the caller closes it."""
        with self._guarded(command):
            return self.device.shell(command, stream=True)

    def pull(self, there: str, here: Path) -> None:
        """Copy a file of the device; raises TrialError if it is not there or cannot be read."""
        with self._guarded(f"copying {there}"):
            try:
                self.device.sync.pull_file(there, here)
            except AdbError as error:
                if _STATES.search(str(error)):
                    raise
                raise TrialError(f"{self.serial}: {there} cannot be copied: {_said(error)}") from error

    def push(self, here: Path, there: str) -> None:
        """Copy a file to the device; raises TrialError if it did not arrive whole."""
        with self._guarded(f"copying {here.name}"):
            try:
                self.device.sync.push(here, there, 0o644, check=True)
            except AdbError as error:
                if _STATES.search(str(error)):
                    raise
                why = f"{here.name} cannot be copied to {there}: {_said(error)}; is its storage full?"
                raise TrialError(f"{self.serial}: {why}") from error

    def read(self, there: str) -> bytes:
        """Return a small file of the device; raises TrialError if it is not there."""
        with self._guarded(f"reading {there}"):
            try:
                return bytes(self.device.sync.read_bytes(there))
            except AdbError as error:
                if _STATES.search(str(error)):
                    raise
                raise TrialError(f"{self.serial}: {there} cannot be read: {_said(error)}") from error

    def picture(self) -> bytes:
        """Return the screen as PNG, as the device makes it."""
        with self._guarded("screencap"):
            return bytes(self.device.shell("screencap -p", encoding=None, timeout=COMMAND_S))

    def remove(self, *there: str) -> None:
        """Delete files of the device, if they are there."""
        if there:
            self.sh("rm -f " + " ".join(shlex.quote(path) for path in there))

    @contextmanager
    def _guarded(self, what: str) -> Iterator[None]:
        """Turn whatever the connection raises into words, and close what it left open."""
        before = list(self.client.made)
        try:
            yield
        except BaseException as error:
            for connection in self.client.made:
                if connection not in before:
                    connection.close()
            self._told(error, what)
            raise

    def _told(self, error: BaseException, what: str) -> None:
        """Raise what an error of the connection means, if it is one."""
        if isinstance(error, (AdbTimeout, TimeoutError)):
            raise TrialError(f"{self.serial}: `{_short(what)}` took too long: restart the device") from error
        if isinstance(error, (AdbError, OSError, EOFError, ValueError)):
            state = re.search(r"offline|unauthorized", str(error))
            cure = CURES[state[0]] if state else "plug it in again, and see that `adb devices` lists it"
            raise DeviceGoneError(f"{self.serial} is not there any more ({_said(error)}): {cure}") from error


def connect(settings: DeviceSettings, pace: Pace) -> Link:
    """Return the link to the device that the settings name; raises DeviceGoneError where there is none."""
    _see_server(settings)
    client = _Client(settings.host, settings.port)
    try:
        states = {info.serial: info.state for info in client.list()}
    except (AdbError, OSError, ValueError) as error:
        raise DeviceGoneError(f"{_server(settings)} does not answer as one: {_said(error)}") from error
    serial = _chosen(settings, states)
    state = states[serial]
    if state != "device":
        cure = next((cure for name, cure in CURES.items() if name.startswith(state)), "restart it")
        raise DeviceGoneError(f"{serial} is {state}: {cure}")
    return Link(client, AdbDevice(client, serial=serial), pace)


def _see_server(settings: DeviceSettings) -> None:
    """Raise unless an adb server listens; one on this host and the usual port is started by adbutils if need be."""
    if settings.host in HERE and settings.port == USUAL_PORT:
        return
    try:
        socket.create_connection((settings.host, settings.port), CONNECT_S).close()
    except OSError as error:
        cure = "start it (`adb start-server`), or correct `host` and `port`"
        raise DeviceGoneError(f"no {_server(settings)}: {cure}") from error


def _server(settings: DeviceSettings) -> str:
    return f"adb server at {settings.host}:{settings.port}"


def _chosen(settings: DeviceSettings, states: dict[str, str]) -> str:
    listed = ", ".join(sorted(states)) or "none"
    if not states:
        raise DeviceGoneError("no device: plug one in, allow USB debugging, and see that `adb devices` lists it")
    if settings.serial and settings.serial not in states:
        raise DeviceGoneError(f"no device {settings.serial}: plug it in, or correct `serial`; there is {listed}")
    if not settings.serial and len(states) > 1:
        raise DeviceGoneError(f"several devices are plugged in: say which with `serial`; there is {listed}")
    return settings.serial or next(iter(states))


def _said(error: BaseException) -> str:
    return _short(str(error)) or type(error).__name__


def _short(text: str) -> str:
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    return lines[-1][:200] if lines else ""
