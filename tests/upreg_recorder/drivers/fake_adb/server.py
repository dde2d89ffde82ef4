"""An adb server that is none: the smart-socket protocol as `adb` and adbutils speak it, before model phones.

Written from adb's own description of its protocol (OVERVIEW.TXT, SERVICES.TXT, SYNC.TXT, shell_service.h). The real
`adb` client was run against it by hand: devices, shell with exit codes, push, pull, ls, forward.
"""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable

from .phone import Phone
from .sync import serve_sync

VERSION = 41  # of the protocol; a client of another one would end this server and start its own
SAID = {
    "offline": "device offline",
    "unauthorized": "device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set",
}
STDOUT, STDERR, EXIT = 1, 2, 3


class GoneError(Exception):
    """The device went away: its connections just end."""


class FakeAdb:
    """A server on a free port of this host; `with FakeAdb(phone) as server: … server.port`."""

    def __init__(self, *phones: Phone) -> None:
        self.phones = list(phones)
        self.forwards: list[tuple[str, str, str]] = []
        self.asked: list[str] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> FakeAdb:
        self._thread.start()
        return self

    def __exit__(self, *args: object) -> None:
        self._ends.set()
        for phone in self.phones:
            phone.end_all()
        socket.create_connection(("127.0.0.1", self.port)).close()
        self._thread.join()
        self._listening.close()

    def _serve(self) -> None:
        while not self._ends.is_set():
            client, _ = self._listening.accept()
            threading.Thread(target=self._attend, args=(client,), daemon=True).start()

    def _attend(self, client: socket.socket) -> None:
        with client:
            try:
                self._host(client)
            except (GoneError, OSError, struct.error):
                pass
            except LookupError as error:
                fail(client, str(error.args[0]))

    def _host(self, client: socket.socket) -> None:
        """Answer requests until one of them is a device's service, which takes the connection over."""
        asked = request(client)
        while asked:
            self.asked.append(asked)
            phone = self._transport(client, asked)
            if phone is not None:
                self._device(client, phone, request(client))
                return
            if not self._answer(client, asked):
                return
            asked = request(client)

    def _transport(self, client: socket.socket, asked: str) -> Phone | None:
        """Switch the connection to a device, where that is what is asked; `tport` names its id too."""
        prefix, _, rest = asked.partition(":")
        if prefix != "host":
            return None
        if rest.startswith("tport:"):
            phone = self._usable("" if rest == "tport:any" else rest.removeprefix("tport:serial:"))
            client.sendall(b"OKAY" + struct.pack("<Q", self.phones.index(phone) + 1))
            return phone
        if rest.startswith("transport-id:"):
            phone = self._usable(self.phones[int(rest.removeprefix("transport-id:")) - 1].serial)
        elif rest == "transport-any":
            phone = self._usable("")
        elif rest.startswith("transport:"):
            phone = self._usable(rest.removeprefix("transport:"))
        else:
            return None
        client.sendall(b"OKAY")
        return phone

    def _answer(self, client: socket.socket, asked: str) -> bool:
        """Answer a request of the server itself; return whether another may come on the same connection."""
        prefix, _, what = asked.partition(":")
        serial = ""
        if prefix in ("host-serial", "host-transport-id"):
            serial, _, what = what.partition(":")
            if prefix == "host-transport-id":
                serial = self.phones[int(serial) - 1].serial
        if what == "kill":
            client.sendall(b"OKAY")
            return False
        if what.startswith(("forward:", "killforward")):
            self._forward(what, self._usable(serial).serial)
            client.sendall(b"OKAY" * 2)
            return False
        if what in ("track-devices", "track-devices-l"):
            okay(client, self._listed(long=what.endswith("-l")))
            self._ends.wait(60)
            return False
        answers: dict[str, Callable[[], str]] = {
            "version": lambda: f"{VERSION:04x}",
            "devices": lambda: self._listed(long=False),
            "devices-l": lambda: self._listed(long=True),
            "host-features": lambda: "shell_v2,cmd,stat_v2,ls_v2",
            "features": lambda: self._usable(serial).features,
            "get-state": lambda: self._usable(serial).state,
            "get-serialno": lambda: self._usable(serial).serial,
            "get-devpath": lambda: "usb:1-1",
            "list-forward": lambda: "".join(f"{' '.join(each)}\n" for each in self.forwards),
        }
        if what not in answers:
            raise LookupError(f"unknown host service '{what}'")
        okay(client, answers[what]())
        return False

    def _forward(self, what: str, serial: str) -> None:
        if what == "killforward-all":
            self.forwards.clear()
        elif what.startswith("killforward:"):
            self.forwards = [each for each in self.forwards if each[1] != what.removeprefix("killforward:")]
        else:
            local, _, remote = what.removeprefix("forward:").removeprefix("norebind:").partition(";")
            self.forwards.append((serial, local, remote))

    def _listed(self, *, long: bool) -> str:
        there = [(n, phone) for n, phone in enumerate(self.phones, 1) if phone.state != "absent"]
        if not long:
            return "".join(f"{phone.serial}\t{phone.state}\n" for _, phone in there)
        tags = "product:lynx model:Model_7 device:lynx"
        return "".join(f"{phone.serial:<22} {phone.state} {tags} transport_id:{n}\n" for n, phone in there)

    def _usable(self, serial: str) -> Phone:
        """Return a device that a client may speak to; raises LookupError with what adb says of another."""
        there = [phone for phone in self.phones if phone.state != "absent" and serial in ("", phone.serial)]
        if not there:
            raise LookupError(f"device '{serial}' not found" if serial else "no devices/emulators found")
        if len(there) > 1:
            raise LookupError("more than one device/emulator")
        if there[0].state != "device":
            raise LookupError(SAID.get(there[0].state, there[0].state))
        return there[0]

    def _device(self, client: socket.socket, phone: Phone, service: str) -> None:
        """Serve one of a device's services."""
        name, _, command = service.partition(":")
        if name == "host":  # what a client asks of the server about the device that it chose
            self._answer(client, f"host-serial:{phone.serial}:{command}")
        elif name == "sync":
            client.sendall(b"OKAY")
            serve_sync(client, phone)
        elif name.split(",")[0] in ("shell", "exec"):
            client.sendall(b"OKAY")
            self._shell(client, phone, command, second="v2" in name.split(","))
        else:
            fail(client, "closed")

    def _shell(self, client: socket.socket, phone: Phone, command: str, *, second: bool) -> None:
        """Run a command; the second form of the protocol keeps errors apart and tells the exit code."""

        def say(data: bytes, channel: int = STDOUT) -> None:
            if data:
                client.sendall(struct.pack("<BI", channel, len(data)) + data if second else data)

        code = phone.shell(command, say)
        if phone.state != "device":
            raise GoneError
        if second:
            client.sendall(struct.pack("<BIB", EXIT, 1, code))


def request(client: socket.socket) -> str:
    """Read a request: its length as four hexadecimal digits, and its text; empty at the end."""
    length = exactly(client, 4)
    return exactly(client, int(length, 16)).decode() if length else ""


def exactly(client: socket.socket, count: int) -> bytes:
    """Read so many bytes; fewer only at the end of the connection."""
    data = b""
    while len(data) < count and (more := client.recv(count - len(data))):
        data += more
    return data


def okay(client: socket.socket, text: str) -> None:
    client.sendall(b"OKAY" + f"{len(text.encode()):04x}{text}".encode())


def fail(client: socket.socket, text: str) -> None:
    client.sendall(b"FAIL" + f"{len(text.encode()):04x}{text}".encode())
