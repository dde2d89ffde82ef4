"""Truth: sha256 by hashlib of the bytes that a test has put there itself."""

import hashlib
from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from django.urls import reverse

from reports.importing.services import import_manifest
from reports.measuring.extraction import extract_run
from reports.measuring.services import BadActionError, retry_runs, set_action
from reports.media.files import FileState, look_at_files, note_state
from reports.media.proxies import make_proxy
from reports.media.stills import frame_picture
from reports.models import Measurement, Proxy, Run, RunStatus, StoredFile
from tests import factories
from tests.intake import render_tap, write_manifest
from tests.reports.drilldown.rows import compared

pytestmark = pytest.mark.django_db
AS_FAST_AS_CAN_BE = 1e12


@pytest.fixture
def manifest(tmp_path):
    render_tap(tmp_path / "a.mp4")
    return write_manifest(tmp_path, [{}])


@pytest.fixture
def run(manifest):
    """Import and measure one recording."""
    import_manifest(path=manifest, queue=False)
    run = Run.objects.get()
    extract_run(run_id=run.pk)
    run.refresh_from_db()
    return run


def on_disk(run):
    return Path(default_storage.path(run.file_name))


def rot(run):
    """Change one byte in the middle, as a disk does."""
    data = bytearray(on_disk(run).read_bytes())
    data[len(data) // 2] ^= 1
    on_disk(run).write_bytes(data)


def look():
    return look_at_files(bytes_per_s=AS_FAST_AS_CAN_BE, everything=True)


def state():
    return StoredFile.objects.get(name__startswith="screencasts/").state


def test_a_file_that_is_as_it_was_stored_is_intact_and_is_not_read_again_at_once(run):
    assert look_at_files(bytes_per_s=AS_FAST_AS_CAN_BE).files == 1
    assert look_at_files(bytes_per_s=AS_FAST_AS_CAN_BE).files == 0
    file = StoredFile.objects.get()
    assert (file.state, file.sha256) == ("intact", hashlib.sha256(on_disk(run).read_bytes()).hexdigest())


def test_one_changed_byte_is_found_and_told_everywhere_while_the_numbers_stand(run, signed_in):
    rot(run)

    assert look().news == 1

    assert state() == FileState.DAMAGED
    page = signed_in.get(reverse("run-detail", args=[run.pk])).content.decode()
    assert "This recording has changed on the disk since it was stored" in page
    assert "Import it again to heal it." in page
    assert "<b>" in page.split('class="facts run-metrics"')[1][:400]
    assert "1\u00a0recording damaged or missing" in signed_in.get("/").content.decode()
    assert signed_in.get(reverse("runs"), {"file": "rotten"}).context["page"].paginator.count == 1


def test_a_file_that_is_away_is_missing_and_comes_back_with_its_manifest(run, manifest, signed_in):
    on_disk(run).unlink()
    look()
    assert state() == FileState.MISSING
    page = signed_in.get(reverse("run-detail", args=[run.pk])).content.decode()
    assert "no longer on the disk" in page
    assert "<video" not in page

    summary = import_manifest(path=manifest, queue=False)

    assert summary.notes == ["1 stored file had been damaged, lost or dropped, and came back whole"]
    assert (state(), look().news) == (FileState.INTACT, 0)


def test_importing_again_heals_a_damaged_file_and_has_what_was_made_of_it_made_anew(run, manifest):
    good = on_disk(run).read_bytes()
    frame_picture(run, time_ms=0, height_px=96)
    proxy = Proxy.objects.create(sha256=run.sha256, source_name=run.file_name)
    make_proxy(proxy_id=proxy.pk)
    rot(run)
    look()

    import_manifest(path=manifest, queue=False)

    assert on_disk(run).read_bytes() == good
    assert state() == FileState.INTACT
    assert not Proxy.objects.exists()
    left = [path for path in Path(default_storage.location).rglob("*") if path.is_file()]
    assert left == [on_disk(run)]


def test_importing_again_heals_what_nobody_had_noticed(run, manifest):
    good = on_disk(run).read_bytes()
    rot(run)

    import_manifest(path=manifest, queue=False)

    assert on_disk(run).read_bytes() == good


def test_a_damaged_file_is_never_measured_and_its_numbers_are_those_of_the_original(run):
    before = dict(Measurement.objects.values_list("metric", "value"))
    rot(run)
    retry_runs(run_ids=[run.pk], queue=False)

    assert "changed on the disk" in extract_run(run_id=run.pk)

    run.refresh_from_db()
    assert (run.status, run.outcome, state()) == (RunStatus.DONE, "ok", FileState.DAMAGED)
    assert dict(Measurement.objects.values_list("metric", "value")) == before
    assert retry_runs(run_ids=[run.pk], queue=False) == 0  # known by now
    with pytest.raises(BadActionError, match="Import it again"):
        set_action(run=run, action_ms=100.0, user=None)


def test_a_damaged_file_that_was_never_measured_fails_with_the_cure(manifest):
    import_manifest(path=manifest, queue=False)
    run = Run.objects.get()
    rot(run)

    extract_run(run_id=run.pk)

    run.refresh_from_db()
    assert run.status == RunStatus.FAILED
    assert "import its manifest again, which heals it" in run.error


def test_no_copy_for_players_is_made_of_a_damaged_file(run):
    rot(run)
    proxy = Proxy.objects.create(sha256=run.sha256, source_name=run.file_name)

    assert "changed on the disk" in make_proxy(proxy_id=proxy.pk)


def test_two_runs_that_share_a_file_share_what_became_of_it_and_the_drilldown_says_so(signed_in):
    new = compared()[2]
    Run.objects.update(file_name="screencasts/ab/shared.mp4")
    note_state(name="screencasts/ab/shared.mp4", state=FileState.DAMAGED)

    page = signed_in.get(reverse("drilldown", args=["13.0.12", "13.0.13", "org.example.mail", "open inbox"]))

    assert page.content.decode().count("This recording has changed on the disk since it was stored") == 2
    note_state(name="screencasts/ab/shared.mp4", state=FileState.MISSING)
    answer = signed_in.get(reverse("api-run-playback", args=[new[0].pk])).json()
    assert answer["state"] == "missing"
    assert "no longer on the disk" in answer["message"]


def test_reading_goes_no_faster_than_it_may(run):
    slept = []

    look_at_files(bytes_per_s=1000.0, everything=True, sleep=slept.append)

    assert sum(slept) >= 0.9 * on_disk(run).stat().st_size / 1000.0


def test_the_longest_unseen_come_first_and_a_file_that_nobody_names_by_its_content_is_left_alone(run):
    factories.run(file_name="screencasts/x.mp4", sha256="")
    assert look().files == 1
