"""Measuring apart gives what measuring here gives; a recording that breaks its decoder costs its run alone."""

import csv
import json
from pathlib import Path

import pytest
from django.core.management import call_command
from django.urls import reverse

from analysis.batch import read_jobs
from analysis.isolation.decoder import Decoders, UnavailableError
from analysis.isolation.measuring import measured_as_message
from analysis.measure import measure_screencast as measure_here
from reports.measuring.extraction import extract_run
from reports.media import decoding, stills
from reports.media.screencasts import fingerprint, keep
from reports.models import RunStatus
from reports.queue.services import queued_run_ids
from tests import factories
from tests.intake import fake_video

SAMPLES = Path(__file__).resolve().parents[3] / "samples" / "runs.csv"


@pytest.fixture
def breaking(monkeypatch):
    """Let recordings that hold the word "break" end their decoder by a real segmentation fault."""
    decoders = Decoders(jobs="tests.analysis.isolation.bad_jobs")
    monkeypatch.setattr(decoding, "decoders", lambda: decoders)
    yield decoders
    decoders.close()


def pending(folder, name, content):
    path = fake_video(folder, name, content=content)
    found = fingerprint(path)
    keep(path, found)
    return factories.run(status=RunStatus.PENDING, file_name=found.name, sha256=found.sha256)


def test_child_measures_what_this_process_measures_to_the_last_bit():
    jobs = read_jobs(SAMPLES)
    for job in (jobs[0], jobs[70]):
        apart = decoding.measure_screencast(job.path, job.options, threads=1)
        here = measure_here(job.path, job.options, threads=1)

        (values, series), (expected, expected_series) = map(measured_as_message, (apart, here))
        assert series == expected_series
        assert json.dumps(values) == json.dumps(expected)


def test_words_of_this_machine_name_the_limits_set(settings):
    assert decoding.decoding_words().startswith(
        f"Decoder: own process, {settings.DECODER_TIMEOUT_S} s, 64 open files, "
    )


def test_recording_that_breaks_its_decoder_costs_its_run_alone(db, tmp_path, breaking):
    bad, good = pending(tmp_path, "bad.mp4", b"break"), pending(tmp_path, "good.mp4", b"whole film")

    assert extract_run(run_id=bad.pk) == "unreadable"
    assert extract_run(run_id=good.pk) == "too_short"

    bad.refresh_from_db()
    assert (bad.status, bad.outcome, bad.attempts) == (RunStatus.FAILED, "unreadable", 1)
    assert bad.error == (
        "the decoder broke on this file (signal 11, Segmentation fault), which costs this run and no other: "
        "copy it from the device again, or record again"
    )


def test_batch_goes_on_after_a_recording_that_breaks_its_decoder(tmp_path, breaking):
    (tmp_path / "bad.mp4").write_bytes(b"break")
    (tmp_path / "good.mp4").write_bytes(b"whole film")
    (tmp_path / "runs.csv").write_text("video\nbad.mp4\ngood.mp4\n")

    with pytest.raises(SystemExit):
        call_command("measure", manifest=str(tmp_path / "runs.csv"), output=str(tmp_path / "out.csv"))

    with (tmp_path / "out.csv").open() as file:
        bad, good = csv.DictReader(file)
    assert (bad["outcome"], good["outcome"]) == ("unreadable", "too_short")
    assert "signal 11" in bad["message"]


def test_run_waits_for_a_decoder_that_cannot_be_had_and_says_why(db, tmp_path, monkeypatch):
    monkeypatch.setattr(decoding, "decoders", lambda: Decoders(jobs="no.such.module"))
    run = pending(tmp_path, "a.mp4", b"film")

    extract_run(run_id=run.pk)

    run.refresh_from_db()
    assert (run.status, run.attempts) == (RunStatus.PENDING, 0)
    assert run.error.startswith("the decoder ended before it was ready (code 1): see that there is room")
    assert queued_run_ids() == {run.pk}


def test_mistake_of_the_measuring_code_is_told_as_such_and_logged(db, tmp_path, breaking, caplog):
    run = pending(tmp_path, "a.mp4", b"mistake")

    extract_run(run_id=run.pk)

    run.refresh_from_db()
    assert run.error.startswith("AttributeError: of an unknown codec. UPReg did not expect this")
    assert "in _measure" in caplog.text


def test_page_says_that_all_decoders_are_at_work(signed_in, tmp_path, monkeypatch, db):
    class Busy:
        def ask(self, *args, **options):
            raise UnavailableError("all decoders are at work: try again in a minute")

    monkeypatch.setattr(stills, "decoders", Busy)
    run = pending(tmp_path, "a.mp4", b"film")

    answer = signed_in.get(reverse("run-frame", args=[run.pk, 0]))

    assert answer.status_code == 503
    assert answer.headers["Retry-After"]
    assert b"all decoders are at work: try again in a minute" in answer.content


def test_frame_of_a_recording_that_breaks_its_decoder_is_not_found_and_the_page_lives(
    signed_in, tmp_path, monkeypatch, breaking, db
):
    monkeypatch.setattr(stills, "decoders", lambda: breaking)
    run = pending(tmp_path, "a.mp4", b"break")

    assert signed_in.get(reverse("run-frame", args=[run.pk, 0])).status_code == 404
