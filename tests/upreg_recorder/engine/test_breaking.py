"""A recorder that is killed, interrupted, started twice, or has no room: what is there is whole, and it goes on."""

import errno
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.upreg_recorder.drivers.fake import film
from upreg_recorder.delivering import folder as folders
from upreg_recorder.delivering.journal import Journal
from upreg_recorder.engine import space

ROOT = Path(__file__).resolve().parents[3]
PATIENCE_S = 60  # ends a test that hangs; nothing is measured against it


@pytest.fixture
def start(tmp_path):
    """Return what starts a recorder that hangs after so many films, and waits until it does."""
    started = []

    def run(plan, films, limit=0):
        marker = tmp_path / f"hangs-{len(started)}"
        words = [plan, tmp_path / "night", marker, films, limit]
        command = [sys.executable, "-m", "tests.upreg_recorder.killed", *map(str, words)]
        started.append(
            subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        )
        ends = time.monotonic() + PATIENCE_S
        while not (marker.exists() and marker.stat().st_size) and started[-1].poll() is None:
            assert time.monotonic() < ends
            time.sleep(0.02)
        return started[-1]

    yield run
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


def keys(rows):
    return [(row["os_version"], row["repetition"]) for row in rows]


def all_names(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_killed_recorder_leaves_whole_runs_alone_and_goes_on(record, rows, write_plan, farm, start, tmp_path):
    plan, night = write_plan(repetitions=3), tmp_path / "night"
    process = start(plan, films=3)
    process.kill()
    process.wait()

    before = rows()
    assert keys(before) == [("13.0.9", "1"), ("13.0.13", "1"), ("13.0.13", "2")]
    assert [name for name in all_names(night) if name.startswith(".part")]  # half a film, which nobody is given
    assert not list(night.rglob("films/**/old_02*"))

    assert record(plan) == 0

    assert farm.films() == ["old", "old", "new"]  # the one that was cut, and those after it
    assert sorted(keys(rows())) == sorted((version, str(n)) for version in ("13.0.9", "13.0.13") for n in (1, 2, 3))
    assert rows()[:3] == before
    assert not [name for name in all_names(night) if "part" in name]
    content, _ = film(300.0, 600.0)
    assert {(night / row["video"]).read_bytes() for row in rows()} == {content}


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_recorder_finishes_its_film_or_leaves_it_and_closes_its_devices(
    record, rows, write_plan, start, sent
):
    plan = write_plan(repetitions=3)
    process = start(plan, films=1)

    process.send_signal(sent)
    for line in process.stderr:
        if "stopping" in line:
            break
    process.send_signal(sent)  # it hangs in its film: at once
    _, err = process.communicate(timeout=PATIENCE_S)

    assert process.returncode == 130
    assert "interrupted; the same command goes on where it stopped" in err
    assert keys(rows()) == [("13.0.9", "1")]
    assert record(plan) == 0
    assert len(rows()) == 6


def test_recorder_that_is_asked_to_stop_closes_its_devices(record, rows, write_plan, farm, capsys):
    farm.mishaps["new"] = [lambda video: os.kill(os.getpid(), signal.SIGINT)]

    assert record(write_plan(repetitions=3)) == 130

    assert farm.open == set()
    assert "interrupted" in capsys.readouterr().out
    assert 1 <= len(rows()) < 6


def test_two_recorders_do_not_work_on_one_folder(record, write_plan, start, capsys):
    plan = write_plan(repetitions=2)
    process = start(plan, films=1)

    assert record(plan) == 2
    said = capsys.readouterr().err
    assert "another recorder works on" in said
    assert f"process {process.pid}" in said


def test_recording_again_records_nothing(record, rows, write_plan, farm, capsys):
    plan = write_plan(repetitions=2)
    record(plan)
    before, films = rows(), len(farm.films())

    assert record(plan) == 0
    assert rows() == before
    assert len(farm.films()) == films
    assert "4 of the trials are recorded already" in capsys.readouterr().err


def test_more_repetitions_go_on(record, rows, write_plan):
    record(write_plan(repetitions=1))

    assert record(write_plan(repetitions=2)) == 0
    assert len(rows()) == 4


def test_other_plan_is_refused_with_what_has_changed(record, write_plan, rows, capsys):
    record(write_plan(repetitions=1))
    changed = write_plan(
        repetitions=1, words={"watch_ms: 600": "watch_ms: 900", "version: 13.0.9,": "version: 13.0.8,"}
    )

    assert record(changed) == 2

    said = capsys.readouterr().err
    assert 'device old: os_version was "13.0.9", is "13.0.8"' in said
    assert "interaction open inbox of org.example.mail: watch_ms was 600.0, is 900.0" in said
    assert len(rows()) == 2


def test_plan_that_only_reads_otherwise_goes_on(record, write_plan):
    record(write_plan(repetitions=1))

    moved = write_plan(repetitions=1, words={"apps:": "# what is recorded\n\napps:"}, name="elsewhere.yaml")
    assert record(moved) == 0


def test_plan_that_moves_with_the_files_that_it_names_goes_on(record, write_plan, tmp_path, farm):
    farm.settings()["fake"]["app"]["properties"]["url"]["format"] = "path"
    words = {"category: productivity": "category: productivity\n    settings: {url: site}"}
    plan = write_plan(repetitions=1, words=words)
    (tmp_path / "site").mkdir()
    assert record(plan) == 0

    (tmp_path / "there").mkdir()
    for path in (plan, tmp_path / "site"):
        path.rename(tmp_path / "there" / path.name)
    assert record(tmp_path / "there" / plan.name) == 0
    assert len(farm.films()) == 2


def test_recording_whose_film_was_deleted_is_made_again(record, rows, write_plan, tmp_path, capsys):
    plan = write_plan(repetitions=1)
    record(plan)
    (tmp_path / "night" / rows()[0]["video"]).unlink()

    assert record(plan) == 0
    assert "1 recordings are gone" in capsys.readouterr().err
    assert len(rows()) == 2
    assert all((tmp_path / "night" / row["video"]).is_file() for row in rows())


@pytest.mark.parametrize("torn", [b'{"what": "recorded", "tri', b"\xff\xfe\x00", b"{}\n", b"\x00" * 40 + b"\n"])
def test_torn_journal_is_read_as_far_as_it_is_whole(record, rows, write_plan, tmp_path, torn):
    plan = write_plan(repetitions=1)
    record(plan)
    before = rows()
    journal = tmp_path / "night" / "journal.jsonl"
    with journal.open("ab") as stream:
        stream.write(torn)
    (tmp_path / "night" / "runs.csv").unlink()

    assert record(plan) == 0

    assert rows() == before
    for line in journal.read_bytes().splitlines():
        if line not in torn:
            assert json.loads(line)


def test_journal_line_that_does_not_fit_is_taken_back(tmp_path, monkeypatch):
    journal = Journal(tmp_path / "journal.jsonl")
    journal.add(what="begun")

    def full(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            journal.add(what="recorded", trial="a")
    journal.add(what="failed", trial="a")

    assert [entry["what"] for entry in Journal(tmp_path / "journal.jsonl").entries] == ["begun", "failed"]


def test_disk_that_takes_no_more_stops_cleanly_and_goes_on_when_there_is_room(
    record, rows, write_plan, start, farm
):
    plan = write_plan(repetitions=3)
    content, _ = film(300.0, 600.0)
    process = start(plan, films=100, limit=len(content) + 1500)  # the journal grows beyond it
    out, err = process.communicate(timeout=PATIENCE_S)

    assert process.returncode == 5, err
    assert "the disk takes no more" in out
    assert "open: []" in out
    some = len(rows())
    assert 0 < some < 6

    assert record(plan) == 0
    assert len(rows()) == 6
    assert len(farm.films()) in (6 - some, 5 - some)  # one may be in the journal and not yet in the manifest


def test_little_room_stops_before_a_trial(record, rows, write_plan, monkeypatch, farm, capsys):
    left = iter([10**9, 10**9, 10**9, 150 * 2**20])
    monkeypatch.setattr(space.shutil, "disk_usage", lambda path: type("Usage", (), {"free": next(left)}))

    assert record(write_plan(repetitions=3)) == 5
    assert "157 MB are free" in capsys.readouterr().out
    assert len(rows()) == len(farm.films()) == 3
    assert farm.open == set()


def test_room_for_long_films_is_asked_for_by_those_before(tmp_path):
    with pytest.raises(space.DiskFullError, match="600 MB are needed"):
        space.room_for(tmp_path, 100e6, 2, free=lambda path: 599_000_000)
    space.room_for(tmp_path, 100e6, 2, free=lambda path: 601_000_000)


def test_folder_that_cannot_be_is_told(record, write_plan, tmp_path, capsys):
    (tmp_path / "night").write_text("a file")

    assert record(write_plan()) == 2
    assert "night" in capsys.readouterr().err


def test_delivered_files_are_on_disk_before_the_journal_tells_of_them(record, write_plan, monkeypatch, tmp_path):
    """Order of what a power cut may take: contents, names, journal, manifest."""
    told, night = [], tmp_path / "night"
    on_disk, add, replaced = folders.on_disk, Journal.add, Path.replace

    monkeypatch.setattr(folders, "on_disk", lambda path: (told.append(("disk", path.name)), on_disk(path))[1])
    monkeypatch.setattr(
        Journal, "add", lambda self, **entry: (told.append(("journal", entry["what"])), add(self, **entry))[1]
    )
    monkeypatch.setattr(
        Path, "replace", lambda self, there: (told.append(("name", Path(there).name)), replaced(self, there))[1]
    )
    record(write_plan(repetitions=1), "--only", "device=old")

    assert night.is_dir()
    order = [each for each in told if each[1] in ("film.mp4", "old_01.mp4", "recorded", "runs.csv")]
    assert order == [("disk", "film.mp4"), ("name", "old_01.mp4"), ("journal", "recorded"), ("name", "runs.csv")]
