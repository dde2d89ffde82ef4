import errno
import io
import json
import shutil

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError

from reports.management.commands import import_runs
from reports.models import Run
from tests.intake import fake_video, write_manifest

pytestmark = pytest.mark.django_db


def run_command(path, *args):
    out = io.StringIO()
    code = 0
    try:
        call_command("import_runs", str(path), *args, stdout=out)
    except CommandError as error:
        code = error.returncode
    return code, out.getvalue()


def test_the_summary_counts_and_names_each_refusal(tmp_path):
    fake_video(tmp_path)
    path = write_manifest(tmp_path, [{}, {"repetition": "2", "action_ms": "soon"}])
    code, text = run_command(path)
    assert code == 1
    assert "line 3, action_ms: 'soon' is not a finite number" in text
    assert text.endswith("1 new, 0 updated, 0 unchanged, 1 refused\n")
    assert run_command(path)[1].endswith("0 new, 0 updated, 1 unchanged, 1 refused\n")


def test_json_holds_the_same_and_nothing_else_is_printed(tmp_path):
    fake_video(tmp_path)
    path = write_manifest(tmp_path, [{}, {"repetition": "2", "video": "../b.mp4"}])
    code, text = run_command(path, "--json")
    found = json.loads(text)
    assert (code, found["new"], found["refused"], found["dry_run"]) == (1, 1, 1, False)
    assert found["lines"] == [
        {"line": 3, "field": "video", "message": "../b.mp4 lies outside the manifest's folder: move it inside"}
    ]


def test_all_good_ends_with_0_and_a_dry_run_says_that_nothing_was_written(tmp_path):
    fake_video(tmp_path)
    code, text = run_command(write_manifest(tmp_path, [{}]), "--dry-run")
    assert (code, text) == (0, "Dry run, nothing was written: 1 new, 0 updated, 0 unchanged, 0 refused\n")
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"", "is empty"), (b"os_version,app\n", "missing column"), ("os_version".encode("utf-16"), "UTF-16")],
)
def test_a_manifest_that_cannot_be_read_is_named_with_the_cure(tmp_path, content, words):
    path = tmp_path / "runs.csv"
    path.write_bytes(content)
    with pytest.raises(CommandError, match=words) as caught:
        call_command("import_runs", str(path))
    assert str(path) in str(caught.value)


def test_a_full_disk_ends_the_import_with_the_cure(tmp_path, monkeypatch):
    fake_video(tmp_path)
    path = write_manifest(tmp_path, [{}])

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shutil, "copyfileobj", full)
    with pytest.raises(CommandError, match="No space left on device: make room"):
        call_command("import_runs", str(path))
    assert not Run.objects.exists()


def test_a_database_that_is_full_or_locked_ends_the_import_with_the_cure(tmp_path, monkeypatch):
    def locked(**_):
        raise OperationalError("database is locked")

    monkeypatch.setattr(import_runs, "import_manifest", locked)
    with pytest.raises(CommandError, match="database is locked"):
        call_command("import_runs", str(write_manifest(tmp_path, [{}])))
