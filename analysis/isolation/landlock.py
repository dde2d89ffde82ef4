"""Landlock: a Linux process gives up, for ever, all files but the named ones, TCP, and signals to others.

Linux 5.13 has it, Debian and Ubuntu switch it on. The packages that call it are early releases without its rules
for the network; three system calls, whose numbers are the same on every processor, are all there is to it
(https://docs.kernel.org/userspace-api/landlock.html).
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Mapping
from pathlib import Path

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_VERSION = 1 << 0  # flag of _CREATE: only tell the version
_BENEATH = 1  # kind of rule: a path and all below it
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}  # version → how many rights it knows; later ones know 16
_NETWORK_SINCE, _NETWORK = 4, 0b11  # bind and connect TCP
_SCOPES_SINCE, _SCOPES = 6, 0b11  # abstract UNIX sockets and signals of processes outside

WRITE_FILE, READ_FILE, READ_DIR = 1 << 1, 1 << 2, 1 << 3
REMOVE_FILE, MAKE_FILE, TRUNCATE = 1 << 5, 1 << 8, 1 << 14
READ = READ_FILE | READ_DIR
READ_REMOVE = READ | REMOVE_FILE
WRITE = READ_REMOVE | WRITE_FILE | MAKE_FILE | TRUNCATE
_OF_A_FILE = READ_FILE | WRITE_FILE | TRUNCATE


class _Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64)]


class _Rule(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def version() -> int:
    """Return the version that the kernel offers, 0 if it offers none."""
    if sys.platform != "linux":
        return 0
    offered: int = _libc().syscall(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION))
    return max(0, offered)


def restrict(allowed: Mapping[Path, int]) -> int:
    """Keep the calling thread, and those it starts, to these rights below these paths; return the version in force.

    0 where the kernel has no Landlock: nothing is restricted then. Raises OSError if it has and refuses. Privileges
    must have been given up before (PR_SET_NO_NEW_PRIVS).
    """
    offered = version()
    if not offered:
        return 0
    libc, handled = _libc(), (1 << _FILE_RIGHTS.get(offered, 16)) - 1
    network = _NETWORK if offered >= _NETWORK_SINCE else 0
    scopes = _SCOPES if offered >= _SCOPES_SINCE else 0
    size = 24 if scopes else 16 if network else 8  # an older kernel knows a shorter structure
    rules = _checked(
        libc.syscall(
            _CREATE,
            ctypes.byref(_Ruleset(handled, network, scopes)),
            ctypes.c_size_t(size),
            ctypes.c_uint32(0),
        )
    )
    try:
        for path, rights in allowed.items():
            _allow(rules, path, rights & handled)
        _checked(libc.syscall(_RESTRICT, ctypes.c_int(rules), ctypes.c_uint32(0)))
    finally:
        os.close(rules)
    return offered


def _allow(rules: int, path: Path, rights: int) -> None:
    try:
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        rule = _Rule(rights if path.is_dir() else rights & _OF_A_FILE, parent)
        arguments = (ctypes.c_int(rules), ctypes.c_int(_BENEATH), ctypes.byref(rule), ctypes.c_uint32(0))
        _checked(_libc().syscall(_ADD, *arguments))
    finally:
        os.close(parent)


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"Landlock refuses: {os.strerror(number)}")
    return result


def _libc() -> ctypes.CDLL:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    return libc
