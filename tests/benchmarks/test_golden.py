"""The golden file of the samples: a changed measurement needs a new revision, so that old numbers are known."""

from pathlib import Path

import pytest

from analysis.batch import measure_jobs, read_jobs
from analysis.revision import REVISION
from benchmarks import golden

SAMPLES = Path(__file__).parents[2] / "samples" / "runs.csv"
CURE = "raise REVISION in analysis/revision.py and run: python -m benchmarks.golden samples samples/runs.csv --keep"
EVERY = 10  # of the samples: one of each interaction and version


def test_samples_are_measured_as_the_golden_file_says_or_the_revision_is_raised():
    known = {row["video"]: row for row in golden.read_rows(golden.FOLDER / "samples.jsonl.gz")}
    jobs = read_jobs(SAMPLES)[::EVERY]

    changed = {
        row["video"]: list(golden.differences(known[row["video"]], row))
        for row in map(golden.rounded, measure_jobs(jobs))
    }

    assert {video: lines for video, lines in changed.items() if lines} == {}, CURE


def test_golden_file_was_kept_at_this_revision():
    rows = golden.read_rows(golden.FOLDER / "samples.jsonl.gz")

    assert {row["evidence"]["revision"] for row in rows} == {REVISION}, CURE


def test_what_differs_is_named_with_its_place():
    known = {"outcome": "ok", "evidence": {"response": {"frame": 3}, "moving": [1, 2]}}
    now = {"outcome": "ok", "evidence": {"response": {"frame": 4}, "moving": [1, 2]}, "settles": True}

    assert list(golden.differences(known, now)) == ["evidence.response.frame: 3 → 4", "settles: null → true"]


def test_rows_are_kept_and_read_back_rounded(tmp_path):
    rows = [golden.rounded({"video": "a", "evidence": {"ssim_mean": 0.123456, "moving": (1, 2)}})]

    golden.write_rows(tmp_path / "some" / "a.jsonl.gz", rows)

    assert golden.read_rows(tmp_path / "some" / "a.jsonl.gz") == [
        {"video": "a", "evidence": {"ssim_mean": 0.12, "moving": [1, 2]}}
    ]


@pytest.mark.parametrize("only", ["", "no such video"])
def test_command_compares_and_keeps(only, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(golden, "FOLDER", tmp_path)
    command = ["samples", str(SAMPLES), "--only", only or "launch/sample-1.0_01"]

    assert golden.main([*command, "--keep"]) == 0
    assert golden.main(command) == 0
    assert "0 of" in capsys.readouterr().out
