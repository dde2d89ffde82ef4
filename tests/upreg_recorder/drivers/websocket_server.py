"""The server's side of a WebSocket (RFC 6455), on plain sockets: enough to speak as obs-websocket does."""

from __future__ import annotations

import base64
import hashlib
import socket
import struct
import threading

GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


def accept_key(key: str) -> str:
    """Return Sec-WebSocket-Accept of a Sec-WebSocket-Key."""
    return base64.b64encode(hashlib.sha1((key + GUID).encode()).digest()).decode()


class Peer:
    """One client that shook hands."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self._writing = threading.Lock()

    def shake_hands(self) -> None:
        request = b""
        while not request.endswith(b"\r\n\r\n"):
            request += self._exactly(1)
        lines = request.decode().split("\r\n")
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        answer = [
            "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
            f"Sec-WebSocket-Accept: {accept_key(fields['sec-websocket-key'])}", "", "",
        ]  # fmt: skip
        self.connection.sendall("\r\n".join(answer).encode())

    def send(self, text: str) -> None:
        self._frame(TEXT, text.encode())

    def close(self, code: int, reason: str) -> None:
        """Say goodbye, and wait for the client's."""
        try:
            self._frame(CLOSE, struct.pack("!H", code) + reason.encode())
            while self.connection.recv(4096):
                pass
        except OSError:
            pass

    def receive(self) -> str | None:
        """Return the next text; None when the client goes."""
        while True:
            try:
                opcode, payload = self._read()
            except (OSError, EOFError):
                return None
            if opcode == TEXT:
                return payload.decode()
            if opcode == PING:
                self._frame(PONG, payload)
            if opcode == CLOSE:
                self._frame(CLOSE, payload)
                return None

    def _read(self) -> tuple[int, bytes]:
        first, second = self._exactly(2)
        assert first & 0x80, "no client of ours sends a message in parts"
        assert second & 0x80, "a client masks what it sends"
        length = second & 0x7F
        if length >= 126:
            length = int.from_bytes(self._exactly(2 if length == 126 else 8), "big")
        mask = self._exactly(4)
        return first & 0x0F, bytes(byte ^ mask[n % 4] for n, byte in enumerate(self._exactly(length)))

    def _exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            part = self.connection.recv(count - len(data))
            if not part:
                raise EOFError
            data += part
        return data

    def _frame(self, opcode: int, payload: bytes) -> None:
        size = len(payload)
        head = bytes([0x80 | opcode])
        if size < 126:
            head += bytes([size])
        else:
            head += struct.pack("!BH", 126, size) if size < 1 << 16 else struct.pack("!BQ", 127, size)
        with self._writing:
            self.connection.sendall(head + payload)
