"""Seccomp: a Linux process gives up, for ever, the system calls that decoding never needs.

libseccomp knows their numbers on every processor and comes with Debian and Ubuntu (`libseccomp2`). Its Python
packages are no longer kept up, or need a compiler; five functions by ctypes are all that is needed.

What is not named stays allowed: which calls a decoder makes depends on its version, the C library, the processor;
a filter that breaks decoding after an update would be switched off.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys

_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_NOT_EQUAL, _MASKED_EQUAL = 1, 7
_CLONE_THREAD = 0x00010000

# Network; other programs; other processes, and memory outside the limit; rights of files, which Landlock leaves
# alone; the system itself.
REFUSED = """
    socket socketpair connect bind listen accept accept4 sendto sendmsg sendmmsg recvfrom recvmsg recvmmsg
    getsockopt setsockopt shutdown
    execve execveat fork vfork
    ptrace process_vm_readv process_vm_writev process_madvise process_mrelease kcmp kill tkill rt_sigqueueinfo
    rt_tgsigqueueinfo pidfd_open pidfd_getfd pidfd_send_signal setpriority ioprio_set shmget shmat shmctl msgget
    msgsnd msgrcv msgctl semget semop semtimedop semctl mq_open mq_unlink memfd_create
    chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat setxattr lsetxattr fsetxattr setxattrat
    removexattr lremovexattr fremovexattr removexattrat utime utimes utimensat futimesat mknod mknodat symlink
    symlinkat link linkat chroot name_to_handle_at open_by_handle_at fanotify_init inotify_init inotify_init1
    mount umount umount2 pivot_root setns unshare mount_setattr move_mount open_tree fsopen fsconfig fsmount
    fspick bpf perf_event_open userfaultfd io_uring_setup io_uring_enter io_uring_register keyctl add_key
    request_key init_module finit_module delete_module kexec_load kexec_file_load reboot swapon swapoff acct
    quotactl quotactl_fd personality setuid setgid setreuid setregid setresuid setresgid setgroups setfsuid
    setfsgid capset iopl ioperm modify_ldt settimeofday clock_settime clock_settime64 clock_adjtime adjtimex
    sethostname setdomainname syslog vhangup
"""


class _Comparison(ctypes.Structure):
    _fields_ = [
        ("argument", ctypes.c_uint),
        ("how", ctypes.c_int),
        ("first", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    ]


def restrict() -> bool:
    """Refuse these calls to this thread and those it starts; False where libseccomp or the kernel lacks them."""
    library = _library()
    if library is None:
        return False
    context = library.seccomp_init(_ALLOW)
    if not context:
        return False
    try:
        filters = ctypes.c_void_p(context)
        for name in REFUSED.split():
            _refuse(library, filters, name)
        _refuse(library, filters, "clone3", reason=errno.ENOSYS)  # the C library then calls clone
        _refuse(library, filters, "clone", _Comparison(0, _MASKED_EQUAL, _CLONE_THREAD, 0))  # threads only
        _refuse(library, filters, "tgkill", _Comparison(0, _NOT_EQUAL, os.getpid()))
        _refuse(library, filters, "prlimit64", _Comparison(0, _NOT_EQUAL, 0))
        return bool(library.seccomp_load(filters) == 0)
    finally:
        library.seccomp_release(ctypes.c_void_p(context))


def _refuse(
    library: ctypes.CDLL, context: ctypes.c_void_p, name: str, *when: _Comparison, reason: int = errno.EPERM
) -> None:
    number = library.seccomp_syscall_resolve_name(name.encode())
    if number < 0:  # this processor, or this libseccomp, has no such call
        return
    array = (_Comparison * max(1, len(when)))(*when)
    problem = library.seccomp_rule_add_array(context, _ERRNO | reason, number, len(when), array)
    if problem:
        raise OSError(-problem, f"seccomp refuses a rule for {name}: {os.strerror(-problem)}")


def _library() -> ctypes.CDLL | None:
    if sys.platform != "linux":
        return None
    try:
        library = ctypes.CDLL("libseccomp.so.2")
    except OSError:
        return None
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_init.argtypes = [ctypes.c_uint32]
    library.seccomp_syscall_resolve_name.argtypes = [ctypes.c_char_p]
    library.seccomp_rule_add_array.argtypes = [
        ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint, ctypes.POINTER(_Comparison),
    ]  # fmt: skip
    return library
