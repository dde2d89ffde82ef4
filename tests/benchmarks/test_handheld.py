"""Judged recordings that cameras film: what a person chose stays true, and the screen is seen as it was held."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from analysis.video.opening import open_container
from benchmarks.devices import grade_folder
from benchmarks.handheld import CAMERAS, _show, main, seen_by
from tests.benchmarks.test_rerecorded import judged  # noqa: F401 (a fixture)

PAGE = np.kron(np.random.default_rng(1).integers(40, 220, (60, 30, 1)), np.ones((10, 10, 3))).astype(np.uint8)


@pytest.fixture
def filmed(judged):  # noqa: F811
    main([str(judged / "out"), str(judged), "--only", "hand_held_still"])  # it moves least
    return judged / "out"


def test_what_a_hand_holds_shows_what_a_person_chose_and_is_named(filmed):
    said = pd.read_csv(filmed / "truth.csv")
    assert said["class"].tolist() == ["hand_held_still"]
    assert (said["response_ms"] - 110).between(0, 34).all()
    assert (said["finish_ms"] - 190).between(0, 34).all()
    assert "dropped_frames" not in said
    for video in said["video"]:
        with open_container(filmed / video) as container:
            assert sum(1 for _ in container.decode(video=0)) >= 45
    graded = grade_folder(filmed)
    assert set(graded["outcome"]) == {"moving_camera"}
    assert set(graded["grade"]) == {"named"}


@pytest.mark.parametrize(("name", "moves"), [("hand", True), ("tripod", False)])
def test_a_hand_moves_the_screen_and_a_tripod_does_not(name, moves):
    film = seen_by(CAMERAS[name], np.random.default_rng(3))
    shown = [film(PAGE, time, number).astype(float) for number, time in enumerate((0.0, 100.0, 300.0))]
    assert shown[0].shape == (1280, 720, 3)
    apart = [np.abs(one - shown[0])[300:900, 200:500].mean() for one in shown[1:]]
    assert bool(min(apart) > 4) is moves


def test_where_a_camera_moves_by_a_tenth_of_a_pixel_the_edges_of_a_phone_do_so_too():
    scenes = []
    for by in (0.0, 0.1, 0.2, 0.3):
        scenes.append(np.full((400, 300, 3), 150, np.float32))
        place = np.array([[0.4, 0.02, 90 + by], [-0.03, 0.4, 80 + by], [0, 0, 1]])
        _show(PAGE // 8, place, scenes[-1])  # a screen as dark as what is around it
    apart = [np.abs(now - before).max() for before, now in pairwise(scenes)]
    assert 5 < min(apart) <= max(apart) < 0.3 * 150  # a pixel of the screen is 0.4 wide here


def test_a_camera_that_there_is_none_of_is_refused(judged, capsys):  # noqa: F811
    with pytest.raises(SystemExit):
        main([str(judged / "out"), str(judged), "--only", "drone"])
    assert "no camera is called *drone*: there are hand, hand_held_still, tripod" in capsys.readouterr().err
