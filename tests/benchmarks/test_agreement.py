"""How far two judges agree: the second's choices, graded as what is measured is."""

import math

import numpy as np
import pandas as pd
import pytest

from benchmarks import agreement
from benchmarks.agreement import AGAIN, EITHER, PREFERRED, agree, counted
from benchmarks.unprepared.__main__ import CUTS
from tests.analysis.faint_scenes import backdrop
from tests.synthetic import Clip, Screen, every, film

AT_10_HZ = np.arange(20) * 100.0
SAID = {
    "video": "a.mp4", "class": "", "recorded": "", "note": "", "outcome": "", "settles": math.nan,
    "response_ms": 100.0, "response_visible_ms": 100.0, "finish_ms": 400.0, "finish_visible_ms": 300.0,
    "dropped_frames": math.nan, "dropped_frames_visible": math.nan,
}  # fmt: skip


def chosen(response, finish, other=math.nan):
    again = {"response_ms": response, "response_other_ms": math.nan, "finish_ms": finish, "finish_other_ms": other,
             "settles": 1}  # fmt: skip
    return {(row["moment"], row["chosen"]): row["grade"] for row in agree(SAID, again, AT_10_HZ, 500.0)}


@pytest.mark.parametrize(
    ("finish", "other", "preferred", "either"),
    [
        (300, math.nan, "right", "right"),
        (500, 400, "near", "right"),
        (400, 700, "right", "right"),
        (700, 600, "wrong", "wrong"),
    ],
)
def test_a_second_choice_is_graded_against_both_ends_of_the_first(finish, other, preferred, either):
    words = chosen(100, finish, other)
    assert (words["finish", PREFERRED], words["finish", EITHER]) == (preferred, either)
    assert words["response", PREFERRED] == words["response", EITHER] == "right"


def test_grades_are_counted_by_moment():
    table = counted(list(agree(SAID, {"response_ms": 300, "response_other_ms": 100, "finish_ms": 900,
                                      "finish_other_ms": math.nan, "settles": 1}, AT_10_HZ, 500.0)))  # fmt: skip
    assert table.loc["response", PREFERRED].to_dict() == {"right": 0, "near": 0, "wrong": 1, "named": 0}
    assert table.loc["response", EITHER]["right"] == 1


@pytest.mark.parametrize(("first", "word"), [(1.0, "right"), (0.0, "wrong"), (math.nan, None)])
def test_whether_the_screen_settles_is_compared_where_it_is_known(first, word):
    again = dict.fromkeys(("response_ms", "response_other_ms", "finish_ms", "finish_other_ms"), 100.0) | {
        "settles": 1
    }
    words = {row["moment"]: row["grade"] for row in agree(SAID | {"settles": first}, again, AT_10_HZ, 500.0)}
    assert words.get("settles") == word


def test_what_was_judged_again_are_cuts_that_there_are_and_each_once():
    again, cuts = (pd.read_csv(file).set_index("video") for file in (AGAIN, CUTS))
    assert again.index.is_unique
    assert set(again.index) <= set(cuts.index)
    assert again["settles"].notna().all()
    silent = again["response_ms"].isna()
    assert again.loc[silent, "finish_ms"].isna().all()
    assert again.loc[silent, "settles"].eq(1).all()


@pytest.mark.parametrize(("outcome", "word"), [("no_response", "right"), ("", "wrong")])
def test_both_may_see_no_answer(outcome, word):
    times = [math.nan, math.nan] if outcome else [100.0, 400.0]
    said = SAID | {"outcome": outcome}
    said |= dict(zip(["response_ms", "finish_ms"], times, strict=True))
    said |= dict(zip(["response_visible_ms", "finish_visible_ms"], times, strict=True))
    nothing = dict.fromkeys(["response_ms", "response_other_ms", "finish_ms", "finish_other_ms"], math.nan)
    found = {row["moment"]: row["grade"] for row in agree(said, nothing | {"settles": 1}, AT_10_HZ, 500.0)}
    assert (found["response"], found["finish"]) == (word, word)


@pytest.mark.parametrize(("outcome", "word"), [("never_settles", "right"), ("", "wrong")])
def test_both_may_see_no_finish(outcome, word):
    said = SAID | {"outcome": outcome, "finish_ms": math.nan if outcome else 400.0, "finish_visible_ms": math.nan}
    again = {"response_ms": 100, "response_other_ms": math.nan, "finish_ms": math.nan, "finish_other_ms": math.nan,
             "settles": 0}  # fmt: skip
    found = {row["moment"]: row["grade"] for row in agree(said, again, AT_10_HZ, 500.0)}
    assert (found["response"], found["finish"]) == ("right", word)


def test_the_command_reads_folders_of_cuts(tmp_path, capsys):
    name = pd.read_csv(AGAIN)["video"][0]
    (tmp_path / name).parent.mkdir()
    film(tmp_path / name, Screen(), backdrop, Clip(every(60, 1)))
    (tmp_path / "truth.csv").write_text(f"video,action_ms,response_ms,finish_ms\n{name},100,50,2200\nb.mp4,1,2,3\n")
    assert agreement.main([str(tmp_path)]) == 0
    assert "finish" in capsys.readouterr().out
    (tmp_path / "truth.csv").write_text("video,action_ms,response_ms,finish_ms\nb.mp4,1,2,3\n")
    with pytest.raises(SystemExit, match="fetch them"):
        agreement.main([str(tmp_path)])
