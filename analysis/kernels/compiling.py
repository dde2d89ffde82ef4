"""How kernels are compiled: by numba, for the types that each names, without Python's lock, once per machine."""

from __future__ import annotations

import fcntl
import hashlib
import pickle
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np

from analysis.kernels.folder import choose_folder

Function = TypeVar("Function", bound=Callable[..., Any])

# Numba makes int64 of every sum of two int32, so that wide registers hold half of what they could: hence INT(…)
# around sums. It lets a signed index count from the end, so that the compiler cannot tell reads from writes: hence
# UINT(…) in the innermost loops.
INT, UINT = np.int32, np.uint32
types: Any = numba.types
type_of: Any = numba.typeof
_njit: Any = numba.njit  # its own annotations forget what a function takes and gives
_settings: Any = numba.config

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}  # the decoder's threads run beside; x / 0 is inf
BROKEN_FILE = (EOFError, pickle.UnpicklingError)  # the machine went down while it was written


def digest(sources: Path = Path(__file__).parent) -> str:
    """Return a name for all that machine code is made from.

    Numba looks at the file of the function that it kept, not at the files of those that this one calls: after a
    helper was edited, the old machine code would stay in use. So another source means another folder.
    """
    parts = [numba.__version__.encode()]
    for source in sorted(sources.glob("*.py")):
        parts += [source.name.encode(), source.read_bytes()]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]


def _open_cache() -> Path | None:
    """Return the folder for machine code, None if there is no place for one."""
    try:
        folder = choose_folder(digest())
    except OSError:
        return None
    _settings.CACHE_DIR = str(folder)
    _settings.CACHE_LOCATOR_CLASSES = "UserProvidedCacheLocator"  # and no other place, which had no digest
    return folder


CACHE = _open_cache()


def kernel(function: Function) -> Function:
    """Compile a helper of kernels, as part of each kernel that calls it."""
    compiled: Function = _njit(**OPTIONS)(function)
    return compiled


def entry(*signatures: Any) -> Callable[[Function], Function]:
    """Compile a kernel that Python calls, for these signatures and no others, or load what a process before kept.

    Such a kernel looks at the shapes of its arrays before it begins, since no loop does: an array that is too short
    would be read past its end.
    """

    def compiled(function: Function) -> Function:
        with _alone():
            try:
                return _compiled(function, signatures, cache=CACHE is not None)
            except (OSError, RuntimeError):  # no room, or a folder of another user: compiled for this process
                return _compiled(function, signatures, cache=False)
            except BROKEN_FILE:
                shutil.rmtree(str(CACHE), ignore_errors=True)  # the next process compiles all anew
                return _compiled(function, signatures, cache=False)

    return compiled


def read_only(samples: Any, dimensions: int) -> Any:
    """Return the type of a contiguous array that a kernel only reads: also one that nobody may write to."""
    return types.Array(samples, dimensions, "C", readonly=True)


def was_compiled(function: Any) -> bool:
    """Return whether this process had to compile a kernel, rather than load it."""
    return bool(function.stats.cache_misses)


def _compiled(function: Function, signatures: tuple[Any, ...], *, cache: bool) -> Function:
    compiled: Function = _njit(list(signatures), cache=cache, **OPTIONS)(function)
    return compiled


@contextmanager
def _alone() -> Iterator[None]:
    """Hold a lock, so that of the processes that start together one compiles and the others load what it kept."""
    try:
        file = (CACHE / "lock").open("w") if CACHE else None
    except OSError:
        file = None
    if file is None:
        yield
        return
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
