"""What the page that takes recordings in refuses, survives, forgets, and shows to nobody else."""

import errno
import io
import shutil
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from reports.access.services import set_role
from reports.importing import queued, staging
from reports.importing.staging import forget_expired
from reports.models import ImportRecord, Role, Run, StagedImport, Upload
from reports.queue.leases import TAKEN
from reports.safety.orphans import orphans
from reports.tasks import forget_old_imports
from reports.uploads.services import Owner, add_part, begin
from tests.intake import MP4_HEAD, ROW
from tests.reports.importing.sending import GOOD, fill, manifest, page, press, send, start, stored, video, zipped

pytestmark = pytest.mark.django_db


def test_pressing_twice_imports_once(signed_in, engineer, monkeypatch):
    address = send(signed_in, manifest({}), video())
    import_manifest, again = queued.import_manifest, []

    def pressed_meanwhile(**options):
        again.append(start(signed_in, address))
        again.append(press(signed_in, address, "drop").status_code)
        return import_manifest(**options)

    monkeypatch.setattr(queued, "import_manifest", pressed_meanwhile)
    start(signed_in, address)
    start(signed_in, address)

    assert again == [TAKEN, 302]
    assert (Run.objects.count(), ImportRecord.objects.count()) == (1, 1)


def test_what_another_person_has_sent_is_not_there(signed_in, client, django_user_model):
    address = send(signed_in, manifest({}), video())
    other = django_user_model.objects.create_user(username="other")
    set_role(person=other, role=Role.ADMINISTRATOR, by=None)
    client.force_login(other)

    assert client.get(address).status_code == 404
    assert {press(client, address, what).status_code for what in ("start", "drop", "files")} == {404}
    assert StagedImport.objects.count() == 1


def test_a_full_disk_keeps_nothing_and_says_so(signed_in, client, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shutil, "copyfileobj", full)
    answer = client.post(reverse("imports"), {"recordings": [video()]})

    assert (answer.status_code, "No space left on device: make" in answer.content.decode()) == (503, True)
    assert (StagedImport.objects.count(), stored()) == (0, [])


def test_a_storage_that_refuses_while_importing_lets_one_press_again(signed_in, engineer, monkeypatch):
    address = send(signed_in, manifest({}), video())

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(shutil, "copyfileobj", full)
        start(signed_in, address)
    assert "make room" in page(signed_in, address)
    assert ImportRecord.objects.get().state == "stopped"
    start(signed_in, address)

    assert Run.objects.count() == 1


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ([SimpleUploadedFile("notes.txt", b"hello")], "there is no recording among these files: notes.txt"),
        ([zipped(("../a.mp4", MP4_HEAD))], "leads out of its folder"),
        ([SimpleUploadedFile("half.zip", b"PK\x03\x04half")], "half.zip: the zip cannot be read"),
        ([manifest({}), SimpleUploadedFile("b.csv", b"x"), video()], ""),
        (
            [SimpleUploadedFile("a.csv", b"x"), SimpleUploadedFile("b.csv", b"x")],
            "there are 2 tables (a.csv, b.csv)",
        ),
        ([], "Choose recordings"),
    ],
)
def test_what_cannot_be_taken_at_all_is_refused_with_the_cure(signed_in, files, words):
    for file in files:
        file.seek(0)
    answer = send(signed_in, *files)

    assert words in answer.replace("&#x27;", "'")
    assert StagedImport.objects.exists() is not bool(words)


def test_a_file_of_a_zip_that_is_refused_leaves_the_others(signed_in, engineer):
    address = send(signed_in, zipped(("../evil.mp4", MP4_HEAD), ("14.1/Mail/open 1.mp4", MP4_HEAD), ("e.mp4", b"")))

    looked = page(signed_in, address)
    assert "<b>../evil.mp4</b> leads out of its folder" in looked
    assert "<b>e.mp4</b> is empty" in looked


