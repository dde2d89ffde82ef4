"""What a benchmark's metric is, by its name alone; and how it is judged."""

import numpy as np
import pandas as pd
import pytest

from analysis.metrics.benchmarks import LONGEST_KEY, benchmark_metric, is_judged, key_of
from analysis.policy.policy import DEFAULT_POLICY
from analysis.policy.thresholds import Threshold
from analysis.verdicts.deciding import decide
from analysis.verdicts.sentences import metric_label, metric_unit, result_sentence


@pytest.mark.parametrize(
    ("key", "label", "unit", "judged"),
    [
        ("frameDurationCpuMs_P90", "CPU frame time, P90", "ms", True),
        ("frameOverrunMs_P99", "Frame overrun, P99", "ms", True),
        ("timeToInitialDisplayMs", "Time to initial display", "ms", True),
        ("timeNs", "Time of one call", "ns", True),
        ("allocationCount", "Allocations of one call", "", True),
        ("frameCount", "Frame count", "", False),
        ("memoryRssAnonMaxKb", "Memory RSS anon max", "KB", True),
        ("powerTotalUw", "Power total", "µW", True),
        ("energyTotalUws", "Energy total", "µWs", True),
        ("RV_OnBindViewSumMs", "RV on bind view sum", "ms", True),
        ("RV_OnBindViewCount", "RV on bind view count", "", False),
        ("gpuItems", "GPU items", "", False),
        ("Ms", "Ms", "", False),
    ],
)
def test_a_name_tells_label_unit_and_direction(key, label, unit, judged):
    found = benchmark_metric(key)
    assert (found.label, found.unit, found.judged) == (label, unit, judged)
    assert (metric_label(key), metric_unit(key)[0], is_judged(key)) == (label, unit, judged)


@pytest.mark.parametrize("key", ["nonsense", "response_time_ms.", "a b Ms", "x" * LONGEST_KEY + "Ms", "", "_aMs"])
def test_what_no_file_gives_is_no_metric(key):
    assert not is_judged(key)


def test_keys_can_stand_in_addresses_and_names_of_fields():
    assert key_of("RV OnBind.View%SumMs", 90) == "RV_OnBind_View_SumMs_P90"


def test_names_of_ours_are_as_they_were():
    assert (metric_label("response_time_ms"), metric_unit("dropped_frames")) == ("Response time", ("frames", 1))


def decided(metric, base, new, policy=DEFAULT_POLICY):
    values = [("base", value) for value in base] + [("new", value) for value in new]
    rows = [
        {
            "app": "a",
            "interaction": "i",
            "interaction_type": "benchmark",
            "metric": metric,
            "side": side,
            "value": value,
        }
        for side, value in values
    ]
    return decide(pd.DataFrame(rows), policy).to_dict("records")[0]


def test_a_tenth_of_the_median_counts_until_there_is_a_threshold():
    base = [10.0, 10.1, 10.2, 10.3, 10.4]
    assert decided("frameDurationCpuMs_P90", base, [value + 1.5 for value in base])["verdict"] == "regression"
    assert decided("frameDurationCpuMs_P90", base, [value + 0.9 for value in base])["verdict"] == "imperceptible"
    assert decided("frameDurationCpuMs_P90", base, [value - 1.5 for value in base])["verdict"] == "improvement"


def test_before_or_after_a_deadline_a_part_of_it_means_nothing():
    base = [-0.2, -0.1, 0.0, 0.1, 0.2]
    row = decided("frameOverrunMs_P90", base, [value + 3 for value in base])
    assert (row["threshold"], row["verdict"]) == (4, "imperceptible")
    assert np.isnan(row["delta_pct"])
    before = decided("frameOverrunMs_P90", [value - 8 for value in base], [value - 2 for value in base])
    assert (before["verdict"], before["times_threshold"]) == ("regression", pytest.approx(1.5))
    assert np.isnan(before["delta_pct"])
    assert "Frame overrun, P90 is 6 ms higher" in result_sentence({**before, "severity": "Minor"})


def test_a_relative_threshold_of_a_median_below_0_is_a_part_of_its_size():
    assert Threshold(0, 10).at(np.array([-8.0, 8.0])) == pytest.approx([0.8, 0.8])


def test_ours_cannot_be_negative():
    with pytest.raises(ValueError, match="not negative"):
        decided("response_time_ms", [-1.0], [1.0])
    with pytest.raises(ValueError, match="finite"):
        decided("frameOverrunMs_P90", [float("inf")], [1.0])
