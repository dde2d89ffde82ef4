import io
import tracemalloc
from collections import deque
from contextlib import suppress
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.manifest.columns import TO_IMPORT, TO_MEASURE
from analysis.manifest.reader import ManifestError, Reader, open_manifest

HEADER = "os_version,app,interaction,interaction_type,repetition,video,action_ms"
GOOD = "13.0.12,Mail,open inbox,tap,1,a.mp4,500"


@pytest.fixture
def read(tmp_path):
    def _read(content, needed=TO_IMPORT):
        path = tmp_path / "runs.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        with open_manifest(path, needed) as reader:
            return list(reader)

    return _read


def test_a_line_carries_its_number_and_its_cells_trimmed(read):
    (line,) = read(f"{HEADER}\n13.0.12, Mail ,open inbox,tap,1,a.mp4,500\n")
    assert line.number == 2
    assert line.cells["app"] == "Mail"
    assert line.problem == ""


@pytest.mark.parametrize("encode", [str.encode, lambda text: b"\xef\xbb\xbf" + text.encode()])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_bom_delimiter_and_line_endings_make_no_difference(read, encode, delimiter, ending):
    text = ending.join([HEADER, GOOD, GOOD]).replace(",", delimiter)
    lines = read(encode(text))
    assert [(line.number, line.cells["video"], line.cells["action_ms"]) for line in lines] == [
        (2, "a.mp4", "500"),
        (3, "a.mp4", "500"),
    ]


def test_header_names_are_trimmed_and_lower_cased_and_may_be_quoted(read):
    (line,) = read(f'"OS_Version"," App",{HEADER.split(",", 2)[2]}\n{GOOD}')
    assert (line.cells["os_version"], line.cells["app"]) == ("13.0.12", "Mail")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"\n", "empty"),
        (b"\xef\xbb\xbf\n", "none of the columns"),
        (f"{HEADER}\n{GOOD}".encode("utf-16"), "CSV UTF-8"),
        (f"{HEADER}\n{GOOD}".encode("utf-16-le"), "CSV UTF-8"),
        (f"{HEADER}\n{GOOD}".encode("utf-32"), "CSV UTF-8"),
        (f"größe,{HEADER}\n".encode("latin-1"), "CSV UTF-8"),
        (HEADER.replace(",repetition", "").encode(), "missing column: repetition"),
        (f"{HEADER},App".encode(), "named twice: app"),
        (b"\x00\x01\x02\x03mp4", "no text"),
        (f"{HEADER}\r{GOOD}\r".encode(), "line feeds"),
        (b"hello world\n", "none of the columns"),
        (b"x" * 200_000, "first line cannot be read"),
    ],
)
def test_a_wrong_header_is_refused_with_its_cure(read, content, words):
    with pytest.raises(ManifestError, match=words):
        read(content)


def test_who_measures_needs_the_column_video_alone(read):
    (line,) = read("video;note\na.mp4;kept\n", TO_MEASURE)
    assert line.cells == {"video": "a.mp4", "note": "kept"}
    with pytest.raises(ManifestError, match="missing column: video: add it"):
        read(HEADER.replace("video", "film"), TO_MEASURE)
    with pytest.raises(ManifestError, match="none of the columns: it must name video"):
        read("path\na.mp4\n", TO_MEASURE)


def test_a_manifest_that_cannot_be_opened_says_so(tmp_path):
    for path in (tmp_path / "absent.csv", tmp_path):
        with pytest.raises(ManifestError, match="name a CSV file"), open_manifest(path, TO_IMPORT):
            pass


def test_blank_lines_are_skipped_and_counted(read):
    lines = read(f"{HEADER}\n\n{GOOD}\n   \n,,,,,,\n{GOOD}")
    assert [line.number for line in lines if not line.problem and line.cells["app"]] == [3, 6]


@pytest.mark.parametrize("bad", [GOOD.rsplit(",", 1)[0], GOOD + ",more", "only this"])
def test_a_line_with_another_number_of_cells_is_refused_alone(read, bad):
    lines = read(f"{HEADER}\n{GOOD}\n{bad}\n{GOOD}\n")
    assert [bool(line.problem) for line in lines] == [False, True, False]
    assert lines[1].number == 3
    assert "cells in place of 7" in lines[1].problem


