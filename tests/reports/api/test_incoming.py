import hashlib
import io
import threading
from importlib import import_module
from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.utils import timezone

from reports.models import Action, AuditEntry, ImportRecord, Run, RunStatus, Upload
from reports.queue.services import queued_run_ids
from tests.disks import takes_nothing
from tests.intake import ROW
from tests.reports.api.test_uploads import FILM, RUNS, SHA256, TUS, UPLOADS, bearer, begin, problem, send

FIELDS = {name: value for name, value in ROW.items() if name != "video"}


@pytest.fixture
def farm(engineer):
    return bearer(engineer)


def uploaded(client, headers, content=FILM, name="open inbox.mp4"):
    sha256 = hashlib.sha256(content).hexdigest()
    place = begin(client, headers, length=len(content), name=name, sha256=sha256)["Location"]
    assert send(client, headers, place, content, 0).status_code == 204
    return place.rstrip("/").rpartition("/")[2]


def make(client, headers, sent):
    return client.post(RUNS, sent, "application/json", headers=headers)


def files_of_uploads():
    """Return the files that uploads hold."""
    return [path for path in Path(default_storage.path("uploads")).glob("*/*") if path.is_file()]


def fields_of(answer):
    return [row["field"] for row in problem(answer, 422)["errors"]]


@pytest.mark.django_db
def test_an_upload_becomes_a_pending_run_and_the_token_stands_in_the_audit_log(
    client, farm, django_capture_on_commit_callbacks
):
    sent = FIELDS | {"upload": uploaded(client, farm), "action_ms": 500, "repetition": 1, "operator": "night"}
    with django_capture_on_commit_callbacks(execute=True):
        answer = make(client, farm, sent)
    run, told = Run.objects.get(), answer.json()
    assert (answer.status_code, answer["Location"]) == (201, f"/api/v1/runs/{run.pk}/")
    assert (told["id"], told["taken"], told["status"], told["sha256"]) == (run.pk, "new", "pending", SHA256)
    assert (run.original_name, run.metadata, queued_run_ids()) == (
        "open inbox.mp4",
        {"operator": "night"},
        {run.pk},
    )
    with default_storage.open(run.file_name) as stream:
        assert stream.read() == FILM
    entry = AuditEntry.objects.get(action=Action.IMPORTED)
    assert (entry.subject, entry.who, entry.note.partition(" ")[2]) == (
        "open inbox.mp4",
        "engineer",
        "new, 0 updated",
    )
    assert "farm (" in entry.token


@pytest.mark.django_db
def test_the_same_again_is_200_and_the_same_run_unchanged(client, farm):
    sent = FIELDS | {"upload": uploaded(client, farm)}
    first = make(client, farm, sent)
    before = list(Run.objects.values())
    Upload.objects.get()  # it is known for an hour: whoever lost the answer asks again
    assert not files_of_uploads()  # and costs no second place on the disk

    again = make(client, farm, sent)
    from_elsewhere = make(client, farm, FIELDS | {"upload": uploaded(client, farm)})

    assert (first.status_code, again.status_code, from_elsewhere.status_code) == (201, 200, 200)
    assert {answer.json()["id"] for answer in (first, again, from_elsewhere)} == {before[0]["id"]}
    assert (again.json()["taken"], list(Run.objects.values())) == ("unchanged", before)
    assert not files_of_uploads()


@pytest.mark.django_db
@pytest.mark.parametrize("at", ["reports.importing.single.given_files", "reports.importing.write.keep"])
def test_a_repeated_request_that_is_overtaken_by_the_first_finds_the_same_run(client, farm, monkeypatch, at):
    """The client gave up waiting and asks again while the first request is at work with the very same upload."""
    sent = FIELDS | {"upload": uploaded(client, farm), "log_upload": uploaded(client, farm, b"boot" * 9, "a.log")}
    module, _, name = at.rpartition(".")
    original, first = getattr(import_module(module), name), []

    def overtaken(*args, **options):
        monkeypatch.undo()
        first.append(make(Client(), farm, sent))
        assert not files_of_uploads()
        return original(*args, **options)

    monkeypatch.setattr(at, overtaken)
    again = make(client, farm, sent)

    assert (first[0].status_code, again.status_code, again.json()["id"]) == (201, 200, first[0].json()["id"])
    record = ImportRecord.objects.get()
    assert (record.new, record.unchanged, record.refused) == (1, 1, 0)


@pytest.mark.django_db
def test_a_deleted_upload_leaves_the_file_of_its_run(client, farm):
    upload = uploaded(client, farm)
    assert make(client, farm, FIELDS | {"upload": upload}).status_code == 201

    assert client.delete(f"{UPLOADS}{upload}/", headers=TUS | farm).status_code == 204
    assert default_storage.exists(Run.objects.get().file_name)


@pytest.mark.django_db
def test_another_file_of_the_same_recording_is_409_and_another_action_corrects_it(client, farm):
    first = make(client, farm, FIELDS | {"upload": uploaded(client, farm)}).json()
    Run.objects.update(status=RunStatus.DONE)
    other = problem(make(client, farm, FIELDS | {"upload": uploaded(client, farm, FILM + b"!")}), 409)
    assert f"run {first['id']} is this recording already" in other["detail"]
    assert [row["field"] for row in other["errors"]] == ["video"]

    corrected = make(client, farm, FIELDS | {"sha256": SHA256, "action_ms": 7})
    assert (corrected.status_code, corrected.json()["taken"]) == (200, "updated")
    assert (Run.objects.get().action_ms, Run.objects.get().status) == (7.0, RunStatus.PENDING)


