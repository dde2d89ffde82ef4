"""The whole way of a screencast with an object store in the place of a folder."""

import io
from pathlib import Path

import pytest
from django.core.files.base import ContentFile, File
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone
from django_q.models import OrmQ

from reports.bugreport.log import log_excerpt
from reports.importing.services import import_manifest
from reports.measuring.extraction import extract_run
from reports.media.proxies import make_proxy, request_proxy
from reports.media.screencasts import ScreencastMissingError, StorageError, fingerprint, keep, local_file
from reports.media.stills import frame_picture
from reports.models import Proxy, ProxyStatus, Run, RunStatus
from reports.queue.services import queued_run_ids
from tests import factories
from tests.intake import fake_video, render_tap, write_manifest
from tests.reports.bugreport.scene import bug_scene, written
from tests.reports.bugreport.scene import stored as film

pytestmark = pytest.mark.django_db
CONTENT = bytes(range(256)) * 4096


def stored(**values):
    run = factories.run(
        file_name="screencasts/ab/x.mp4", original_name="films/Mail öffnen.mp4", sha256="ab" * 32, **values
    )
    default_storage.save(run.file_name, ContentFile(CONTENT))
    return run


def keys(bucket):
    s3, name = bucket
    return sorted(found["Key"] for found in s3.list_objects_v2(Bucket=name).get("Contents", ()))


def body(response):
    return b"".join(response.streaming_content) if response.streaming else response.content


def test_a_screencast_sent_in_parts_is_kept_whole_under_its_prefix_and_fetched_back(bucket, tmp_path):
    path = fake_video(tmp_path, content=bytes(range(256)) * 40_000)  # 10 MB: more than one part
    found = fingerprint(path)
    keep(path, found)
    s3, name = bucket
    assert keys(bucket) == ["lab/" + found.name]
    assert "-2" in s3.head_object(Bucket=name, Key="lab/" + found.name)["ETag"]
    with local_file(found.name) as copy:
        assert copy.read_bytes() == path.read_bytes()


def test_an_upload_that_breaks_off_leaves_no_object(bucket, tmp_path, monkeypatch):
    path = fake_video(tmp_path, content=bytes(range(256)) * 40_000)
    found = fingerprint(path)
    s3 = default_storage.connection.meta.client
    sent = s3.upload_part
    calls = iter([True])

    def breaks(**values):
        if values["PartNumber"] == 2 and next(calls, False):
            raise ConnectionResetError("cut off")
        return sent(**values)

    monkeypatch.setattr(s3, "upload_part", breaks)
    with pytest.raises(StorageError, match=r"did not take a\.mp4.*import again"):
        keep(path, found)
    assert keys(bucket) == []
    keep(path, found)
    assert keys(bucket) == ["lab/" + found.name]


def test_part_of_an_object_is_read_without_what_is_before_it(bucket, monkeypatch):
    default_storage.save("logs/a.txt", ContentFile(CONTENT))
    asked = []
    body = default_storage.body
    monkeypatch.setattr(type(default_storage._wrapped), "body", lambda _, *args: asked.append(args) or body(*args))
    with default_storage.open("logs/a.txt") as stream:
        assert stream.seek(0, 2) == len(CONTENT)
        stream.seek(1_000_000)
        assert stream.read(10) == CONTENT[1_000_000:1_000_010]
        assert stream.read() == CONTENT[1_000_010:]
        assert stream.read() == b""
    assert asked == [("logs/a.txt", 1_000_000)]


def test_recording_is_imported_measured_shown_and_reported(bucket, tmp_path, signed_in):
    folder = tmp_path / "delivery"
    folder.mkdir()
    render_tap(folder / "a.mp4")
    (folder / "a.txt").write_text("2026-11-20 10:00:00.400 tap\n2026-11-20 10:00:00.900 shown\n")
    row = {"log": "a.txt", "recorded_at": "2026-11-20T10:00:00Z", "action_ms": "200"}
    assert import_manifest(path=write_manifest(folder, [row]), queue=False).new == 1
    run = Run.objects.get()

    assert extract_run(run_id=run.pk, threads=1) == "ok"
    make_proxy(proxy_id=request_proxy(run=run).pk)
    run.refresh_from_db()
    assert Proxy.objects.get().status == ProxyStatus.DONE
    assert frame_picture(run, time_ms=500, height_px=96)[8:12] == b"WEBP"
    assert [key for key in keys(bucket) if key.startswith("lab/stills/")]
    assert body(signed_in.get(reverse("run-frame", args=[run.pk, 0])))[8:12] == b"WEBP"
    assert body(signed_in.get(reverse("run-changes", args=[run.pk])))[1:4] == b"PNG"
    assert signed_in.get(reverse("api-run-playback", args=[run.pk])).json()["state"] == "ready"
    assert "shown" in str(log_excerpt(run))
    film = body(signed_in.get(reverse("run-video", args=[run.pk]), headers={"range": "bytes=4-7"}))
    assert film == b"ftyp"
    call_command("extract", "--all", stdout=io.StringIO())
    assert Run.objects.get().status == RunStatus.DONE


