import pytest

from reports.importing import write
from reports.importing.services import import_manifest
from reports.importing.single import Outcome, RunRefusedError, import_run, row_of
from reports.models import AuditEntry, Comparison, Interaction, Run, RunStatus
from reports.queue.services import queued_run_ids
from tests import factories
from tests.intake import ROW, fake_video, write_manifest

pytestmark = pytest.mark.django_db


def take(video, files=None, **fields):
    row = row_of({**ROW, "video": video.name, **fields})
    return import_run(row=row, files={"video": video, **(files or {})}, source=video.name)


def refused(call):
    with pytest.raises(RunRefusedError) as caught:
        call()
    return [problem.field for problem in caught.value.problems], caught.value


def test_it_makes_the_run_that_a_manifest_makes(tmp_path):
    fake_video(tmp_path)
    fields = {"x": "10", "y": "20", "refresh_hz": "120", "recorded_at": "2026-11-20T08:00:00Z", "operator": "night"}
    made = take(tmp_path / "a.mp4", **fields)
    assert (made.outcome, made.run.status, queued_run_ids()) == (Outcome.NEW, RunStatus.PENDING, set())

    again = import_manifest(path=write_manifest(tmp_path, [fields]))

    assert (again.unchanged, again.new, again.updated, Run.objects.count()) == (1, 0, 0, 1)


def test_the_same_file_and_key_is_the_same_run_unchanged(tmp_path, django_capture_on_commit_callbacks):
    video = fake_video(tmp_path)
    with django_capture_on_commit_callbacks(execute=True):
        first = take(video)
    before = list(Run.objects.values()), queued_run_ids(), AuditEntry.objects.count()
    assert queued_run_ids() == {first.run.pk}

    again = take(video)

    assert (again.outcome, again.run.pk) == (Outcome.UNCHANGED, first.run.pk)
    assert (list(Run.objects.values()), queued_run_ids(), AuditEntry.objects.count()) == before


def test_another_file_of_the_same_recording_is_a_conflict_that_names_the_run(tmp_path):
    first = take(fake_video(tmp_path, "a.mp4"))
    fields, error = refused(lambda: take(fake_video(tmp_path, "b.mp4")))
    assert (fields, error.conflict) == (["video"], True)
    assert f"run {first.run.pk} is this recording already" in str(error)
    assert Run.objects.count() == 1


def test_another_action_corrects_the_run_and_its_comparisons_are_stale(tmp_path):
    video = fake_video(tmp_path)
    first = take(video)
    Run.objects.update(status=RunStatus.DONE)
    comparison = Comparison.objects.create(base=first.run.os_version, new=factories.os_version("14"))

    again = take(video, action_ms=7)

    run, _ = Run.objects.get(), comparison.refresh_from_db()
    assert (again.outcome, again.run.pk, run.action_ms, run.status) == (Outcome.UPDATED, run.pk, 7.0, "pending")
    assert comparison.stale


def test_a_type_that_contradicts_the_stored_one_is_refused(tmp_path):
    video = fake_video(tmp_path)
    take(video)
    fields, error = refused(lambda: take(video, repetition=2, interaction_type="launch"))
    assert (fields, error.conflict, Interaction.objects.get().type) == (["interaction_type"], False, "tap")


def test_a_file_that_is_no_recording_and_a_log_that_did_not_come_are_refused(tmp_path):
    note = fake_video(tmp_path, "a.mp4", b"this is no video at all")
    assert refused(lambda: take(note))[0] == ["video"]
    fields, error = refused(lambda: take(fake_video(tmp_path, "b.mp4"), log="device.log"))
    assert fields == ["log"]
    assert "device.log was not sent" in str(error)
    assert not Run.objects.exists()


def test_log_and_trace_are_kept_with_the_run(tmp_path):
    log = fake_video(tmp_path, "device.log", b"11-20 08:00 boot")
    made = take(fake_video(tmp_path), {"log": log}, log="device.log")
    assert Run.objects.get(pk=made.run.pk).log_name.startswith("logs/")


def test_of_two_that_send_the_same_at_once_both_get_the_one_run(tmp_path, monkeypatch):
    video = fake_video(tmp_path)
    keep, others = write.keep, []

    def overtaken(*args):
        monkeypatch.setattr(write, "keep", keep)
        others.append(take(video))
        return keep(*args)

    monkeypatch.setattr(write, "keep", overtaken)
    mine = take(video)

    assert (Run.objects.count(), mine.run.pk) == (1, others[0].run.pk)
    assert {mine.outcome, others[0].outcome} == {Outcome.NEW, Outcome.UNCHANGED}


def test_values_are_read_as_json_has_them():
    row = row_of({**ROW, "action_ms": 500, "repetition": 3, "show_touches": True, "x": 1.5, "y": 2, "log": None,
                  "operator": "night"})  # fmt: skip
    assert (row.action_ms, row.repetition, row.show_touches, row.x, row.y) == (500.0, 3, True, 1.5, 2.0)
    assert (row.log, row.metadata, "log" in row.given) == ("", {"operator": "night"}, False)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("os_version", ""), ("os_version", "a/b"), ("app", ["Mail"]), ("interaction", {"name": "x"}),
        ("interaction_type", "pinch"), ("repetition", "two"), ("repetition", 1.5), ("repetition", 10**400),
        ("action_ms", -1), ("action_ms", float("nan")), ("action_ms", float("inf")), ("action_ms", "1,5"),
        ("device", "x" * 200), ("device", "a\u202eb"), ("refresh_hz", 0), ("x", 3), ("show_touches", "maybe"),
        ("recorded_at", "yesterday"), ("capture", "60fps"), ("scenario", "x" * 20_001), ("scenario", "a\x00b"),
        ("video", ""), ("video", "a\nb.mp4"), ("category", "\ud800"), ("operator", "\ud800"), ("operator", [1]),
    ],
)  # fmt: skip
def test_each_wrong_value_is_refused_under_its_field(field, value):
    fields, error = refused(lambda: row_of({**ROW, field: value}))
    assert fields == [field]
    str(error).encode()  # can be sent: holds nothing that is no text


def test_names_of_fields_and_their_number_are_bounded():
    for name in ("", "a" * 101, "a\x00", "\ud800"):
        _, error = refused(lambda name=name: row_of({**ROW, name: "x"}))
        assert "no name of a field" in str(error)
        str(error).encode()
    assert refused(lambda: row_of({f"field{number}": "x" for number in range(101)}))[0] == ["line"]
