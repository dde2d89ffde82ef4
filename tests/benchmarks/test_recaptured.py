"""Recordings that are recorded once more: what is true of the app stays true, what is drawn over it is told."""

import numpy as np
import pandas as pd
import pytest

from analysis.measure import measure_screencast
from analysis.options import MeasureOptions
from analysis.video.opening import open_container
from benchmarks.recaptured.__main__ import main
from benchmarks.recaptured.drawing import Scene
from benchmarks.recaptured.recording import DRAWN, Filmed, slotted, visible
from tests.synthetic import Clip, Screen, film, on_change

ACTION_MS, ANSWERS = 500.0, (600.0, 616.67, 633.33)
SCENE = Scene(500.0, 600.0, 700.0, 1500.0, (60.0, 150.0), (292, 136), 650.0, (0.0, -100.0))


@pytest.fixture
def corpus(tmp_path):
    """Return the folder of one recording: a panel opens in three steps."""
    return corpus_of(tmp_path, ANSWERS)


def corpus_of(folder, answers):
    def opens(page, time_ms):
        page[200 : 200 + 60 * sum(time_ms >= at - 1 for at in answers), 40:220] = (30, 90, 160)

    film(folder / "a.mp4", Screen(), opens, Clip(on_change(answers, 2000.0)))
    inputs = {"video": "a.mp4", "capture": "vfr", "interaction": "opens", "interaction_type": "tap"}
    pd.DataFrame([inputs | {"action_ms": ACTION_MS, "x": 120, "y": 300}]).to_csv(folder / "runs.csv", index=False)
    response, finish = answers[0] - ACTION_MS, answers[-1] - ACTION_MS
    said = {f"response{seen}_ms": response for seen in ("", "_visible")}
    said |= {f"finish{seen}_ms": finish for seen in ("", "_visible")}
    pd.DataFrame([{"video": "a.mp4", **said, "settles": 1}]).to_csv(folder / "truth.csv", index=False)
    return folder


def recaptured(corpus, only):
    main([str(corpus / "out"), str(corpus / "runs.csv"), str(corpus / "truth.csv"), "--only", only])
    (row,) = pd.read_csv(corpus / "out" / "truth.csv").to_dict("records")
    return row


@pytest.mark.parametrize(
    ("only", "response", "finish"),
    [("nothing+vfr", 100.0, 133.33), ("nothing+quicktime30", 100.0, 133.33), ("nothing+gif10", 100.0, 200.0)],
)
def test_the_truth_is_when_a_frame_of_the_new_recording_first_shows_it(corpus, only, response, finish):
    row = recaptured(corpus, only)
    assert (row["action_ms"], row["settles"]) == (ACTION_MS, 1)
    assert (row["response_ms"], row["finish_ms"]) == (pytest.approx(response, 1e-3), pytest.approx(finish, 1e-3))
    measured = measure_screencast(
        corpus / "out" / row["video"], MeasureOptions(action_ms=ACTION_MS, interaction_type="tap")
    )
    assert measured.metrics["response_time_ms"] == pytest.approx(response, abs=17)
    assert measured.metrics["finish_time_ms"] == pytest.approx(finish, abs=17)


def test_a_last_change_that_a_slow_recorder_does_not_film_any_more_is_in_its_last_frame(tmp_path):
    row = recaptured(corpus_of(tmp_path, (600.0, 1990.0)), "nothing+quicktime30")
    last = 1000 * 59 / 30 - ACTION_MS
    assert [row["finish_ms"], row["finish_visible_ms"]] == [pytest.approx(last, 1e-3)] * 2


def test_what_goes_on_beside_the_app_is_filmed_and_says_nothing_of_settling(corpus):
    row = recaptured(corpus, "recorder+vfr")
    assert np.isnan(row["settles"])
    assert row["finish_ms"] == pytest.approx(133.33, 1e-3)
    with open_container(corpus / "out" / row["video"]) as container:
        frames = [(frame.time, frame.to_ndarray(format="rgb24")) for frame in container.decode(video=0)]
    lit = [int(picture[18, 100, 0]) - picture[18, 100, 1] > 100 for _, picture in frames]
    assert len(frames) > len(ANSWERS) + 2
    assert True in lit
    assert False in lit


