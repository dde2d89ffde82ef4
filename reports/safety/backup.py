"""Back an installation up while it runs, and put a backup into an empty one: verified first, switched last."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.db import connections
from django.utils import timezone

from reports.media.files import sha256_in
from reports.media.screencasts import Fingerprint, fingerprint, keep
from reports.models import Run
from reports.safety.findings import forget_proxies
from reports.web.trouble import refuse_newer_database

MANIFEST, PARTIAL = "manifest.json", ".partial"
SQLITE, POSTGRES = "database.sqlite3", "database.dump"
BESIDE = ("secret_key", "login.txt")  # of UPREG_VAR_DIR, readable by their owner alone
_CHUNK_BYTES = 1 << 20
Report = Callable[[], None]


class BackupError(RuntimeError):
    """It cannot be backed up or restored; the message tells the cure. What was there before is as it was."""


@dataclass
class Backup:
    """A backup: its folder, the sha256 of every file in it, and the recordings that were not whole any more."""

    folder: Path
    release: str
    made_at: str
    files: dict[str, str] = field(default_factory=dict)
    not_whole: list[str] = field(default_factory=list)
    linked: int = 0  # files that an earlier backup had already


def make_backup(target: Path, *, on_file: Report = lambda: None) -> Backup:
    """Write a backup as a new folder of ``target``, named by the time; return it.

    The database is copied as it is at one instant, while others write; then every recording, log and trace that it
    names. A file that an earlier backup in ``target`` has is linked, not copied; one that is damaged or away is
    taken from there, too. Pictures and players' copies are left out: they are made anew. Raises BackupError.
    """
    made_at = timezone.now().strftime("%Y%m%dT%H%M%S.%fZ")
    made = Backup(target / made_at, settings.VERSION, made_at)
    partial = target / f"{PARTIAL}-{made_at}"
    earlier = _earlier(target)
    try:
        partial.mkdir(parents=True)
        _keep_database(partial, made)
        for name in BESIDE:
            if (source := Path(settings.VAR_DIR) / name).is_file():
                shutil.copy2(source, partial / name)
                made.files[name] = fingerprint(partial / name).sha256
        for name, sha256 in _named_files():
            _keep_file(name, sha256, partial, earlier, made)
            on_file()
        told = {"release": made.release, "made_at": made_at, "files": made.files, "not_whole": made.not_whole}
        (partial / MANIFEST).write_text(json.dumps(told, indent=1), encoding="utf-8")
        os.replace(partial, made.folder)
    except OSError as error:
        raise BackupError(f"{target} did not take the backup: {error}: make room or make it writable") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return made


def read_backup(folder: Path) -> Backup:
    """Return what a backup says of itself; of a folder of backups, the newest. Raises BackupError."""
    inner = folder if (folder / MANIFEST).is_file() else _earlier(folder)
    if inner is None:
        raise BackupError(f"{folder} holds no backup: name a folder that manage.py backup has written")
    try:
        told = json.loads((inner / MANIFEST).read_text(encoding="utf-8"))
        return Backup(inner, told["release"], told["made_at"], told["files"], told["not_whole"])
    except (OSError, ValueError, KeyError) as error:
        raise BackupError(f"{inner / MANIFEST} cannot be read ({error}): take another backup") from error


def verify_backup(backup: Backup, *, on_file: Report = lambda: None) -> None:
    """Compare every file of a backup with its sha256; raises BackupError naming those that are others."""
    wrong = []
    for name, sha256 in backup.files.items():
        try:
            if fingerprint(backup.folder / name).sha256 != sha256:
                wrong.append(name)
        except OSError:
            wrong.append(name)
        on_file()
    if wrong:
        more = " …" if len(wrong) > 3 else ""
        raise BackupError(
            f"{len(wrong)} files of this backup are damaged or missing: {', '.join(wrong[:3])}{more}: take another"
        )


def restore_backup(backup: Backup, *, on_file: Report = lambda: None) -> None:
    """Put a backup into this installation, which must be empty: nothing is overwritten.

    Everything is verified first; the recordings come next, as they harm nobody; the database comes last, at once.
    A backup of an earlier release is brought up to date. Raises BackupError.
    """
    _refuse_unless_empty(backup)
    verify_backup(backup, on_file=on_file)
    try:
        for name, sha256 in backup.files.items():
            if name.startswith("media/"):
                source = backup.folder / name
                keep(source, Fingerprint(sha256, source.stat().st_size, name.removeprefix("media/")))
        for name in BESIDE:
            if name in backup.files:
                shutil.copy2(backup.folder / name, Path(settings.VAR_DIR) / name)
        _put_database(backup)
    except OSError as error:
        raise BackupError(f"the backup does not fit: {error}: make room, then restore it again") from error
    call_command("migrate", verbosity=0, interactive=False)
    forget_proxies()


def _earlier(target: Path) -> Path | None:
    """Return the newest whole backup in a folder."""
    return max(
        (path.parent for path in target.glob(f"*/{MANIFEST}") if PARTIAL not in path.parent.name), default=None
    )


def _named_files() -> Iterator[tuple[str, str]]:
    """Yield name and sha256 of the files that runs name, each once."""
    seen = set()
    for field_name in ("file_name", "log_name", "trace_name"):
        rows = Run.objects.exclude(**{field_name: ""}).order_by().values_list(field_name, "sha256").distinct()
        for name, sha256 in rows.iterator():
            if name not in seen:
                seen.add(name)
                yield name, sha256 if field_name == "file_name" else sha256_in(name)


def _keep_file(name: str, sha256: str, folder: Path, earlier: Path | None, made: Backup) -> None:
    kept = f"media/{name}"
    target, before = folder / kept, earlier / kept if earlier else None
    target.parent.mkdir(parents=True, exist_ok=True)
    if before is not None and before.is_file():
        with suppress(OSError):
            os.link(before, target)
            made.files[kept], made.linked = sha256, made.linked + 1
            return
    digest = hashlib.sha256()
    try:
        with default_storage.open(name) as source, target.open("wb") as copy:
            while chunk := source.read(_CHUNK_BYTES):
                digest.update(chunk)
                copy.write(chunk)
    except FileNotFoundError:
        made.not_whole.append(name)
        return
    if digest.hexdigest() != sha256:
        target.unlink()
        made.not_whole.append(name)
        return
    made.files[kept] = sha256


def _is_sqlite() -> bool:
    return "sqlite3" in settings.DATABASES["default"]["ENGINE"]


def _database() -> dict[str, Any]:
    return connections["default"].settings_dict


def _keep_database(folder: Path, made: Backup) -> None:
    if _is_sqlite():
        name = SQLITE
        with (
            closing(sqlite3.connect(_database()["NAME"])) as source,
            closing(sqlite3.connect(folder / name)) as copy,
        ):
            source.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
    else:
        name = POSTGRES
        _postgres("pg_dump", "--format=custom", f"--file={folder / name}", "--no-owner")
    made.files[name] = fingerprint(folder / name).sha256


def _put_database(backup: Backup) -> None:
    if _is_sqlite():
        target = Path(_database()["NAME"])
        beside = target.with_name(f"{target.name}.restoring")
        shutil.copyfile(backup.folder / SQLITE, beside)
        connections.close_all()
        for ending in ("-wal", "-shm"):
            target.with_name(target.name + ending).unlink(missing_ok=True)
        os.replace(beside, target)
    else:
        _postgres(
            "pg_restore",
            "--no-owner",
            "--single-transaction",
            "--dbname",
            _database()["NAME"],
            str(backup.folder / POSTGRES),
        )
    try:
        refuse_newer_database()
    except Exception:
        if _is_sqlite():
            connections.close_all()
            Path(_database()["NAME"]).unlink()
        raise


def _refuse_unless_empty(backup: Backup) -> None:
    wanted = SQLITE if _is_sqlite() else POSTGRES
    if wanted not in backup.files:
        raise BackupError(
            f"this backup is of another kind of database than {_database()['ENGINE'].rpartition('.')[2]}: "
            "set UPREG_DATABASE_URL to one like it"
        )
    if _is_sqlite() and Path(_database()["NAME"]).exists() and _has_tables():
        raise BackupError(
            f"there is a database already, {_database()['NAME']}: nothing is overwritten. Move it away, or restore "
            "into another UPREG_VAR_DIR"
        )
    if not _is_sqlite() and _has_tables():
        raise BackupError("the database has tables already: nothing is overwritten. Create an empty one")


def _has_tables() -> bool:
    try:
        return bool(connections["default"].introspection.table_names())
    except Exception:  # it is no database at all: that is something, too
        return True


def _postgres(program: str, *arguments: str) -> None:
    """Run a program of PostgreSQL; the password goes by the environment, which nobody else can read."""
    if shutil.which(program) is None:
        raise BackupError(
            f"{program} is not installed: install the client programs of PostgreSQL, of the server's release"
        )
    database = _database()
    where = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD", "PGDATABASE": "NAME"}
    environment = os.environ | {name: str(database[key]) for name, key in where.items() if database.get(key)}
    done = subprocess.run([program, *arguments], env=environment, capture_output=True, text=True)
    if done.returncode:
        raise BackupError(f"{program} failed: {done.stderr.strip()[-500:]}")
