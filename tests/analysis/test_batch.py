import json

import pytest

from analysis.batch import COLUMNS, Job, measure_jobs, read_jobs
from analysis.manifest.reader import ManifestError
from analysis.options import MeasureOptions
from reports.media.decoding import decoders
from tests.analysis.scenes import SCENES
from tests.synthetic import Clip, Screen, every, film


def manifest(folder, text, encoding="utf-8"):
    path = folder / "runs.csv"
    path.write_bytes(text.encode(encoding))
    return path


def test_a_row_becomes_a_job_with_its_options(tmp_path):
    header = "video,action_ms,interaction_type,refresh_hz,x,y,show_touches,capture,extra"
    text = f"{header}\na/b.mp4,12.5,launch,120,3,4,1,VFR,kept\n"
    (job,) = read_jobs(manifest(tmp_path, text))
    assert (job.name, job.path) == ("a/b.mp4", tmp_path / "a/b.mp4")
    assert job.options == MeasureOptions(
        action_ms=12.5, interaction_type="launch", refresh_hz=120, touch_xy=(3, 4), show_touches=True, capture="vfr"
    )


def test_empty_fields_take_the_defaults_and_a_byte_order_mark_is_no_letter(tmp_path):
    (job,) = read_jobs(manifest(tmp_path, "video,action_ms,x\na.mp4,,\n", "utf-8-sig"))
    assert job.options == MeasureOptions()


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("a.mp4,soon,tap", "line 3, action_ms: 'soon' is not a finite number"),
        ("a.mp4,0,stare", "line 3, interaction_type: 'stare' is unknown: use one of tap, scroll"),
        (",0,tap", "line 3, video: is empty: fill it"),
        (",-1,tap", "line 3, action_ms: -1 is out of range: give 0 to 1e+09; line 3, video: is empty: fill it"),
        ("a.mp4", "line 3, line: has 1 cells in place of 3"),
    ],
)
def test_a_wrong_row_is_refused_with_its_line_and_stops_no_other(tmp_path, row, words):
    good, bad = read_jobs(manifest(tmp_path, f"video,action_ms,interaction_type\nb.mp4,0,tap\n{row}\n"))
    assert good.options is not None
    assert bad.options is None
    assert bad.problem.startswith(words)


@pytest.mark.parametrize(
    ("data", "words"),
    [(b"path\na.mp4\n", "must name video"), ("video,ä\n".encode("latin-1"), "UTF-8")],
)
def test_a_manifest_that_cannot_be_read_says_why(tmp_path, data, words):
    (tmp_path / "runs.csv").write_bytes(data)
    with pytest.raises(ManifestError, match=words):
        read_jobs(tmp_path / "runs.csv")
    with pytest.raises(ManifestError, match="name a CSV file that can be read"):
        read_jobs(tmp_path / "missing.csv")


@pytest.mark.parametrize("workers", [1, 2])
def test_all_jobs_are_tried_in_order_by_one_worker_or_more(tmp_path, workers):
    scene = SCENES["flash"]
    video = film(tmp_path / "flash.mp4", Screen(160, 240), scene.paint, Clip(every(60, 2)))
    jobs = [
        Job("missing", tmp_path / "missing.mp4", MeasureOptions()),
        Job("refused", video, None, "line 2: no"),
        Job("good", video, MeasureOptions(action_ms=500)),
    ]
    rows = list(measure_jobs(jobs, workers, decoders()))
    assert [row["outcome"] for row in rows] == ["unreadable", "refused", "ok"]
    assert rows[1]["message"] == "line 2: no"
    assert rows[0]["dropped_frames"] is None
    assert rows[2]["response_time_ms"] == pytest.approx(100, abs=1)
    assert [key for key in rows[2] if key != "evidence"] == list(COLUMNS)
    json.dumps(rows)
