import math

import numpy as np
import pandas as pd
import pytest

from analysis.measure import Measured
from benchmarks import accuracy
from benchmarks.devices import Graded, grade, not_right, per_class, per_confidence, read_truth
from tests.analysis.scenes import SCENES
from tests.synthetic import Clip, Screen, every, film

AT_60_HZ = np.arange(120) * 1000 / 60
REPEATED = np.array([0.0, 200, 400, 500, 600, 800, 1000, 1200, 1400])  # a recorder that repeats a still picture


def said(tmp_path, line, columns="response_ms,finish_ms,outcome,settles"):
    (tmp_path / "truth.csv").write_text(f"video,action_ms,{columns}\na.mp4,500,{line}\n")
    [row] = read_truth(tmp_path / "truth.csv").to_dict("records")
    return row


def graded(row, outcome="ok", response=None, finish=None, settles=None, times_ms=AT_60_HZ):
    found = {"response": response, "finish": finish}
    evidence = {name: None if at is None else {"after_action_ms": at} for name, at in found.items()}
    rows = list(grade(row, Measured(outcome, "", {}, settles, evidence), times_ms, 500.0))
    return {row.moment: row.grade for row in rows}, rows


@pytest.mark.parametrize(
    ("response", "word"),
    [(100, "right"), (117, "right"), (83, "right"), (133, "near"), (199, "near"), (201, "wrong"), (0, "near")],
)
def test_a_moment_is_right_in_the_frame_beside_the_true_one(tmp_path, response, word):
    words, rows = graded(said(tmp_path, "100,400,,"), response=response, finish=400)
    assert words == {"response": word, "finish": "right"}
    assert [row.within_a_picture for row in rows] == [word == "right", True]


def test_the_frame_beside_is_none_where_a_recorder_paused(tmp_path):
    row = said(tmp_path, "0,100,,")
    assert graded(row, response=-100, finish=300, times_ms=REPEATED)[0] == {"response": "near", "finish": "wrong"}
    rows = graded(row, response=-100, finish=300, times_ms=REPEATED)[1]
    assert [one.within_a_picture for one in rows] == [True, True], "400 to 500, and 600 to 800, of the recording"
    at_20_hz = np.arange(40) * 50.0
    assert graded(row, response=50, finish=150, times_ms=at_20_hz)[0] == {"response": "right", "finish": "right"}


def test_where_an_eye_may_say_either_both_are_right(tmp_path):
    row = said(tmp_path, "100,400,600", "response_ms,finish_visible_ms,finish_ms")
    assert graded(row, response=100, finish=500)[0]["finish"] == "right"
    words, rows = graded(row, response=100, finish=700)
    assert (words["finish"], rows[1].error_ms) == ("near", 100)


@pytest.mark.parametrize(
    ("line", "outcome", "word"),
    [
        ("100,400,,", "no_response", "wrong"),  # it says that nothing happened, which is not so
        ("100,400,,", "too_noisy", "named"),
        (",,no_response,", "no_response", "right"),
        (",,no_response,", "moving_camera", "named"),
    ],
)
def test_an_outcome_is_named_if_it_says_nothing_false(tmp_path, line, outcome, word):
    assert graded(said(tmp_path, line), outcome)[0] == {"response": word, "finish": word}


def test_what_was_seen_where_nothing_answered_is_wrong_and_so_is_an_end_of_what_never_ends(tmp_path):
    assert graded(said(tmp_path, ",,no_response,"), response=20, finish=20)[0] == {
        "response": "wrong", "finish": "wrong",
    }  # fmt: skip
    row = said(tmp_path, "100,,never_settles,")
    assert graded(row, response=100, finish=400)[0] == {"response": "right", "finish": "wrong"}
    assert graded(row, "never_settles", response=100)[0] == {"response": "right", "finish": "right"}


