"""Migrate a test database once: the first process of a run does it, the others get a copy of what it made.

On SQLite that is kept beside the test database for the next run as well, until a migration or a model changes. What
migrations do is proved by their own tests; each process that ran all of them would only take its time.
"""

import fcntl
import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django
import pytest
from django.apps import apps
from django.db.backends.base.creation import BaseDatabaseCreation

_create = BaseDatabaseCreation.create_test_db
_KEPT = "test-migrated-{}.sqlite3"


@contextmanager
def migrated_once(shared: Path, workers: list[str]) -> Iterator[None]:
    """Create test databases in this way within the block.

    ``shared`` is a folder of this run alone, ``workers`` are the processes that run tests, this one first.
    """

    def create_test_db(creation, *args, **how):
        on_file = creation.connection.vendor == "sqlite"
        folder = Path(creation._get_test_db_name()).parent if on_file else shared  # another run may go on beside
        with (folder / "test-migrating").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # given back when it is closed
            return (_on_file if on_file else _on_server)(creation, shared, workers, args, how)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseDatabaseCreation, "create_test_db", create_test_db)
        yield


def _on_file(creation, shared, workers, args, how):
    name = Path(creation._get_test_db_name())
    kept = name.with_name(_KEPT.format(_fingerprint()))
    if kept.exists():
        for left in ("", "-wal", "-shm"):  # a run that was cut off
            name.with_name(name.name + left).unlink(missing_ok=True)
        shutil.copyfile(kept, name)
        return _as_it_is(creation, args, how)
    made = _create(creation, *args, **how)
    fresh = kept.with_suffix(f".{os.getpid()}")
    with creation.connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(fresh)])
    for old in kept.parent.glob(_KEPT.format("*")):
        old.unlink(missing_ok=True)
    fresh.replace(kept)
    return made


def _on_server(creation, shared, workers, args, how):
    """Copy it for the other processes at once: a template must have no connection, and tests keep theirs open."""
    name = creation._get_test_db_name()
    if (shared / name).exists():
        return _as_it_is(creation, args, how)
    made = _create(creation, *args, **how)
    creation.connection.close()
    own, *others = workers
    quote = creation.connection.ops.quote_name
    for other in (name.removesuffix(own) + worker for worker in others):
        with creation._nodb_cursor() as cursor:
            cursor.execute(f"DROP DATABASE IF EXISTS {quote(other)}")
            cursor.execute(f"CREATE DATABASE {quote(other)} TEMPLATE {quote(name)}")
        (shared / other).touch()
    return made


def _as_it_is(creation, args, how):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.core.management.call_command", lambda *_, **__: None)
        return _create(creation, *args, **{**how, "keepdb": True})


def _fingerprint() -> str:
    """Tell what a migrated database comes from: migrations, models, Django, and this file's own ways."""
    found = hashlib.sha256(django.__version__.encode())
    for app in apps.get_app_configs():
        root = Path(app.path)
        files = [*root.glob("models.py"), *root.glob("models/*.py"), *root.glob("migrations/*.py")]
        for file in sorted(files):
            found.update(f"{app.name}/{file.relative_to(root)}\0".encode() + file.read_bytes())
    return found.hexdigest()[:16]
