"""Truth: what SQLite itself says to real files that are broken in these ways."""

import errno
import os
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from django.conf import settings
from django.db import DatabaseError, OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.urls import reverse

from reports.management import commandline
from reports.measuring import views
from reports.web.trouble import trouble_words
from tests import factories


def said(error, of=OperationalError):
    """Wrap an error of sqlite3 as Django does."""
    try:
        raise of(*error.args) from error
    except of as wrapped:
        return wrapped


def fail_of(act):
    with pytest.raises(sqlite3.Error) as caught:
        act()
    return caught.value


def a_database(folder):
    file = folder / "upreg.sqlite3"
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("create table t (a)")
        db.executemany("insert into t values (?)", [("x" * 900,)] * 50)
    return file


def no_database(folder):
    (folder / "upreg.sqlite3").write_text("login: upreg\n" * 100)
    with closing(sqlite3.connect(folder / "upreg.sqlite3")) as db:
        db.execute("select * from t")


def corrupt(folder):
    file = a_database(folder)
    with file.open("r+b") as stream:
        stream.seek(4096)
        stream.write(b"\xff" * 40_000)
    with closing(sqlite3.connect(file)) as db:
        db.execute("select count(a) from t").fetchall()


def full(folder):
    with closing(sqlite3.connect(a_database(folder))) as db, db:
        db.execute("pragma max_page_count = 1")
        db.executemany("insert into t values (?)", [("x" * 4000,)] * 50)


def read_only(folder):
    with closing(sqlite3.connect(f"file:{a_database(folder)}?mode=ro", uri=True)) as db, db:
        db.execute("insert into t values (1)")


def no_folder(folder):
    sqlite3.connect(folder / "nowhere" / "upreg.sqlite3")


@pytest.mark.parametrize(
    ("broken", "meaning", "cure"),
    [
        (no_database, "is no database", "manage.py restore"),
        (corrupt, "is damaged", "manage.py restore"),
        (full, "is full", "make room"),
        (read_only, "cannot be written", "make the file and its folder writable"),
        (no_folder, "cannot be opened", "check that its folder exists"),
    ],
)
def test_what_sqlite_says_of_a_broken_file_is_told_with_the_cure(tmp_path, broken, meaning, cure):
    error = fail_of(lambda: broken(tmp_path))

    words = trouble_words(said(error, DatabaseError))

    assert meaning in words
    assert cure in words
    assert str(settings.DATABASES["default"]["NAME"]) in words


def test_other_errors_are_nothing_of_the_kind():
    assert trouble_words(ValueError("disk is full")) == ""
    assert trouble_words(FileNotFoundError(errno.ENOENT, "no such file")) == ""


def test_a_full_disk_is_told_with_the_file(tmp_path):
    error = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(tmp_path / "a.mp4"))

    assert "a.mp4" in trouble_words(error)
    assert "make room" in trouble_words(error)


@pytest.fixture
def _set_up_already(monkeypatch):
    """Keep a command from setting up logging anew: it would write to what this test alone captures, also later."""
    monkeypatch.setattr(commandline.django, "setup", lambda: None)


@pytest.mark.usefixtures("_set_up_already")
def test_a_command_ends_in_words_and_not_in_a_traceback(tmp_path, monkeypatch, capsys, db):
    error = said(fail_of(lambda: full(tmp_path)))

    def run(_):
        raise error

    monkeypatch.setattr(commandline, "execute_from_command_line", run)

    assert commandline.main(["manage.py", "extract"]) == 1
    assert "is full: make room" in capsys.readouterr().err
    with pytest.raises(OperationalError):
        commandline.main(["manage.py", "extract", "--traceback"])


@pytest.mark.usefixtures("_set_up_already")
def test_the_database_of_a_newer_release_is_refused_by_every_command_that_uses_it(db, monkeypatch, capsys):
    MigrationRecorder(connection).record_applied("reports", "9999_from_the_future")
    ran = []
    monkeypatch.setattr(commandline, "execute_from_command_line", ran.append)

    for command in ("start", "worker", "extract", "import_runs", "compare", "gate"):
        assert commandline.main(["manage.py", command]) == 1
        assert "newer release of UPReg (it has 9999_from_the_future)" in capsys.readouterr().err
    assert not ran
    assert commandline.main(["manage.py", "measure"]) == 0


def test_start_on_a_file_that_is_no_database_says_so(tmp_path):
    (tmp_path / "upreg.sqlite3").write_text("this is a shopping list, not a database\n" * 50)
    command = [sys.executable, "manage.py", "start", "--port", "0"]
    environment = {**os.environ, "UPREG_VAR_DIR": str(tmp_path), "UPREG_DATABASE_URL": ""}

    ended = subprocess.run(
        command, cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True, timeout=120
    )

    assert ended.returncode == 1
    assert ended.stderr.startswith(f"start: {tmp_path}/upreg.sqlite3 is no database: put a backup in its place")
    assert "Traceback" not in ended.stderr


def test_a_page_says_that_the_disk_is_full(signed_in, tmp_path, monkeypatch):
    error = said(fail_of(lambda: full(tmp_path)))
    run = factories.run(metrics={"response_time_ms": 100.0})

    def refuse(**_):
        raise error

    monkeypatch.setattr(views, "exclude_runs", refuse)
    signed_in.raise_request_exception = False

    answer = signed_in.post(reverse("run-exclude", args=[run.pk]), {"reason": "shaky"})

    assert answer.status_code == 503
    assert "is full: make room" in answer.content.decode()
