import errno
import hashlib
import os
from datetime import timedelta
from io import BytesIO
from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from django.utils import timezone

from reports import tasks
from reports.models import Upload, UploadPart
from reports.safety.orphans import orphans
from reports.uploads import services
from reports.uploads.services import (
    ChecksumError,
    NoRoomError,
    Owner,
    TooLargeError,
    UploadError,
    UploadGoneError,
    WrongKindError,
    WrongOffsetError,
    add_part,
    as_file,
    begin,
    finish,
    forget,
    get_upload,
)
from tests.disks import takes_nothing
from tests.intake import MP4_HEAD

pytestmark = pytest.mark.django_db
FILM = MP4_HEAD + bytes(range(256)) * 2


@pytest.fixture
def owner(engineer):
    return Owner(engineer.pk)


def start(owner, content=FILM, name="open inbox.mp4", **options):
    return begin(owner=owner, length=len(content), file_name=name, **options)


def send(upload, content, offset, **options):
    return add_part(upload=Upload.objects.get(pk=upload.pk), offset=offset, read=BytesIO(content).read, **options)


def stored():
    root = Path(default_storage.path("uploads"))
    return [path for path in root.rglob("*") if path.is_file()] if root.exists() else []


def test_parts_become_the_whole_under_the_ending_of_the_file(owner):
    upload = start(owner, sha256=hashlib.sha256(FILM).hexdigest())
    for offset in range(0, len(FILM), 200):
        send(upload, FILM[offset : offset + 200], offset)

    with as_file(Upload.objects.get()) as path:
        assert (path.read_bytes(), path.suffix) == (FILM, ".mp4")
    assert (len(stored()), UploadPart.objects.count()) == (1, 0)


def test_a_file_of_one_part_is_kept_without_a_copy(owner):
    upload = send(start(owner), FILM, 0)

    assert stored() == [Path(default_storage.path(upload.stored_name))]
    assert upload.sha256 == hashlib.sha256(FILM).hexdigest()


def test_in_an_object_store_parts_of_two_hosts_become_the_whole(owner, bucket):
    upload = start(owner)
    send(upload, FILM[:300], 0)
    send(upload, FILM[300:], 300)

    with as_file(Upload.objects.get()) as path:
        assert path.read_bytes() == FILM
    s3, name = bucket
    assert len(s3.list_objects_v2(Bucket=name)["Contents"]) == 1


def test_a_part_from_elsewhere_is_refused_and_the_message_says_where_the_upload_stands(owner):
    upload = start(owner)
    send(upload, FILM[:100], 0)
    for offset in (0, 99, 101):
        with pytest.raises(WrongOffsetError, match="stands at 100"):
            send(upload, FILM[100:], offset)
    assert len(stored()) == 1


def test_of_two_clients_that_send_the_same_part_at_once_one_is_refused(owner):
    upload = start(owner)
    seen_by_the_other = Upload.objects.get(pk=upload.pk)
    send(upload, FILM[:100], 0)

    with pytest.raises(WrongOffsetError, match="stands at 100"):
        add_part(upload=seen_by_the_other, offset=0, read=BytesIO(FILM[:150]).read)

    send(upload, FILM[100:], 100)
    with as_file(Upload.objects.get()) as path:
        assert path.read_bytes() == FILM


def test_a_part_whose_own_checksum_is_wrong_leaves_the_upload_where_it_was(owner):
    upload = start(owner)
    with pytest.raises(ChecksumError, match="from the same offset"):
        send(upload, FILM[:100], 0, sha256=hashlib.sha256(b"other").digest())
    assert (Upload.objects.get().offset, stored()) == (0, [])
    assert send(upload, FILM[:100], 0, sha256=hashlib.sha256(FILM[:100]).digest()).offset == 100


def test_a_whole_that_is_not_what_was_announced_begins_again(owner):
    upload = start(owner, sha256=hashlib.sha256(b"other").hexdigest())
    send(upload, FILM[:100], 0)
    with pytest.raises(ChecksumError, match=r"open inbox\.mp4 is not the one"):
        send(upload, FILM[100:], 100)
    assert (Upload.objects.get().offset, Upload.objects.get().stored_name, stored()) == (0, "", [])


def test_half_an_upload_is_no_file(owner):
    upload = start(owner)
    send(upload, FILM[:100], 0)
    with pytest.raises(WrongOffsetError, match=f"100 of its {len(FILM)} bytes"), as_file(Upload.objects.get()):
        raise AssertionError("there is no file")


