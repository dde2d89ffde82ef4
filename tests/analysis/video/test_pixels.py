"""Pictures decoded once more are those asked for; of too many, those around the one that matters are kept."""

from contextlib import closing

import pytest

from analysis.measure import read_screencast
from analysis.options import MeasureOptions
from analysis.video import pixels
from analysis.video.pixels import BLOCK_PX
from tests.numbered import read_number, render_numbered

FRAMES = 60


@pytest.fixture(scope="module")
def clip(tmp_path_factory):
    """A clip in which every picture tells its number."""
    times = [1000 * number / 60 for number in range(FRAMES)]
    return render_numbered(tmp_path_factory.mktemp("numbered") / "clip.mp4", times, size=(480, 640))


def looked_at(clip, wanted, around):
    """Return the numbers that the pictures say by the numbers under which they are found, and how large one is."""
    recording, _ = read_screencast(clip, MeasureOptions())
    with closing(recording.store):
        found = recording.pixels(recording, wanted, around)
        grid = recording.grid.shape
    assert all(luma.shape[0] <= grid[0] * BLOCK_PX < luma.shape[0] + BLOCK_PX for luma in found.values())
    return {number: read_number(luma) for number, luma in found.items()}


@pytest.mark.parametrize("wanted", [range(FRAMES), [3, 4, 30, 59], [17]])
def test_every_picture_asked_for_is_the_right_one(clip, wanted):
    assert looked_at(clip, list(wanted), 0) == {number: number for number in wanted}


@pytest.mark.parametrize("around", [0, 30, 59])
def test_of_too_many_those_around_the_one_that_matters_are_kept(clip, around, monkeypatch):
    everything = looked_at(clip, range(FRAMES), around)
    monkeypatch.setattr(pixels, "MOST_BYTES", 150_000)
    found = looked_at(clip, range(FRAMES), around)
    numbers = sorted(found)
    assert numbers == list(range(numbers[0], numbers[-1] + 1))
    assert 2 <= len(numbers) < len(everything)
    assert numbers[0] <= around <= numbers[-1]
    assert found == {number: number for number in numbers}
    before, after = around - numbers[0], numbers[-1] - around
    assert around in (0, FRAMES - 1) or 0 < before < after
