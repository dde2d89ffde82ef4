"""The parent's side: children that decode, one job each at a time, started when first needed and kept."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import secrets
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from io import BufferedReader
from multiprocessing import util
from pathlib import Path
from typing import Any

from analysis.isolation import messages
from analysis.isolation.child import READS, WRITES
from analysis.isolation.limits import FILE_BYTES, InForce, Limits
from analysis.isolation.messages import BrokenMessageError, GoneError, Message, TooLateError

ROOT = Path(__file__).resolve().parent.parent.parent
JOBS = "analysis.isolation.jobs"
START_S = 180.0  # the first process on a machine compiles the kernels, on a busy one for a minute
PREFIX, JUST_MADE_S = "upreg-decoder-", 60.0  # of folders; one that was just made has no lock yet
PATIENCE_S = 30.0  # that a caller waits for a child to be free, if it does not say otherwise
# What a child inherits: where compiled kernels and temporary files lie. No password, no address of a database.
PASSED_ON = ("HOME", "LANG", "LD_LIBRARY_PATH", "PATH", "TMPDIR", "UPREG_KERNEL_CACHE", "XDG_CACHE_HOME")
FULL = (errno.ENOSPC, errno.EDQUOT)
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


class DecoderError(Exception):
    """A job has no answer. The message says why in plain words, and the cure."""


class RefusedError(DecoderError):
    """The job itself says that it cannot be done with this file."""


class BrokenError(DecoderError):
    """The decoder broke or gave nonsense, took too long or too much: this file costs its run, nothing else."""


class UnexpectedError(DecoderError):
    """A mistake of our own in the job; its traceback is a note."""


class UnavailableError(DecoderError):
    """No child could be had: that says nothing about the file."""


@dataclass(frozen=True)
class Answer:
    """What a job gave: values of JSON, bytes, and the folder with the file that it wrote, if it writes one."""

    values: dict[str, Any]
    data: bytes
    folder: Path

    def open(self, name: str) -> BufferedReader:
        """Open a file that the job wrote; BrokenError if it is none."""
        try:
            handle = os.open(self.folder / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError as error:
            raise BrokenError("the decoder said that it was done and wrote no file: try again") from error
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            raise BrokenError("the decoder wrote something that is no file: copy the recording again")
        return os.fdopen(handle, "rb")


@dataclass
class Decoders:
    """At most so many children at once; safe to use from many threads, and after a fork.

    ``jobs`` names the module whose ``JOBS`` a child can be asked for, by name.
    """

    limits: Limits = field(default_factory=Limits)
    most: int = 1
    jobs: str = JOBS

    def __post_init__(self) -> None:
        """Have nothing yet."""
        self._have_none()
        os.register_at_fork(after_in_child=self._forget_the_parents)

    def _have_none(self) -> None:
        self._lock, self._slots = threading.Lock(), threading.BoundedSemaphore(self.most)
        self._idle: list[_Child] = []
        self._all: set[_Child] = set()
        self._ends = False

    @contextmanager
    def ask(
        self,
        job: str,
        source: Path,
        values: dict[str, Any] | None = None,
        *,
        seconds: float | None = None,
        patience_s: float = PATIENCE_S,
        report: Callable[[int], None] | None = None,
    ) -> Iterator[Answer]:
        """Have a job done with a recording; what it wrote is there as long as the block lasts.

        ``seconds`` bounds it further than the limits do, ``patience_s`` the wait for a free child. ``report`` is
        told the job's progress, and ends the job by raising. Raises DecoderError, and OSError where the disk for
        temporary files is full: that says nothing about the file.
        """
        with self._child(patience_s) as child:
            within = min(seconds or self.limits.seconds, self.limits.seconds)
            yield child.ask(job, source, values or {}, within, report)

    def in_force(self) -> InForce:
        """Return what holds a child, as one has found it; raises UnavailableError."""
        with self._child(PATIENCE_S) as child:
            return child.in_force

    def close(self) -> None:
        """End the children that wait; one that works ends when its work is done."""
        with self._lock:
            idle, self._idle = self._idle, []
        for child in idle:
            self._end(child)

    @contextmanager
    def _child(self, patience_s: float) -> Iterator[_Child]:
        slots = self._slots
        if not slots.acquire(timeout=patience_s):
            raise UnavailableError("all decoders are at work: try again in a minute")
        child = None
        try:
            child = self._take()
            yield child
        finally:
            if child is not None:
                self._give_back(child)
            slots.release()

    def _take(self) -> _Child:
        while True:
            with self._lock:
                if not self._idle:
                    break
                child = self._idle.pop()
            if child.is_ready():
                return child
            self._end(child)
        self._end_with_this_process()
        child = _Child(self.limits, self.jobs)
        self._all.add(child)
        return child

    def _give_back(self, child: _Child) -> None:
        if not child.is_ready():
            self._end(child)
            return
        child.tidy()
        with self._lock:
            self._idle.append(child)

    def _end(self, child: _Child) -> None:
        self._all.discard(child)
        child.end()

    def _end_with_this_process(self) -> None:
        """Also in a process of multiprocessing, where atexit does nothing."""
        if not self._ends:
            self._ends = True
            util.Finalize(self, Decoders.close, args=(self,), exitpriority=10)

    def _forget_the_parents(self) -> None:
        """In a fork: let go of the pipes, which would keep the children alive when their parent is gone."""
        for child in self._all:
            child.let_go()
        self._have_none()


class _Child:
    """One process, at one job at a time."""

    def __init__(self, limits: Limits, jobs: str) -> None:
        self._ready, self._limits = False, limits
        try:
            self._folder, self._lock = _own_folder()
        except OSError as error:
            raise _not_started(error) from error
        arguments = [jobs, str(self._folder), json.dumps(asdict(limits))]
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "analysis.isolation.child", *arguments],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, cwd=ROOT,
                env={name: os.environ[name] for name in PASSED_ON if name in os.environ} | ONE_THREAD,
            )  # fmt: skip
        except OSError as error:
            os.close(self._lock)
            shutil.rmtree(self._folder, ignore_errors=True)
            raise _not_started(error) from error
        assert self._process.stdin
        assert self._process.stdout
        self._requests, self._answers = self._process.stdin.fileno(), self._process.stdout.fileno()
        self.in_force = self._started()

    def _started(self) -> InForce:
        try:
            said, _ = messages.read(self._answers, until=time.monotonic() + START_S)
            found = InForce(**said["ready"])
        except (GoneError, TooLateError, BrokenMessageError, KeyError, TypeError) as error:
            self.end()
            raise UnavailableError(
                f"the decoder ended before it was ready ({_code_words(self._process.returncode)}): {_CURE}"
            ) from error
        except BaseException:
            self.end()
            raise
        self._ready = True
        return found

    def is_ready(self) -> bool:
        """Whether it can take a job."""
        return self._ready and self._process.poll() is None

    def ask(
        self,
        job: str,
        source: Path,
        values: dict[str, Any],
        seconds: float,
        report: Callable[[int], None] | None,
    ) -> Answer:
        """Have a job done; afterwards it is ready, or has come to its end."""
        name = f"{secrets.token_hex(8)}{source.suffix}"
        _lend(source, self._folder / READS / name)
        self._ready, until = False, time.monotonic() + seconds
        request = messages.pack({"job": job, "source": name, "values": values})
        try:
            messages.write(self._requests, request, until=until)
            said, data = self._answer(until, report)
        except TooLateError as error:
            raise BrokenError(_overtime(seconds)) from error
        except GoneError as error:
            raise BrokenError(self._end_words(seconds)) from error
        except BrokenMessageError as error:
            raise BrokenError(f"the decoder gave an answer that makes no sense ({error}): {_AGAIN}") from error
        self._ready = said.get("last") is False
        return Answer(self._checked(said), data, self._folder / WRITES)

    def _answer(self, until: float, report: Callable[[int], None] | None) -> Message:
        for _ in range(messages.MOST_MESSAGES):
            said, data = messages.read(self._answers, until=until)
            if "progress" not in said:
                return said, data
            if report and isinstance(said["progress"], int):
                report(said["progress"])
        raise BrokenMessageError("it never came to an end")

    def _checked(self, said: dict[str, Any]) -> dict[str, Any]:
        if isinstance(said.get("done"), dict):
            return dict(said["done"])
        if isinstance(said.get("refused"), str):
            raise RefusedError(said["refused"])
        if str(said.get("no")) in _LACKS:
            raise BrokenError(_LACKS[said["no"]].format(memory_mb=self._limits.memory_mb))
        if said.get("no") == "room":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self._folder))
        if isinstance(said.get("unexpected"), str):
            error = UnexpectedError(said["unexpected"])
            error.add_note(str(said.get("trace")))
            raise error
        self._ready = False
        raise BrokenError(f"the decoder gave an answer that makes no sense: {_AGAIN}")

    def _end_words(self, seconds: float) -> str:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        code = self._process.returncode
        if code == -signal.SIGXCPU:
            return _overtime(seconds)
        if code == -signal.SIGKILL:
            return (
                "the decoder was killed at this file (signal 9), as a machine does that runs out of memory: lower "
                "UPREG_WORKERS or record smaller, then retry"
            )
        return f"the decoder broke on this file ({_code_words(code)}), which costs this run and no other: {_AGAIN}"

    def tidy(self) -> None:
        """Take away what the last job read and wrote."""
        for folder in (READS, WRITES):
            for file in (self._folder / folder).iterdir():
                file.unlink(missing_ok=True)

    def end(self) -> None:
        """End it now, whatever it does, and take its folder away."""
        self._ready = False
        self._process.kill()
        self._process.wait()
        self.let_go()
        shutil.rmtree(self._folder, ignore_errors=True)

    def let_go(self) -> None:
        """Close the pipes to it and the lock on its folder; only once."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                with suppress(OSError):
                    pipe.close()
        os.close(self._lock)
        self._process.returncode = self._process.returncode or 0  # nobody else's to wait for


