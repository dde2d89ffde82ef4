"""What a decoding child may use, how it is held to that, and what of it is in force on this machine."""

from __future__ import annotations

import ctypes
import os
import resource
import sys
import sysconfig
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from analysis.isolation import landlock, seccomp

FILES = 64  # open at once: a recording, a temporary file, and what the libraries hold
FILE_BYTES = 8 << 30  # of one file it writes: the blocks of ten minutes at 60 Hz
_PR_SET_NO_NEW_PRIVS = 38
_MB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """What one recording may cost.

    Parameters
    ----------
    memory_mb : what decoding may take beyond what the child has at its start.
    seconds : from the question to the answer; the parent then ends the child.

    """

    memory_mb: int = 2048
    seconds: float = 540.0


@dataclass(frozen=True, slots=True)
class InForce:
    """What a child has found to be in force: nothing is presumed."""

    memory: bool
    landlock: int
    seccomp: bool

    def as_dict(self) -> dict[str, Any]:
        """Return the fields, ready for JSON."""
        return asdict(self)


def confine(limits: Limits, *, reads: Path, writes: Path) -> InForce:
    """Hold this process to the limits for ever; it must have no thread but the one that calls.

    ``reads`` is the folder of recordings, ``writes`` the folder for all that is written.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, FILES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
    memory = _limit_memory(limits.memory_mb * _MB)
    if sys.platform == "linux" and ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "the kernel does not let this process give up privileges")
    allowed = dict.fromkeys(_libraries(), landlock.READ)
    allowed |= {reads: landlock.READ_REMOVE, writes: landlock.WRITE, Path(os.devnull): landlock.WRITE}
    return InForce(memory, landlock.restrict(allowed), seccomp.restrict())


def allow_cpu(seconds: float) -> None:
    """Let this process use so many more seconds of all cores: should its parent be gone, it ends all the same."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = int(used.ru_utime + used.ru_stime + seconds * (os.cpu_count() or 1)) + 5
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def words(limits: Limits, found: InForce) -> str:
    """Say in a sentence what decoding is held to on this machine."""
    parts = [f"own process, {limits.seconds:g} s, {FILES} open files"]
    parts.append(f"{limits.memory_mb} MB of memory" if found.memory else "memory without a limit on this system")
    if found.landlock:
        parts.append(f"sees only the recording at hand (Landlock {found.landlock})")
    else:
        parts.append("may read what its user may read: no Landlock here")
    if found.seccomp:
        parts.append("no network and no other programs (seccomp)")
    elif found.landlock >= 4:
        parts.append("no TCP (Landlock), other network calls open: no libseccomp")
    else:
        parts.append("network not barred: no libseccomp")
    return "Decoder: " + ", ".join(parts)


def _limit_memory(more: int) -> bool:
    """Bound what can be written to, and further out the whole address space, much of which is only reserved.

    What the libraries have at the start does not count.
    """
    try:
        pages = Path("/proc/self/statm").read_text().split()
    except OSError:  # not Linux
        return False
    size, data = (int(pages[column]) * resource.getpagesize() for column in (0, 5))
    resource.setrlimit(resource.RLIMIT_DATA, (data + more, data + more))
    resource.setrlimit(resource.RLIMIT_AS, (size + 4 * more, size + 4 * more))
    return True


def _libraries() -> list[Path]:
    """Return what an import may need: never the folder of the installation, where database and keys may lie."""
    installed = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    packages = Path(__file__).parent.parent
    return sorted({packages, *map(Path, installed), *map(Path, ("/lib", "/lib64", "/usr/lib", "/usr/lib64"))})