def test_bug_report_carries_screencasts_and_pictures(bucket):
    for run in bug_scene():
        with Path(film(run)).open("rb") as stream:
            default_storage.save(run.file_name, File(stream))
        film(run).unlink()
    names = written().namelist()
    assert {"base.mp4", "new.mp4"} <= set(names)
    assert any(name.startswith("frames/new-") for name in names)


def test_an_object_that_is_gone_is_named(bucket, signed_in):
    run = factories.run(file_name="screencasts/ab/gone.mp4")
    answer = signed_in.get(reverse("run-video", args=[run.pk]))
    assert answer.status_code == 404
    assert "no longer in the storage. Restore it, or import its manifest again" in answer.content.decode()
    with pytest.raises(ScreencastMissingError, match="no longer in the storage"):
        local_file(run.file_name).__enter__()


def test_a_store_that_does_not_answer_is_said_with_words_and_nothing_is_lost(bucket, away, signed_in):
    run = stored()
    away()
    page = signed_in.get(reverse("run-video", args=[run.pk]), headers={"accept": "text/html"})
    api = signed_in.get(reverse("api-run-playback", args=[run.pk]))
    still = signed_in.get(reverse("run-frame", args=[run.pk, 0]))
    assert [answer.status_code for answer in (page, api, still)] == [503] * 3
    assert "The recordings cannot be reached" in page.content.decode()
    assert "the object store does not answer as it should" in page.content.decode()
    assert "does not answer as it should" in api.json()["detail"]
    assert page.headers["Retry-After"] == "30"


def test_a_run_waits_while_the_store_is_away_and_is_measured_when_it_is_back(bucket, away, tmp_path, store_address):
    path = render_tap(tmp_path / "a.mp4")
    found = fingerprint(path)
    keep(path, found)
    run = factories.run(status=RunStatus.PENDING, file_name=found.name, sha256=found.sha256, action_ms=200)
    away()
    for _ in range(5):  # more often than a run may lose its worker
        assert "could not be fetched" in extract_run(run_id=run.pk)
    run.refresh_from_db()
    assert (run.status, run.attempts, run.claimed_by) == (RunStatus.PENDING, 0, "")
    assert "does not answer" in run.error
    assert queued_run_ids() == {run.pk}
    assert all(entry.lock > timezone.now() for entry in OrmQ.objects.all()), "tried again in a while, not at once"
    away(store_address)
    assert extract_run(run_id=run.pk) == "ok"
    assert Run.objects.get(pk=run.pk).error == ""


def test_a_proxy_waits_while_the_store_is_away(bucket, away, tmp_path, store_address):
    path = render_tap(tmp_path / "a.mp4")
    keep(path, fingerprint(path))
    run = factories.run(file_name=fingerprint(path).name, sha256=fingerprint(path).sha256)
    proxy = request_proxy(run=run)
    away()
    assert "does not answer" in make_proxy(proxy_id=proxy.pk)
    proxy.refresh_from_db()
    assert (proxy.status, "does not answer" in proxy.error) == (ProxyStatus.PENDING, True)
    away(store_address)
    assert make_proxy(proxy_id=proxy.pk) == "done"


def test_a_bucket_that_is_not_there_is_named_with_the_cure(bucket, tmp_path):
    default_storage.bucket_name = "another"
    path = fake_video(tmp_path)
    with pytest.raises(StorageError, match="the object store has no bucket another: make it"):
        keep(path, fingerprint(path))


def test_an_import_into_a_store_that_is_away_is_refused_with_the_cure(bucket, away, tmp_path):
    away()
    fake_video(tmp_path)
    with pytest.raises(StorageError, match=r"did not take a\.mp4: the object store does not answer.*import again"):
        import_manifest(path=write_manifest(tmp_path, [{}]))
    assert not Run.objects.exists()
