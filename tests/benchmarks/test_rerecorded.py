"""Judged recordings that are recorded once more: what a person chose stays true, as the new frames show it."""

import av
import numpy as np
import pandas as pd
import pytest

from analysis.video.opening import open_container
from benchmarks.alterations import ALTERATIONS
from benchmarks.rerecorded import main
from tests.synthetic import Clip, Screen, film, on_change

ACTION_MS, ANSWERS = 500.0, (610.0, 640.0, 690.0)


def opens(page, time_ms):
    page[200 : 200 + 60 * sum(time_ms >= at - 1 for at in ANSWERS), 40:220] = (30, 90, 160)


@pytest.fixture
def judged(tmp_path):
    """Return the folder of one judged recording: a panel opens in three steps."""
    (tmp_path / "videos").mkdir()
    film(tmp_path / "videos" / "a.mp4", Screen(), opens, Clip(on_change(ANSWERS, 1500.0)))
    said = {"response_ms": 110.0, "finish_ms": 190.0, "finish_visible_ms": 140.0, "dropped_frames": 0, "settles": 1}
    pd.DataFrame([{"video": "videos/a.mp4", "action_ms": ACTION_MS, **said, "class": "phone"}]).to_csv(
        tmp_path / "truth.csv", index=False
    )
    return tmp_path


def rerecorded(judged, *options):
    main([str(judged / "out"), str(judged), *options])
    return pd.read_csv(judged / "out" / "truth.csv")


def test_the_truth_is_what_a_person_chose_as_the_new_recording_shows_it(judged):
    said = rerecorded(judged, "--each", "20").set_index("recorded")
    moments = ["response_ms", "finish_ms", "finish_visible_ms"]
    assert said.loc["vfr", moments].tolist() == pytest.approx([110, 190, 140])
    assert said.loc["quicktime30", moments].tolist() == pytest.approx([133.333, 200, 166.667], abs=0.01)
    assert set(said["class"]) == {"phone"}
    assert "dropped_frames" not in said
    for video in said["video"]:
        with open_container(judged / "out" / video) as container:
            assert sum(1 for _ in container.decode(video=0)) >= 5


def test_a_moment_that_was_rounded_up_is_still_that_of_its_frame(judged):
    """The next frame at a variable rate comes 800 ms later."""
    said = pd.read_csv(judged / "truth.csv").assign(response_ms=110.004, finish_ms=190.004)
    said.to_csv(judged / "truth.csv", index=False)
    (again,) = rerecorded(judged, "--each", "20", "--only", "a+vfr").to_dict("records")
    assert (again["response_ms"], again["finish_ms"]) == pytest.approx((110, 190))


def test_the_last_picture_is_shown_for_as_long_as_the_file_says(judged):
    """The page rests from 690 ms on, and the file says so of its last picture."""
    with av.open(str(judged / "videos" / "a.mp4")) as whole, av.open(str(judged / "b.mp4"), "w") as cut:
        stream = cut.add_stream_from_template(whole.streams.video[0])
        packets = [packet for packet in whole.demux(video=0) if packet.dts is not None][:-1]
        packets[-1].duration = round(0.81 / packets[-1].time_base)
        for packet in packets:
            packet.stream = stream
            cut.mux(packet)
    (judged / "b.mp4").rename(judged / "videos" / "a.mp4")
    rerecorded(judged, "--each", "20", "--only", "a+")
    for name, last_ms in (("vfr.mp4", 1500), ("quicktime30.mp4", 1467)):
        with open_container(judged / "out" / "videos" / f"a+{name}") as container:
            assert [round(1000 * frame.time) for frame in container.decode(video=0)][-1] == last_ms


def test_a_recording_that_is_too_small_to_be_read_is_not_made_smaller(judged):
    """It is 270 px wide; recorders that make GIFs, or other sizes, are for other recordings."""
    assert not set(rerecorded(judged, "--each", "20")["recorded"]) & {
        "uploaded30",
        "small",
        "large",
        "gif25",
        "gif10",
    }


def test_a_seed_draws_the_same_recorders_and_another_one_others(judged):
    drawn = [set(rerecorded(judged, "--each", "3", "--seed", str(seed))["recorded"]) for seed in (1, 1, 2, 3)]
    assert drawn[0] == drawn[1]
    assert len({frozenset(one) for one in drawn}) > 1
    assert all(len(one) == 3 for one in drawn)


def test_only_what_is_asked_for_is_written(judged):
    assert rerecorded(judged, "--each", "20", "--only", "a+vp8")["video"].tolist() == ["videos/a+vp8.webm"]


def light(file):
    """Return the light of the first picture, (height, width)."""
    with open_container(file) as container:
        return next(container.decode(video=0)).to_ndarray(format="gray").astype(int)


def test_what_is_altered_shows_the_same_moments(judged):
    said = rerecorded(judged, "--altered", *ALTERATIONS)
    assert said["recorded"].tolist() == ["plain", "dark", "mirrored", "framed"]
    assert said[["response_ms", "finish_ms", "finish_visible_ms"]].to_numpy() == pytest.approx(
        np.tile([110.0, 190.0, 140.0], (4, 1))
    )
    plain, dark, mirrored, framed = (light(judged / "out" / video) for video in said["video"])
    near = {"abs": 4}  # levels: what two ways of writing colours make of them
    assert dark == pytest.approx(255 - plain, **near)
    assert mirrored == pytest.approx(plain[:, ::-1], **near)
    high, wide = plain.shape
    within = np.s_[high // 20 * 2 : high // 20 * 2 + high, wide // 16 * 2 : wide // 16 * 2 + wide]
    assert framed[within] == pytest.approx(plain, **near)
    framed[within] = 0
    assert framed.max() <= 1


@pytest.mark.parametrize(
    ("folder", "options", "words"),
    [("", ["--only", "nobody"], "*nobody*"), ("elsewhere", [], "elsewhere holds no truth.csv")],
)
def test_what_is_not_there_is_named(judged, capsys, folder, options, words):
    with pytest.raises(SystemExit):
        main([str(judged / "out"), str(judged / folder), *options])
    assert words in capsys.readouterr().err
    assert not (judged / "out").exists()