def test_more_than_was_announced_or_than_a_part_may_have_is_refused_while_it_is_read(owner, monkeypatch):
    monkeypatch.setattr(services, "PART_BYTES", 100)
    upload = start(owner)
    body = BytesIO(FILM)
    with pytest.raises(TooLargeError, match="more than 100 bytes"):
        add_part(upload=Upload.objects.get(), offset=0, read=body.read)
    assert body.tell() == 101

    for offset in range(0, 500, 100):
        send(upload, FILM[offset : offset + 100], offset)
    with pytest.raises(TooLargeError, match="beyond the 528 bytes"):
        send(upload, FILM[500:] + b"!", 500)


def test_the_limit_on_length_holds_before_anything_is_sent(owner, settings, monkeypatch):
    monkeypatch.setattr(services.shutil, "disk_usage", lambda _: services.shutil._ntuple_diskusage(0, 0, 1 << 40))
    assert begin(owner=owner, length=4 << 30, file_name="a.mp4").length == 4 << 30
    with pytest.raises(TooLargeError, match="4,296,015,872 bytes, and 4,294,967,296 are the most"):
        begin(owner=owner, length=4097 << 20, file_name="a.mp4")
    settings.UPLOAD_MB = 1
    with pytest.raises(TooLargeError):
        begin(owner=owner, length=(1 << 20) + 1, file_name="a.mp4")


def test_a_file_for_which_the_disk_has_no_room_is_refused_before_anything_is_sent(owner, monkeypatch):
    monkeypatch.setattr(services.shutil, "disk_usage", lambda _: services.shutil._ntuple_diskusage(0, 0, 3 << 20))
    with pytest.raises(NoRoomError, match="needs 4 MB of room"):
        begin(owner=owner, length=2 << 20, file_name="a.mp4")


def test_a_disk_that_fills_up_meanwhile_is_told_and_the_upload_goes_on_once_there_is_room(owner):
    upload = start(owner)
    send(upload, FILM[:100], 0)
    with pytest.MonkeyPatch.context() as patch:
        takes_nothing(patch, default_storage.path(""), errno.ENOSPC)
        with pytest.raises(NoRoomError, match="the disk of the server is full"):
            send(upload, FILM[100:], 100)
    assert Upload.objects.get().offset == 100
    assert send(upload, FILM[100:], 100).stored_name


def test_a_disk_that_is_full_for_the_whole_alone_keeps_the_parts(owner, monkeypatch):
    upload = start(owner)
    send(upload, FILM[:100], 0)
    keep = services.keep_made

    def full_for_the_whole(stream, name):
        if "whole" in name:
            raise services.StorageError("full") from OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), name)
        keep(stream, name)

    monkeypatch.setattr(services, "keep_made", full_for_the_whole)
    with pytest.raises(NoRoomError):
        send(upload, FILM[100:], 100)
    monkeypatch.undo()

    assert Upload.objects.get().offset == len(FILM)
    assert finish(upload=Upload.objects.get()).stored_name


def test_two_that_make_the_whole_at_once_make_one(owner, monkeypatch):
    upload = start(owner)
    send(upload, FILM[:100], 0)
    with monkeypatch.context() as patch:
        patch.setattr(services, "finish", lambda *, upload: upload)
        send(upload, FILM[100:], 100)
    late = Upload.objects.get()
    keep = services.keep_made

    def overtaken(stream, name):
        keep(stream, name)
        monkeypatch.setattr(services, "keep_made", keep)
        finish(upload=Upload.objects.get())

    monkeypatch.setattr(services, "keep_made", overtaken)
    finish(upload=late)

    assert stored() == [Path(default_storage.path(Upload.objects.get().stored_name))]
    assert late.stored_name == Upload.objects.get().stored_name


def test_what_the_storage_has_lost_is_sent_again(owner):
    upload = start(owner)
    send(upload, FILM[:100], 0)
    default_storage.delete(UploadPart.objects.get().stored_name)
    with pytest.raises(WrongOffsetError, match="from its beginning"):
        send(upload, FILM[100:], 100)
    assert Upload.objects.get().offset == 0

    send(upload, FILM, 0)
    default_storage.delete(Upload.objects.get().stored_name)
    with pytest.raises(UploadGoneError), as_file(Upload.objects.get()):
        raise AssertionError("there is no file")


def test_an_upload_is_seen_by_nobody_but_its_owner(owner, django_user_model):
    other = django_user_model.objects.create_user(username="other")
    upload = start(owner)
    assert get_upload(owner, upload.pk) == upload
    for stranger in (Owner(other.pk), Owner(owner.user_id, 7), Owner(other.pk, 7)):
        with pytest.raises(UploadGoneError):
            get_upload(stranger, upload.pk)


