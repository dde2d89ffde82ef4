"""Each thing that may be out of order: broken on purpose, found, repaired where that is safe, then clean."""

import io
import json
import os
import shutil
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from django_q.models import Schedule

from reports.measuring.workers import beat
from reports.models import Comparison, Proxy, ProxyStatus, Run, RunStatus, StoredFile, WorkerHeartbeat
from reports.safety import findings
from reports.safety.doctor import examine
from reports.safety.schedules import ensure_schedules
from tests import factories

pytestmark = pytest.mark.django_db
LONG_AGO = timedelta(days=2)
HELD = SimpleNamespace(memory=True, landlock=4, seccomp=True)


@pytest.fixture(autouse=True)
def sound(settings, tmp_path, monkeypatch):
    """An installation in which all is in order."""
    settings.VAR_DIR = tmp_path / "var"
    settings.VAR_DIR.mkdir()
    Path(settings.MEDIA_ROOT).mkdir()
    monkeypatch.setattr(findings, "LEAST_FREE_BYTES", 0)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(total=1e12, free=5e11))
    monkeypatch.setattr(findings, "decoders", lambda: SimpleNamespace(in_force=lambda: HELD))
    ensure_schedules()


def keys(**options):
    return [one.key for one in examine(**options)]


def stored(name, content=b"film", *, age=LONG_AGO):
    default_storage.save(name, ContentFile(content))
    at = (timezone.now() - age).timestamp()
    os.utime(default_storage.path(name), (at, at))
    return name


def an_orphan():
    stored("screencasts/ab/nobody.mp4")
    stored("stills/ab/" + "ab" * 32 + "/0-96.webp")


def an_open_key():
    (settings.VAR_DIR / "secret_key").write_text("key")
    (settings.VAR_DIR / "secret_key").chmod(0o644)


def a_stuck_claim():
    run = factories.run(status=RunStatus.RUNNING, file_name=stored("screencasts/ab/a.mp4"))
    Run.objects.filter(pk=run.pk).update(claimed_at=timezone.now() - LONG_AGO, claimed_by="elsewhere:1")
    beat(name="here:1", processes=1)


def a_stale_comparison():
    base, new = factories.os_version("13"), factories.os_version("14")
    Comparison.objects.create(base=base, new=new, status="done", stale=True)


def a_lost_proxy():
    Proxy.objects.create(sha256="ab" * 32, status=ProxyStatus.DONE, file_name="proxies/ab/x.mp4")
    refused = "the storage did not take x.mp4: No space left on device"
    Proxy.objects.create(sha256="cd" * 32, status=ProxyStatus.FAILED, error=refused)


def no_schedule():
    Schedule.objects.all().delete()


def a_dead_worker():
    beat(name="here:1", processes=1)
    WorkerHeartbeat.objects.update(seen_at=timezone.now() - timedelta(hours=1))


REPAIRED = {
    "orphans": an_orphan,
    "secrets": an_open_key,
    "stuck-claims": a_stuck_claim,
    "stale-comparisons": a_stale_comparison,
    "missing-proxies": a_lost_proxy,
    "schedules": no_schedule,
    "dead-workers": a_dead_worker,
}


@pytest.mark.parametrize("key", REPAIRED)
def test_what_can_safely_be_repaired_is_found_repaired_and_then_gone(key):
    assert keys() == []
    REPAIRED[key]()

    assert keys() == [key]
    [one] = examine(repair=True)
    assert (one.mended, one.serious) == (True, False)
    assert one.done
    assert keys() == []


def a_newer_database(_):
    MigrationRecorder(connection).record_applied("reports", "9999_from_the_future")


def a_missing_migration(_):
    [last] = MigrationLoader(connection).graph.leaf_nodes("reports")
    MigrationRecorder(connection).record_unapplied(*last)


def a_full_disk(monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(total=1e12, free=1e9))


def a_read_only_folder(monkeypatch):
    monkeypatch.setattr(findings.os, "access", lambda *_: False)


def a_clock_set_back(_):
    factories.run(measured_at=timezone.now() + timedelta(days=1), file_name=stored("screencasts/ab/a.mp4"))


def no_sandbox(monkeypatch):
    bare = SimpleNamespace(memory=True, landlock=0, seccomp=False)
    monkeypatch.setattr(findings, "decoders", lambda: SimpleNamespace(in_force=lambda: bare))


def waiting_runs(_):
    factories.run(status=RunStatus.PENDING, file_name=stored("screencasts/ab/a.mp4"))


def a_missing_screencast(_):
    factories.run(file_name="screencasts/ab/gone.mp4")


TOLD = {
    "newer-database": a_newer_database,
    "pending-migrations": a_missing_migration,
    "disk-space": a_full_disk,
    "permissions": a_read_only_folder,
    "clock": a_clock_set_back,
    "decoding": no_sandbox,
    "nobody-works": waiting_runs,
    "rot": a_missing_screencast,
}


@pytest.mark.parametrize("key", TOLD)
def test_what_a_person_must_do_is_found_and_left_alone(key, monkeypatch):
    TOLD[key](monkeypatch)

    assert keys() == [key]
    [one] = examine(repair=True)
    assert (one.done, one.mended) == ("", False)
    assert one.finding.cure.endswith(".")


def test_every_check_has_a_test():
    assert {check.key for check in findings.CHECKS} == REPAIRED.keys() | TOLD.keys()


def test_changed_bytes_are_found_where_every_file_is_read():
    factories.run(file_name=stored("screencasts/ab/a.mp4", b"not that"), sha256="ab" * 32)

    assert keys() == []
    assert keys(read_all=True) == ["rot"]
    assert StoredFile.objects.get().state == "damaged"


def test_files_that_are_named_or_young_are_no_orphans():
    factories.run(file_name=stored("screencasts/ab/a.mp4"), sha256="ab" * 32, log_name=stored("logs/ab/a.txt"))
    stored("stills/ab/" + "ab" * 32 + "/0-96.webp")
    stored("screencasts/ab/just-now.mp4", age=timedelta())

    assert keys() == []


def test_the_command_says_it_and_ends_with_1_only_where_something_serious_is_left():
    out = io.StringIO()
    call_command("doctor", stdout=out)
    assert out.getvalue().startswith("All is in order.\nDecoder: own process, ")

    no_schedule()
    with pytest.raises(SystemExit):
        call_command("doctor", "--json", stdout=(out := io.StringIO()))
    assert [(row["key"], row["serious"]) for row in json.loads(out.getvalue())] == [("schedules", True)]
    call_command("doctor", "--repair", stdout=(out := io.StringIO()))
    assert "Done: scheduled: recover lost runs" in out.getvalue()
