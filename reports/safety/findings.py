"""What the doctor looks at, one function each: it returns what is wrong, or None."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.core.files.storage import FileSystemStorage, default_storage
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Max, Q
from django.utils import timezone

from analysis.isolation.decoder import UnavailableError
from analysis.verdicts.text import count_text
from reports.measuring import workers
from reports.measuring.recovery import recover_lost_runs
from reports.media.decoding import decoders
from reports.media.files import ROT, look_at_files, note_missing
from reports.media.screencasts import NOT_TAKEN
from reports.models import Comparison, ComparisonStatus, Proxy, ProxyStatus, Run, RunStatus, StoredFile
from reports.models import WorkerHeartbeat as Worker
from reports.queue.leases import AHEAD, lease_over
from reports.queue.services import queue_comparisons
from reports.safety.orphans import delete_orphans, orphans
from reports.safety.schedules import ensure_schedules, missing_schedules
from reports.web.trouble import database_name, unknown_migrations

LEAST_FREE_BYTES = 1 << 30
SECRET_FILES = ("secret_key", "login.txt")


@dataclass(frozen=True)
class Finding:
    """One thing that is not in order. ``serious`` ones make the command end with 1."""

    what: str
    why: str  # it matters
    cure: str
    serious: bool = True


@dataclass(frozen=True)
class Check:
    """One look, and what may safely be done about what it finds; ``repair`` returns what it did."""

    key: str
    look: Callable[[], Finding | None]
    repair: Callable[[], str] | None = None


def newer_database() -> Finding | None:
    """Look for steps of the schema that this release does not know."""
    if not (unknown := unknown_migrations()):
        return None
    return Finding(
        f"The database {database_name()} belongs to a newer release (it has {unknown[-1]}).",
        "This release would write what the newer one misreads; no command but this one starts.",
        "Start the newer release, or put a backup of this one's in its place: manage.py restore.",
    )


def pending_migrations() -> Finding | None:
    """Look for steps of the schema that were not taken yet."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if not plan:
        return None
    return Finding(
        f"{count_text(len(plan), 'migration')} of the database not taken yet.",
        "Pages and workers ask for columns that are not there.",
        "Run manage.py migrate; manage.py start does so by itself.",
    )


def stuck_claims() -> Finding | None:
    """Look for runs, comparisons and proxies that somebody holds who is gone."""
    held = list(Run.objects.filter(status=RunStatus.RUNNING))
    over = set(Run.objects.filter(lease_over(), status=RunStatus.RUNNING).values_list("pk", flat=True))
    lost = [run for run in held if run.pk in over or workers.is_dead(run.claimed_by)]
    rows = len(lost) + _lost_comparisons().count() + _lost_proxies().count()
    if not rows:
        return None
    return Finding(
        f"{count_text(rows, 'claim')} held by a worker that is gone.",
        "Nobody else works on these runs, comparisons or players' copies until their time is over.",
        "Start a worker, or run manage.py doctor --repair: they are queued again.",
    )


def free_claims() -> str:
    """Give back what nobody works on, and queue it again."""
    comparisons, runs = _lost_comparisons().count(), recover_lost_runs()
    proxies = _lost_proxies().delete()[0]
    return (
        f"{count_text(runs, 'run')} and {count_text(comparisons, 'comparison')} queued again, "
        f"{count_text(proxies, 'copy', 'copies')} for players forgotten, to be made when a page asks"
    )


def _lost_comparisons():  # type: ignore[no-untyped-def]
    return Comparison.objects.filter(lease_over(), status=ComparisonStatus.RUNNING)


def _lost_proxies():  # type: ignore[no-untyped-def]
    return Proxy.objects.filter(lease_over(), status=ProxyStatus.RUNNING)


def stale_comparisons() -> Finding | None:
    """Look for comparisons whose runs changed, that wait for nothing, and that nobody computes."""
    if not (count := len(_stale())):
        return None
    return Finding(
        f"{count_text(count, 'comparison')} out of date, though every run is measured.",
        "Their pages show old results, marked as such; the gate decides on them.",
        "Run manage.py doctor --repair, which queues them, or compare the versions again.",
    )


def _stale() -> list[int]:
    waits = Q(status__in=[ComparisonStatus.PENDING, ComparisonStatus.RUNNING])
    rows = Comparison.objects.filter(stale=True).exclude(waits).without_open_runs()
    return list(rows.values_list("pk", flat=True))


