"""A finger, a keyboard that nobody sees and a recorder for a compositor of wlroots, over Wayland's wire.

What is sent and what comes is laid down in the protocols' files: wayland.xml, wlr-virtual-pointer-unstable-v1.xml,
virtual-keyboard-unstable-v1.xml and wlr-screencopy-unstable-v1.xml.
"""

from __future__ import annotations

import array
import mmap
import os
import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from benchmarks.phones.filming import Image

DISPLAY, REGISTRY = 1, 2
LEFT = 272  # BTN_LEFT of linux/input-event-codes.h
NOTCH = 15  # what a notch of a wheel turns by, as libinput tells it
WAITS_S = 0.05
UPSIDE_DOWN = 1  # flag of zwlr_screencopy_frame_v1
Message = tuple[int, int, bytes]  # of which object, which event, and what it says


class Client:
    """A connection to a compositor, and what it offers."""

    def __init__(self, display: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(display))
        self._unread, self._last, self._offered = b"", REGISTRY, dict[str, int]()
        try:
            self.send(DISPLAY, 1, struct.pack("I", REGISTRY))
            self.settle()
        except (RuntimeError, OSError):
            self.close()
            raise

    def new(self) -> int:
        """Return the number of an object that is to be made."""
        self._last += 1
        return self._last

    def send(self, thing: int, request: int, body: bytes = b"", file: int | None = None) -> None:
        """Ask something of an object; a file goes beside."""
        message = struct.pack("II", thing, (len(body) + 8) << 16 | request) + body
        beside = [] if file is None else [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [file]))]
        self._socket.sendmsg([message], beside)

    def bind(self, interface: str, version: int = 1) -> int:
        """Return an object for what a compositor offers; raises KeyError if it does not."""
        thing, name = self.new(), interface.encode() + b"\0"
        padded = struct.pack("I", len(name)) + name + bytes(-len(name) % 4)
        said = struct.pack("I", self._offered[interface]) + padded + struct.pack("II", version, thing)
        self.send(REGISTRY, 0, said)
        return thing

    def settle(self) -> None:
        """Wait until all that was sent is done."""
        done = self.new()
        self.send(DISPLAY, 0, struct.pack("I", done))
        for thing, event, body in self.messages():
            if thing == REGISTRY and event == 0:
                length = struct.unpack("I", body[4:8])[0]
                self._offered[body[8 : 7 + length].decode()] = struct.unpack("I", body[:4])[0]
            elif thing == done:
                return

    def messages(self) -> Iterator[Message]:
        """Yield what the compositor says, for ever; raises RuntimeError for what it calls an error."""
        while True:
            while len(self._unread) >= 8 and len(self._unread) >= (size := self._size()):
                thing, event = struct.unpack("I", self._unread[:4])[0], self._unread[4] | self._unread[5] << 8
                body, self._unread = self._unread[8:size], self._unread[size:]
                if (thing, event) == (DISPLAY, 0):
                    raise RuntimeError(f"the compositor refuses: {body[12:].decode(errors='replace')}")
                yield thing, event, body
            if not (more := self._received()):
                raise RuntimeError("the compositor has ended")
            self._unread += more

    def close(self) -> None:
        """End the connection."""
        self._socket.close()

    def _size(self) -> int:
        return int(struct.unpack("I", self._unread[4:8])[0]) >> 16

    def _received(self) -> bytes:
        return self._socket.recv(65536)


