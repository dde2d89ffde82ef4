"""A backup is whole, and comes back whole: compared file by file and row by row with what was there."""

import hashlib
import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.db import connection

from reports.models import Run
from reports.safety import backup as backups
from reports.safety.backup import BackupError, make_backup, read_backup, restore_backup, verify_backup
from tests import factories

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("connection.vendor != 'sqlite'", reason="PostgreSQL's own programs do it there"),
]


def film(content):
    sha256 = hashlib.sha256(content).hexdigest()
    name = f"screencasts/{sha256[:2]}/{sha256}.mp4"
    if not default_storage.exists(name):
        default_storage.save(name, ContentFile(content))
    return factories.run(file_name=name, sha256=sha256, metrics={"response_time_ms": 100.0})


@pytest.fixture
def installation(settings, tmp_path):
    """An installation with two recordings and a signing key."""
    settings.VAR_DIR = tmp_path / "var"
    settings.VAR_DIR.mkdir()
    (settings.VAR_DIR / "secret_key").write_text("key")
    return [film(b"one"), film(b"two")]


@pytest.fixture
def elsewhere(settings, tmp_path, monkeypatch):
    """Return how to point this process to an empty installation; the path of its database comes back."""
    database = dict(connection.settings_dict)

    def _elsewhere():
        settings.VAR_DIR, settings.MEDIA_ROOT = tmp_path / "var2", tmp_path / "media2"
        settings.VAR_DIR.mkdir(exist_ok=True)
        monkeypatch.setattr(backups, "_database", lambda: database | {"NAME": settings.VAR_DIR / "new.sqlite3"})
        monkeypatch.setattr(backups, "refuse_newer_database", lambda: None)
        monkeypatch.setattr(backups, "call_command", lambda *_, **__: None)
        return settings.VAR_DIR / "new.sqlite3"

    return _elsewhere


def dumped(path):
    with closing(sqlite3.connect(path)) as db:
        return [line for line in db.iterdump() if "sqlite_sequence" not in line]


def test_everything_comes_back_as_it_was(installation, elsewhere, tmp_path, settings):
    made = make_backup(tmp_path / "backups")
    assert len(made.files) == 4  # database, key, two recordings
    before = dumped(connection.settings_dict["NAME"])

    database = elsewhere()
    restore_backup(read_backup(tmp_path / "backups"))

    assert dumped(database) == before
    assert (settings.VAR_DIR / "secret_key").read_text() == "key"
    assert {Path(default_storage.path(run.file_name)).read_bytes() for run in installation} == {b"one", b"two"}


def test_the_next_backup_links_what_the_last_one_has_and_takes_a_spoilt_file_from_there(installation, tmp_path):
    first = make_backup(tmp_path / "backups")
    film(b"three")
    spoilt = Path(default_storage.path(installation[0].file_name))
    spoilt.write_bytes(b"rot")

    second = make_backup(tmp_path / "backups")

    assert (second.linked, second.not_whole) == (2, [])
    kept = f"media/{installation[0].file_name}"
    assert (second.folder / kept).read_bytes() == b"one"
    assert os.path.samefile(first.folder / kept, second.folder / kept)


def test_what_is_damaged_and_in_no_earlier_backup_is_named(installation, tmp_path, capsys):
    Path(default_storage.path(installation[0].file_name)).write_bytes(b"rot")

    with pytest.raises(SystemExit):
        call_command("backup", str(tmp_path / "backups"))

    assert f"not whole, and in no earlier backup: {installation[0].file_name}" in capsys.readouterr().err
    verify_backup(read_backup(tmp_path / "backups"))


def test_an_installation_that_is_not_empty_is_not_overwritten(installation, tmp_path):
    make_backup(tmp_path / "backups")

    with pytest.raises(CommandError, match="nothing is overwritten"):
        call_command("restore", str(tmp_path / "backups"))
    assert Run.objects.count() == 2


def test_a_backup_with_a_changed_byte_is_refused_before_anything_is_touched(installation, elsewhere, tmp_path):
    made = make_backup(tmp_path / "backups")
    file = made.folder / f"media/{installation[1].file_name}"
    file.write_bytes(b"tow")

    database = elsewhere()
    with pytest.raises(BackupError, match="1 files of this backup are damaged"):
        restore_backup(read_backup(tmp_path / "backups"))

    assert not database.exists()
    assert not Path(default_storage.location).exists()


def test_a_folder_without_a_backup_is_told(tmp_path):
    with pytest.raises(CommandError, match="holds no backup"):
        call_command("restore", str(tmp_path))


def test_a_backup_that_was_interrupted_leaves_nothing_behind(installation, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backups, "_keep_file", full)

    with pytest.raises(BackupError, match="make room"):
        make_backup(tmp_path / "backups")
    assert list((tmp_path / "backups").iterdir()) == []


def test_the_manifest_names_release_and_sha256(installation, tmp_path, settings):
    made = make_backup(tmp_path / "backups")

    told = json.loads((made.folder / "manifest.json").read_text())
    assert told["release"] == settings.VERSION
    assert told["files"]["secret_key"] == hashlib.sha256(b"key").hexdigest()
