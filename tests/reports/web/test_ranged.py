import io

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage

from reports.web.ranged import FilePart, content_type, stored_file

pytestmark = pytest.mark.django_db  # closing an answer looks after the database connection


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.mp4", "video/mp4"),
        ("a.WEBM", "video/webm"),
        ("a.mkv", "video/x-matroska"),
        ("a", "application/octet-stream"),
    ],
)
def test_the_content_type_follows_the_extension(name, kind):
    assert content_type(name) == kind


def test_closing_a_part_closes_the_file_whether_it_was_read_or_not():
    for read in (False, True):
        stream = io.BytesIO(b"0123456789")
        part = FilePart(stream, range(2, 5))
        assert not read or b"".join(part) == b"234"
        part.close()
        assert stream.closed


def test_a_file_that_ends_early_ends_the_answer():
    assert b"".join(FilePart(io.BytesIO(b"0123"), range(2, 100))) == b"23"


def test_a_storage_without_paths_is_served_alike(rf):
    storage = InMemoryStorage()
    storage.save("p/a.webm", ContentFile(b"0123456789"))
    response = stored_file(rf.get("/", headers={"Range": "bytes=3-4"}), "p/a.webm", etag="x", storage=storage)
    assert (response.status_code, b"".join(response.streaming_content)) == (206, b"34")
    response.close()


def test_an_empty_file_has_no_part(rf):
    storage = InMemoryStorage()
    storage.save("a.mp4", ContentFile(b""))
    for wanted, status in ((None, 200), ("bytes=0-", 416), ("bytes=-5", 416)):
        response = stored_file(rf.get("/", headers={"Range": wanted or ""}), "a.mp4", etag="x", storage=storage)
        assert response.status_code == status
        response.close()
