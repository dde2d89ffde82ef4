"""What must hold for every recording, on random scenes of blocks."""

import tempfile
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from analysis.measure import measure_screencast
from analysis.options import MeasureOptions
from analysis.video.masks import Mask
from tests.analysis.scenes import box
from tests.synthetic import Clip, Screen, every, film

SCREEN = Screen(160, 240)
events = st.lists(
    st.tuples(st.integers(520, 1400), st.integers(0, 6), st.integers(0, 6), st.integers(0, 255)),
    min_size=1,
    max_size=4,
)
few = settings(max_examples=8, deadline=None)


def paint_events(found):
    def paint(picture, time):
        for start, column, row, shade in sorted(found):
            if time >= start:
                box(
                    picture, column / 8, 0.2 + row / 10, column / 8 + 0.22, 0.3 + row / 10, (shade, 255 - shade, 90)
                )

    return paint


def measure(found, *, seconds=2.5, shift=0.0, masks=()):
    with tempfile.TemporaryDirectory() as folder:
        times = [time + shift for time in every(60, seconds)]
        path = Path(folder) / "clip.mp4"
        film(path, SCREEN, lambda picture, time: paint_events(found)(picture, round(time - shift, 6)), Clip(times))
        return measure_screencast(path, MeasureOptions(action_ms=500, masks=masks))


@few
@given(events)
def test_the_finish_never_precedes_the_response_and_neither_the_action(found):
    metrics = measure(found).metrics
    if metrics["finish_time_ms"] is not None:
        assert 0 <= metrics["response_time_ms"] <= metrics["finish_time_ms"]


@few
@given(events, st.floats(10, 5000))
@example([(984, 0, 0, 0), (1234, 0, 1, 0)], 126.0)  # 15 slots apart, as rounded either way
def test_shifting_all_timestamps_shifts_nothing(found, shift):
    near = {key: None if value is None else round(value) for key, value in measure(found).metrics.items()}
    far = measure(found, shift=shift)
    for key, value in far.metrics.items():
        assert (value is None) == (near[key] is None)
        assert value is None or abs(value - near[key]) <= 1


@few
@given(events, st.floats(0.1, 2))
def test_appending_still_frames_changes_nothing(found, more):
    assert measure(found, seconds=2.5 + more).metrics == measure(found).metrics


@few
@given(events)
def test_a_mask_over_everything_removes_everything(found):
    assert measure(found, masks=(Mask("all", 0, 0, 1, 1),)).outcome == "no_response"