@pytest.mark.django_db
def test_a_recording_that_a_run_has_already_need_not_be_sent_again(client, farm):
    assert fields_of(make(client, farm, FIELDS | {"sha256": SHA256})) == ["sha256"]
    first = make(client, farm, FIELDS | {"upload": uploaded(client, farm)}).json()
    second = make(client, farm, FIELDS | {"sha256": SHA256.upper(), "repetition": 2})
    assert (second.status_code, second.json()["sha256"]) == (201, SHA256)
    assert Run.objects.get(repetition=2).file_name == Run.objects.get(pk=first["id"]).file_name

    name = Run.objects.get(repetition=2).file_name
    default_storage.delete(name)
    default_storage.save(name, io.BytesIO(FILM[:-1] + b"?"))  # the disk has spoilt it
    assert fields_of(make(client, farm, FIELDS | {"sha256": SHA256, "repetition": 3})) == ["sha256"]


@pytest.mark.django_db
def test_a_form_brings_the_file_with_its_row_and_its_log(client, farm):
    form = FIELDS | {
        "file": SimpleUploadedFile("videos/ночь <b>.mp4", FILM),
        "log_file": SimpleUploadedFile("device.log", b"11-20 08:00 boot"),
    }
    answer = client.post(RUNS, form, headers=farm)
    run = Run.objects.get()
    assert (answer.status_code, run.original_name, run.sha256) == (201, "ночь <b>.mp4", SHA256)
    assert run.file_name.endswith(".mp4")
    assert run.log_name.endswith(".log")

    note = SimpleUploadedFile("a.mp4", b"this is no video at all")
    assert fields_of(client.post(RUNS, FIELDS | {"repetition": 2, "file": note}, headers=farm)) == ["video"]


@pytest.mark.django_db
def test_log_and_trace_come_as_uploads_of_their_own(client, farm):
    log = uploaded(client, farm, b"11-20 08:00 boot\n" * 8, "device.log")
    trace = uploaded(client, farm, b"\x0a\x10" + bytes(80), "boot.perfetto-trace")
    sent = FIELDS | {"upload": uploaded(client, farm), "log_upload": log, "trace_upload": trace}
    assert make(client, farm, sent).status_code == 201
    run = Run.objects.get()
    assert (run.log_name[:5], run.trace_name[:7]) == ("logs/", "traces/")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("change", "fields"),
    [
        ({"os_version": None}, ["os_version"]),
        ({"os_version": "a/b", "repetition": "two"}, ["os_version", "repetition"]),
        ({"interaction_type": "pinch"}, ["interaction_type"]),
        ({"app": ["Mail"]}, ["app"]),
        ({"action_ms": -1}, ["action_ms"]),
        ({"x": 3}, ["x"]),
        ({"log": "device.log"}, ["log"]),
        ({"scenario": "a\x00"}, ["scenario"]),
        ({"operator": "\ud800"}, ["operator"]),
        ({"\ud800": "x"}, [r"'\ud800'"]),
        ({"upload": 7}, ["upload"]),
        ({"upload": "../../etc/passwd"}, ["upload"]),
        ({"upload": None}, ["upload"]),
        ({"sha256": SHA256}, ["upload"]),
        ({"sha256": "short", "upload": None}, ["sha256"]),
    ],
)
def test_each_wrong_field_is_named_and_nothing_is_stored(client, farm, change, fields):
    sent = FIELDS | {"upload": uploaded(client, farm)} | change
    assert fields_of(make(client, farm, sent)) == fields
    assert not Run.objects.exists()


@pytest.mark.django_db
def test_what_is_no_object_or_no_upload_of_mine_is_refused(client, farm, engineer):
    assert "JSON object" in problem(make(client, farm, [FIELDS]), 422)["detail"]
    problem(client.post(RUNS, "{", "application/json", headers=farm), 400)
    mine = uploaded(client, farm)
    problem(make(client, bearer(engineer), FIELDS | {"upload": mine}), 404)
    assert (
        "scope upload"
        in problem(make(client, bearer(engineer, "triage"), FIELDS | {"upload": mine}), 403)["detail"]
    )
    Upload.objects.update(expires_at=timezone.now())
    assert "send the file again" in problem(make(client, farm, FIELDS | {"upload": mine}), 404)["detail"]


@pytest.mark.django_db
def test_half_an_upload_is_no_recording(client, farm):
    place = begin(client, farm)["Location"]
    send(client, farm, place, FILM[:100], 0)
    answer = problem(make(client, farm, FIELDS | {"upload": place.rstrip("/").rpartition("/")[2]}), 409)
    assert f"100 of its {len(FILM)} bytes" in answer["detail"]


@pytest.mark.django_db
def test_a_full_disk_is_507_and_the_same_request_succeeds_once_there_is_room(client, farm):
    sent = FIELDS | {"upload": uploaded(client, farm)}
    with pytest.MonkeyPatch.context() as patch:
        takes_nothing(patch, default_storage.path("screencasts"), 28)
        assert "disk" in problem(make(client, farm, sent), 507)["detail"]
    assert not Run.objects.exists()
    assert make(client, farm, sent).status_code == 201


@pytest.mark.django_db(transaction=True)
def test_two_hosts_that_bring_the_same_run_at_once_get_one(client, farm):
    sent = [FIELDS | {"upload": uploaded(client, farm)} for _ in range(2)]
    both, answers = threading.Barrier(2), []

    def host(body):
        both.wait()
        answers.append(make(Client(), farm, body))
        connection.close()

    hosts = [threading.Thread(target=host, args=[body]) for body in sent]
    for each in hosts:
        each.start()
    for each in hosts:
        each.join()
    assert sorted(answer.status_code for answer in answers) == [200, 201]
    assert len({answer.json()["id"] for answer in answers}) == Run.objects.count() == 1
