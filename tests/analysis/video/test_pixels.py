"""Pictures decoded once more are those asked for; of too many, those around the one that matters are kept."""

from contextlib import closing, contextmanager
from fractions import Fraction

import av
import pytest

from analysis.measure import read_screencast
from analysis.options import MeasureOptions
from analysis.video import pixels
from analysis.video.decode import pictures
from analysis.video.opening import UnreadableVideoError, open_container
from analysis.video.pixels import BLOCK_PX
from tests.numbered import numbered_picture, read_number, render_numbered
from tests.synthetic import Clip, every, write

FRAMES = 60


@pytest.fixture(scope="module")
def clip(tmp_path_factory):
    """A clip in which every picture tells its number."""
    times = [1000 * number / 60 for number in range(FRAMES)]
    return render_numbered(tmp_path_factory.mktemp("numbered") / "clip.mp4", times, size=(480, 640))


@pytest.fixture(scope="module")
def clip_of_key_frames(tmp_path_factory):
    """A clip with a key frame every third of a second."""
    times = [1000 * number / 60 for number in range(FRAMES)]
    return render_numbered(tmp_path_factory.mktemp("numbered") / "clip.mp4", times, size=(480, 640), g=20)


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


def leads_behind(container, offset, stream):
    container.seek(offset + round(0.4 / stream.time_base), stream=stream)


def leads_nowhere(container, offset, stream):
    raise av.error.PermissionError(1, "the file knows no way")


class _Asked:
    """A container that is asked to go on elsewhere, and may lead astray."""

    def __init__(self, container, leads):
        self._container, self._leads = container, leads

    def __getattr__(self, name):
        return getattr(self._container, name)

    def seek(self, offset, stream):
        self._leads(self._container, offset, stream)


@pytest.mark.parametrize("leads", [leads_behind, leads_nowhere])
def test_where_no_way_leads_to_the_key_frame_all_is_decoded(leads, clip_of_key_frames, monkeypatch):
    @contextmanager
    def opened(path):
        with open_container(path) as container:
            yield _Asked(container, leads)

    monkeypatch.setattr(pixels, "open_container", opened)
    assert looked_at(clip_of_key_frames, [28, 30, 40], 28) == {28: 28, 30: 30, 40: 40}


def test_where_decoding_cannot_begin_with_the_key_frame_all_is_decoded(clip_of_key_frames, monkeypatch):
    begun = []

    def damaged_at_first(container, threads):
        begun.append(container)
        if len(begun) == 1:
            raise UnreadableVideoError("frame 0 is damaged: copy the file again or record again")
        return pictures(container, threads)

    monkeypatch.setattr(pixels, "pictures", damaged_at_first)
    assert looked_at(clip_of_key_frames, [28, 30, 40], 28) == {28: 28, 30: 30, 40: 40}
    assert len(begun) == 2


def test_what_is_damaged_from_the_beginning_is_said_to_be(clip_of_key_frames, monkeypatch):
    def damaged(container, threads):
        raise UnreadableVideoError("frame 0 is damaged: copy the file again or record again")

    monkeypatch.setattr(pixels, "pictures", damaged)
    with pytest.raises(UnreadableVideoError, match="frame 0 is damaged"):
        looked_at(clip_of_key_frames, [28], 28)


LATE = [500 + 1000 * number / 60 for number in range(FRAMES)]  # of a file that does not begin at 0
CODERS = {
    "clip.mp4": Clip(LATE, gop=20, b_frames=2),
    "clip.mov": Clip(LATE, gop=20),
    "clip.mkv": Clip(LATE, gop=20, options={"x264-params": "open-gop=1:bframes=3"}),
    "clip.webm": Clip(LATE, "libvpx", {"b": "2000000"}, gop=20),
    "clip.avi": Clip(every(60, FRAMES / 60), "mpeg4", {"b": "4000000"}, gop=20, time_base=Fraction(1, 60)),
}


@pytest.mark.parametrize("name", CODERS)
def test_decoding_begins_with_the_last_key_frame(name, tmp_path, monkeypatch):
    path = write(tmp_path / name, map(numbered_picture, range(FRAMES)), CODERS[name])
    recording, _ = read_screencast(path, MeasureOptions())
    decoded = []

    def counted(*arguments):
        for found in pictures(*arguments):
            decoded.append(found)
            yield found

    monkeypatch.setattr(pixels, "pictures", counted)
    with closing(recording.store):
        found = recording.pixels(recording, [40, 45], 40)
    assert {number: read_number(luma) for number, luma in found.items()} == {40: 40, 45: 45}
    assert len(decoded) <= 30
