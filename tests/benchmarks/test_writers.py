"""Files as they are written: a slice of `python -m benchmarks.writers`, and that it notices what goes wrong."""

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from analysis.video.opening import UnreadableVideoError
from benchmarks import writers
from benchmarks.writers import OTHER, READ, REFUSED, WRITERS, drawn, main, read, table


@pytest.mark.long
def test_a_slice_of_files_is_read_with_the_times_that_they_were_written_with(tmp_path):
    cases = [read(drawn(random.Random(f"slice {number}")), tmp_path) for number in range(60)]
    assert Counter(case.result for case in cases) == {READ: 60}, [case.reason for case in cases]
    assert not list(tmp_path.iterdir())


def test_what_is_drawn_differs_and_can_be_drawn_again():
    cases = [drawn(random.Random(str(number))) for number in range(200)]
    assert {case.writer.name for case in cases} == {writer.name for writer in WRITERS}
    assert len({tuple(case.clip.times_ms) for case in cases}) > 150
    assert all(list(case.clip.times_ms) == sorted(set(case.clip.times_ms)) for case in cases)
    assert drawn(random.Random("7")) == drawn(random.Random("7"))
    longest = [max(np.diff(case.clip.times_ms)) for case in cases]
    assert min(longest) < 20
    assert max(longest) > 500


@pytest.fixture
def case():
    """Return a short film that is read."""
    return next(one for one in (drawn(random.Random(str(n))) for n in range(99)) if one.writer.codec == "mjpeg")


def test_a_film_that_is_read_with_other_times_ends_with_an_error(case, monkeypatch):
    written = writers.film
    monkeypatch.setattr(writers, "drawn", lambda chance: case)
    monkeypatch.setattr(
        writers,
        "film",
        lambda file, screen, draw, clip, muxing: written(
            file, screen, draw, replace(clip, times_ms=[2 * time for time in clip.times_ms]), muxing
        ),
    )
    assert main(["--count", "1"]) == 1
    assert case.result == OTHER
    assert table([case])[OTHER].tolist() == [1, 1]


def test_a_refusal_is_counted_with_its_reason(case, monkeypatch, capsys):
    def refuse(file):
        raise UnreadableVideoError("too blue")

    monkeypatch.setattr(writers, "drawn", lambda chance: case)
    monkeypatch.setattr(writers, "read_recording", refuse)
    assert main(["--count", "2"]) == 0
    assert case.result == REFUSED
    assert f"2 × {case.writer.name}: too blue" in capsys.readouterr().out
