import errno
import os
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from django.db import OperationalError
from django.utils import timezone

from analysis import revision
from analysis.measure import Measured
from analysis.series import FrameSeries
from reports.measuring import extraction
from reports.measuring.extraction import (
    MAX_ATTEMPTS,
    SUPERSEDED,
    claim_run,
    extract_run,
    finish,
)
from reports.measuring.services import retry_runs
from reports.media.screencasts import fingerprint, keep
from reports.models import FrameSeriesRecord, Measurement, OsVersion, Run, RunStatus
from reports.queue.leases import TAKEN, lease_time
from reports.queue.services import queued_run_ids
from tests import factories
from tests.intake import fake_video, render_tap

pytestmark = pytest.mark.django_db


def pending(path: Path | None = None, **values):
    found = path and fingerprint(path)
    if found:
        keep(path, found)
        values |= {"file_name": found.name, "sha256": found.sha256}
    return factories.run(status=RunStatus.PENDING, **values)


def series(frames=3):
    ones = np.ones(frames, np.float32)
    return FrameSeries(np.arange(frames) * 16.7, ones, ones, ones * 0)


def measured(outcome="ok", message="", **metrics):
    return Measured(outcome, message, metrics, True, {"response": {"frame": 1}}, series())


@pytest.fixture
def measuring(monkeypatch, tmp_path):
    """Replace the measurement; returns the run to extract and the calls made."""

    def _measuring(result):
        calls = []

        def measure(path, options, *, threads):
            calls.append((path, options, threads))
            if isinstance(result, BaseException):
                raise result
            return result(path) if callable(result) else result

        monkeypatch.setattr(extraction, "measure_screencast", measure)
        return calls

    return _measuring


def test_a_real_clip_is_measured_and_everything_is_written(tmp_path):
    path = render_tap(tmp_path / "tap.mp4", response_frame=30, frames=60)
    run = pending(path, action_ms=200.0)
    assert extract_run(run_id=run.pk) == "ok"
    run.refresh_from_db()
    assert (run.status, run.outcome, run.settles, run.error) == (RunStatus.DONE, "ok", True, "")
    assert (run.width_px, run.height_px, run.frame_count) == (64, 128, 60)
    assert run.duration_ms == pytest.approx(59 * 1000 / 60, abs=0.1)
    values = dict(run.measurements.values_list("metric", "value"))
    assert values["response_time_ms"] == pytest.approx(30 * 1000 / 60 - 200, abs=0.1)
    assert values["finish_time_ms"] == values["response_time_ms"]
    words = dict(run.measurements.values_list("metric", "confidence"))
    assert words == {"response_time_ms": "certain", "finish_time_ms": "certain", "dropped_frames": ""}
    record = FrameSeriesRecord.objects.get(run=run)
    assert len(FrameSeries.unpack(bytes(record.data))) == 60
    assert record.evidence
    assert run.measured_at is not None
    assert run.measuring_s >= 0


def test_a_metric_without_an_answer_has_no_row(tmp_path, measuring):
    run = pending(fake_video(tmp_path))
    measuring(measured("never_settles", "a video fills the screen", response_time_ms=10.0, finish_time_ms=None))
    assert extract_run(run_id=run.pk) == "never_settles"
    assert list(run.measurements.values_list("metric", "value")) == [("response_time_ms", 10.0)]
    run.refresh_from_db()
    assert (run.status, run.error) == (RunStatus.DONE, "a video fills the screen")


@pytest.mark.parametrize("outcome", ["unreadable", "too_short"])
def test_a_recording_that_cannot_be_judged_fails_with_its_reason(tmp_path, measuring, outcome):
    run = pending(fake_video(tmp_path))
    measuring(measured(outcome, "no video stream: record again", response_time_ms=3.0))
    extract_run(run_id=run.pk)
    run.refresh_from_db()
    assert (run.status, run.outcome, run.error) == (RunStatus.FAILED, outcome, "no video stream: record again")
    assert not run.measurements.exists()


def test_a_file_that_is_no_video_fails_with_a_reason(tmp_path):
    run = pending(fake_video(tmp_path, content=b"this is no video at all"))
    assert extract_run(run_id=run.pk) == "unreadable"
    run.refresh_from_db()
    assert run.status == RunStatus.FAILED
    assert run.error