def test_dropped_frames_are_counted_where_they_are_known(tmp_path):
    row = said(tmp_path, "100,400,12,8", "response_ms,finish_ms,dropped_frames,dropped_frames_visible")
    measured = Measured("ok", "", {"dropped_frames": 5.0}, True, {"response": {"after_action_ms": 100}})
    rows = list(grade(row, measured, AT_60_HZ, 500.0))
    assert [row.drops_error for row in rows] == [-3, -3]
    assert per_class(pd.DataFrame(rows)).iloc[-1]["drops off"] == 3


def test_what_nobody_judged_is_not_graded(tmp_path):
    assert graded(said(tmp_path, "100,,,"), response=100, finish=400)[0] == {"response": "right"}


def test_a_wrong_word_on_whether_it_settles_is_counted_by_recording(tmp_path):
    _, rows = graded(said(tmp_path, "100,400,ok,1"), response=100, finish=400, settles=False)
    table = pd.DataFrame(rows)
    assert per_class(table).iloc[-1]["settles wrong"] == 1
    assert not_right(table)["settles"].tolist() == ["wrong", "wrong"]


def test_classes_are_counted_in_the_order_of_their_numbers():
    def row(group, recorded, moment, word):
        beside = word == "right"
        return Graded(
            f"{group}{recorded}", group, recorded, moment, "ok", 0, math.nan, math.nan, word, True, "",
            within_a_picture=beside,
        )  # fmt: skip

    rows = [row("11 cycle", "vfr", "response", "right"), row("2 caret", "vfr", "response", "wrong")]
    table = per_class(pd.DataFrame([*rows, row("2 caret", "cfr60", "finish", "near")]))
    assert table["class"].tolist() == ["2 caret", "2 caret", "2 caret", "11 cycle", "11 cycle", "all classes"]
    assert table.iloc[-1][["clips", "response right", "response wrong", "finish near"]].tolist() == [3, 1, 1, 1]
    assert table.iloc[-1][["response within a picture", "finish within a picture"]].tolist() == [1, 0]


def test_the_command_reads_a_folder_without_a_manifest(tmp_path, capsys):
    film(tmp_path / "flash.mp4", Screen(160, 240), SCENES["flash"].paint, Clip(every(60, 2)))
    (tmp_path / "truth.csv").write_text(
        "video,action_ms,response_ms,finish_ms,class,origin\nflash.mp4,500,100,400,7 late,own\n"
    )
    assert accuracy.main(["--devices", str(tmp_path), "--save", str(tmp_path / "rows.csv")]) == 0
    [missed] = [line for line in capsys.readouterr().out.splitlines() if line.strip().startswith("flash.mp4")]
    assert missed.split()[-3:] == ["wrong", "right", "certain"], "the finish, at 166 ms, and that it settles"
    with pytest.raises(SystemExit):
        accuracy.main([])


def test_several_folders_are_counted_once_more_together(tmp_path, capsys):
    for name in ("one", "other"):
        film((tmp_path / name).with_suffix(".mp4"), Screen(160, 240), SCENES["flash"].paint, Clip(every(60, 2)))
        (tmp_path / name).mkdir()
        (tmp_path / f"{name}.mp4").rename(tmp_path / name / "flash.mp4")
        (tmp_path / name / "truth.csv").write_text("video,action_ms,response_ms,finish_ms\nflash.mp4,500,100,400\n")
    assert accuracy.main(["--devices", str(tmp_path / "one"), str(tmp_path / "other")]) == 0
    counted = capsys.readouterr().out.split("all folders together\n")[1].splitlines()[1]
    clips, *response = (int(number) for number in counted.split()[2:8])
    assert (clips, response) == (2, [2, 0, 0, 0, 2]), "each response is right, and so in its picture"


def test_each_word_of_confidence_is_held_against_the_grades():
    def row(grade, confidence):
        beside = grade == "right"
        return Graded("a.mp4", "1", "vfr", "response", "ok", 100, 100, 0, grade, True, "", confidence, 0.0, beside)

    rows = [row("right", "certain"), row("wrong", "doubtful"), row("right", "doubtful"), row("named", "")]
    table = per_confidence(pd.DataFrame(rows))
    assert table.loc["doubtful"].tolist() == [1, 0, 1, 1]
    assert table.loc["certain"].tolist() == [1, 0, 0, 1]
