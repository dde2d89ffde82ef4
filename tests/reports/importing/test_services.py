from datetime import UTC, date, datetime

import pytest
from django.core.files.storage import default_storage
from django_q.models import OrmQ

from reports.batches.services import batch_called
from reports.importing import services, write
from reports.importing.services import import_manifest
from reports.models import App, Comparison, Device, Interaction, OsVersion, Run, RunStatus
from reports.queue.services import queued_run_ids
from tests import factories
from tests.intake import MP4_HEAD, fake_video, write_manifest

pytestmark = pytest.mark.django_db


def take(folder, *rows, **options):
    return import_manifest(path=write_manifest(folder, list(rows)), **options)


def counts(summary):
    return summary.new, summary.updated, summary.unchanged, summary.refused


def stored(name):
    with default_storage.open(name) as stream:
        return stream.read()


def reasons(summary):
    return [(problem.line, problem.field) for problem in summary.lines]


def test_a_row_becomes_a_pending_run_with_its_catalogue(tmp_path):
    video = fake_video(tmp_path, "videos/a.mp4").read_bytes()
    row = {
        "video": "videos/a.mp4", "device": "Pixel 9", "refresh_hz": "120", "package": "org.example.mail",
        "category": "mail", "scenario": "Tap", "x": "10", "y": "20", "recorded_at": "2026-11-20T08:00:00Z",
        "operator": "night",
    }  # fmt: skip
    assert counts(take(tmp_path, row)) == (1, 0, 0, 0)
    run = Run.objects.select_related("interaction__app", "device", "os_version").get()
    assert (run.os_version.name, run.device.name, run.device.refresh_hz) == ("13.0.12", "Pixel 9", 120.0)
    assert (run.interaction.app.package, run.interaction.app.category) == ("org.example.mail", "mail")
    assert (run.interaction.name, run.interaction.type, run.interaction.scenario) == ("open inbox", "tap", "Tap")
    assert (run.status, run.action_ms, run.touch_x_px, run.touch_y_px) == (RunStatus.PENDING, 500.0, 10.0, 20.0)
    assert run.recorded_at == datetime(2026, 11, 20, 8, tzinfo=UTC)
    assert (run.original_name, run.file_bytes, run.metadata) == ("videos/a.mp4", len(video), {"operator": "night"})
    assert stored(run.file_name) == video
    assert run.file_name == f"screencasts/{run.sha256[:2]}/{run.sha256}.mp4"


def test_importing_twice_changes_nothing(tmp_path, django_capture_on_commit_callbacks):
    fake_video(tmp_path)
    with django_capture_on_commit_callbacks(execute=True):
        take(tmp_path, {})
    before = list(Run.objects.values()), OrmQ.objects.count()
    with django_capture_on_commit_callbacks(execute=True):
        assert counts(take(tmp_path, {})) == (0, 0, 1, 0)
    assert (list(Run.objects.values()), OrmQ.objects.count()) == before


def test_new_runs_are_queued_on_commit_unless_told_otherwise(tmp_path, django_capture_on_commit_callbacks):
    fake_video(tmp_path)
    with django_capture_on_commit_callbacks(execute=True):
        take(tmp_path, {}, queue=False)
    assert queued_run_ids() == set()
    with django_capture_on_commit_callbacks(execute=True):
        take(tmp_path, {"repetition": "2"})
    assert queued_run_ids() == {Run.objects.get(repetition=2).pk}


def test_a_dry_run_tells_the_same_and_writes_nothing(tmp_path):
    fake_video(tmp_path)
    rows = [{}, {"repetition": "2", "video": "absent.mp4"}, {"repetition": "3", "interaction_type": "scroll"}, {}]
    dry = take(tmp_path, *rows, dry_run=True)
    assert not any(model.objects.exists() for model in (Run, App, Device, Interaction, OsVersion))
    assert default_storage.exists("screencasts") is False
    real = take(tmp_path, *rows)
    assert dry.as_dict() == real.as_dict() | {"dry_run": True}
    assert counts(real) == (1, 0, 0, 3)


def test_a_wrong_line_never_stops_the_good_ones(tmp_path):
    fake_video(tmp_path)
    rows = [
        {"repetition": "1"}, {"repetition": "two"}, {"repetition": "3", "video": "../a.mp4"},
        {"repetition": "4", "interaction_type": "pinch"}, {"repetition": "5"},
    ]  # fmt: skip
    summary = take(tmp_path, *rows)
    assert reasons(summary) == [(3, "repetition"), (4, "video"), (5, "interaction_type")]
    assert set(Run.objects.values_list("repetition", flat=True)) == {1, 5}


def test_the_same_recording_twice_in_a_manifest_is_refused_with_the_first_line(tmp_path):
    fake_video(tmp_path)
    summary = take(tmp_path, {}, {"repetition": "2"}, {"action_ms": "10"})
    assert reasons(summary) == [(4, "repetition")]
    assert "line 2" in summary.lines[0].message