_LACKS = {
    "memory": "decoding takes more than the {memory_mb} MB that it may: record smaller pictures, or raise "
    "UPREG_DECODER_MEMORY_MB, then retry",
    "length": f"a temporary file of decoding grew over {FILE_BYTES >> 30} GB: record shorter",
}
_AGAIN = "copy it from the device again, or record again"
_CURE = "see that there is room in the temporary folder and memory to spare, then retry"


def _not_started(error: OSError) -> Exception:
    """Return what to raise: a full disk speaks for itself."""
    if error.errno in FULL:
        return error
    return UnavailableError(f"no decoder could be started ({error.strerror}): {_CURE}")


def _own_folder() -> tuple[Path, int]:
    """Return a new folder for a child and the lock on it, which this process holds as long as it lives."""
    _sweep()
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    (folder / READS).mkdir()
    (folder / WRITES).mkdir()
    lock = os.open(folder, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    return folder, lock


def _sweep() -> None:
    """Take away the folders of processes that were killed: nobody holds a lock on them."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            if time.time() - folder.stat().st_mtime < JUST_MADE_S:
                continue
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(handle)


def _lend(source: Path, target: Path) -> None:
    """Put the recording where the child may read it: the same file where that can be, else a copy."""
    source = source.resolve()
    if not source.is_file():
        raise RefusedError("there is no such file: check the path")
    try:
        try:
            os.link(source, target)
        except OSError:  # another disk, or a file of somebody else
            shutil.copyfile(source, target)
    except OSError as error:
        if error.errno in FULL:
            raise
        raise UnavailableError(
            f"the recording cannot be given to the decoder ({error.strerror}): {_CURE}"
        ) from error


def _overtime(seconds: float) -> str:
    return (
        f"decoding takes longer than the {seconds:g} s that it may: record shorter, or raise "
        "UPREG_DECODER_TIMEOUT_S, then retry"
    )


def _code_words(code: int | None) -> str:
    if code is None or code >= 0:
        return f"code {code}"
    return f"signal {-code}, {signal.strsignal(-code) or 'unknown'}"
