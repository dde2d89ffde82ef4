"""From frames to one value an iteration."""

import random

import pytest

from analysis.macrobenchmark.iterations import iterations_of, percentiles
from analysis.macrobenchmark.reader import read_benchmark_file
from tests.benchmarked import benchmark, printed, written


def read(folder, *args, **kwargs):
    return iterations_of(read_benchmark_file(written(folder, benchmark(*args, **kwargs))).benchmarks[0])


def test_an_iteration_gives_the_percentiles_of_its_own_frames(tmp_path):
    frames = [[float(value) for value in range(1, 102)], [5.0]]
    first, second = read(tmp_path, sampled={"frameDurationCpuMs": frames}, metrics={"frameCount": [101, 1]})
    assert first.values == {
        "frameCount": 101, "frameDurationCpuMs_P50": 51, "frameDurationCpuMs_P90": 91, "frameDurationCpuMs_P95": 96,
        "frameDurationCpuMs_P99": 100,
    }  # fmt: skip
    assert {second.values[f"frameDurationCpuMs_P{at}"] for at in (50, 90, 95, 99)} == {5.0}
    assert (first.samples, second.samples) == ({"frameDurationCpuMs": 101}, {"frameDurationCpuMs": 1})


@pytest.mark.parametrize("count", [1, 2, 3, 10, 11, 97, 500])
def test_percentiles_are_those_that_the_format_prints(count):
    draw = random.Random(count)
    samples = [draw.lognormvariate(2, 0.7) for _ in range(count)]
    ours = {f"P{at}": value for at, value in percentiles(samples).items()}
    assert ours == pytest.approx(printed(samples), rel=1e-12)


def test_a_percentile_lies_between_ranks_as_in_a_file_of_four_frames():
    # ranks 1.5, 2.7, 2.85 and 2.97 of 10, 20, 40, 80, by hand
    assert percentiles([80, 10, 40, 20]) == pytest.approx({50: 30, 90: 68, 95: 74, 99: 78.8})


def test_earlier_names_of_the_library_are_the_same_metrics(tmp_path):
    old = read(tmp_path, sampled={"frameCpuTimeMs": [[3.0, 5.0]]}, metrics={"startupMs": [9]})
    new = read(tmp_path, sampled={"frameDurationCpuMs": [[3.0, 5.0]]}, metrics={"timeToInitialDisplayMs": [9]})
    assert old == new


def test_an_iteration_without_a_frame_has_no_value_and_is_never_0(tmp_path):
    first, second = read(tmp_path, sampled={"frameOverrunMs": [[], [-2.0]]}, metrics={"frameCount": [0, 1]})
    assert first.values == {"frameCount": 0}
    assert second.values["frameOverrunMs_P50"] == -2.0


def test_a_metric_with_fewer_values_than_iterations_is_missing_in_the_last(tmp_path):
    rows = read(tmp_path, metrics={"timeToInitialDisplayMs": [300, 310, 320], "timeToFullDisplayMs": [500]})
    assert [sorted(row.values) for row in rows] == [
        ["timeToFullDisplayMs", "timeToInitialDisplayMs"], ["timeToInitialDisplayMs"], ["timeToInitialDisplayMs"],
    ]  # fmt: skip
    assert [row.number for row in rows] == [1, 2, 3]
