import csv
import json

import pytest
from django.core.management import CommandError, call_command

from tests.analysis.acting import ACTED
from tests.analysis.scenes import SCENES
from tests.synthetic import Clip, Screen, every, film

COLUMNS = ["video", "outcome", "response_time_ms", "finish_time_ms", "launch_time_ms", "dropped_frames", "settles"]


@pytest.fixture(scope="module")
def video(tmp_path_factory):
    path = tmp_path_factory.mktemp("videos") / "flash.mp4"
    return film(path, Screen(160, 240), SCENES["flash"].paint, Clip(every(60, 2)))


def test_json_is_a_list_of_objects_in_the_order_of_the_videos(video, capsys):
    call_command("measure", str(video), str(video), "--action-ms", "500", "--json")
    rows = json.loads(capsys.readouterr().out)
    assert [row["video"] for row in rows] == [str(video)] * 2
    assert list(rows[0])[:7] == COLUMNS
    assert rows[0]["outcome"] == "ok"
    assert rows[0]["settles"] is True
    assert rows[0]["launch_time_ms"] is None
    assert rows[0]["evidence"]["response"]["after_action_ms"] == pytest.approx(100, abs=1)


def test_a_mask_on_the_command_line_leaves_its_area_out(video, capsys):
    call_command("measure", str(video), "--action-ms", "500", "--mask", "0,0.25,1,0.45", "--json")
    (row,) = json.loads(capsys.readouterr().out)
    assert row["outcome"] == "no_response"
    assert row["evidence"]["masks"][0]["unit"] == "fraction"


def test_without_json_a_line_per_video_is_printed(video, capsys):
    call_command("measure", str(video), "--action-ms", "500", "--type", "launch")
    assert "ok, response_time_ms 100, launch_time_ms 166.667" in capsys.readouterr().out


def test_a_manifest_is_measured_into_a_csv_and_a_bad_video_sets_the_exit_code(video, tmp_path, capsys):
    (tmp_path / "flash.mp4").write_bytes(video.read_bytes())
    (tmp_path / "empty.mp4").touch()
    manifest = tmp_path / "runs.csv"
    manifest.write_text("video,action_ms\nempty.mp4,0\nflash.mp4,500\n")
    with pytest.raises(SystemExit) as stopped:
        call_command("measure", manifest=str(manifest), output=str(tmp_path / "out.csv"))
    assert stopped.value.code == 1
    assert "1 of 2 videos" in capsys.readouterr().err
    with (tmp_path / "out.csv").open() as file:
        bad, good = csv.DictReader(file)
    assert list(bad)[:7] == COLUMNS
    assert (bad["outcome"], bad["response_time_ms"], bad["settles"]) == ("unreadable", "", "")
    assert (good["outcome"], good["settles"]) == ("ok", "1")


def test_options_are_for_the_empty_cells_of_a_manifest_and_that_is_said(video, tmp_path, capsys):
    manifest = tmp_path / "runs.csv"
    manifest.write_text(f"video,action_ms,interaction_type\n{video},,launch\n{video},400,\n")

    call_command("measure", manifest=str(manifest), action_ms=500.0, type="tap", json=True)

    out, err = capsys.readouterr()
    first, second = json.loads(out)
    assert (first["response_time_ms"], second["response_time_ms"]) == (pytest.approx(100), pytest.approx(200))
    assert (first["launch_time_ms"], second["launch_time_ms"]) == (pytest.approx(166.667), None)
    assert "--action-ms is taken for 1 of 2 videos; the manifest says it of the others" in err
    assert "--type is taken for 1 of 2 videos" in err


def test_the_action_is_found_by_what_the_recording_shows_and_said(tmp_path, capsys):
    ACTED["screen_flash"].film(tmp_path, "vfr")
    manifest = tmp_path / "runs.csv"
    manifest.write_text("video,action_ms,action_from\nvfr.mp4,,flash\nvfr.mp4,700,\nvfr.mp4,,dot\nvfr.mp4,,\n")
    with pytest.raises(SystemExit):
        call_command("measure", "--manifest", str(manifest), "--action-from", "any")
    told = capsys.readouterr()
    found, given, lacking, shared = told.out.splitlines()
    assert "response_time_ms 200" in found
    assert found.endswith("action at 700.0 ms: a marker flash, found and not given")
    assert "found" not in given
    assert lacking.startswith("vfr.mp4: no_action nobody said when the user acts, and no touch dot was found")
    assert shared == found
    assert "--action-from is taken for 1 of 4 videos" in told.err
    assert "1 of 4 videos could not be measured" in told.err


def test_a_mask_is_for_every_video_of_a_manifest(video, tmp_path, capsys):
    manifest = tmp_path / "runs.csv"
    manifest.write_text(f"video,action_ms\n{video},500\n")
    call_command("measure", "--manifest", str(manifest), "--mask", "0,0.25,1,0.45")
    out, err = capsys.readouterr()
    assert "no_response" in out
    assert "--mask is taken for 1 of 1 video" in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "nothing to measure"),
        (["a.mp4", "--action-ms", "-5"], "0 or more"),
        (["a.mp4", "--action-ms", "5", "--action-from", "dot"], "without --action-ms"),
        (["a.mp4", "--type", "stare"], "invalid choice"),
        (["--manifest", "missing.csv"], "missing.csv: .*name a CSV file that can be read"),
        (["a.mp4", "--mask", "1,2,3"], "invalid"),
    ],
)
def test_wrong_arguments_are_refused_with_their_cure(arguments, words):
    with pytest.raises(CommandError, match=words):
        call_command("measure", *arguments)


def test_an_output_that_cannot_be_written_is_said(video, tmp_path):
    with pytest.raises(CommandError, match="can be written"):
        call_command("measure", str(video), output=str(tmp_path / "no" / "out.csv"))