def test_no_date_and_the_date_that_stands_for_it_are_the_same_recording(tmp_path):
    fake_video(tmp_path)
    summary = take(tmp_path, {"recorded_at": ""}, {"recorded_at": "1970-01-01T00:00:00Z"})
    assert reasons(summary) == [(3, "repetition")]


def test_a_line_whose_first_copy_was_refused_is_taken(tmp_path):
    fake_video(tmp_path)
    assert counts(take(tmp_path, {"video": "absent.mp4"}, {})) == (1, 0, 0, 1)


def test_another_video_of_a_stored_recording_is_refused(tmp_path):
    fake_video(tmp_path, "a.mp4")
    take(tmp_path, {})
    fake_video(tmp_path, "b.mp4")
    summary = take(tmp_path, {"video": "b.mp4"})
    assert counts(summary) == (0, 0, 0, 1)
    assert f"run {Run.objects.get().pk}" in summary.lines[0].message
    assert len(default_storage.listdir("screencasts")[0]) == 1


def test_another_action_of_a_stored_recording_is_measured_again(tmp_path, django_capture_on_commit_callbacks):
    fake_video(tmp_path)
    take(tmp_path, {}, queue=False)
    Run.objects.update(status=RunStatus.FAILED, error="too short", attempts=3)
    with django_capture_on_commit_callbacks(execute=True):
        assert counts(take(tmp_path, {"action_ms": "7", "x": "1", "y": "2"})) == (0, 1, 0, 0)
    run = Run.objects.get()
    assert (run.action_ms, run.touch_x_px, run.status, run.attempts, run.error) == (7.0, 1.0, "pending", 0, "")
    assert queued_run_ids() == {run.pk}


def test_another_note_of_a_stored_recording_is_kept_without_measuring_again(tmp_path):
    fake_video(tmp_path)
    fake_video(tmp_path, "a.log", b"log")
    take(tmp_path, {"operator": "day"})
    Run.objects.update(status=RunStatus.DONE)
    assert counts(take(tmp_path, {"operator": "night", "log": "a.log"})) == (0, 1, 0, 0)
    run = Run.objects.get()
    assert (run.status, run.metadata) == (RunStatus.DONE, {"operator": "night"})
    assert stored(run.log_name) == b"log"
    assert counts(take(tmp_path, {})) == (0, 0, 1, 0)
    assert Run.objects.get().log_name == run.log_name


def test_changed_runs_make_the_comparisons_of_their_version_stale(tmp_path):
    fake_video(tmp_path)
    take(tmp_path, {})
    mine, new, old = OsVersion.objects.get(), factories.os_version("14"), factories.os_version("12")
    comparison = Comparison.objects.create(base=mine, new=new)
    other = Comparison.objects.create(base=old, new=new)
    take(tmp_path, {"action_ms": "9"})
    comparison.refresh_from_db()
    other.refresh_from_db()
    assert (comparison.stale, other.stale) == (True, False)


def test_an_interaction_cannot_change_its_type(tmp_path):
    fake_video(tmp_path)
    take(tmp_path, {})
    summary = take(tmp_path, {"repetition": "2", "interaction_type": "launch"})
    assert reasons(summary) == [(2, "interaction_type")]
    assert "stored as tap" in summary.lines[0].message


def test_an_app_keeps_its_stored_name_and_the_summary_says_so(tmp_path):
    fake_video(tmp_path)
    take(tmp_path, {"package": "org.mail"})
    summary = take(tmp_path, {"package": "org.mail", "app": "Post", "repetition": "2"})
    assert (summary.new, App.objects.get().name) == (1, "Mail")
    assert "keeps its stored name 'Mail'" in summary.notes[0]


BETA = {"channel": "beta", "released_on": "2026-11-18"}


def line_and_day():
    return OsVersion.objects.values_list("channel", "released_on").get()


def test_the_first_row_of_a_version_tells_its_line_and_day(tmp_path):
    fake_video(tmp_path)
    take(tmp_path, BETA)
    assert line_and_day() == ("beta", date(2026, 11, 18))


def test_a_version_keeps_its_stored_line_and_day_and_the_summary_says_so(tmp_path):
    fake_video(tmp_path)
    take(tmp_path, BETA)
    summary = take(tmp_path, {"repetition": "2", "channel": "dev", "released_on": "2026-11-18"})
    assert (summary.new, line_and_day()) == (1, ("beta", date(2026, 11, 18)))
    assert summary.notes[0] == "version 13.0.12 keeps its stored channel 'beta', not 'dev'"
    assert not [note for note in take(tmp_path, {"repetition": "3"}).notes if "stored" in note]


@pytest.mark.parametrize(("begun", "told"), [(False, ("beta", date(2026, 11, 18))), (True, ("", None))])
def test_a_version_that_stands_there_for_its_batch_alone_is_told_of(tmp_path, begun, told):
    fake_video(tmp_path)
    batch_called(name="night", os_version="13.0.12")
    if begun:
        take(tmp_path, {})
    summary = take(tmp_path, {"repetition": "2", "batch": "night", **BETA})
    assert line_and_day() == told
    assert len([note for note in summary.notes if "stored" in note]) == (2 if begun else 0)


