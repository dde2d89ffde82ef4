import os

import pytest

from reports.importing.files import SourceFileError, source_file
from tests.intake import fake_video


def test_a_file_below_the_manifest_is_found(tmp_path):
    path = fake_video(tmp_path, "videos/a.mp4", b"12345")
    found = source_file(tmp_path, "videos/../videos/a.mp4")
    assert (found.path, found.size_bytes) == (path.resolve(), 5)


def test_a_path_out_of_the_folder_is_refused(tmp_path):
    outside = fake_video(tmp_path, "secret.mp4")
    folder = tmp_path / "in"
    folder.mkdir()
    for written in ("../secret.mp4", str(outside), "../in/../secret.mp4"):
        with pytest.raises(SourceFileError, match="outside the manifest's folder"):
            source_file(folder, written)


def test_a_symbolic_link_out_of_the_folder_is_refused_and_one_inside_is_followed(tmp_path):
    outside = fake_video(tmp_path, "secret.mp4")
    folder = tmp_path / "in"
    inside = fake_video(folder, "a.mp4")
    (folder / "out.mp4").symlink_to(outside)
    (folder / "up").symlink_to(tmp_path)
    (folder / "b.mp4").symlink_to(inside)
    assert source_file(folder, "b.mp4").path == inside.resolve()
    for written in ("out.mp4", "up/secret.mp4"):
        with pytest.raises(SourceFileError, match="outside"):
            source_file(folder, written)


def test_a_manifest_folder_that_is_itself_a_link_is_no_way_out(tmp_path):
    fake_video(tmp_path / "real", "a.mp4")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert source_file(tmp_path / "link", "a.mp4").size_bytes > 0


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("absent.mp4", "No such file"),
        ("folder", "is a folder"),
        ("empty.mp4", "is empty"),
        ("pipe", "no regular file"),
        ("loop", "check the path"),
        ("x" * 400, "too long"),
        ("a.mp4/b.mp4", "Not a directory"),
        ("videos\\a.mp4", "with / in place of"),
    ],
)
def test_what_is_no_file_with_content_is_refused(tmp_path, written, words):
    (tmp_path / "folder").mkdir()
    fake_video(tmp_path, "empty.mp4", b"")
    fake_video(tmp_path, "a.mp4")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(SourceFileError, match=words):
        source_file(tmp_path, written)
