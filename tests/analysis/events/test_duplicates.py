"""Which pictures show something new and which only repeat: rendered motions that lose slots of known number."""

from contextlib import closing
from functools import partial

import numpy as np
import pytest

from analysis.detection.changes import find_changes
from analysis.events.duplicates import (
    DUPLICATE,
    Clues,
    gather_clues,
    shows_new,
    too_faint_to_lose,
    written_for_a_reason,
)
from analysis.measure import measure_screencast
from analysis.options import MeasureOptions
from analysis.video.recording import read_recording
from tests.analysis.filmed import STARVED
from tests.analysis.motion_scenes import LOST, changes_colour, fades, losing, shimmer, slides, thin_spinner
from tests.analysis.scenes import ACTION_MS
from tests.synthetic import Clip, Screen, every, film

OPTIONS = MeasureOptions(action_ms=ACTION_MS)


@pytest.mark.parametrize("motion", [thin_spinner, shimmer, fades, slides])
@pytest.mark.parametrize("lost", [(), LOST], ids=["smooth", "janky"])
def test_drops_are_counted_whatever_moves(motion, lost, tmp_path):
    clip = Clip(every(60, 2), options=STARVED, gop=120)
    measured = measure_screencast(
        film(tmp_path / "clip.mp4", Screen(), partial(losing, motion, lost), clip), OPTIONS
    )
    assert measured.metrics["dropped_frames"] == pytest.approx(len(lost), abs=1 if lost else 0)


def test_a_fade_by_less_than_a_level_loses_nothing_at_any_bitrate(tmp_path):
    for options in (STARVED, STARVED | {"maxrate": "5M", "bufsize": "5M"}):
        clip = Clip(every(60, 2), options=options, gop=120)
        scene = partial(losing, changes_colour, ())
        measured = measure_screencast(film(tmp_path / "clip.mp4", Screen(), scene, clip), OPTIONS)
        assert measured.metrics["dropped_frames"] <= 1


def clues(energy, **others):
    nothing = np.zeros(len(energy))
    names = ("visible", "agreement", "reversal", "length", "clear", "turn")
    fields = dict.fromkeys(names, nothing) | others
    return Clues(energy=np.array(energy, float), **{key: np.array(value, float) for key, value in fields.items()})


def seen(energy):
    """Some of what stirs changes visibly, if anything stirs."""
    return clues(energy, visible=[0.2 if each else 0 for each in energy])


@pytest.mark.parametrize(
    ("found", "new"),
    [
        (seen([100, 100, 5, 100]), [1, 1, 0, 1]),  # a repeat, coded again
        (seen([100, 70, 40, 20, 8]), [1, 1, 1, 1, 1]),  # easing out
        (seen([100, 0, 0, 100]), [1, 0, 0, 1]),  # an exact repeat
        (seen([100, 5, 8, 100]), [1, 0, 0, 1]),
        (clues([100, 5, 100], visible=[1, 0.9, 1]), [1, 1, 1]),  # little, but all of it is seen
        (clues([100, 5, 5, 100], agreement=[0, 0.6, 0.6, 0]), [1, 1, 1, 1]),  # little, but it goes on
        (clues([100, 5, 5, 100], agreement=[0, 1, 1, 0], reversal=[0, -1, -1, 0]), [1, 0, 0, 1]),  # to and fro
        (seen([9000, *[0] * 8, 60, 50, 20, 60]), [1, *[0] * 8, 1, 1, 1, 1]),  # a small icon, after a page
        (seen([9000, 800, 100, 60, 60]), [1, 0, 0, 0, 1]),  # corrections of the page
        (clues([100, 70, 90, 60]), [1, 0, 0, 1]),  # nobody sees any of it: an encoder sharpens what stands still
        (clues([100, 0, 60, 50, 20, 60], visible=[1, 0, 0, 0.2, 0, 1]), [1, 0, 0, 1, 0, 1]),
    ],
)
def test_each_clue_tells_a_step_from_a_repeat(found, new):
    assert shows_new(found).astype(int).tolist() == new


@pytest.mark.parametrize(
    ("length", "turn", "stands"),
    [
        ([80, 30, 5, 35, 80], -0.9, 1),  # slows down, stands, goes the other way
        ([80, 80, 5, 80, 80], -0.9, 0),  # a flash: comes at once and goes at once
        ([80, 30, 5, 35, 80], 0.9, 0),  # goes on the same way: a slot was lost
        ([30, 80, 5, 35, 80], -0.9, 0),  # was not slowing down
    ],
)
def test_where_a_motion_turns_back_nothing_is_lost(length, turn, stands):
    found = clues([100, 100, 0, 100, 100], visible=[1, 1, 0, 1, 1], length=length, turn=[0, 0, 0, turn, 0])
    assert shows_new(found).astype(int).tolist() == [1, 1, stands, 1, 1]
    assert not shows_new(found, {"step_turns"})[2]


@pytest.mark.parametrize(
    ("length", "clear", "says"),
    [
        ([9, 9, 9, 9], [0, 0, 0, 0], [1, 1, 1]),  # a fade by less than a level: some slots have no step
        ([9, 9, 30, 9], [0, 0, 0, 0], [1, 0, 1]),  # a step makes up for what was lost before it
        ([9, 9, 9, 9], [5, 5, 5, 5], [0, 0, 0]),  # steps that no encoder leaves out
        ([90, 9, 9, 9], [5, 0, 0, 5], [0, 1, 0]),
    ],
)
def test_nothing_is_lost_between_faint_steps_unless_one_makes_up_for_it(length, clear, says):
    found = clues([0] * 8, length=[x for x in length for _ in range(2)], clear=[x for x in clear for _ in range(2)])
    assert too_faint_to_lose(found, np.array([0, 2, 4, 6])).astype(int).tolist() == says


def test_a_variable_rate_recorder_writes_a_frame_for_a_reason():
    times = np.array([0, 17, 33, 50, 150, 167.0])
    found = clues([100, 0.5, 5, 100, 5, 100])
    assert written_for_a_reason(found, times).astype(int).tolist() == [0, 0, 1, 1, 0, 1]


def test_faint_motion_long_after_a_large_step_was_written_for_a_reason():
    assert written_for_a_reason(clues([10_000, *[8] * 30, 10_000]), np.arange(32) * 17.0)[14:17].all()
    assert not written_for_a_reason(clues([10_000, 8, 8, 10_000]), np.arange(4) * 17.0)[1:3].any()


def test_agreement_equals_its_slow_twin(tmp_path):
    clip = Clip(every(60, 1.2), options=STARVED)
    recording = read_recording(film(tmp_path / "clip.mp4", Screen(), partial(losing, shimmer, LOST), clip))
    active = np.ones(recording.grid.shape, bool)
    with closing(recording.store):
        pictures = [means.astype(float) for means, _ in recording.store]
        first, last = 5, len(pictures) - 2
        found = gather_clues(recording, find_changes(recording, ~active), active, first, last)
    steps = [now - before for before, now in zip(pictures[first - 1 :], pictures[first : last + 1], strict=False)]
    for i, one in enumerate(steps):
        near = [j for j in range(len(steps)) if 0 < abs(i - j) <= DUPLICATE.near_pictures]
        cosines = [float((one * steps[j]).sum() / np.sqrt((one**2).sum() * (steps[j] ** 2).sum())) for j in near]
        assert found.agreement[i] == pytest.approx(max(0, *cosines), abs=1e-3)
