import hashlib
import json

import httpx
import pytest

from tests.upreg_client.fake import SITE, problem
from upreg_client.failures import PassingError, RefusedError, ServerError
from upreg_client.uploading import Begun, Content, Uploader, state_file

PART = 1000
DATA = bytes(range(256)) * 10  # two parts and a half


@pytest.fixture
def content(tmp_path):
    path = tmp_path / "films" / "a.mp4"
    path.parent.mkdir()
    path.write_bytes(DATA)
    return Content(path, "films/a.mp4", len(DATA), hashlib.sha256(DATA).hexdigest())


@pytest.fixture
def begun(tmp_path):
    return Begun(tmp_path / "state" / "push.json")


@pytest.fixture
def told():
    return []


@pytest.fixture
def uploader(server, begun, told):
    return Uploader(server, begun, told.append, part_bytes=PART)


def parts(router):
    return [int(call.request.headers["Upload-Offset"]) for call in router.calls if call.request.method == "PATCH"]


def test_file_arrives_whole_in_parts(fake, router, uploader, content, told):
    upload = uploader.bring(content)

    assert fake.uploads[upload] == DATA
    assert (fake.lengths[upload], fake.announced[upload]) == (len(DATA), content.sha256)
    assert parts(router) == [0, 1000, 2000]
    assert sum(told) == len(DATA)


def test_parts_are_no_longer_than_the_server_takes(fake, router, uploader, content):
    fake.headers = {"Upload-Limit": "max-size=9000000, max-append-size=700, max-age=86400"}

    assert fake.uploads[uploader.bring(content)] == DATA
    assert parts(router) == [0, 700, 1400, 2100]


def test_upload_that_is_cut_three_times_goes_on_from_where_the_server_has_come(
    fake, uploader, content, told, pauses
):
    fake.mishaps = [httpx.ReadError("cut"), httpx.WriteTimeout("cut"), httpx.RemoteProtocolError("cut")]

    upload = uploader.bring(content)

    assert fake.uploads[upload] == DATA
    assert sum(told) == len(DATA)
    assert pauses == [0.5, 0.5, 0.5]  # each cut after some progress begins with a short pause


def test_upload_is_given_up_when_nothing_arrives_any_more(fake, uploader, content, pauses):
    fake.mishaps = [httpx.Response(503)] * 99

    with pytest.raises(PassingError, match="503"):
        uploader.bring(content)
    assert pauses == [0.5, 1.0, 2.0]


def test_client_that_was_killed_goes_on_with_the_same_upload(fake, router, server, begun, content, tmp_path):
    class Killed(BaseException):
        pass

    def kill(count):
        if count:
            raise Killed

    with pytest.raises(Killed):
        Uploader(server, begun, kill, part_bytes=PART).bring(content)
    again = Begun(tmp_path / "state" / "push.json")
    upload = Uploader(server, again, lambda count: None, part_bytes=PART).bring(content)

    assert len(fake.uploads) == 1
    assert fake.uploads[upload] == DATA
    assert parts(router) == [0, 1000, 2000]


def test_two_lines_never_go_on_with_one_upload(begun, tmp_path):
    begun.keep("ab", "7")

    again = Begun(tmp_path / "state" / "push.json")

    assert [again.take("ab"), again.take("ab")] == ["7", ""]


def test_upload_that_the_server_has_forgotten_begins_anew(fake, uploader, content, begun, tmp_path):
    begun.keep(content.sha256, "99")
    uploader._begun = Begun(tmp_path / "state" / "push.json")

    assert fake.uploads[uploader.bring(content)] == DATA


@pytest.mark.parametrize("mishap", [httpx.Response(460), problem(409, ("", "another offset")), httpx.Response(423)])
def test_part_that_did_not_fit_is_sent_again_from_where_the_server_stands(fake, uploader, content, mishap):
    fake.mishaps = [mishap]

    assert fake.uploads[uploader.bring(content)] == DATA


def test_file_that_is_still_being_written_is_refused_and_not_sent_for_ever(fake, router, uploader, content):
    def begin_again(request):
        fake.uploads[fake._key(request)] = b""
        return httpx.Response(460)

    whole = fake.part

    def part(request):  # the last part makes the whole, which has another sha256: the server begins again
        answer = whole(request)
        return begin_again(request) if answer.headers["Upload-Offset"] == str(len(DATA)) else answer

    router.patch(url__regex=rf"{SITE}/api/v1/uploads/(\d+)/").mock(side_effect=part)

    with pytest.raises(RefusedError, match="is not what it was"):
        uploader.bring(content)


def test_file_that_became_shorter_is_refused(fake, uploader, content):
    content.path.write_bytes(DATA[:1500])

    with pytest.raises(RefusedError, match="became shorter"):
        uploader.bring(content)


def test_server_that_tells_no_offset_is_told_as_at_fault(fake, router, uploader, content):
    router.patch(url__regex=rf"{SITE}/api/v1/uploads/(\d+)/").mock(return_value=httpx.Response(204))

    with pytest.raises(ServerError, match="how much of the upload it has"):
        uploader.bring(content)


def test_state_is_kept_per_server_and_manifest_and_goes_with_the_last_upload(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    manifest = tmp_path / "runs.csv"
    file = state_file(SITE, manifest)
    begun = Begun(file)

    begun.keep("ab", "7")
    assert json.loads(file.read_text()) == {"ab": "7"}
    begun.keep("ab", "")

    assert not file.exists()
    assert state_file("https://other.example.org", manifest) != file != state_file(SITE, tmp_path / "other.csv")


@pytest.mark.parametrize("text", ["", "[]", "{", "\udcff"])
def test_state_that_cannot_be_read_is_as_none(tmp_path, text):
    file = tmp_path / "push.json"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))

    assert Begun(file).take("ab") == ""


def test_host_that_can_keep_no_state_pushes_all_the_same(fake, server, content, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("no folder")

    upload = Uploader(server, Begun(blocked / "push.json"), lambda count: None).bring(content)

    assert fake.uploads[upload] == DATA