def test_more_than_may_be_sent_is_refused(signed_in, settings, monkeypatch):
    settings.IMPORT_MB = 0
    assert "send them in parts" in send(signed_in, video())
    settings.IMPORT_MB = 10
    monkeypatch.setattr(staging, "MOST_LINES", 1)
    assert "send manifests of at most 1" in send(signed_in, manifest({}, {}), video())
    monkeypatch.setattr(staging, "MOST_OPEN", 0)
    assert "import or drop one of them first" in send(signed_in, video())
    assert stored() == []


def test_a_manifest_that_cannot_be_read_is_told_and_nothing_can_be_imported(signed_in):
    address = send(signed_in, SimpleUploadedFile("runs.csv", b"os_version,app\n"), video())

    looked = page(signed_in, address)
    assert "The manifest cannot be read: missing column" in looked
    assert reverse("import-staged-start", args=[StagedImport.objects.get().pk]) not in looked
    assert "missing column" in start(signed_in, address)
    assert "The import stopped: missing column" in page(signed_in, address)


def test_dropped_and_expired_files_go_and_nothing_else(signed_in, settings):
    first, second = (send(signed_in, video(name)) for name in GOOD)
    assert len(stored()) == 2
    press(signed_in, first, "drop")
    assert len(stored()) == 1
    assert forget_expired() == 0

    StagedImport.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert signed_in.get(second).status_code == 404
    assert "1 imports" in forget_old_imports()
    assert (stored(), StagedImport.objects.count(), orphans()) == ([], 0, [])


def test_ten_thousand_files_that_were_not_sent_are_told_in_pages(signed_in):
    columns = tuple(ROW)
    address = send(
        signed_in, manifest(*({"repetition": str(n), "video": f"{n}.mp4"} for n in range(10_000)), columns=columns)
    )

    looked = page(signed_in, address)
    assert "Refused 10\u202f000" in looked
    assert looked.count("<tr>") < 60


def test_pages_ask_the_same_number_of_questions_however_much_was_sent(
    signed_in, engineer, django_assert_max_num_queries
):
    for count in (2, 30):
        files = zipped(*((f"14.1/Mail/open {n}.mp4", MP4_HEAD + bytes([n])) for n in range(count)))
        address = send(signed_in, files)
        with django_assert_max_num_queries(22):
            signed_in.get(address)
        fill(signed_in, address, action_ms="0", interaction_type="tap")
        start(signed_in, address)
        with django_assert_max_num_queries(13):
            signed_in.get(address)
    with django_assert_max_num_queries(8):
        signed_in.get(reverse("imports"))


def sent_in_parts(person, name, content):
    upload = begin(owner=Owner(person.pk), length=len(content), file_name=name)
    return add_part(upload=upload, offset=0, read=io.BytesIO(content).read)


def test_what_was_sent_in_parts_keeps_its_folders_and_its_uploads_are_let_go(signed_in, engineer):
    uploads = [sent_in_parts(engineer, f"{n}.mp4", MP4_HEAD + bytes([n])) for n in (1, 2)]
    sent = [f"{upload.pk} 14.1/Mail/open inbox/{upload.file_name}" for upload in uploads]

    address = signed_in.post(reverse("imports-sent"), {"sent": sent}).url

    looked = page(signed_in, address)
    assert "14.1/Mail/open inbox/2.mp4" in looked
    assert 'value="14.1"' in looked
    assert not Upload.objects.exists()
    again = signed_in.post(reverse("imports-sent"), {"sent": sent})
    assert (again.status_code, "send the file again" in again.content.decode()) == (422, True)


def test_uploads_of_another_person_and_half_ones_are_not_taken(signed_in, engineer, django_user_model):
    other = django_user_model.objects.create_user(username="other")
    theirs = sent_in_parts(other, "a.mp4", MP4_HEAD)
    half = begin(owner=Owner(engineer.pk), length=99, file_name="b.mp4")
    for sent, words in (
        (f"{theirs.pk} a.mp4", "no upload of yours has this number"),
        (f"{half.pk} b.mp4", "is not whole"),
        ("nonsense", "Choose recordings"),
    ):
        answer = signed_in.post(reverse("imports-sent"), {"sent": [sent]})
        assert (answer.status_code, words in answer.content.decode()) == (422, True), words
    assert (StagedImport.objects.count(), Upload.objects.count()) == (0, 2)
