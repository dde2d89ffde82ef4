"""Where the phone's screen is within the picture, on clips with known answers."""

from dataclasses import replace
from functools import partial

import cv2
import numpy as np
import pytest

from analysis.detection.inset import find_screen
from analysis.measure import read_screencast
from analysis.options import MeasureOptions
from tests.analysis.counting_scenes import framed, recording_light, status_bar
from tests.analysis.filmed import CLEAN
from tests.analysis.scenes import box, dialog, nothing
from tests.synthetic import Clip, Screen, every, film

WHOLE = (0, 0, 270, 584)
PHONE = (40, 88, 229, 497)  # 0.7 of it, in the middle
CLIP = Clip(every(30, 1.5), options=CLEAN)


def screen_of(folder, paint, clip=CLIP, screen=WHOLE):
    path = film(folder / "clip.mp4", Screen(*screen[2:]), paint, clip)
    recording, finder = read_screencast(path, MeasureOptions(action_ms=500))
    return find_screen(recording, finder.found(last_anew=False), 500.0)


def near(rect):
    return tuple(pytest.approx(side, abs=18) for side in rect)  # a page has margins of its own


@pytest.mark.parametrize("paint", [recording_light, status_bar])
def test_a_phone_in_its_frame_is_found(paint, tmp_path):
    assert screen_of(tmp_path, partial(framed, paint)) == near(PHONE)


def test_a_turned_recording_is_told_as_it_is_shown(tmp_path):
    def lying(picture, time):
        upright = np.ascontiguousarray(np.rot90(picture, -1))
        framed(status_bar, upright, time)
        picture[:] = np.rot90(upright)

    found = screen_of(tmp_path, lying, replace(CLIP, rotation=90), (0, 0, 584, 270))
    assert found == near(PHONE)


def shifted(picture, time):
    """A phone that is not in the middle: less of the ground lies below it."""
    framed(partial(dialog, 600), picture, time)
    picture[:] = np.roll(picture, 60, axis=0)


def blinking(picture, time):
    """Beside the phone something changes as well: a window of its own."""
    framed(partial(dialog, 600), picture, time)
    box(picture, 0.02, 0.45, 0.08, 0.5, (30, 30, 30) if time > 700 else (200, 60, 60))


def on_a_photograph(picture, time):
    framed(partial(dialog, 600), picture, time)
    photo = cv2.GaussianBlur(np.random.default_rng(2).uniform(0, 255, picture.shape).astype(np.float32), (0, 0), 12)
    photo = np.clip(6 * (photo - photo.mean()) + 128, 0, 255).astype(np.uint8)
    ground = (picture == (214, 222, 235)).all(axis=2)
    picture[ground] = photo[ground]


def square(picture, time):
    """A card in the middle of a page that stands still: it is no phone."""
    picture[:] = (214, 222, 235)
    box(picture, 0.2, 0.35, 0.8, 0.62, (20, 20, 20) if time < 600 else (240, 240, 240))


def small_card(picture, time):
    """Likewise a tall one: it is there in a part of the page's height alone."""
    picture[:] = (214, 222, 235)
    box(picture, 0.35, 0.35, 0.65, 0.63, (20, 20, 20) if time < 600 else (240, 240, 240))


def thin_rim(picture, time):
    """A dark line around all of the screen: an app's own."""
    partial(dialog, 600)(picture, time)
    cv2.rectangle(picture, (0, 0), (269, 583), (15, 15, 15), 15)


@pytest.mark.parametrize(
    "paint", [thin_rim, nothing, status_bar, shifted, blinking, on_a_photograph, square, small_card]
)
def test_where_no_frame_is_told_the_screen_is_all_of_the_picture(paint, tmp_path):
    assert screen_of(tmp_path, paint) == WHOLE