def test_a_screencast_that_is_gone_fails_with_the_cure():
    run = pending()
    extract_run(run_id=run.pk)
    run.refresh_from_db()
    assert run.status == RunStatus.FAILED
    assert "import its manifest again" in run.error


def test_options_come_from_run_device_app_and_interaction(tmp_path, measuring):
    calls = measuring(measured())
    app = factories.app("Masked")
    interaction = factories.interaction("fling", type="scroll", of=app)
    device = factories.device("fast", 120.0)
    for number, owner in enumerate((device, app, interaction), 1):
        owner.masks = [{"name": f"m{number}", "x0": 0, "y0": 0, "x1": 1, "y1": number / 10, "unit": "fraction"}]
        owner.save()
    values = {"of": interaction, "on": device, "action_ms": 12.5, "touch_x_px": 3.0, "touch_y_px": 4.0}
    run = pending(fake_video(tmp_path), show_touches=True, **values)
    extract_run(run_id=run.pk, threads=2)
    ((path, options, threads),) = calls
    assert (path.name, threads) == (Path(run.file_name).name, 2)
    assert (options.action_ms, options.interaction_type, options.refresh_hz) == (12.5, "scroll", 120.0)
    assert (options.touch_xy, options.show_touches) == ((3.0, 4.0), True)
    assert [(mask.name, mask.y1) for mask in options.masks] == [("m1", 0.1), ("m2", 0.2), ("m3", 0.3)]


@pytest.mark.parametrize("mask", ["status bar", {"x0": 0}, {"name": "m", "x0": 1, "y0": 0, "x1": 0, "y1": 1}])
def test_a_mask_that_was_entered_wrongly_fails_the_run_and_names_its_owner(tmp_path, mask):
    device = factories.device("odd")
    device.masks = [mask]
    device.save()
    run = pending(fake_video(tmp_path), on=device)
    extract_run(run_id=run.pk)
    run.refresh_from_db()
    assert "a mask of odd (60 Hz) is wrong" in run.error


@pytest.mark.parametrize("status", [RunStatus.DONE, RunStatus.FAILED, RunStatus.RUNNING])
def test_only_a_waiting_run_is_taken(measuring, status):
    calls = measuring(measured())
    run = factories.run(status=status, claimed_at=timezone.now())
    before = Run.objects.filter(pk=run.pk).values().get()
    assert extract_run(run_id=run.pk) == TAKEN
    assert calls == []
    assert Run.objects.filter(pk=run.pk).values().get() == before


def test_a_run_that_does_not_exist_is_no_error():
    assert extract_run(run_id=987654) == TAKEN


def test_a_second_process_finds_the_run_taken():
    run = pending()
    assert claim_run(run.pk) is not None
    assert claim_run(run.pk) is None


def test_a_run_whose_worker_was_lost_is_taken_when_the_lease_is_over(tmp_path, measuring):
    measuring(measured(response_time_ms=1.0))
    run = pending(fake_video(tmp_path))
    Run.objects.update(
        status=RunStatus.RUNNING, attempts=1, claimed_at=timezone.now() - lease_time() - timedelta(seconds=1)
    )
    assert extract_run(run_id=run.pk) == "ok"


def test_a_worker_that_comes_back_late_does_not_overwrite_the_result_of_another(tmp_path):
    run = pending(fake_video(tmp_path))
    late = claim_run(run.pk)
    Run.objects.update(claimed_at=timezone.now() - lease_time() - timedelta(seconds=1))
    other = claim_run(run.pk)
    assert finish(other, measured(response_time_ms=2.0)) == "ok"
    assert finish(late, measured("no_response")) == SUPERSEDED
    assert Measurement.objects.get().value == 2.0


def test_a_run_that_is_changed_while_it_is_measured_is_measured_again(tmp_path, measuring):
    from reports.measuring.services import AGAIN

    run = pending(fake_video(tmp_path))
    measuring(lambda _path: Run.objects.update(**AGAIN) and measured(response_time_ms=2.0))
    assert extract_run(run_id=run.pk) == SUPERSEDED
    run.refresh_from_db()
    assert run.status == RunStatus.PENDING
    assert not run.measurements.exists()


