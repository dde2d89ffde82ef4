"""What comes back from a decoder is taken for a picture or an index only if it can be one."""

from contextlib import contextmanager
from pathlib import Path

import pytest

from analysis.isolation.decoder import Answer, BrokenError
from analysis.isolation.picturing import change_map_apart, read_index_apart, still_apart, stills_apart
from analysis.options import MeasureOptions

FILM = Path("film.mp4")
WEBP = b"RIFF\x10\x00\x00\x00WEBPVP8 "
INDEX = {
    "codec": "avc1.640028", "description": "AWQAKA==", "width_px": 160, "height_px": 240, "offset": [48, 90],
    "size": [42, 10], "keys": [0], "time_ms": [0, 16.7],
}  # fmt: skip


class Captured:
    """Decoders that answer whatever somebody wants."""

    def __init__(self, values=None, data=b""):
        self.answer = Answer(values or {}, data, Path())

    @contextmanager
    def ask(self, job, source, values=None, **options):
        yield self.answer


def test_index_comes_back_as_it_was():
    assert read_index_apart(Captured({"index": INDEX}), FILM).as_dict() == INDEX
    assert read_index_apart(Captured({"index": None}), FILM) is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"codec": 'avc1.640028"><script>'},
        {"description": "<script>"},
        {"description": None},
        {"width_px": -1},
        {"height_px": "240"},
        {"offset": [48]},
        {"offset": [48, 1 << 60]},
        {"offset": [48, 90.5]},
        {"size": {"a": 1}},
        {"keys": [2]},
        {"time_ms": [0, 0]},
        {"time_ms": [0, "1"]},
        {"time_ms": 5},
    ],
)
def test_index_that_no_file_has_is_refused(wrong):
    with pytest.raises(BrokenError, match="an index that makes no sense"):
        read_index_apart(Captured({"index": INDEX | wrong}), FILM)


@pytest.mark.parametrize("data", [b"", b"<html>", b"RIFF\x10\x00\x00\x00WAVE"])
def test_what_is_no_picture_is_not_shown(data):
    with pytest.raises(BrokenError):
        still_apart(Captured(data=data), FILM, 0.0, 96)
    with pytest.raises(BrokenError):
        change_map_apart(Captured(data=data), FILM, MeasureOptions())


@pytest.mark.parametrize(
    "parts", [[[0, 96]], [[0, 96, "3"]], 5, None, [[0, 96, 400], [5, 96, 3]], [[7, 96, len(WEBP)]]]
)
def test_pictures_that_were_not_asked_for_are_refused(parts):
    with pytest.raises(BrokenError):
        stills_apart(Captured({"parts": parts}, WEBP), FILM, [(0, 96)], 10)


def test_pictures_are_cut_apart_where_they_end():
    values = {"parts": [[0, 96, len(WEBP)], [20, 96, len(WEBP) + 1]]}

    found = stills_apart(Captured(values, WEBP + WEBP + b"!"), FILM, [(0, 96), (20, 96)], 10)

    assert found == {(0, 96): WEBP, (20, 96): WEBP + b"!"}
