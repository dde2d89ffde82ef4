"""The import log: every import leaves its trace, and what was refused can be mended and imported."""

import csv
import io
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from reports.importing import services
from reports.importing.log import LINES_KEPT, forget_old_lines
from reports.importing.services import import_manifest
from reports.media.screencasts import StorageError
from reports.models import AuditEntry, ImportRecord, RefusedLine, Run
from tests.intake import ROW, fake_video, write_manifest

pytestmark = pytest.mark.django_db


def counts(record):
    return record.new, record.updated, record.unchanged, record.refused


def body(answer):
    return b"".join(answer).decode()


@pytest.fixture
def record(tmp_path):
    """Import a manifest of which one line is taken and three are refused, one of them a formula."""
    fake_video(tmp_path)
    rows = [{}, {"repetition": "2", "action_ms": "soon"}, {"repetition": "3", "video": "b.mp4", "app": "=1+1"}]
    path = write_manifest(tmp_path, rows)
    with path.open("a") as stream:
        stream.write("13,Mail\n")
    import_manifest(path=path, queue=False)
    return ImportRecord.objects.get()


def test_an_import_is_written_down_with_what_it_came_to(record, monkeypatch):
    assert (record.source, record.state, counts(record)) == ("runs.csv", "done", (1, 0, 0, 3))
    assert record.who.startswith("command line, ")
    assert [cause["field"] for cause in record.causes] == ["action_ms", "video", "line"]
    assert list(record.lines.values_list("number", flat=True)) == [3, 4, 5]


def test_importing_again_is_another_import_and_a_dry_run_is_none(tmp_path):
    fake_video(tmp_path)
    path = write_manifest(tmp_path, [{}])
    for dry_run in (True, False, False):
        import_manifest(path=path, dry_run=dry_run, queue=False)

    assert [counts(record) for record in ImportRecord.objects.all()] == [(0, 0, 1, 0), (1, 0, 0, 0)]


def test_an_import_of_which_nothing_comes_leaves_no_trace_where_that_is_asked(tmp_path):
    fake_video(tmp_path)
    path = write_manifest(tmp_path, [{}])
    for _ in range(2):
        import_manifest(path=path, queue=False, unless_nothing=True)

    assert [counts(record) for record in ImportRecord.objects.all()] == [(1, 0, 0, 0)]


def test_an_import_that_is_stopped_says_why_and_keeps_what_came_before(tmp_path, monkeypatch):
    monkeypatch.setattr(services, "BATCH_ROWS", 1)
    fake_video(tmp_path)
    write_batch = services.write_batch

    def once(*args, **options):
        monkeypatch.setattr(services, "write_batch", full)
        return write_batch(*args, **options)

    def full(*_, **__):
        raise StorageError("the disk is full: make room")

    monkeypatch.setattr(services, "write_batch", once)
    with pytest.raises(StorageError):
        import_manifest(path=write_manifest(tmp_path, [{}, {"repetition": "2"}]), queue=False)

    record = ImportRecord.objects.get()
    assert (record.state, record.error, counts(record)) == ("stopped", "the disk is full: make room", (1, 0, 0, 0))


def test_who_asks_in_the_browser_is_named(record, signed_in, engineer):
    page = signed_in.get(reverse("import-record", args=[record.pk])).content.decode()

    assert "&#x27;soon&#x27; is not a finite number" in page
    assert "b.mp4: No such file or directory: check the path, relative to the manifest" in page
    assert "has 2 cells in place of 7" in page
    assert reverse("import-refused", args=[record.pk]) in page


def test_the_refused_lines_come_as_they_were_with_their_problems_and_no_formula(record, signed_in):
    answer = signed_in.get(reverse("import-refused", args=[record.pk]))

    rows = list(csv.DictReader(io.StringIO(body(answer))))
    assert [row["refused_line"] for row in rows] == ["3", "4", "5"]
    assert {name: rows[0][name] for name in ROW} == ROW | {"repetition": "2", "action_ms": "soon"}
    assert rows[0]["refused_because"] == "action_ms: 'soon' is not a finite number"
    assert rows[1]["app"] == "'=1+1"
    assert (rows[2]["app"], rows[2]["refused_text"]) == ("", "13,Mail")
    assert AuditEntry.objects.filter(action="exported").count() == 1


def test_mended_lines_are_imported_without_what_was_said_of_them(record, signed_in, tmp_path):
    sent = body(signed_in.get(reverse("import-refused", args=[record.pk])))
    fake_video(tmp_path, "b.mp4")
    good = [line for line in sent.replace("soon", "7").splitlines() if "13,Mail" not in line]
    mended = tmp_path / "mended.csv"
    mended.write_text("\n".join(good))

    summary = import_manifest(path=mended, queue=False)

    assert (summary.new, summary.refused) == (2, 0)
    assert set(Run.objects.values_list("interaction__app__name", flat=True)) == {"Mail", "=1+1"}
    assert [run.metadata for run in Run.objects.all()] == [{}, {}, {}]


def test_ten_thousand_missing_files_are_counted_and_a_thousand_of_them_kept(tmp_path, signed_in):
    rows = [{"repetition": str(number), "video": f"{number}.mp4"} for number in range(10_000)]
    import_manifest(path=write_manifest(tmp_path, rows), queue=False)

    record = ImportRecord.objects.get()
    assert (record.refused, record.kept, RefusedLine.objects.count()) == (10_000, 1_000, 1_000)
    assert [(cause["field"], cause["count"]) for cause in record.causes] == [("video", 10_000)]
    page = signed_in.get(reverse("import-record", args=[record.pk])).content.decode()
    assert "the first 1\u202f000 are kept" in page
    assert page.count("<tr>") < 70


def test_what_no_database_keeps_is_left_out_of_the_log(tmp_path):
    fake_video(tmp_path)
    import_manifest(path=write_manifest(tmp_path, [{"operator": "a\0b", "app": "x\0"}]), queue=False)

    assert RefusedLine.objects.get().cells["operator"] == "ab"


def test_lines_are_forgotten_after_their_time_and_counts_are_not(record):
    ImportRecord.objects.update(started_at=timezone.now() - LINES_KEPT + timedelta(hours=1))
    assert forget_old_lines() == 0
    ImportRecord.objects.update(started_at=timezone.now() - LINES_KEPT - timedelta(hours=1))
    assert forget_old_lines() == 3

    record.refresh_from_db()
    assert (record.refused, record.kept, len(record.causes)) == (3, 0, 3)


def test_an_import_without_a_sign_of_life_is_shown_as_broken_off(signed_in):
    old = timezone.now() - timedelta(hours=2)
    lost = ImportRecord.objects.create(source="night.csv", who="lab", started_at=old, seen_at=old)

    assert "broken off" in signed_in.get(reverse("import-record", args=[lost.pk])).content.decode()
    assert "broke off" in signed_in.get(reverse("import-log")).content.decode()


def test_pages_of_the_log_ask_the_same_number_of_questions_however_much_there_is(
    record, signed_in, django_assert_num_queries
):
    page = reverse("import-record", args=[record.pk])
    signed_in.get(page)
    with django_assert_num_queries(9):
        signed_in.get(page)
    ImportRecord.objects.bulk_create(ImportRecord(source=f"{n}.csv", who="lab") for n in range(20))
    RefusedLine.objects.bulk_create(
        RefusedLine(record=record, number=n, problems=[["app", "empty"]]) for n in range(9, 40)
    )
    with django_assert_num_queries(9):
        signed_in.get(page)
    with django_assert_num_queries(8):
        signed_in.get(reverse("import-log"))
