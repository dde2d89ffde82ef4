"""The file service of a device: STAT, LIST, RECV, SEND and their second forms (SYNC.TXT, file_sync_protocol.h)."""

from __future__ import annotations

import socket
import stat
import struct

from .phone import Phone

CHUNK = 64 * 1024
WHEN = 1_700_000_000
NOTHING = 2  # ENOENT


def serve_sync(client: socket.socket, phone: Phone) -> None:
    """Answer requests: four letters, a length, a path; little endian."""
    while True:
        head = _exactly(client, 8)
        if len(head) < 8:
            return
        what, length = head[:4].decode(), struct.unpack("<I", head[4:])[0]
        path = _exactly(client, length).decode()
        if what == "QUIT":
            return
        if not phone.alive:
            client.close()
            return
        if what in ("STAT", "STA2", "LST2"):
            client.sendall(_stat(phone, path, what))
        elif what in ("LIST", "LIS2"):
            _list(client, phone, path, what)
        elif what in ("RECV", "RCV2"):
            if what == "RCV2":
                _exactly(client, 8)  # its id again, and flags
            _send(client, phone, path)
        elif what in ("SEND", "SND2"):
            _receive(client, phone, path, what)
        else:
            _fail(client, f"unknown command {what}")


def _stat(phone: Phone, path: str, what: str) -> bytes:
    kind, size = phone.kind_and_size(path)
    if what == "STAT":
        return struct.pack("<4sIII", b"STAT", kind, size, WHEN if kind else 0)
    return struct.pack("<4sI", what.encode(), 0 if kind else NOTHING) + _second(kind, size)


def _second(kind: int, size: int) -> bytes:
    """Return device, inode, mode, links, owner, group, size, and the three times."""
    return struct.pack("<QQIIIIQqqq", 1, 1, kind, 1, 2000, 2000, size, *(WHEN if kind else 0,) * 3)


def _list(client: socket.socket, phone: Phone, path: str, what: str) -> None:
    names = [".", "..", *phone.names_in(path)]
    for name in names:
        kind, size = phone.kind_and_size(f"{path.rstrip('/')}/{name}" if name[0] != "." else path)
        if what == "LIST":
            head = struct.pack("<4sIIII", b"DENT", kind, size, WHEN, len(name))
        else:
            head = struct.pack("<4sI", b"DNT2", 0) + _second(kind, size) + struct.pack("<I", len(name))
        client.sendall(head + name.encode())
    empty = 16 if what == "LIST" else 4 + len(_second(0, 0)) + 4
    client.sendall(b"DONE" + bytes(empty))


def _send(client: socket.socket, phone: Phone, path: str) -> None:
    data = phone.read(path)
    if data is None:
        _fail(client, "No such file or directory")
        return
    for at in range(0, len(data), CHUNK):
        part = data[at : at + CHUNK]
        client.sendall(struct.pack("<4sI", b"DATA", len(part)) + part)
    client.sendall(struct.pack("<4sI", b"DONE", 0))


def _receive(client: socket.socket, phone: Phone, path: str, what: str) -> None:
    mode = stat.S_IFREG | 0o644
    if what == "SND2":
        mode = struct.unpack("<4sII", _exactly(client, 12))[1]
    else:
        path, _, text = path.rpartition(",")
        mode = int(text)
    data = b""
    while True:
        name, count = struct.unpack("<4sI", _exactly(client, 8))
        if name == b"DONE":
            break
        data += _exactly(client, count)
    if phone.full:
        _fail(client, "couldn't create file: No space left on device")
        return
    phone.files[path] = data
    phone.modes[path] = mode
    client.sendall(struct.pack("<4sI", b"OKAY", 0))


def _fail(client: socket.socket, text: str) -> None:
    client.sendall(struct.pack("<4sI", b"FAIL", len(text)) + text.encode())


def _exactly(client: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count and (more := client.recv(count - len(data))):
        data += more
    return data
