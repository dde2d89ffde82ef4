"""`manage.py import_macrobenchmark`: several files, one of them wrong; what it prints and how it ends."""

import json

import pytest
from django.core.management import CommandError, call_command

from reports.models import Run
from tests.benchmarked import startup, written

pytestmark = pytest.mark.django_db


def test_good_files_come_in_and_wrong_ones_are_told_with_their_cure(tmp_path, capsys):
    good = written(tmp_path, startup([300, 310]))
    wrong = tmp_path / "wrong.json"
    wrong.write_text("{}")
    with pytest.raises(CommandError, match="1 file refused") as caught:
        call_command("import_macrobenchmark", str(good), str(wrong), "--version", "14.1")
    assert caught.value.returncode == 1
    printed = capsys.readouterr().out
    assert f"{good}: 2 new runs, 0 unchanged" in printed
    assert f"{wrong}: is JSON, but has no context and benchmarks: choose the file" in printed
    assert Run.objects.count() == 2


def test_json_says_the_same(tmp_path, capsys):
    path = written(tmp_path, startup([300, 310]))
    call_command("import_macrobenchmark", str(path), "--version", "14.1", "--dry-run", "--json")
    told = json.loads(capsys.readouterr().out)
    assert (told["new"], told["unchanged"], told["refused"], told["dry_run"]) == (2, 0, [], True)
    assert told["files"][0]["file"] == str(path)
    assert not Run.objects.exists()


def test_a_refresh_rate_that_no_screen_has_is_refused(tmp_path):
    with pytest.raises(CommandError, match="1 to 1000"):
        call_command("import_macrobenchmark", "x.json", "--version", "14.1", "--refresh-hz", "0")


def test_an_os_version_is_needed(tmp_path):
    with pytest.raises(CommandError, match="--version"):
        call_command("import_macrobenchmark", str(written(tmp_path, startup([1]))))