class Hand(Client):
    """A pointer, and a keyboard that is there because a shell does not start without; nothing is typed on it."""

    def __init__(self, display: Path, size: tuple[int, int], keymap: bytes) -> None:
        super().__init__(display)
        self._extent = struct.pack("II", *size)
        pointers = self.bind("zwlr_virtual_pointer_manager_v1")
        self._pointer = self.new()
        self.send(pointers, 0, struct.pack("II", 0, self._pointer))
        self.settle()  # now there is a seat
        seat, keyboards, keyboard = self.bind("wl_seat"), self.bind("zwp_virtual_keyboard_manager_v1"), self.new()
        self.send(keyboards, 0, struct.pack("II", seat, keyboard))
        with memory(len(keymap)) as file:
            os.write(file, keymap)
            self.send(keyboard, 0, struct.pack("II", 1, len(keymap)), file)
            self.settle()

    def point(self, x: float, y: float) -> None:
        """Put the pointer somewhere, in px of the screen."""
        place = struct.pack("II", round(x), round(y))
        self.send(self._pointer, 1, self._now() + place + self._extent)
        self.send(self._pointer, 4)

    def press(self, down: bool) -> None:
        """Press the left button where the pointer is, or let it go; in the slot of what was done just before."""
        self.send(self._pointer, 2, self._now() + struct.pack("II", LEFT, down))
        self.send(self._pointer, 4)
        self.settle()

    def turn(self, notches: int) -> None:
        """Turn the wheel, down if above 0."""
        self.send(self._pointer, 5, struct.pack("I", 0))
        turned = struct.pack("Iii", 0, notches * NOTCH * 256, notches)
        self.send(self._pointer, 7, self._now() + turned)
        self.send(self._pointer, 4)
        self.settle()

    def _now(self) -> bytes:
        return struct.pack("I", int(time.monotonic() * 1000) & 0xFFFFFFFF)


class Recorder(Client):
    """Keeps what is shown, picture by picture, from when it starts: (s of the monotonic clock, BGRX)."""

    def __init__(self, display: Path) -> None:
        self._wanted, self._fault = True, ""
        super().__init__(display)
        self.pictures: list[tuple[float, Image]] = []
        self._output, self._shm = self.bind("wl_output"), self.bind("wl_shm")
        self._copies = self.bind("zwlr_screencopy_manager_v1", 2)
        self._buffer = 0
        self._memory: mmap.mmap | None = None
        self._shape, self._width = (0, 0, 4), 0
        self._thread = threading.Thread(target=self._record, daemon=True)

    def __enter__(self) -> Recorder:
        self._socket.settimeout(WAITS_S)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._wanted = False
        self._thread.join()
        self.close()

    def newest(self) -> tuple[float, Image]:
        """Return the newest picture and when it came; raises RuntimeError if nothing is recorded any more."""
        while not self._fault and not self.pictures:
            time.sleep(WAITS_S)
        if self._fault:
            raise RuntimeError(self._fault)
        return self.pictures[-1]

    def _record(self) -> None:
        try:
            while self._wanted:
                self._copy()
        except (RuntimeError, OSError) as error:
            self._fault = str(error)

    def _copy(self) -> None:
        """Wait for a picture that differs from the last one, or the first, and keep it."""
        frame, flags = self.new(), 0
        self.send(self._copies, 0, struct.pack("IiI", frame, 1, self._output))
        for thing, event, body in self.messages():
            if not self._wanted:
                return
            if thing != frame:
                continue
            if event == 0 and not self._buffer:
                self._make_buffer(*struct.unpack("IIII", body))
            if event == 0:
                self.send(frame, 2 if self.pictures else 0, struct.pack("I", self._buffer))
            elif event == 1:
                flags = struct.unpack("I", body)[0]
            elif event == 2:
                high, low, nanoseconds = struct.unpack("III", body)
                self.pictures.append(((high << 32 | low) + nanoseconds / 1e9, self._picture(flags)))
                self.send(frame, 1)
                return
            elif event == 3:
                raise RuntimeError("the compositor gives no picture")

    def _make_buffer(self, form: int, width: int, height: int, stride: int) -> None:
        size = stride * height
        with memory(size) as file:
            self._memory = mmap.mmap(file, size)
            pool, self._buffer = self.new(), self.new()
            self.send(self._shm, 0, struct.pack("II", pool, size), file)
            self.send(pool, 0, struct.pack("IIIIII", self._buffer, 0, width, height, stride, form))
        self._shape, self._width = (height, stride // 4, 4), width

    def _picture(self, flags: int) -> Image:
        assert self._memory is not None
        shown = np.frombuffer(self._memory, np.uint8).reshape(self._shape)[:, : self._width]
        return np.array(shown[::-1] if flags & UPSIDE_DOWN else shown)

    def _received(self) -> bytes:
        while self._wanted:
            try:
                return self._socket.recv(65536)
            except TimeoutError:
                continue
        return struct.pack("II", 0, 8 << 16)  # a message that says nothing, for who waits


@contextmanager
def memory(size: int) -> Iterator[int]:
    """Open so many bytes of memory that two programs can share."""
    file = os.memfd_create("upreg")
    try:
        os.ftruncate(file, size)
        yield file
    finally:
        os.close(file)