def test_motion_jpeg_is_written_at_one_quality_as_cameras_and_grabbers_do(corpus):
    row = recaptured(corpus, "nothing+mjpeg")
    with open_container(corpus / "out" / row["video"]) as container:
        before = {
            packet.size
            for packet in container.demux(video=0)
            if packet.pts is not None and float(packet.pts * packet.time_base) < 0.55
        }
    assert len(before) == 1, "the same picture takes the same room"


@pytest.mark.parametrize("name", DRAWN)
def test_an_overlay_changes_only_when_it_says_so(name):
    overlay = DRAWN[name](SCENE, np.random.default_rng(3))
    app = np.full((*SCENE.shape, 3), 128, np.uint8)
    changes = np.array([*overlay.changes_ms, np.inf])
    before = overlay.draw(app, 0.0, 0)
    for time in np.arange(10.0, SCENE.end_ms, 10.0):
        now = overlay.draw(app, time, 0)
        if (now != before).any():
            assert np.abs(changes - time).min() <= 40, f"{name} at {time} ms"
        before = now
    assert (app == 128).all()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["finger", "dragging"])
def test_what_drags_goes_the_fingers_way_while_it_is_down(name, seed):
    overlay = DRAWN[name](SCENE, np.random.default_rng(seed))
    app, held_ms = np.full((*SCENE.shape, 3), 128, np.uint8), SCENE.release_ms - SCENE.action_ms
    comes_ms = overlay.changes_ms[0]
    assert 0 <= comes_ms - SCENE.action_ms <= 70
    rows = []
    for time in (comes_ms, comes_ms + held_ms / 2, comes_ms + held_ms - 1):
        where = np.argwhere((overlay.draw(app, time, 0) != app).any(axis=2))
        rows.append(where.mean(axis=0)[0])
    assert rows == pytest.approx([150, 100, 50], abs=25)
    assert np.diff(rows) == pytest.approx([-50, -50], abs=10)


def test_what_drags_is_drawn_over_no_tap(corpus):
    main([str(corpus / "out"), str(corpus / "runs.csv"), str(corpus / "truth.csv"), "--only", "finger+vfr"])
    assert not (corpus / "out" / "truth.csv").exists()


def test_a_change_is_shown_with_the_next_frame_of_the_screen_and_never_right_after_one():
    assert slotted([100.0, 50.0, 52.0, 70.0, 3.0, 290.0], [0.0, 49.0, 66.0, 300.0]) == pytest.approx(
        [16.67, 82.67, 100.0], abs=0.01
    )


def filmed(*painted):
    """Return a take of a page on which something is painted, each at its time: (ms, area, levels)."""
    times, images = [0.0], [np.full((300, 200, 3), 200, np.uint8)]
    for time, area, levels in painted:
        images.append(images[-1].copy())
        images[-1][area] = levels
        times.append(time)
    strict = [time for time, _, _ in painted]
    return Filmed(times, (), strict, strict, 1.0, {"action": 50.0}, held=tuple(images))


PANEL, LINE, BLOCK = np.s_[50:150, 20:120], np.s_[250, 20:180], np.s_[245:275, 20:120]


@pytest.mark.parametrize(("size", "last"), [(1.0, 300.0), (0.4, 100.0)])
def test_a_thin_line_is_seen_in_full_size_and_lost_in_a_small_recording(size, last):
    take = filmed((100.0, PANEL, 40), (300.0, LINE, 180))
    assert visible(take, [0.0, 100.0, 300.0, 500.0], size, []) == [100.0, last]


def test_what_the_truth_is_silent_about_is_not_seen_nor_what_comes_after_it():
    take = filmed((100.0, PANEL, 40), (300.0, BLOCK, 0))
    assert visible(take, [0.0, 100.0, 300.0], 0.5, []) == [100.0, 300.0]
    assert visible(take, [0.0, 100.0, 300.0], 0.5, [[0, 240, 200, 280]]) == [100.0, 100.0]
    take.visible_ms.pop()
    assert visible(take, [0.0, 100.0, 300.0], 0.5, []) == [100.0, 100.0]
    assert visible(filmed((100.0, LINE, 190)), [0.0, 100.0], 0.5, []) == []
