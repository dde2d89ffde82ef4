"""Files of AndroidX benchmarks: what is read of them, and that nothing wrong comes through."""

import json

import pytest

from analysis.macrobenchmark.reader import MOST_BYTES, MOST_PROBLEMS, BenchmarkFileError, read_benchmark_file
from tests.benchmarked import CLASS, benchmark, results, written


def refused(path):
    with pytest.raises(BenchmarkFileError) as caught:
        read_benchmark_file(path)
    assert all(line.startswith(f"{path.name}: ") for line in str(caught.value).splitlines())
    return caught.value.problems


def of_text(folder, text):
    path = folder / "x.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return refused(path)


def test_a_file_says_device_build_and_every_benchmark(tmp_path):
    one = benchmark("scroll", metrics={"frameCount": [10, 12]}, sampled={"frameDurationCpuMs": [[4.5, 5.0], [6.0]]})
    two = benchmark("start", metrics={"timeToInitialDisplayMs": [300.5, 310]})
    found = read_benchmark_file(written(tmp_path, one, two, compilationMode="speed-profile"))
    assert (found.device, found.compilation_mode) == ("Anvil 3", "speed-profile")
    assert found.facts["OS build"] == "acme/anvil/anvil:13/TQ1A.1/100:user/release-keys"
    assert (found.facts["SDK"], found.facts["Clocks locked"]) == ("33", "no")
    assert [each.title for each in found.benchmarks] == ["ScrollBenchmark.scroll", "ScrollBenchmark.start"]
    scroll, start = found.benchmarks
    assert (scroll.package, scroll.class_name) == ("org.example.mail.benchmark", CLASS)
    assert scroll.single == {"frameCount": (10.0, 12.0)}
    assert scroll.sampled[0].iterations == ((4.5, 5.0), (6.0,))
    assert start.single == {"timeToInitialDisplayMs": (300.5, 310.0)}
    assert scroll.facts == {"Iterations asked for": "2", "Warm-up iterations": "1"}


def test_parameters_tell_benchmarks_apart_whether_the_name_has_them_or_not(tmp_path):
    with_them = benchmark("start[mode=COLD]", metrics={"aMs": [1]}, params={"mode": "COLD"})
    without = benchmark("start", metrics={"aMs": [1]}, params={"mode": "WARM"})
    found = read_benchmark_file(written(tmp_path, with_them, without))
    titles = ["ScrollBenchmark.start[mode=COLD]", "ScrollBenchmark.start[mode=WARM]"]
    assert [each.title for each in found.benchmarks] == titles


def test_a_microbenchmark_is_known_by_the_time_of_a_call(tmp_path):
    found = read_benchmark_file(written(tmp_path, benchmark(metrics={"timeNs": [12.5], "allocationCount": [3]})))
    assert found.benchmarks[0].is_micro


def test_a_benchmark_that_measured_nothing_is_left_out_and_told(tmp_path):
    path = written(tmp_path, benchmark("empty"), benchmark("a", metrics={"aMs": [1]}))
    found = read_benchmark_file(path)
    assert [each.name for each in found.benchmarks] == ["a"]
    assert found.notes == ("ScrollBenchmark.empty measured nothing: it is left out",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no whole JSON"),
        ('{"context": {}', "no whole JSON (line 1"),
        ("[1, 2]", "no context and benchmarks"),
        ('{"frames": []}', "no context and benchmarks"),
        ('{"context": {}, "benchmarks": {}}', "benchmarks: is no list"),
        ('{"context": {}, "benchmarks": []}', "benchmarks: is no list"),
        ('{"context": 1, "benchmarks": [1]}', "context: 1 is no object"),
        ('{"context": {}, "context": {}, "benchmarks": []}', "names context twice"),
        (b"\xff\xfe{\x00}\x00", "no text in UTF-8"),
        ("[" * 200_000, "nesting"),
        ('{"context": ' + "9" * 5_000 + ', "benchmarks": []}', "numbers or nesting"),
    ],
)  # fmt: skip
def test_what_is_no_file_of_results_is_refused_with_the_cure(tmp_path, text, words):
    problems = of_text(tmp_path, text)
    assert words in problems[0]
    cures = ("-benchmarkData.json", "again", "keep one")
    assert any(cure in problem for problem in problems for cure in cures)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_what_json_calls_no_number_is_refused(tmp_path, number):
    text = json.dumps(results(benchmark(metrics={"aMs": [1.0]}))).replace("1.0", number)
    assert f"holds {number}" in of_text(tmp_path, text)[0]


