"""Which pictures show something new and which only repeat: rendered motions that lose slots of known number."""

from contextlib import closing

import cv2
import numpy as np
import pytest

from analysis.detection.changes import find_changes
from analysis.events.duplicates import LIMITS, Clues, gather_clues, shows_new, written_for_a_reason
from analysis.measure import measure_screencast
from analysis.options import MeasureOptions
from analysis.video.recording import read_recording
from tests.analysis.scenes import ACTION_MS, box, tint
from tests.synthetic import Clip, Screen, every, film

OPTIONS = MeasureOptions(action_ms=ACTION_MS)
SLOT = 1000 / 60
START, SLOTS = 36, 36  # the motion's first slot and how many it takes
LOST = (40, 41, 47, 53, 54, 55, 60)  # slots that show the picture before once more
STARVED = {"preset": "veryfast", "tune": "zerolatency", "crf": "25", "maxrate": "1500k", "bufsize": "1500k"}


def thin_spinner(picture, slot):
    """An arc, two pixels wide, turns on a card."""
    box(picture, 0.25, 0.4, 0.75, 0.55, (255, 255, 255))
    cv2.ellipse(picture, (135, 278), (20, 20), 7.0 * slot, 0, 90, (60, 120, 220), 2, cv2.LINE_AA)


def shimmer(picture, slot):
    """A faint band of light travels over the grey bars of a page that is being loaded."""
    light = 18 * np.exp(-(((np.arange(picture.shape[1]) - 12 * (slot - START)) / 45) ** 2))
    for top in range(100, 500, 100):
        picture[top : top + 50, 20:250] = (225 + light).astype(np.uint8)[None, 20:250, None]


def fades(picture, slot):
    tint(picture, slice(None), 0.6 * (slot - START + 1) / SLOTS)


def slides(picture, slot):
    page = Screen(seed=2).page()
    left = round(picture.shape[1] * (1 - (slot - START + 1) / SLOTS) ** 2)
    picture[:, left:] = page[:, : page.shape[1] - left]


def losing(motion, lost):
    def paint(picture, time):
        slot = round(time / SLOT)
        while slot in lost:
            slot -= 1
        if slot >= START:
            motion(picture, min(slot, START + SLOTS - 1))

    return paint


@pytest.mark.parametrize("motion", [thin_spinner, shimmer, fades, slides])
@pytest.mark.parametrize("lost", [(), LOST], ids=["smooth", "janky"])
def test_drops_are_counted_whatever_moves(motion, lost, tmp_path):
    clip = Clip(every(60, 2), options=STARVED, gop=120)
    measured = measure_screencast(film(tmp_path / "clip.mp4", Screen(), losing(motion, lost), clip), OPTIONS)
    assert measured.metrics["dropped_frames"] == pytest.approx(len(lost), abs=1 if lost else 0)


def test_a_small_step_beside_a_large_one_is_new(tmp_path):
    """The whole page lights up, one row goes back, the page slides: none of the three is a repeat."""

    def paint(picture, time):
        slot = round(time / SLOT)
        if slot >= START:
            box(picture, 0.0, 0.2, 1.0, 0.9, (190, 200, 230))
        if slot >= START + 1:
            box(picture, 0.1, 0.3, 0.35, 0.33, (205, 212, 236))
        if slot >= START + 2:
            slides(picture, min(slot, START + SLOTS - 1))

    clip = Clip(every(60, 2), options=STARVED, gop=120)
    measured = measure_screencast(film(tmp_path / "clip.mp4", Screen(), paint, clip), OPTIONS)
    assert measured.metrics["dropped_frames"] == 0


def test_frames_that_a_recorder_writes_without_a_change_are_drops(tmp_path):
    lost = set(LOST)
    slots = [0, *range(START, START + SLOTS), 120]
    clip = Clip([slot * SLOT for slot in slots], options={"preset": "veryfast", "crf": "26"})
    measured = measure_screencast(film(tmp_path / "clip.mp4", Screen(), losing(slides, lost), clip), OPTIONS)
    assert measured.metrics["dropped_frames"] == len(lost)


