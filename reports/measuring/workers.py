"""Signs of life of the workers: written by each worker, read by WorkerHeartbeat.objects.living()."""

import os
import socket
from datetime import timedelta

from django.utils import timezone

from reports.models import WorkerHeartbeat, WorkerState

BEAT_S = 5.0
_FORGET = timedelta(days=1)


def my_name() -> str:
    """Return what names this process among all workers."""
    return f"{socket.gethostname()}:{os.getpid()}"[:200]


def forget_dead() -> int:
    """Take away the signs of life of workers of this host whose process was killed; return how many."""
    dead = [worker for worker in WorkerHeartbeat.objects.all() if is_dead(worker.name)]
    for worker in dead:
        worker.delete()
    return len(dead)


def is_dead(name: str) -> bool:
    """Tell whether a process of this host is gone; what lives on another host cannot be told from here."""
    host, _, pid = name.rpartition(":")
    return host == socket.gethostname() and pid.isdigit() and not process_lives(int(pid))


def beat(*, name: str, processes: int, state: str = WorkerState.WORKING) -> None:
    """Tell that a worker lives and what it does, and forget those that died long ago."""
    now = timezone.now()
    said = {"processes": processes, "seen_at": now, "state": state}
    WorkerHeartbeat.objects.update_or_create(name=name, defaults=said)
    WorkerHeartbeat.objects.filter(seen_at__lt=now - _FORGET).delete()


def end(*, name: str) -> None:
    """Tell that a worker has ended."""
    WorkerHeartbeat.objects.filter(name=name).delete()


def process_lives(pid: int) -> bool:
    """Tell whether a process of this host is still there."""
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