def test_what_nobody_goes_on_with_is_forgotten_with_its_files(owner):
    kept, old = start(owner), start(owner)
    send(kept, FILM[:100], 0)
    send(old, FILM[:100], 0)
    left_by_a_crash = f"uploads/{old.pk}/0000000000100-killed.mp4"
    default_storage.save(left_by_a_crash, BytesIO(b"half"))
    Upload.objects.filter(pk=old.pk).update(expires_at=timezone.now())

    with pytest.raises(UploadGoneError, match="24 hours"):
        get_upload(owner, old.pk)
    assert tasks.forget_old_uploads() == "1 uploads forgotten"
    assert [path.parent.name for path in stored()] == [str(kept.pk)]
    assert not Path(default_storage.path(f"uploads/{old.pk}")).exists()

    forget(upload=kept)
    assert (Upload.objects.count(), stored()) == (0, [])


def test_an_upload_of_which_a_run_was_made_is_the_runs_file_for_an_hour_and_holds_none(owner):
    upload = send(start(owner), FILM, 0)
    assert len(stored()) == 1
    name = default_storage.save("screencasts/ab/whole.mp4", BytesIO(FILM))
    late = Upload.objects.get()

    services.used(upload=upload, stored_name=name)
    services.used(upload=late, stored_name=name)  # another request with the same upload

    assert (stored(), services.moved([late]), services.moved([late])) == ([], True, False)
    found = Upload.objects.get()
    assert found.expires_at <= timezone.now() + timedelta(hours=1)
    with services.as_file(found) as path:
        assert path.read_bytes() == FILM
    forget(upload=found)
    assert default_storage.exists(name)


def test_the_doctor_leaves_uploads_alone_and_finds_what_nothing_names(owner, monkeypatch):
    send(start(owner), FILM[:100], 0)
    send(start(owner), FILM, 0)
    default_storage.save("uploads/gone/whole.mp4", BytesIO(b"lost"))
    monkeypatch.setattr("reports.safety.orphans.YOUNG", timedelta(days=-1))
    assert [orphan.name for orphan in orphans()] == ["uploads/gone/whole.mp4"]


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("../../etc/passwd.mp4", "passwd.mp4"),
        ("C:\\films\\a.mp4", "a.mp4"),
        ("<script>alert(1)</script>.mp4", "script>.mp4"),
        ("<img src=x onerror=alert(1)>.mp4", "<img src=x onerror=alert(1)>.mp4"),
        ("ночь 1.MP4", "ночь 1.MP4"),
    ],
)
def test_of_a_name_only_the_file_is_kept_and_it_never_becomes_a_path(owner, name, kept):
    upload = send(start(owner, name=name), FILM, 0)
    assert upload.file_name == kept
    assert upload.stored_name.startswith(f"uploads/{upload.pk}/0000000000000-")
    assert upload.stored_name.endswith(".mp4")


@pytest.mark.parametrize(
    ("name", "words"), [("", "names no file"), ("films/", "names no file"), ("a\x00.mp4", "U[+]0000"),
                        ("a\u202e4pm.exe", "moves what stands"), ("a" * 300, "shorten it to 255")]
)  # fmt: skip
def test_a_name_that_cannot_be_shown_is_refused(owner, name, words):
    with pytest.raises(UploadError, match=words):
        start(owner, name=name)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.mkv", b"\x1a\x45\xdf\xa3" + bytes(80)),
        ("films.zip", b"PK\x03\x04" + bytes(80)),
        ("runs.csv", b"os_version,app,video\n" * 8),
        ("device.log", "11-20 08:00 Gerät\n".encode() * 8),
        ("boot.perfetto-trace", b"\x0a\x10" + bytes(80)),
    ],
)
def test_recordings_zips_manifests_logs_and_traces_are_taken(owner, name, content):
    assert send(start(owner, content, name), content, 0).stored_name


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.mp4", b"#EXTM3U\nhttp://elsewhere/a.ts\n" * 4, "playlist"),
        ("a.mp4", b"\x7fELF" + bytes(80), "does not begin like a video"),
        ("run.exe", b"MZ" + bytes(80), "does not begin like a video"),
        ("runs.csv", b"\x7fELF" + bytes(80), "is no text"),
        ("boot.pftrace", b"MZ" + bytes(80), "like a trace of Perfetto"),
        ("short.mp4", b"text", "does not begin like a video"),
    ],
)
def test_what_is_no_such_file_is_refused_by_its_first_bytes(owner, name, content, words):
    with pytest.raises(WrongKindError, match=words):
        send(start(owner, content, name), content, 0)
    assert (stored(), Upload.objects.get().offset) == ([], 0)


def test_a_first_part_too_short_to_tell_is_judged_with_the_whole(owner):
    content = b"no film at all" * 10
    upload = start(owner, content)
    send(upload, content[:5], 0)
    with pytest.raises(WrongKindError):
        send(upload, content[5:], 5)
    assert (stored(), Upload.objects.get().offset) == ([], 0)