def test_empty_cells_past_the_header_are_no_problem(read):
    assert read(f"{HEADER},,\n{GOOD},,\n{GOOD},,,,\n{GOOD},x,\n")[1].problem == ""


@pytest.mark.parametrize(
    "bad", ['13.0.12,"Mail,open inbox,tap,1,a.mp4,500', '13.0.12,Mail,open inbox,tap,1,a.mp4,"500']
)
@pytest.mark.parametrize("after", [1, 3, 120])
def test_a_quote_that_is_never_closed_costs_only_its_own_line(read, bad, after):
    lines = read("\n".join([HEADER, GOOD, bad] + [GOOD] * after))
    assert [line.number for line in lines if line.problem] == [3]
    assert [line.number for line in lines if not line.problem] == [2, *range(4, 4 + after)]


def test_a_quote_closed_by_the_quote_of_a_later_line_costs_only_its_own_line(read):
    lines = read(
        f'{HEADER}\n13.0.12,"Mail,open inbox,tap,1,a.mp4,500\n13.0.12,"Mail, big",open,tap,1,a.mp4,500\n{GOOD}'
    )
    assert [line.number for line in lines if line.problem] == [2]
    assert lines[1].cells["app"] == "Mail, big"


def test_a_scenario_may_go_on_in_the_next_line(read):
    lines = read(f'{HEADER},scenario\n{GOOD},"first\nsecond"\n{GOOD},x\n')
    assert lines[0].cells["scenario"] == "first\nsecond"
    assert [line.number for line in lines] == [2, 4]


def test_a_line_in_another_encoding_is_refused_alone(read):
    lines = read(f"{HEADER}\n{GOOD}\n".encode() + "13,Café,x,tap,1,a.mp4,5\n".encode("latin-1") + GOOD.encode())
    assert [line.number for line in lines if line.problem] == [3]
    assert "UTF-8" in lines[1].problem


def test_a_cell_of_megabytes_is_refused_alone(read):
    huge = GOOD.replace("Mail", "M" * 3_000_000)
    lines = read(f"{HEADER}\n{huge}\n{GOOD}\n")
    assert [(line.number, bool(line.problem)) for line in lines] == [(2, True), (3, False)]


@pytest.mark.long
def test_a_hundred_thousand_lines_are_read_without_being_held():
    class Endless(io.BytesIO):
        def readline(self, size=-1):
            return super().readline(size) or GOOD.encode() + b"\n"

    lines = iter(Reader(Endless(HEADER.encode() + b"\n"), TO_IMPORT))
    deque(islice(lines, 80_001), maxlen=0)
    tracemalloc.start()  # of the last lines alone, as it is slow: each one held takes 8 bytes at least
    last = deque(islice(lines, 20_000), maxlen=1).pop()
    held = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert last.number == 100_002
    assert held < 100_000, "bytes at any moment: a few lines"


@given(st.binary(max_size=300))
def test_whatever_one_line_holds_the_lines_around_it_are_read(garbage):
    garbage = garbage.replace(b"\n", b"").replace(b"\r", b"")
    content = b"\n".join([HEADER.encode(), GOOD.encode(), garbage, GOOD.encode()])
    lines = {line.number: line for line in Reader(io.BytesIO(content), TO_IMPORT)}
    assert lines[2].cells == lines[4].cells
    assert (lines[2].problem, lines[4].problem) == ("", "")
    assert set(lines) <= {2, 3, 4}


@given(st.binary(max_size=2000))
def test_no_content_breaks_the_reader_and_lines_come_in_order(content):
    lines = list(Reader(io.BytesIO(HEADER.encode() + b"\n" + content), TO_IMPORT))
    numbers = [line.number for line in lines]
    assert numbers == sorted(set(numbers))
    assert len(lines) <= content.count(b"\n") + 1


@given(st.binary(max_size=300))
def test_no_header_breaks_the_reader(content):
    with suppress(ManifestError):
        assert set(TO_IMPORT) <= set(Reader(io.BytesIO(content), TO_IMPORT).columns)
