import io
from contextlib import closing

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage, default_storage
from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpResponse

from reports.web.ranged import FilePart, content_type, stored_file
from tests.serving import ask, plug, serving

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


def film(megabytes):
    """Store a film of zeros that takes no room on the disk."""
    default_storage.save("films/a film.mp4", ContentFile(b""))
    with default_storage.open("films/a film.mp4", "r+b") as stream:
        stream.truncate(megabytes << 20)
    return "films/a film.mp4"


@pytest.fixture
def handler():
    """Return Django's handler with nothing but this in it: a film, and a page beside it."""

    def chain(request):
        return stored_file(request, name, etag="x") if request.path == "/film" else HttpResponse("page")

    name, found = film(64), WSGIHandler()
    found._middleware_chain = chain
    return found


def test_a_film_that_nobody_reads_on_holds_no_thread(handler):
    with serving(handler, threads=1) as (_, port), closing(plug(port)) as reader:
        reader.sendall(b"GET /film HTTP/1.1\r\n\r\n")
        assert reader.recv(12) == b"HTTP/1.1 200"
        assert ask(port, "/page")[0] == 200


def test_the_server_sends_a_part_from_its_place_in_the_file(handler):
    with default_storage.open("films/a film.mp4", "r+b") as stream:
        stream.seek(60 << 20)
        stream.write(b"here it is")
    with serving(handler) as (_, port):
        first = (60 << 20) + 5
        status, answer = ask(port, "/film", Range=f"bytes={first}-{first + 4}")
    assert (status, answer.rpartition("\r\n\r\n")[2]) == (206, "it is")
    assert f"Content-Range: bytes {first}-{first + 4}/{64 << 20}" in answer
