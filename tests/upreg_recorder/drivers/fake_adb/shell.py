"""The shell of a model phone: enough of one for pipes, lists and quotes, and the programs that the driver calls."""

from __future__ import annotations

import re
import shlex
import tarfile
import time
from collections.abc import Callable
from io import BytesIO
from typing import TYPE_CHECKING

from . import programs

if TYPE_CHECKING:
    from .phone import Phone, Say

TURN_MS = 0.05  # of a loop of the shell's own commands
_TICKS = re.compile(
    r"i=0; while \[ \$i -lt (\d+) \]; do a=\$EPOCHREALTIME; read u x < /proc/uptime; echo .*?; done"
)
_WAIT = re.compile(r"n=0; while (.*?); do sleep ([\d.]+); n=\$\(\(n\+1\)\); done")
_PARTS = re.compile(r"""((?:'[^']*'|"[^"]*"|\\.|[^;&|'"\\])*)(;|&&|\|\||\||$)""")
LAST_S = 30.0  # of this host: a film that nobody ends


class Shell:
    """One call of the shell."""

    def __init__(self, phone: Phone, say: Say, *, root: bool = False) -> None:
        self.phone, self.say, self.root, self.code = phone, say, root, 0

    def run(self, command: str) -> int:
        """Run a list of commands; return the exit code of the last."""
        command = _TICKS.sub(lambda found: f"upreg-ticks {found[1]}", command)
        command = _WAIT.sub(lambda found: f"upreg-wait {shlex.quote(found[1])} {found[2]}", command)
        command = re.sub(r"\s*2>(/dev/null|&1)", "", command)
        skip, piped, data = False, [], b""
        for part, then in _PARTS.findall(command):
            if not part.strip() and not then:
                break
            if not skip:
                if then == "|":
                    piped.append(part)
                    continue
                data = b""
                for each in [*piped, part]:
                    self.code, data = self._one(each.strip(), data)
                    if not self.phone.alive:
                        return 255
                piped = []
                self.say(data)
            skip = (then == "&&" and self.code != 0) or (then == "||" and self.code == 0)
        return self.code

    def _ticks(self, rest: list[str], data: bytes) -> tuple[int, bytes]:
        """The loop that reads the clocks: /proc/uptime goes in steps of 10 ms."""
        phone, lines = self.phone, []
        for _ in range(int(rest[0])):
            before = phone.real_ms / 1000
            phone.wait_ms(TURN_MS)
            up = int(phone.boot_ms / 10) / 100
            phone.wait_ms(TURN_MS)
            lines.append(f"{before:.6f} {phone.real_ms / 1000:.6f} {up:.2f}\n")
        return 0, "".join(lines).encode()

    def _one(self, text: str, data: bytes) -> tuple[int, bytes]:
        """Run one command; return its exit code and what it prints."""
        for pattern, said in self.phone.fails.items():
            if re.search(pattern, text):
                return 1, f"{said}\n".encode()
        text = re.sub(r"\$\(stat -c %u:%g [^)]*\)", "10123:10123", text)
        into = re.search(r"\s>\s*([^\s']+)$", text)
        words = self._words(text[: into.start()] if into else text)
        code, out = self._program(words, data)
        if into:
            self.phone.files[into[1]] = out
            return code, b""
        return code, out

    def _words(self, text: str) -> list[str]:
        """Split into words; what stands between single quotes is left as it is."""
        kept: list[str] = []

        def keep(found: re.Match[str]) -> str:
            kept.append(found[0])
            return f"\0{len(kept) - 1}\0"

        text = re.sub(r"'[^']*'", keep, text)
        text = text.replace("$EPOCHREALTIME", f"{self.phone.real_ms / 1000:.6f}").replace("$?", str(self.code))
        return shlex.split(re.sub(r"\0(\d+)\0", lambda found: kept[int(found[1])], text))

    def _program(self, words: list[str], data: bytes) -> tuple[int, bytes]:
        if not words:
            return 0, b""
        name, rest = words[0], words[1:]
        own: dict[str, Callable[[list[str], bytes], tuple[int, bytes]]] = {
            "echo": lambda rest, data: (0, (" ".join(rest) + "\n").encode()),
            "exit": lambda rest, data: (int(rest[0]) if rest else 0, b""),
            "export": lambda rest, data: (0, b""),
            "exec": lambda rest, data: self._program(rest, data),
            "true": lambda rest, data: (0, b""),
            "false": lambda rest, data: (1, b""),
            "sleep": self._sleep,
            "hang": self._hang,
            "upreg-wait": self._wait,
            "upreg-ticks": self._ticks,
            "[": self._test,
            "sh": self._sh,
            "su": self._su,
            "kill": self._kill,
            "perfetto": self._perfetto,
            "run-as": self._run_as,
            "tar": lambda rest, data: self._tar(self.phone.files.get(rest[2], data)),
            "head": lambda rest, data: (0, b"".join(data.splitlines(keepends=True)[: int(rest[1])])),
            "grep": self._grep,
        }
        if name in own:
            return own[name](rest, data)
        return programs.run(self.phone, name, rest)

    def _sleep(self, rest: list[str], data: bytes) -> tuple[int, bytes]:
        self.phone.wait_ms(float(rest[0]) * 1000)
        return 0, b""

    def _hang(self, rest: list[str], data: bytes) -> tuple[int, bytes]:
        time.sleep(1.0)  # of this host
        return 0, b""

    def _wait(self, rest: list[str], data: bytes) -> tuple[int, bytes]:
        """The loops that look every so often: for a file that is to grow, or a process that is to end."""
        condition, every = rest[0], float(rest[1]) * 1000
        grows = re.search(r"\[ ! -s (\S+) \]", condition)
        if grows and grows[1] in self.phone.files:
            while self.phone.boot_ms < self.phone.first_frames_ms[-1]:
                self.phone.wait_ms(every)
        return 0, b""

    def _test(self, rest: list[str], data: bytes) -> tuple[int, bytes]:
        return (0 if rest[0] == "-s" and self.phone.files.get(rest[1]) else 1), b""

    def _grep(self, rest: list[str], data: bytes) -> tuple[int, bytes]:
        found = [line for line in data.splitlines(keepends=True) if rest[-1].encode() in line]
        return (0 if found else 1), b"".join(found)

    def _sh(self, rest: list[str], data: bytes) -> tuple[int, bytes]:
        """`sh -c 'echo $$; exec screenrecord …'`: says its process, and films until that is ended."""
        program = shlex.split(rest[1].partition("exec ")[2])
        if not program:
            return Shell(self.phone, self.say, root=self.root).run(rest[1]), b""
        pid = 4000 + len(self.phone.first_frames_ms)
        size = self.phone.size
        if "--size" in program:
            width, height = program[program.index("--size") + 1].split("x")
            size = int(width), int(height)
        if self.phone.full:
            self.say(f"{pid}\nUnable to open '{program[-1]}': No space left on device\n".encode())
            return 1, b""
        process = self.phone.begin_film(program[-1], size)
        if self.phone.breaks_off:
            process.end()
            self.say(f"{pid}\nEncoder failed (err=-1010)\n".encode())
            return 255, b""
        self.phone.processes[pid] = process
        self.say(f"{pid}\n".encode())
        process.ended.wait(LAST_S)
        return 0, b""

    def _su(self, rest: list[str], data: bytes) -> tuple[int, bytes]:
        if not self.phone.rooted:
            return 127, b"/system/bin/sh: su: inaccessible or not found\n"
        said: list[bytes] = []
        code = Shell(self.phone, said.append, root=True).run(rest[1])
        return code, b"".join(said)

    def _kill(self, rest: list[str], data: bytes) -> tuple[int, bytes]:
        process = self.phone.processes.pop(int(rest[1]), None)
        if process is None:
            return 1, f"/system/bin/sh: kill: {rest[1]}: No such process\n".encode()
        process.end()
        return 0, b""

    def _perfetto(self, rest: list[str], data: bytes) -> tuple[int, bytes]:
        if not self.phone.has_perfetto:
            return 127, b"/system/bin/sh: perfetto: inaccessible or not found\n"
        return 0, programs.begin_trace(self.phone, data.decode(), rest[rest.index("-o") + 1])

    def _run_as(self, rest: list[str], data: bytes) -> tuple[int, bytes]:
        if not self.phone.debuggable_app:
            return 1, f"run-as: package not debuggable: {rest[0]}\n".encode()
        return self._tar(data)

    def _tar(self, data: bytes) -> tuple[int, bytes]:
        try:
            with tarfile.open(fileobj=BytesIO(data)) as tar:
                for member in tar.getmembers():
                    held = tar.extractfile(member)
                    if held is not None:
                        self.phone.files[f"/data/data/app/{member.name}"] = held.read()
        except tarfile.TarError:
            return 1, b"tar: bad header\n"
        return 0, b""
