from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import cv2
import numpy as np
import pytest

from analysis.batch import read_jobs
from analysis.video.opening import open_container
from benchmarks.devices import read_truth
from benchmarks.phones import __main__ as command
from benchmarks.phones import captures
from benchmarks.phones.__main__ import RECIPES, Recipe, dropped, main, truth
from benchmarks.phones.captures import CFR30, CFR60, VFR, recorded_times, write
from benchmarks.phones.filming import SCRIPTS, Take, stage
from tests.find_browser import find_browser

SLOT = 1000 / 60  # ms


def png(grey):
    return cv2.imencode(".png", np.full((64, 64, 3), grey, np.uint8))[1].tobytes()


@pytest.fixture
def take():
    """A caret blinks at 150 ms, the answer changes in two steps: the second one is too faint for an eye."""
    times = [0.0, 150.0, SLOT * 13, SLOT * 14]
    about = {"action": 100.0, "outcome": "ok", "settles": 1, "type": "tap"}
    return Take(times, [png(grey) for grey in (20, 60, 150, 240)], (SLOT * 13, SLOT * 14), (SLOT * 13,), 0.5, about)


@pytest.mark.parametrize(
    ("capture", "response", "finish", "visible"),
    [(VFR, 116.667, 133.333, 116.667), (CFR30, 133.333, 133.333, 133.333)],
)
def test_truth_is_when_a_frame_first_shows_it(take, capture, response, finish, visible):
    said = truth(take, recorded_times(take, capture))
    assert (said["response_ms"], said["finish_ms"], said["finish_visible_ms"]) == (response, finish, visible)
    assert said["dropped_frames"] == 0


def test_frames_are_missing_where_a_change_is_late_but_not_after_a_pause():
    assert dropped([0, SLOT, 3 * SLOT, 3 * SLOT + 300, 3 * SLOT + 300 + 4 * SLOT], 60) == 1 + 3
    assert dropped([0, 2 * SLOT, 6 * SLOT], 30) == 1


def test_a_file_holds_what_was_on_the_screen_at_the_time_of_each_frame(tmp_path, take):
    shown = {}
    for capture in (VFR, CFR60):
        write(take, capture, tmp_path / "a.mp4")
        with open_container(tmp_path / "a.mp4") as container:
            frames = list(container.decode(video=0))
        shown[capture.name] = [(round(frame.time * 1000), int(frame.to_ndarray()[0, 0])) for frame in frames]
    assert [at for at, _ in shown["vfr"]] == [0, 150, 217, 233, 500]
    assert len(shown["cfr60"]) == 30
    at_vfr = [level for _, level in shown["vfr"]][:4]
    assert np.allclose([dict(shown["cfr60"])[at] for at in (0, 150, 217, 233)], at_vfr, atol=4)


def test_timestamps_rise_however_near_to_each_other_jitter_brings_them(tmp_path):
    close = Take(
        [0.0, *np.arange(150.0, 170.0, 0.5)], [png(20 + 5 * at) for at in range(41)], (150.0,), (150.0,), 0.5, {}
    )
    write(close, replace(VFR, jitter_ms=2.0), tmp_path / "a.mp4")
    with open_container(tmp_path / "a.mp4") as container:
        times = [frame.pts for frame in container.decode(video=0)]
    assert len(times) == 42
    assert (np.diff(times) > 0).all()


@pytest.mark.parametrize(
    "alter",
    [
        lambda: captures.grain(6, 3),
        lambda: captures.by_camera(3, shake_px=5, flicker=0.02, exposure=0.1),
        lambda: captures.refreshed([100, 200], 3),
        lambda: captures.refined(300),
        lambda: captures.limit_cycle(0, 3, 4, 2),
    ],
)
def test_the_same_seed_does_the_same_to_pictures(alter):
    image = np.random.default_rng(1).integers(0, 255, (1170, 540, 3), np.uint8)
    one, other = (do(image, 210.0, 2) for do in (alter(), alter()))
    assert np.array_equal(one, other)
    assert one.shape != image.shape or (one != image).any()


def test_a_limit_cycle_shows_two_pictures_in_turns_and_no_third():
    alter, image = captures.limit_cycle(0, 3, 4, 2), np.full((1170, 540, 3), 128, np.uint8)
    shown = [alter(image, 20.0 * number, number) for number in range(4)]
    assert np.array_equal(shown[0], shown[2])
    assert np.array_equal(shown[1], shown[3])
    assert 0 < (shown[0] != shown[1]).any(axis=2).sum() <= 2 * 256


def test_every_scene_is_told_and_of_a_class_that_has_ordinary_ones_beside_it():
    script = "".join(path.read_text() for path in SCRIPTS)
    assert all(f"  {recipe.scene}(look, a) {{" in script for recipe in RECIPES)
    assert len({recipe.name for recipe in RECIPES}) == len(RECIPES)
    assert {int(recipe.group.split()[0]) for recipe in RECIPES} == set(range(20))


@pytest.mark.browser
def test_the_command_films_a_scene_and_says_what_is_true_of_it(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "RECIPES", [Recipe("2 carets", "letters", (VFR,))])

    with ThreadPoolExecutor(1) as apart:  # from the browser that other tests of this process keep open
        assert apart.submit(main, [str(tmp_path), "--only", "2", "--seed", "3"]).result() == 0

    [job] = read_jobs(tmp_path / "truth.csv")
    [said] = read_truth(tmp_path / "truth.csv").to_dict("records")
    assert (job.options.interaction_type, said["class"], said["recorded"]) == ("type", "2 carets", "vfr")
    assert 50 <= said["response_ms"] <= 120 + SLOT
    assert 300 <= said["finish_ms"] - said["response_ms"] <= 600 + SLOT, (
        "the third letter stands where the caret was"
    )
    with open_container(job.path) as container:
        frames = len(list(container.decode(video=0)))
    assert frames > 1 + 3 + 1, "the caret blinks besides"
    with pytest.raises(SystemExit):
        main([str(tmp_path), "--only", "no such scene"])


def test_every_scene_that_a_recipe_names_can_be_painted():
    with stage(find_browser()) as page:
        known = page.evaluate("Object.keys(scenes)")
    assert {recipe.scene for recipe in RECIPES} <= set(known)