def test_attempts_are_bounded(tmp_path, measuring):
    calls = measuring(measured())
    run = pending(fake_video(tmp_path), attempts=MAX_ATTEMPTS)
    extract_run(run_id=run.pk)
    run.refresh_from_db()
    assert (run.status, calls) == (RunStatus.FAILED, [])
    assert "the worker was lost 3 times" in run.error


@pytest.mark.parametrize(
    ("error", "words"), [(RuntimeError("boom"), "RuntimeError: boom"), (MemoryError(), "memory")]
)
def test_an_unexpected_error_fails_the_run_and_its_traceback_is_logged(tmp_path, measuring, caplog, error, words):
    run = pending(fake_video(tmp_path))
    measuring(error)
    extract_run(run_id=run.pk)
    run.refresh_from_db()
    assert run.status == RunStatus.FAILED
    assert words in run.error
    assert "Traceback" in caplog.text


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1.0])
def test_a_measurement_that_the_database_refuses_fails_the_run_whole(tmp_path, measuring, value):
    run = pending(fake_video(tmp_path))
    measuring(measured(response_time_ms=5.0, finish_time_ms=value))
    extract_run(run_id=run.pk)
    run.refresh_from_db()
    assert run.status == RunStatus.FAILED
    assert not run.measurements.exists()


@pytest.mark.parametrize(
    ("error", "attempts"),
    [(SystemExit("time limit"), 1), (KeyboardInterrupt(), 0), (OperationalError("locked"), 0)],
)
def test_a_worker_that_is_stopped_gives_the_run_back(tmp_path, measuring, error, attempts):
    run = pending(fake_video(tmp_path))
    measuring(error)
    with pytest.raises(type(error)):
        extract_run(run_id=run.pk)
    run.refresh_from_db()
    assert (run.status, run.attempts, run.claimed_at) == (RunStatus.PENDING, attempts, None)
    assert queued_run_ids() == ({run.pk} if isinstance(error, SystemExit) else set())


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS])
def test_a_disk_that_takes_nothing_says_nothing_of_the_recording(tmp_path, measuring, number):
    run = pending(fake_video(tmp_path), metrics={"response_time_ms": 100.0})
    measuring(OSError(number, os.strerror(number), "/tmp/frames"))

    with pytest.raises(OSError, match="/tmp/frames"):
        extract_run(run_id=run.pk)

    run.refresh_from_db()
    assert (run.status, run.attempts, run.error) == (RunStatus.PENDING, 0, "")
    assert Measurement.objects.get(run=run).value == 100.0


def test_measuring_again_replaces_what_was_measured(tmp_path, measuring):
    run = pending(fake_video(tmp_path), metrics={"dropped_frames": 3.0, "response_time_ms": 4.0})
    measuring(measured(response_time_ms=9.0))
    extract_run(run_id=run.pk)
    assert list(run.measurements.values_list("metric", "value")) == [("response_time_ms", 9.0)]


def test_a_failure_takes_away_what_was_measured_before(tmp_path, measuring):
    run = pending(fake_video(tmp_path), metrics={"dropped_frames": 3.0})
    measuring(Measured("unreadable", "no picture", {}, None, {}, None))
    FrameSeriesRecord.objects.create(run=run, data=b"x")
    extract_run(run_id=run.pk)
    assert not run.measurements.exists()
    assert not FrameSeriesRecord.objects.exists()
    assert OsVersion.objects.exists()


def test_the_revision_that_judged_a_run_is_kept_with_it(tmp_path, measuring, monkeypatch):
    run = pending(fake_video(tmp_path))
    measuring(measured(response_time_ms=1.0))
    monkeypatch.setattr(revision, "REVISION", 7)

    extract_run(run_id=run.pk)

    run.refresh_from_db()
    assert run.revision == 7


def test_a_failure_keeps_the_revision_that_failed_and_a_retry_forgets_it():
    run = pending()
    extract_run(run_id=run.pk)
    run.refresh_from_db()
    assert (run.status, run.revision) == (RunStatus.FAILED, revision.REVISION)

    retry_runs(run_ids=[run.pk], queue=False)
    run.refresh_from_db()
    assert (run.status, run.revision) == (RunStatus.PENDING, 0)
