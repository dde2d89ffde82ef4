"""PostgreSQL's own programs take a backup and put it back: every row of every table is compared."""

from contextlib import closing

import psycopg
import pytest
from django.db import connection

from reports.safety import backup as backups
from reports.safety.backup import BackupError, make_backup, read_backup, restore_backup
from tests import factories

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite's way is tested in test_backup.py"),
]
TABLES = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1"


def opened(name):
    where = connection.get_connection_params()
    keys = ("host", "port", "user", "password")
    return psycopg.connect(**{key: where[key] for key in keys if key in where}, dbname=name, autocommit=True)


def rows(name):
    with closing(opened(name)) as database:
        tables = [table for (table,) in database.execute(TABLES)]
        return {table: sorted(map(repr, database.execute(f'SELECT * FROM "{table}"'))) for table in tables}


@pytest.fixture
def empty(settings, tmp_path):
    """Give the name of an empty database beside the one of the tests."""
    settings.VAR_DIR = tmp_path / "var"
    settings.VAR_DIR.mkdir()
    here = connection.settings_dict["NAME"]
    name = f"{here}_restored"
    with closing(opened(here)) as database:
        database.execute(f'DROP DATABASE IF EXISTS "{name}"')
        database.execute(f'CREATE DATABASE "{name}"')
        yield name
        database.execute(f'DROP DATABASE "{name}"')


def test_every_row_comes_back_as_it_was(empty, tmp_path, monkeypatch):
    factories.runs([100.0, 110.0])
    before = rows(connection.settings_dict["NAME"])
    make_backup(tmp_path / "backups")

    monkeypatch.setattr(backups, "_database", lambda: connection.settings_dict | {"NAME": empty})
    monkeypatch.setattr(backups, "_has_tables", lambda: bool(rows(empty)))
    monkeypatch.setattr(backups, "refuse_newer_database", lambda: None)
    monkeypatch.setattr(backups, "call_command", lambda *_, **__: None)
    restore_backup(read_backup(tmp_path / "backups"))

    assert len(before["reports_run"]) == 2
    assert rows(empty) == before
    with pytest.raises(BackupError, match="nothing is overwritten"):
        restore_backup(read_backup(tmp_path / "backups"))


def test_database_that_does_not_let_its_program_in_is_said(empty, tmp_path, monkeypatch):
    monkeypatch.setattr(backups, "_database", lambda: connection.settings_dict | {"NAME": f"{empty}_never"})

    with pytest.raises(BackupError, match=r"pg_dump failed: .*does not exist"):
        make_backup(tmp_path / "backups")
