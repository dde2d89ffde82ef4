"""No test is left to go before everything else on the machine, whatever it encodes."""

import os

import cv2
import numpy as np
import pytest

from benchmarks.phones.captures import Capture, write
from benchmarks.phones.filming import Take
from tests.scheduling import KNOWN, schedule, scheduled_as_before, scheduling
from tests.synthetic import Clip, Screen, every, film

AV1 = {"preset": "11", "svtav1-params": "lp=1"}
pytestmark = pytest.mark.skipif(not KNOWN, reason="this system has no scheduling policies")


def fails_as_another(left):
    with scheduled_as_before():
        schedule((os.SCHED_BATCH, 0))  # nobody needs a right for that
        left.append(scheduling())
        raise ZeroDivisionError


def test_what_is_scheduled_otherwise_is_so_no_more_afterwards():
    before, left = scheduling(), []
    with pytest.raises(ZeroDivisionError):
        fails_as_another(left)
    assert left == [(os.SCHED_BATCH, 0)]
    assert scheduling() == before != left[0]


def test_an_encoder_leaves_no_real_time_priority(tmp_path):
    before = scheduling()
    film(tmp_path / "film.mkv", Screen(176, 320), lambda *_: None, Clip(every(60, 1), "libsvtav1", AV1))
    assert scheduling() == before


def test_nor_does_one_of_what_is_recorded_again(tmp_path):
    before = scheduling()
    png = cv2.imencode(".png", np.full((320, 176, 3), 90, np.uint8))[1].tobytes()
    take = Take([0.0, 50.0], [png, png], [50.0], [50.0], 0.2, {"action": 20.0})
    write(take, Capture("av1", 30, AV1, codec="libsvtav1"), tmp_path / "film.mp4")
    assert scheduling() == before
