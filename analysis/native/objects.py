"""The object file of all kernels: found in the cache or built, and loaded by LLVM."""

from __future__ import annotations

import fcntl
import hashlib
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm

from analysis.native.folder import choose_folder

ANALYSIS = Path(__file__).parents[1]
SOURCES = ("arrays.py", "kernels/*.py", "native/*.py")  # all that the code is made from
DIGEST = 32  # bytes of SHA-256 before the object: a file cut short by a full disk is not run
_lock = threading.Lock()


def address_of(symbol: str) -> int:
    """Return where a kernel lies in memory; builds all kernels if no process has done so on this machine."""
    with _lock:
        address = int(_engine().get_function_address(symbol))
    if not address:  # calling it would end the process
        raise LookupError(f"{symbol} is not compiled: add its kernel to native.KERNELS")
    return address


@cache
def _engine() -> Any:
    target = machine()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)
    engine.add_object_file(llvm.ObjectFileRef.from_data(object_code(target)))
    engine.finalize_object()
    return engine


def machine() -> llvm.TargetMachine:
    """Return the processor that code is made for: this one."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(
        llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten(), 3, jit=True
    )


def object_code(target: llvm.TargetMachine) -> bytes:
    """Return the object file of all kernels: the one in the cache, else a new one."""
    path = choose_folder() / f"kernels-{_key()}.o"
    known = _read(path)
    if known is not None:
        return known
    with _alone(path.with_suffix(".lock")):
        return _read(path) or _built(path, target)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Hold a lock, so that of the workers that start together one builds and the others wait for what it built."""
    try:
        file = path.open("w")
    except OSError:
        yield
        return
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _built(path: Path, target: llvm.TargetMachine) -> bytes:
    from analysis import native
    from analysis.native.build import build

    code = build(native.KERNELS, target)
    _write(path, code)
    return code


def sources() -> list[Path]:
    """Return the files that the code depends on."""
    return [source for pattern in SOURCES for source in sorted(ANALYSIS.glob(pattern))]


def _key() -> str:
    """Return what the code depends on: the sources, the compiler, the processor."""
    parts = [source.read_bytes() for source in sources()]
    words = [
        llvmlite.__version__,
        llvm.get_host_cpu_name(),
        llvm.get_host_cpu_features().flatten(),
    ]
    return hashlib.sha256(b"\0".join([*parts, *(word.encode() for word in words)])).hexdigest()[:24]


def _read(path: Path) -> bytes | None:
    try:
        data = path.read_bytes()
    except OSError:
        return None
    return data[DIGEST:] if data[:DIGEST] == hashlib.sha256(data[DIGEST:]).digest() else None


def _write(path: Path, code: bytes) -> None:
    """Keep the code for the next process; without room for it, each process builds its own."""
    part = path.with_suffix(f".{os.getpid()}.part")
    try:
        part.write_bytes(hashlib.sha256(code).digest() + code)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