def compute_stale() -> str:
    """Queue them."""
    ids = _stale()
    queue_comparisons(comparison_ids=ids)
    return f"{count_text(len(ids), 'comparison')} queued"


def missing_proxies() -> Finding | None:
    """Look for copies for players whose file is away, or that a full disk kept from being made."""
    if not (count := len(_broken_proxies())):
        return None
    return Finding(
        f"{count_text(count, 'copy', 'copies')} for players lost, or not kept by a storage that took nothing.",
        "Stepping through these recordings is slow, or their player says that it cannot.",
        "Run manage.py doctor --repair: they are made anew when a page asks.",
        serious=False,
    )


def _broken_proxies() -> list[int]:
    refused = Proxy.objects.filter(status=ProxyStatus.FAILED, error__startswith=NOT_TAKEN)
    done = Proxy.objects.filter(status=ProxyStatus.DONE).values_list("pk", "file_name")
    away = [pk for pk, name in done.iterator() if not default_storage.exists(name)]
    return [*refused.values_list("pk", flat=True), *away]


def forget_proxies() -> str:
    """Forget them, so that the next page has them made."""
    deleted, _ = Proxy.objects.filter(pk__in=_broken_proxies()).delete()
    return f"{count_text(deleted, 'copy', 'copies')} forgotten, to be made when a page asks"


def rot() -> Finding | None:
    """Look for files that are away, or are known to have changed; every byte only with ``--read-all``."""
    note_missing()
    return _rotten()


def rot_in_every_byte() -> Finding | None:
    """Read every file and compare it with its sha256."""
    look_at_files(bytes_per_s=0.0, everything=True)
    return _rotten()


def _rotten() -> Finding | None:
    rows = StoredFile.objects.filter(state__in=ROT)
    if not (count := rows.count()):
        return None
    first = ", ".join(rows.values_list("name", flat=True)[:3])
    return Finding(
        f"{count_text(count, 'stored file')} damaged or missing: {first}{' …' if count > 3 else ''}",
        "These recordings are no evidence any more; what was measured of the originals stands.",
        "Import their manifests again, or restore a backup: either heals them. The page Runs lists them.",
    )


def orphaned_files() -> Finding | None:
    """Look for files that nobody names."""
    found = orphans()
    if not found:
        return None
    size = sum(orphan.size_bytes for orphan in found)
    return Finding(
        f"{count_text(len(found), 'file')} that nothing names, {size / 1e6:.1f} MB: {found[0].name}"
        f"{' …' if len(found) > 1 else ''}",
        "They take room. A killed import or measurement leaves such files behind.",
        "Run manage.py doctor --repair, which deletes those that are older than a day.",
        serious=False,
    )


def clear_orphans() -> str:
    """Delete them."""
    return f"{count_text(delete_orphans(), 'file')} deleted"


def schedules() -> Finding | None:
    """Look for regular tasks that nobody has scheduled."""
    if not (missing := missing_schedules()):
        return None
    return Finding(
        f"Not scheduled: {', '.join(missing)}.",
        "Lost runs are not found again, and files that change on the disk are not noticed.",
        "Start a worker, which schedules them, or run manage.py doctor --repair.",
    )


def make_schedules() -> str:
    """Schedule them."""
    return f"scheduled: {', '.join(ensure_schedules())}"


def dead_workers() -> Finding | None:
    """Look for signs of life of processes that are gone."""
    dead = _dead_workers()
    if not dead:
        return None
    return Finding(
        f"{count_text(len(dead), 'worker')} ended without a word: {', '.join(dead)}.",
        "What they were measuring waits until their time is over.",
        "Look into their log; start a worker again. manage.py doctor --repair takes the signs away.",
        serious=False,
    )


def _dead_workers() -> list[str]:
    living = set(Worker.objects.living().values_list("name", flat=True))
    names = Worker.objects.values_list("name", flat=True)
    return [name for name in names if name not in living or workers.is_dead(name)]


def bury_workers() -> str:
    """Take their signs of life away."""
    deleted, _ = Worker.objects.filter(name__in=_dead_workers()).delete()
    return f"{count_text(deleted, 'sign')} of life taken away"


