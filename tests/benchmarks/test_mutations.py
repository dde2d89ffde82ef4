"""Damaged files: a slice of `python -m benchmarks.mutations`, and that it notices what goes wrong."""

from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.mutations import BAD, CLIPS, DAMAGES, Measurer, answer_of, judge, render, run


class Here:
    """Measures in this process: an exception is the test's."""

    def measure(self, path):
        return answer_of(Path(path))


@pytest.fixture(scope="module")
def originals(tmp_path_factory):
    return render(tmp_path_factory.mktemp("originals"))


@pytest.mark.long
def test_a_slice_of_damaged_files_gives_no_wrong_answer(originals):
    rows = list(run(originals, range(600), 20, [Here()]))
    assert [row for row in rows if row["result"] in BAD] == []
    assert {row["clip"] for row in rows} == set(CLIPS)
    assert {row["damage"] for row in rows} == set(DAMAGES)
    assert {row["result"] for row in rows} >= {"unreadable", "same answer"}


def test_an_answer_that_differs_is_wrong_unless_the_pictures_do(originals):
    original = originals[0]
    other = {**original.answer, "metrics": {**original.answer["metrics"], "finish_time_ms": 1.0}}

    class Lies:
        def measure(self, path):
            return other

    assert judge(original, original.data, Lies())[0] == "WRONG"
    at = original.data.index(original.pictures[3])
    damaged = original.data[:at] + b"\xff" + original.data[at + 1 :]
    assert judge(original, damaged, Lies())[0] == "other pictures"


def test_a_process_that_takes_too_long_or_dies_is_noticed_and_replaced(originals, tmp_path):
    (tmp_path / "a.mp4").write_bytes(originals[0].data)
    with closing(Measurer(0.0)) as measurer:
        assert measurer.measure(str(tmp_path / "a.mp4")) == "hang"
        measurer._process.kill()
        measurer._process.join()
        assert measurer.measure(str(tmp_path / "a.mp4")).startswith("exception: the process died")
