import base64
import hashlib
from io import BytesIO

import pytest
from django.core.servers.basehttp import get_internal_wsgi_application
from django.db import connections
from django.test import Client
from tusclient.client import TusClient
from tusclient.exceptions import TusUploadFailed

from reports.models import Role, RoleGrant, Upload
from reports.tokens.services import make_token
from reports.uploads import services
from reports.web.problems import PROBLEM
from tests.intake import MP4_HEAD, ROW
from tests.serving import plug, serving

UPLOADS, RUNS = "/api/v1/uploads/", "/api/v1/runs/"
FILM = MP4_HEAD + bytes(range(256)) * 12
LENGTH, SHA256 = len(FILM), hashlib.sha256(FILM).hexdigest()
TUS = {"Tus-Resumable": "1.0.0"}


@pytest.fixture
def farm(engineer):
    return bearer(engineer)


def bearer(person, *scopes):
    _, text = make_token(user=person, name="farm", scopes=list(scopes or ["upload"]), days=1)
    return {"Authorization": f"Bearer {text}"}


def metadata(**values):
    return ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in values.items())


def begin(client, headers, *, length=LENGTH, name="open inbox.mp4", sha256=SHA256, **more):
    told = {"Upload-Length": str(length), "Upload-Metadata": metadata(filename=name, sha256=sha256)}
    return client.post(UPLOADS, headers=TUS | headers | told | more)


def send(client, headers, place, content, offset, **more):
    told = {"Upload-Offset": str(offset)} | more
    kind = "application/offset+octet-stream"
    return client.generic("PATCH", place, content, kind, headers=TUS | headers | told)


def problem(answer, status):
    assert (answer.status_code, answer["Content-Type"]) == (status, PROBLEM)
    found = answer.json()
    assert found["status"] == status
    assert found["detail"]
    assert found["cure"]
    return found


@pytest.mark.django_db
def test_a_file_in_two_parts_and_what_each_answer_says(client, farm):
    made = begin(client, farm)
    place = made["Location"]
    assert (made.status_code, made["Upload-Offset"], made["Tus-Resumable"]) == (201, "0", "1.0.0")
    assert "max-size=4294967296, max-append-size=8388608" in made["Upload-Limit"]
    assert "GMT" in made["Upload-Expires"]

    digest = base64.b64encode(hashlib.sha256(FILM[:1000]).digest()).decode()
    first = send(client, farm, place, FILM[:1000], 0, **{"Upload-Checksum": f"sha256 {digest}"})
    asked = client.head(place, headers=TUS | farm)
    second = send(client, farm, place, FILM[1000:], 1000)

    assert (first.status_code, first["Upload-Offset"], first.content) == (204, "1000", b"")
    assert (asked.status_code, asked["Upload-Offset"], asked["Upload-Length"]) == (200, "1000", str(len(FILM)))
    assert asked["Cache-Control"] == "no-store"
    assert (second.status_code, second["Upload-Offset"]) == (204, str(len(FILM)))
    told = client.get(place, headers=farm).json()
    assert (told["filename"], told["complete"], told["sha256"]) == ("open inbox.mp4", True, SHA256)
    assert client.delete(place, headers=TUS | farm).status_code == 204
    problem(client.get(place, headers=farm), 404)


@pytest.mark.django_db
def test_what_is_offered_is_told(client, farm):
    answer = client.options(UPLOADS, headers=farm)
    assert (answer.status_code, answer["Tus-Version"]) == (204, "1.0.0")
    assert answer["Tus-Extension"] == "creation,expiration,termination,checksum"
    assert (answer["Tus-Checksum-Algorithm"], answer["Tus-Max-Size"]) == ("sha256", "4294967296")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("headers", "status", "field"),
    [
        ({"Tus-Resumable": "0.2.2"}, 412, "Tus-Resumable"),
        ({"Upload-Length": "many"}, 400, "Upload-Length"),
        ({"Upload-Length": "-1"}, 400, "Upload-Length"),
        ({"Upload-Length": ""}, 400, "Upload-Length"),
        ({"Upload-Length": "٣"}, 400, "Upload-Length"),
        ({"Upload-Length": "9" * 30}, 400, "Upload-Length"),
        ({"Upload-Length": "0"}, 400, "Upload-Length"),
        ({"Upload-Length": str((4 << 30) + 1)}, 413, "Upload-Length"),
        ({"Upload-Metadata": ""}, 400, "Upload-Metadata"),
        ({"Upload-Metadata": "filename !"}, 400, "Upload-Metadata"),
        ({"Upload-Metadata": "filename " + base64.b64encode(b"\xff").decode()}, 400, "Upload-Metadata"),
        ({"Upload-Metadata": metadata(filename="a.mp4", sha256="ab cd")}, 400, "Upload-Metadata"),
        ({"Upload-Metadata": metadata(filename="a\x00.mp4")}, 400, "filename"),
    ],
)
def test_a_header_that_is_wrong_is_named(client, farm, headers, status, field):
    if headers.get("Upload-Length") == "٣":
        headers = {"Upload-Length": "٣".encode().decode("latin-1")}
    answer = problem(begin(client, farm, **headers), status)
    assert [row["field"] for row in answer["errors"]] == [field]
    assert not Upload.objects.exists()