def nobody_works() -> Finding | None:
    """Look for runs that wait while no worker lives."""
    waiting = Run.objects.filter(status=RunStatus.PENDING).count()
    if not waiting or Worker.objects.living().exists():
        return None
    return Finding(
        f"{count_text(waiting, 'run')} waiting, and no worker is alive.",
        "Nothing is measured.",
        "Start one: manage.py worker, or manage.py start.",
    )


def disk_space() -> Finding | None:
    """Look at the room on the disks of the database and the screencasts."""
    for folder in _folders():
        usage = shutil.disk_usage(folder)
        if usage.free < max(LEAST_FREE_BYTES, usage.total // 50):
            return Finding(
                f"Only {usage.free / 1e9:.1f} GB are free at {folder}.",
                "On a full disk no import, measurement or decision is kept.",
                "Make room, or drop old screencasts: manage.py retention shows which.",
            )
    return None


def permissions() -> Finding | None:
    """Look whether the folders can be written."""
    locked = [str(folder) for folder in _folders() if not os.access(folder, os.W_OK | os.X_OK)]
    if not locked:
        return None
    return Finding(
        f"Cannot be written: {', '.join(locked)}.",
        "Pages work, but nothing can be imported, measured or decided.",
        "Make it writable for the user that runs UPReg.",
    )


def _folders() -> list[Path]:
    folders = [Path(settings.VAR_DIR)]
    if isinstance(default_storage, FileSystemStorage):
        folders.append(Path(default_storage.location))
    return [folder for folder in folders if folder.is_dir()]


def secrets() -> Finding | None:
    """Look whether others can read the signing key or the first password."""
    if not (open_files := _open_secrets()):
        return None
    return Finding(
        f"Others can read {', '.join(map(str, open_files))}.",
        "Who has the key can log in as anybody.",
        "Run manage.py doctor --repair, which leaves them to their owner; make a new key if others had access.",
    )


def _open_secrets() -> list[Path]:
    files = (Path(settings.VAR_DIR) / name for name in SECRET_FILES)
    return [file for file in files if file.is_file() and file.stat().st_mode & 0o077]


def close_secrets() -> str:
    """Leave them to their owner."""
    files = _open_secrets()
    for file in files:
        file.chmod(0o600)
    return f"{count_text(len(files), 'file')} left to the owner alone"


def decoding() -> Finding | None:
    """Look whether recordings are decoded apart, and what holds the child in."""
    try:
        held = decoders().in_force()
    except UnavailableError as error:
        return Finding(
            f"No decoder can be started: {error}.",
            "No recording is measured, and no picture of one is made.",
            "Look into the log; a limit of memory or processes on this machine may be too low.",
        )
    if held.landlock or held.seccomp:
        return None
    return Finding(
        "This platform holds a decoder in by limits of memory and time alone.",
        "A recording made to break FFmpeg could read other files or the network.",
        "Run the workers on Linux 5.13 or later with libseccomp, or in a container without a network.",
        serious=False,
    )


def clock() -> Finding | None:
    """Look for instants that were written and are yet to come."""
    now = timezone.now()
    written = [
        Run.objects.aggregate(last=Max("measured_at"))["last"],
        Run.objects.aggregate(last=Max("claimed_at"))["last"],
        Worker.objects.aggregate(last=Max("seen_at"))["last"],
    ]
    ahead = max((instant - now for instant in written if instant), default=timedelta())
    if ahead <= AHEAD:
        return None
    return Finding(
        f"The database holds times {ahead.total_seconds() / 60:.0f} min ahead of this machine's clock.",
        "Claims and signs of life are told by the clock: one host takes away what another works on.",
        "Set the clocks by NTP. What was claimed in the future counts as lost, and is queued again.",
    )


CHECKS = (
    Check("newer-database", newer_database),
    Check("pending-migrations", pending_migrations),
    Check("permissions", permissions),
    Check("disk-space", disk_space),
    Check("secrets", secrets, close_secrets),
    Check("clock", clock),
    Check("decoding", decoding),
    Check("schedules", schedules, make_schedules),
    Check("dead-workers", dead_workers, bury_workers),
    Check("stuck-claims", stuck_claims, free_claims),
    Check("nobody-works", nobody_works),
    Check("stale-comparisons", stale_comparisons, compute_stale),
    Check("rot", rot),
    Check("missing-proxies", missing_proxies, forget_proxies),
    Check("orphans", orphaned_files, clear_orphans),
)
FIRST = ("newer-database", "pending-migrations")  # while one of them holds, the tables are not what the others ask
