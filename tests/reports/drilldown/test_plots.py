import numpy as np
import pytest

from analysis.series import FrameSeries
from analysis.verdicts.text import number_text
from reports.drilldown.moments import moment_words
from reports.drilldown.picture import draw_pair
from reports.drilldown.plots import pair_figure, ssim_height, still_gaps
from reports.measuring.series import RunSeries
from reports.models import Interaction, Run

SLOT = 1000 / 60
WORDS = moment_words(Interaction(type="tap"))


def run_series(times_ms, changed, *, action_ms=0.0, response=None, finish=None):
    fresh = np.isin(np.arange(len(times_ms)), changed)
    series = FrameSeries(
        np.asarray(times_ms, float),
        np.where(fresh, 0.5, 1).astype(np.float32),
        np.where(fresh, 0.0, 1).astype(np.float32),
        np.where(fresh, 9, 0).astype(np.float32),
    )
    moments = {"response": response, "finish": finish}
    evidence = {
        name: {"after_action_ms": at, "frame": int(np.argmin(np.abs(np.subtract(times_ms, at + action_ms))))}
        for name, at in moments.items()
        if at is not None
    }
    return RunSeries(Run(action_ms=action_ms), series, evidence, 60.0, {})


def test_height_of_an_ssim_keeps_its_order_and_opens_up_the_top():
    values = np.array([0.0, 0.5, 0.9, 0.99, 0.998, 0.9999, 1.0])

    heights = ssim_height(values)

    assert heights[0] == pytest.approx(0.0)
    assert heights[-1] == 1.0
    assert (np.diff(heights) > 0).all()
    assert heights[-1] - heights[4] > 0.1, "a tap's ripple must be seen"


def test_a_gap_is_drawn_as_a_still_screen_and_not_as_a_slope():
    times, frames = still_gaps(run_series([0, SLOT, 500], [1, 2]))

    between = (times > SLOT) & (times < 500)
    assert (frames[between] == -1).all()
    assert between.sum() == 2
    assert (np.diff(times) >= 0).all()


def test_lost_frames_are_counted_between_changes_only_whatever_recorded_them():
    shown = [0, 100, 100 + SLOT, 100 + 4 * SLOT, 100 + 5 * SLOT]
    variable = run_series(shown, [1, 2, 3, 4], response=100, finish=100 + 5 * SLOT)
    grid = [i * SLOT for i in range(20)]
    changed = [6, 7, 10, 11]
    constant = run_series(grid, changed, response=grid[6], finish=grid[11])

    assert [drop["frames"] for drop in variable.dropped] == [2]
    assert [drop["frames"] for drop in constant.dropped] == [2]


def test_drops_are_those_that_were_counted():
    run = run_series([i * SLOT for i in range(12)], [2, 3, 4, 5, 6, 7], response=2 * SLOT, finish=7 * SLOT)
    run.evidence["moving"] = [2, 5, 7]

    assert [drop["frames"] for drop in run.dropped] == [2, 1]


def test_drops_are_counted_in_the_slots_that_the_recording_can_tell_apart():
    run = run_series([i * 2 * SLOT for i in range(6)], [1, 2, 3, 4, 5], response=2 * SLOT, finish=10 * SLOT)
    run.evidence["moving"], run.evidence["slots_hz"] = [1, 2, 4, 5], 30.0

    assert [drop["frames"] for drop in run.dropped] == [1], "30 fps: one slot is lost, not four"


def test_a_pause_is_no_drop():
    run = run_series([0, 100, 600, 617], [1, 2, 3], response=100, finish=617)

    assert run.dropped == []


def test_figure_counts_from_the_action_and_marks_both_moments():
    figure = pair_figure(run_series([0, 500, 640], [2], action_ms=500, response=140, finish=140), None)

    assert figure["data"][0]["x"][0] == -500
    assert [mark["kind"] for mark in figure["marks"]] == ["response", "finish"]
    assert all(colour.startswith("--") for colour in (trace["line"]["color"] for trace in figure["data"]))


def test_picture_of_nothing_is_nothing():
    assert draw_pair({}, WORDS) is None


def test_picture_has_a_curve_for_each_run():
    run = run_series([0, 500, 640], [2], action_ms=500, response=140, finish=140)

    picture = draw_pair({"base": run, "new": run}, WORDS)

    assert [curve.key for curve in picture.curves] == ["base", "new"]
    assert picture.curves[0].mean.startswith("M")
    assert all(0 <= place <= 100 for place, _ in picture.ticks)


@pytest.mark.parametrize("finish", [140, 900, 1300, 8000])
def test_tick_of_the_action_stands_where_the_action_is_drawn(finish):
    run = run_series([0, 500, 500 + finish], [2], action_ms=500, response=140, finish=finish)

    picture = draw_pair({"new": run}, WORDS)

    places = {label: place for place, label in picture.ticks}
    assert places["0 ms"] == pytest.approx(picture.action / 10, abs=0.02)
    finish_label = next(mark for mark in picture.marks if mark.text.endswith(f"{number_text(finish)} ms"))
    assert finish_label.left == pytest.approx(picture.curves[0].finish / 10, abs=0.02)
