"""What a rule is good for on recordings of devices: the moments that are graded worse without it."""

from contextlib import closing

import pandas as pd
import pytest

from analysis.batch import read_jobs
from analysis.measure import measure_recording, read_screencast
from benchmarks.ablation import BAD, KEYS, _grades, devices_lost, measured_without
from benchmarks.devices import read_truth
from tests.analysis.filmed import filmed
from tests.synthetic import Clip, Screen, every, film


def _light_after_a_panel(page, time_ms):
    if time_ms >= 599:
        page[200:400, 40:220] = (30, 90, 160)
    if time_ms >= 1299:
        page[4:20, 8:40] = (250, 250, 250)


def recordings(folder):
    film(folder / "a.mp4", Screen(), _light_after_a_panel, Clip(every(60, 2.0)))
    said = {"video": "a.mp4", "action_ms": 500, "response_ms": 100, "finish_ms": 100, "settles": 1}
    pd.DataFrame([said]).to_csv(folder / "truth.csv", index=False)
    return folder


def test_a_moment_that_is_wrong_without_a_rule_is_counted_for_it_and_for_no_other(tmp_path):
    folder = recordings(tmp_path)
    (job,), (said,) = read_jobs(folder / "truth.csv"), read_truth(folder / "truth.csv").to_dict("records")
    found = {
        (key, moment): (BAD[now], BAD[before])
        for key, moment, now, before in _grades((job, said), ("edge", "mark"))
    }
    assert found == {
        ("edge", "response"): ("right", "right"),
        ("edge", "finish"): ("wrong", "right"),
        ("mark", "response"): ("right", "right"),
        ("mark", "finish"): ("right", "right"),
    }


def test_the_table_has_a_row_for_each_rule(tmp_path):
    table = devices_lost([str(recordings(tmp_path))], ("edge", "mark"), "", 1)
    assert table.loc["edge"].to_dict() == {
        "response worse": 0, "response better": 0, "finish worse": 1, "finish better": 0,
    }  # fmt: skip
    assert not table.loc["mark"].any()


def test_a_film_that_cannot_be_read_changes_nothing_and_ends_nothing(tmp_path):
    truth = recordings(tmp_path) / "truth.csv"
    said = pd.read_csv(truth)
    (tmp_path / "0.mp4").write_bytes(b"no film")
    pd.concat([said.assign(video="0.mp4"), said]).to_csv(truth, index=False)
    assert devices_lost([str(tmp_path)], ("edge",), "", 1).loc["edge"].tolist() == [0, 0, 1, 0]


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("letter_beside_caret", KEYS),
        ("spinner_in_corner", ("goes_on", "keeps_time", "edge")),  # each key takes long with it
        ("seconds_clock", KEYS),
        ("cursor_leaps", ("cursor", "edge")),
    ],
)
def test_what_was_seen_once_is_judged_without_each_rule_as_if_it_had_been_seen_without_it(tmp_path, name, keys):
    scene = filmed()[name]
    path = scene.film(tmp_path)
    recording, finder = read_screencast(path, scene.options, threads=1)
    with closing(recording.store):
        for key, measured in measured_without(path, scene.options, keys):
            alone = measure_recording(recording, finder, scene.options, without=frozenset({key}))
            assert (key, measured.outcome, measured.settles) == (key, alone.outcome, alone.settles)
            assert (key, measured.metrics) == (key, alone.metrics)
            assert (key, measured.evidence) == (key, alone.evidence)