def clues(energy, **others):
    nothing = np.zeros(len(energy))
    fields = {"visible": nothing, "agreement": nothing, "reversal": nothing} | others
    return Clues(energy=np.array(energy, float), **{key: np.array(value, float) for key, value in fields.items()})


@pytest.mark.parametrize(
    ("found", "new"),
    [
        (clues([100, 100, 5, 100]), [1, 1, 0, 1]),  # a repeat, coded again
        (clues([100, 70, 40, 20, 8]), [1, 1, 1, 1, 1]),  # easing out
        (clues([100, 0, 0, 100]), [1, 0, 0, 1]),  # an exact repeat
        (clues([100, 5, 8, 100]), [1, 0, 0, 1]),
        (clues([100, 5, 100], visible=[1, 0.9, 1]), [1, 1, 1]),  # little, but all of it is seen
        (clues([100, 5, 5, 100], agreement=[0, 0.6, 0.6, 0]), [1, 1, 1, 1]),  # little, but it goes on
        (clues([100, 5, 5, 100], agreement=[0, 1, 1, 0], reversal=[0, -1, -1, 0]), [1, 0, 0, 1]),  # to and fro
    ],
)
def test_each_clue_tells_a_step_from_a_repeat(found, new):
    assert shows_new(found).astype(int).tolist() == new


def test_a_variable_rate_recorder_writes_a_frame_for_a_reason():
    times = np.array([0, 17, 33, 50, 150, 167.0])
    found = clues([100, 0.5, 5, 100, 5, 100])
    assert written_for_a_reason(found, times).astype(int).tolist() == [0, 0, 1, 1, 0, 1]


def test_faint_motion_long_after_a_large_step_was_written_for_a_reason():
    assert written_for_a_reason(clues([10_000, *[8] * 30, 10_000]), np.arange(32) * 17.0)[14:17].all()
    assert not written_for_a_reason(clues([10_000, 8, 8, 10_000]), np.arange(4) * 17.0)[1:3].any()


def test_agreement_equals_its_slow_twin(tmp_path):
    clip = Clip(every(60, 1.2), options=STARVED)
    recording = read_recording(film(tmp_path / "clip.mp4", Screen(), losing(shimmer, LOST), clip))
    active = np.ones(recording.grid.shape, bool)
    with closing(recording.store):
        pictures = [means.astype(float) for means, _ in recording.store]
        first, last = 5, len(pictures) - 2
        found = gather_clues(recording, find_changes(recording, ~active), active, first, last)
    steps = [now - before for before, now in zip(pictures[first - 1 :], pictures[first : last + 1], strict=False)]
    for i, one in enumerate(steps):
        near = [j for j in range(len(steps)) if 0 < abs(i - j) <= LIMITS.near_pictures]
        cosines = [float((one * steps[j]).sum() / np.sqrt((one**2).sum() * (steps[j] ** 2).sum())) for j in near]
        assert found.agreement[i] == pytest.approx(max(0, *cosines), abs=1e-3)


@pytest.mark.parametrize("late", [True, False])
def test_a_small_step_after_the_corrections_is_the_finish(late, tmp_path):
    """A page slides in and stops; 83 ms later a mark on it appears. An encoder corrects the slide all the while."""
    end = START + 12

    def paint(picture, time):
        slot = round(time / SLOT)
        if slot >= START:
            slides(picture, START + min(3 * (slot - START), SLOTS - 1))
        if late and slot >= end + 5:
            box(picture, 0.3, 0.5, 0.42, 0.53, (225, 225, 225))

    clip = Clip(every(60, 2), options=STARVED, gop=120)
    measured = measure_screencast(film(tmp_path / "clip.mp4", Screen(), paint, clip), OPTIONS)
    true = (end + 5 if late else end) * SLOT - ACTION_MS
    assert measured.metrics["finish_time_ms"] == pytest.approx(true, abs=SLOT + 0.1)
