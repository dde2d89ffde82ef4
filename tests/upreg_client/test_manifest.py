import pytest

from analysis.manifest.columns import TO_MEASURE
from analysis.manifest.reader import ManifestError, open_manifest
from upreg_client.failures import UsageError
from upreg_client.manifest import BadLine, Row, read_manifest

HEAD = b"os_version,app,video\n"
TEXTS = {
    "plain": HEAD + b"1,Mail,a.mp4\n2,Mail,a.mp4\n",
    "semicolons, capitals, a byte-order mark": b"\xef\xbb\xbfOS_Version;APP;Video\n1;Mail, and more;a.mp4\n",
    "tabs and CR LF": b"os_version\tapp\tvideo\r\n1\tMail\ta.mp4\r\n",
    "a cell of several lines": b'app,scenario,video\nMail,"first\nsecond",a.mp4\nFeed,,a.mp4\n',
    "a quote that is never closed": HEAD + b'1,"Mail,a.mp4\n2,Mail,a.mp4\n3,Feed,a.mp4\n',
    "such a quote, and many lines": HEAD + b'1,"Mail,a.mp4\n' + b"2,Mail,a.mp4\n" * 80,
    "too few cells": HEAD + b"1,Mail\n2,Mail,a.mp4\n",
    "too many cells": HEAD + b"1,Mail,a.mp4,more\n2,Mail,a.mp4,\n",
    "a line in Latin-1": HEAD + b"1,Caf\xe9,a.mp4\n2,Mail,a.mp4\n",
    "blank lines": HEAD + b"\n1,Mail,a.mp4\n\n  \n2,Mail,a.mp4",
    "a cell that no spreadsheet may run": HEAD + b"1,'=Mail,a.mp4\n2,''+Mail,a.mp4\n",
    "a column without a name": b"app,,video\nMail,x,a.mp4\n",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_lines_are_those_that_the_servers_own_reader_finds(tmp_path, text):
    (tmp_path / "a.mp4").write_bytes(b"film")
    path = tmp_path / "runs.csv"
    path.write_bytes(text)
    with open_manifest(path, TO_MEASURE) as reader:
        theirs = [(line.number, bool(line.problem), {k: v for k, v in line.cells.items() if v}) for line in reader]

    ours = [(row.line, isinstance(row, BadLine), getattr(row, "cells", {})) for row in read_manifest(path)]

    assert ours == theirs


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "is empty"),
        (b"\n", "is empty"),
        (b"app,film\n", "missing column: video"),
        (b"video,app,video\n", "column named twice: video"),
        ("video,app\n".encode("utf-16"), "is not UTF-8"),
        (b"vid\xe9o,video\n", "is not UTF-8"),
    ],
)
def test_manifest_that_cannot_be_read_is_refused_as_by_the_server(tmp_path, text, words):
    path = tmp_path / "runs.csv"
    path.write_bytes(text)

    with pytest.raises(UsageError, match=words):
        list(read_manifest(path))
    with pytest.raises(ManifestError), open_manifest(path, TO_MEASURE):
        pass


def test_manifest_that_is_not_there_is_told_with_its_cure(tmp_path):
    with pytest.raises(UsageError, match="name a CSV file that can be read"):
        list(read_manifest(tmp_path / "none.csv"))


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("none.mp4", "check the path"),
        ("../outside.mp4", "outside the manifest's folder"),
        ("/etc/hostname", "outside the manifest's folder"),
        ("link.mp4", "outside the manifest's folder"),
        ("loop.mp4", "check the path"),
        ("folder", "is no file"),
        ("empty.mp4", "is empty"),
        ("films\\a.mp4", "write folders with /"),
    ],
)
def test_file_that_cannot_be_sent_is_refused_with_the_cure(tmp_path, written, words):
    folder = tmp_path / "night"
    folder.mkdir()
    (tmp_path / "outside.mp4").write_bytes(b"film")
    (folder / "link.mp4").symlink_to(tmp_path / "outside.mp4")
    (folder / "loop.mp4").symlink_to(folder / "loop.mp4")
    (folder / "folder").mkdir()
    (folder / "empty.mp4").touch()
    path = folder / "runs.csv"
    path.write_text(f"app,video\nMail,{written}\n")

    [bad] = read_manifest(path)

    assert (bad.line, bad.fault.field) == (2, "video")
    assert words in bad.fault.message


def test_files_beside_the_recording_are_found_too(tmp_path):
    for name in ("a.mp4", "a.log"):
        (tmp_path / name).write_bytes(b"x")
    path = tmp_path / "runs.csv"
    path.write_text("app,video,log,trace\nMail,a.mp4,a.log,\n")

    [row] = read_manifest(path)

    assert isinstance(row, Row)
    assert row.files == {"video": tmp_path / "a.mp4", "log": tmp_path / "a.log"}
