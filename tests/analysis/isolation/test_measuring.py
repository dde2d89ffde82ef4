"""What comes back from a decoder is taken for a measurement only if it can be one."""

import json

import numpy as np
import pytest

from analysis.isolation.decoder import BrokenError
from analysis.isolation.measuring import measured_as_message, measured_from, options_as_dict, options_from
from analysis.measure import Measured
from analysis.options import MeasureOptions
from analysis.series import FrameSeries
from analysis.video.decode import VideoInfo
from analysis.video.masks import Mask

INFO = VideoInfo(1080, 2400, 90, 1500.5, 3, "h264", "yuv420p", False, "mov")
SERIES = FrameSeries(np.array([0, 16.7, 33.4]), *(np.linspace(0, 1, 3, dtype=np.float32) for _ in range(3)))
WHOLE = Measured(
    "ok", "as recorded", {"response_time_ms": 1 / 3, "dropped_frames": None}, True, {"at": [1]}, SERIES, INFO
)


def message(measured=WHOLE):
    values, data = measured_as_message(measured)
    return json.loads(json.dumps(values)), data


def test_measurement_comes_back_to_the_last_bit():
    back = measured_from(*message())

    assert (back.outcome, back.message, back.metrics, back.settles) == ("ok", "as recorded", WHOLE.metrics, True)
    assert (back.evidence, back.info) == ({"at": [1]}, INFO)
    for name in ("time_ms", "ssim_mean", "ssim_worst", "changed_pct"):
        assert getattr(back.series, name).tobytes() == getattr(SERIES, name).tobytes()


def test_measurement_without_a_series_has_none():
    back = measured_from(*message(Measured("unreadable", "no video", {})))

    assert (back.series, back.info) == (None, None)


def test_options_come_back_as_they_were():
    bar = Mask("bar", 0, 0, 1, 0.1)
    for options in (
        MeasureOptions(),
        MeasureOptions(touch_xy=(1.5, 2), masks=(bar,), capture="vfr", action_ms=0.1),
    ):
        assert options_from(json.loads(json.dumps(options_as_dict(options)))) == options


@pytest.mark.parametrize(
    "wrong",
    [
        {"outcome": "perfect"},
        {"outcome": ["ok"]},
        {"message": 5},
        {"message": "a\0b"},
        {"metrics": {"made_up": 1.0}},
        {"metrics": {"response_time_ms": float("nan")}},
        {"metrics": {"response_time_ms": "1"}},
        {"metrics": {"response_time_ms": 1e300}},
        {"metrics": {"response_time_ms": True}},
        {"metrics": []},
        {"settles": "yes"},
        {"evidence": []},
        {"info": {}},
        {"info": INFO.as_dict() | {"width": -1}},
        {"info": INFO.as_dict() | {"frames": 10**12}},
        {"info": INFO.as_dict() | {"codec": None}},
        {"info": INFO.as_dict() | {"full_range": 1}},
    ],
)
def test_values_that_no_measurement_has_are_refused(wrong):
    values, data = message()

    with pytest.raises(BrokenError, match="makes no sense"):
        measured_from(values | wrong, data)


@pytest.mark.parametrize("missing", ["outcome", "metrics", "series", "info"])
def test_values_that_are_missing_are_noticed(missing):
    values, data = message()
    del values[missing]

    with pytest.raises(BrokenError, match="makes no sense"):
        measured_from(values, data)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        message()[1][:-1],
        np.array([0, 2, 1], "<f8").tobytes() + bytes(36),
        np.array([0, 1, np.nan], "<f8").tobytes() + bytes(36),
    ],
)
def test_series_that_no_recording_has_is_refused(data):
    with pytest.raises(BrokenError, match="series"):
        measured_from(message()[0], data)