@pytest.mark.django_db
def test_what_a_part_gets_wrong_is_told_and_leaves_the_upload_as_it_was(client, farm):
    place = begin(client, farm)["Location"]
    wrong = base64.b64encode(hashlib.sha256(b"other").digest()).decode()
    problem(send(client, farm, place, FILM[:100], 0, **{"Upload-Checksum": f"sha256 {wrong}"}), 460)
    problem(send(client, farm, place, FILM[:100], 0, **{"Upload-Checksum": f"md5 {wrong}"}), 400)
    problem(send(client, farm, place, FILM[:100], 0, **{"Upload-Checksum": "sha256 YWJj"}), 400)
    assert "stands at 0" in problem(send(client, farm, place, FILM[:100], 7), 409)["detail"]
    problem(send(client, farm, place, FILM + b"!", 0), 413)
    other_kind = client.generic("PATCH", place, FILM, "text/plain", headers=TUS | farm | {"Upload-Offset": "0"})
    problem(other_kind, 415)
    assert Upload.objects.get().offset == 0
    assert "playlist" in problem(send(client, farm, place, b"#EXTM3U\n" * 9, 0), 415)["detail"]


@pytest.mark.django_db
def test_a_whole_that_differs_from_its_announced_sha256_is_told_and_begins_again(client, farm):
    place = begin(client, farm, sha256=hashlib.sha256(b"other").hexdigest())["Location"]
    assert "is not the one" in problem(send(client, farm, place, FILM, 0), 460)["detail"]
    assert client.head(place, headers=TUS | farm)["Upload-Offset"] == "0"


@pytest.mark.django_db
def test_an_upload_is_its_owner_s_and_takes_a_token_that_may(client, farm, engineer, django_user_model):
    place = begin(client, farm)["Location"]
    other = django_user_model.objects.create_user(username="other")
    RoleGrant.objects.create(user=other, role=Role.TRIAGER)
    for stranger in (bearer(other), bearer(engineer)):
        assert client.head(place, headers=TUS | stranger).status_code == 404
        problem(client.get(place, headers=stranger), 404)
        problem(send(client, stranger, place, FILM, 0), 404)
        problem(client.delete(place, headers=TUS | stranger), 404)
    client.force_login(engineer)
    problem(client.get(place), 404)
    client.logout()

    assert "scope upload" in problem(begin(client, bearer(engineer, "read", "triage")), 403)["detail"]
    viewer = django_user_model.objects.create_user(username="viewer")
    problem(begin(client, bearer(viewer)), 403)
    problem(begin(client, {}), 401)
    assert client.get(place, headers=farm).status_code == 200


@pytest.mark.django_db
def test_a_browser_that_is_logged_in_uploads_with_the_token_of_its_form(engineer):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(engineer)
    problem(begin(browser, {}), 403)

    browser.cookies["csrftoken"] = "a" * 32
    mine = {"X-CSRFToken": "a" * 32}
    place = begin(browser, mine)["Location"]
    problem(send(browser, {}, place, FILM, 0), 403)
    assert send(browser, mine, place, FILM, 0).status_code == 204
    sent = ROW | {"upload": place.rstrip("/").rpartition("/")[2]}
    assert browser.post(RUNS, sent, "application/json", headers=mine).status_code == 201


@pytest.mark.django_db(transaction=True)
def test_the_client_of_the_tus_project_is_cut_three_times_and_goes_on_after_a_restart(engineer, farm, monkeypatch):
    monkeypatch.setattr(services, "PART_BYTES", 600)
    monkeypatch.setitem(connections.settings["default"], "CONN_MAX_AGE", 0)  # its threads end with the server
    film = {"file_stream": BytesIO(FILM), "chunk_size": 600}
    known = {"filename": "open inbox.mp4", "sha256": SHA256}
    app, place = get_internal_wsgi_application(), None
    for cut in range(3):
        with serving(app) as (_, port):  # a new server each time: what was stored is all that is left
            tus = TusClient(f"http://127.0.0.1:{port}{UPLOADS}", headers=farm)
            url = place and f"http://127.0.0.1:{port}{place}"
            sender = tus.uploader(**film, url=url, metadata=known)
            assert sender.offset == 600 * cut
            sender.upload(stop_at=600 * (cut + 1))
            place = "/" + sender.url.split("/", 3)[3]
            cut_within_a_part(port, place, farm, offset=sender.offset)

    with serving(app) as (_, port):
        tus = TusClient(f"http://127.0.0.1:{port}{UPLOADS}", headers=farm)
        late = tus.uploader(**film, url=f"http://127.0.0.1:{port}{place}")
        sender = tus.uploader(**film, url=f"http://127.0.0.1:{port}{place}")
        assert sender.offset == 1800
        sender.upload()
        with pytest.raises(TusUploadFailed) as refused:
            late.upload_chunk()  # another host that was as far
        assert refused.value.status_code == 409

    with services.as_file(Upload.objects.get()) as whole:
        assert whole.read_bytes() == FILM


def cut_within_a_part(port, place, headers, *, offset):
    lines = [f"PATCH {place} HTTP/1.1", "Host: localhost", "Content-Type: application/offset+octet-stream",
             f"Upload-Offset: {offset}", "Content-Length: 600", "Tus-Resumable: 1.0.0",
             *(f"{key}: {value}" for key, value in headers.items())]  # fmt: skip
    with plug(port) as sock:
        sock.sendall("\r\n".join([*lines, "", ""]).encode() + FILM[offset : offset + 300])


@pytest.mark.django_db
def test_the_description_names_every_refusal_of_a_part(client, farm):
    found = client.get("/api/v1/schema/", headers=farm)
    part = found.json()["paths"]["/api/v1/uploads/{id}/"]["patch"]["responses"]
    assert {"204", "400", "404", "409", "412", "413", "415", "460", "503", "507"} <= set(part)