def test_a_batch_that_is_opened_by_a_row_is_about_the_version_that_the_row_tells_of(tmp_path):
    fake_video(tmp_path)
    take(tmp_path, {"batch": "night", **BETA})
    assert line_and_day() == ("beta", date(2026, 11, 18))


def test_identical_files_of_two_runs_are_kept_once_with_a_note(tmp_path):
    fake_video(tmp_path, "a.mp4", MP4_HEAD)
    fake_video(tmp_path, "b.mp4", MP4_HEAD)
    summary = take(tmp_path, {}, {"repetition": "2", "video": "b.mp4"})
    assert counts(summary) == (2, 0, 0, 0)
    assert len(set(Run.objects.values_list("file_name", flat=True))) == 1
    assert "3 like 2" in summary.notes[0]


def test_a_file_that_is_no_recording_is_refused_with_line_field_and_cure(tmp_path):
    fake_video(tmp_path)
    fake_video(tmp_path, "list.mp4", b"ffconcat version 1.0\nfile a.mp4\n")
    fake_video(tmp_path, "note.mp4", b"this is no video at all")
    rows = [{"repetition": "1", "video": "list.mp4"}, {"repetition": "2", "video": "note.mp4"}, {"repetition": "3"}]
    summary = take(tmp_path, *rows)
    assert reasons(summary) == [(2, "video"), (3, "video")]
    assert "list.mp4: the file is a playlist that points to other files" in summary.lines[0].message
    assert "note.mp4: the file does not begin like a video in MP4" in summary.lines[1].message
    assert "give the screen recording" in summary.lines[1].message
    assert counts(summary) == (1, 0, 0, 2)


def test_a_file_that_the_storage_lost_comes_back(tmp_path):
    fake_video(tmp_path)
    take(tmp_path, {})
    default_storage.delete(Run.objects.get().file_name)
    assert counts(take(tmp_path, {})) == (0, 0, 1, 0)
    assert default_storage.exists(Run.objects.get().file_name)


def test_a_batch_costs_the_same_queries_whatever_its_length(tmp_path, django_assert_max_num_queries):
    for number in range(60):
        fake_video(tmp_path, f"{number}.mp4")
    rows = [{"repetition": str(number), "video": f"{number}.mp4"} for number in range(60)]
    with django_assert_max_num_queries(31):
        take(tmp_path, *rows, queue=False)
    with django_assert_max_num_queries(14):
        take(tmp_path, *rows, queue=False)


def test_duplicates_and_conflicts_are_found_across_batches(tmp_path, monkeypatch):
    monkeypatch.setattr(services, "BATCH_ROWS", 2)
    fake_video(tmp_path)
    rows = [{"repetition": str(number)} for number in range(5)] + [
        {},
        {"interaction_type": "scroll", "repetition": "9"},
    ]
    for dry_run in (True, False):
        summary = take(tmp_path, *rows, dry_run=dry_run)
        assert counts(summary) == (5, 0, 0, 2)
        assert reasons(summary) == [(7, "repetition"), (8, "interaction_type")]


def test_an_import_that_another_one_overtakes_ends_unchanged(tmp_path, monkeypatch):
    fake_video(tmp_path)
    keep = write.keep

    def overtaken(*args):
        monkeypatch.setattr(write, "keep", keep)
        take(tmp_path, {}, queue=False)
        keep(*args)

    monkeypatch.setattr(write, "keep", overtaken)
    assert counts(take(tmp_path, {})) == (0, 0, 1, 0)
    assert Run.objects.count() == 1


def test_a_column_that_is_left_out_takes_nothing_away(tmp_path):
    fake_video(tmp_path)
    take(tmp_path, {"x": "10", "y": "20", "show_touches": "1"})

    again = take(tmp_path, {})

    run = Run.objects.get()
    assert counts(again) == (0, 0, 1, 0)
    assert (run.touch_x_px, run.touch_y_px, run.show_touches) == (10.0, 20.0, True)
    assert counts(take(tmp_path, {"show_touches": "0"})) == (0, 1, 0, 0)
    assert not Run.objects.get().show_touches


def test_an_action_that_a_person_set_stands_against_the_manifest(tmp_path):
    fake_video(tmp_path)
    take(tmp_path, {"action_ms": "500"})
    Run.objects.update(action_ms=540.0, manifest_action_ms=500.0, status=RunStatus.DONE)

    assert counts(take(tmp_path, {"action_ms": "500"})) == (0, 0, 1, 0)
    assert counts(take(tmp_path, {"action_ms": "510"})) == (0, 1, 0, 0)

    run = Run.objects.get()
    assert (run.action_ms, run.manifest_action_ms, run.status) == (540.0, 510.0, RunStatus.DONE)