@pytest.mark.parametrize(
    ("value", "words"),
    [("fast", "fast is no number"), (None, "None is no number"), (True, "True is no number"),
     ([1], "[1] is no number"),
     (-0.5, "-0.5 is below 0"), (1e300, "1e+300 is beyond all measure")],
)  # fmt: skip
def test_a_wrong_value_is_told_with_benchmark_field_and_place(tmp_path, value, words):
    data = results(benchmark(metrics={"aMs": [1, 2]}))
    data["benchmarks"][0]["metrics"]["aMs"]["runs"][1] = value
    problem, *_ = of_text(tmp_path, json.dumps(data))
    assert problem.startswith("ScrollBenchmark.scroll, metrics.aMs.runs[1]: " + words)
    data = results(benchmark(sampled={"aMs": [[1], [1, 2]]}))
    data["benchmarks"][0]["sampledMetrics"]["aMs"]["runs"][1][0] = value
    problem, *_ = of_text(tmp_path, json.dumps(data))
    assert problem.startswith("ScrollBenchmark.scroll, sampledMetrics.aMs.runs[1][0]: " + words)


def test_an_exponent_beyond_all_numbers_is_refused(tmp_path):
    text = json.dumps(results(benchmark(metrics={"aMs": [7.25]}))).replace("7.25", "1e999")
    assert "beyond all measure" in of_text(tmp_path, text)[0]


def test_a_frame_may_be_ready_before_its_deadline_under_both_kinds_of_names(tmp_path):
    found = read_benchmark_file(written(tmp_path, benchmark(sampled={"frameOverrunMs": [[-3.5, 1.0]]})))
    assert found.benchmarks[0].sampled[0].iterations == ((-3.5, 1.0),)


@pytest.mark.parametrize("lacks", ["runs", "name", "className"])
def test_a_missing_field_is_named(tmp_path, lacks):
    data = results(benchmark(metrics={"aMs": [1]}))
    row = data["benchmarks"][0]
    del (row["metrics"]["aMs"] if lacks == "runs" else row)[lacks]
    problem = of_text(tmp_path, json.dumps(data))[0]
    assert lacks in problem
    assert "is missing" in problem


def test_metrics_that_are_one_are_not_taken_twice(tmp_path):
    both = benchmark(sampled={"frameCpuTimeMs": [[1]], "frameDurationCpuMs": [[2]]})
    assert "frameCpuTimeMs is the earlier name of frameDurationCpuMs" in refused(written(tmp_path, both))[0]


@pytest.mark.parametrize("name", ["dropped_frames", "outcome", "//", "x" * 77])
def test_a_metric_needs_a_name_of_its_own(tmp_path, name):
    assert "name" in refused(written(tmp_path, benchmark(metrics={name: [1]})))[0]


def test_a_benchmark_that_stands_there_twice_is_refused(tmp_path):
    one = benchmark(metrics={"aMs": [1]})
    assert refused(written(tmp_path, one, one)) == [
        "ScrollBenchmark.scroll: stands in the file more than once: keep one of them"
    ]


def test_a_name_that_hides_something_is_refused(tmp_path):
    assert "U+202E" in refused(written(tmp_path, benchmark("a\u202eb", metrics={"aMs": [1]})))[0]


def test_all_that_is_wrong_is_told_up_to_what_a_person_reads(tmp_path):
    rows = [benchmark(f"b{place}", metrics={"aMs": [-1]}) for place in range(MOST_PROBLEMS + 7)]
    problems = refused(written(tmp_path, *rows))
    assert len(problems) == MOST_PROBLEMS + 1
    assert problems[-1] == "and 7 more like these"


def test_a_huge_file_is_refused_without_reading_it_whole(tmp_path):
    path = tmp_path / "huge.json"
    with path.open("wb") as stream:
        stream.truncate(MOST_BYTES + 1)
    assert "larger than 64 MB" in refused(path)[0]


def test_a_file_that_is_not_there_is_said(tmp_path):
    assert "check the name" in refused(tmp_path / "none.json")[0]
