import numpy as np
import pandas as pd
import pytest

from analysis.manifest.reader import ManifestError
from benchmarks import accuracy
from benchmarks.measure_errors import (
    add_errors,
    calibration,
    capture_difference,
    interval_error,
    manifest_table,
    summary,
    worst,
)
from tests.analysis.scenes import SCENES
from tests.synthetic import Clip, Screen, every, film


@pytest.mark.parametrize(("value", "error"), [(90, -10), (100, 0), (130, 0), (150, 0), (170, 20)])
def test_an_error_is_the_distance_to_the_interval_whichever_end_is_lower(value, error):
    one, other = pd.Series([100.0]), pd.Series([150.0])
    assert interval_error(pd.Series([value]), one, other).item() == error
    assert interval_error(pd.Series([value]), other, one).item() == error


def frames():
    manifest = pd.DataFrame(
        {"video": ["a_vfr.mp4", "a_cfr60.mp4"], "interaction": "tap it", "capture": ["vfr", "cfr60"]}
    )
    measured = pd.DataFrame(
        {
            "video": manifest["video"],
            "outcome": ["ok", "no_response"],
            "response_time_ms": [110.0, 140.0],
            "finish_time_ms": [400.0, np.nan],
            "launch_time_ms": np.nan,
            "dropped_frames": [2.0, np.nan],
            "settles": [1.0, np.nan],
        }
    )
    truth = pd.DataFrame(
        {"video": manifest["video"], "response_ms": 100.0, "finish_ms": 400.0, "dropped_frames": 1}
    )
    return add_errors(measured, manifest, truth)


def test_errors_are_summed_up_and_the_worst_are_named():
    frame = frames()
    table = summary(frame).set_index(["metric", "group"])
    assert table.loc[("response_time_ms", "all"), "MAE"] == 25
    assert table.loc[("dropped_frames", "vfr"), "median_error"] == 1
    assert table.loc[("response_time_ms", "all"), "outcomes_right_pct"] == 50
    named = worst(frame, 1)
    assert named.loc[named["what"] == "response_time_ms", "video"].tolist() == ["a_cfr60.mp4"]
    assert named.loc[named["what"] == "outcome", "video"].tolist() == ["a_cfr60.mp4"]
    assert capture_difference(frame).loc["response_time_ms", "max"] == 30


def test_each_word_of_confidence_is_held_against_the_truth():
    frame = frames().assign(response_confidence=["certain", "doubtful"], finish_confidence=["likely", None])
    table = calibration(frame).set_index(["moment", "word"])
    assert table.loc[("response", "certain"), ["n", "right", "near", "wrong"]].tolist() == [1, 1, 0, 0]
    assert table.loc[("response", "doubtful"), ["n", "right", "near", "wrong"]].tolist() == [1, 0, 1, 0]
    assert table.loc[("finish", "likely"), "right_pct"] == 100
    assert len(table) == 3


def test_the_command_prints_a_table(tmp_path, capsys):
    film(tmp_path / "flash.mp4", Screen(160, 240), SCENES["flash"].paint, Clip(every(60, 2)))
    (tmp_path / "runs.csv").write_text("video,action_ms,interaction_type\nflash.mp4,500,tap\n")
    (tmp_path / "truth.csv").write_text(
        "video,response_ms,finish_ms,settles,dropped_frames\nflash.mp4,100,166,1,3\n"
    )
    assert accuracy.main([str(tmp_path / "runs.csv"), str(tmp_path / "truth.csv")]) == 0
    printed = capsys.readouterr().out
    assert "response_time_ms" in printed
    assert "certain" in printed
    assert "100.0" in printed


def test_a_manifest_with_a_wrong_line_gives_no_figures(tmp_path):
    path = tmp_path / "runs.csv"
    path.write_text("video;refresh_hz\na.mp4;0\n")
    with pytest.raises(ManifestError, match="line 2, refresh_hz: 0 is out of range: give 1 to 1000: mend"):
        manifest_table(path)
    path.write_text("video;capture;repetition\na.mp4;VFR;3.0\n")
    [row] = manifest_table(path).to_dict("records")
    assert (row["video"], row["capture"], row["repetition"], row["interaction_type"]) == ("a.mp4", "vfr", 3, "tap")
