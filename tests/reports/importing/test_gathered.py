"""Recordings that come one by one stand in the import log as one import a day of each asker and batch."""

import csv
import io
import re
import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from analysis.manifest.rows import Problem
from reports.importing.gathered import keep_refused
from reports.importing.log import LINES_KEPT, forget_old_lines
from reports.importing.services import import_manifest
from reports.importing.single import import_run, row_of
from reports.importing.summary import Bounds
from reports.models import Batch, ImportRecord, RefusedLine, Run
from tests.intake import ROW, fake_video, write_manifest
from tests.reports.api.test_incoming import FIELDS, make, uploaded
from tests.reports.api.test_uploads import FILM, SHA256, bearer, begin, metadata, send
from tests.reports.importing.test_log import body, counts

pytestmark = pytest.mark.django_db


@pytest.fixture
def farm(engineer):
    return bearer(engineer)


@pytest.fixture
def known(client, farm):
    """Bring one recording in, which later runs name by its sha256; return the fields of the next."""
    assert make(client, farm, FIELDS | {"upload": uploaded(client, farm)}).status_code == 201
    return FIELDS | {"sha256": SHA256}


def take(folder, **fields):
    row = row_of(ROW | fields)
    return import_run(row=row, files={"video": fake_video(folder)}, source="a.mp4", queue=False)


def test_all_of_a_day_are_one_import_of_the_token_with_what_each_came_to(client, farm, known):
    sent = [known | {"repetition": 2}, known | {"repetition": 2}, known | {"action_ms": 7}]
    answers = [make(client, farm, each).status_code for each in sent]
    refused = make(client, farm, known | {"app": "", "repetition": 3})

    record = ImportRecord.objects.get()
    assert (answers, refused.status_code) == ([201, 200, 200], 422)
    assert (record.source, record.state, counts(record)) == ("Recordings, one by one", "done", (2, 1, 1, 1))
    assert record.who.startswith("engineer, token farm (")
    assert record.seen_at > record.started_at


def test_a_file_that_is_refused_while_it_is_sent_stands_there_too(client, farm):
    begin(client, farm, **{"Upload-Length": str((4 << 30) + 1), "Upload-Metadata": metadata(filename="long.mp4")})
    for _ in range(2):  # a host that tries again
        place = begin(client, farm, **{"Upload-Metadata": metadata(filename="list.mp4")})["Location"]
        assert send(client, farm, place, b"#EXTM3U\n" * 9, 0).status_code == 415
        send(client, farm, place, FILM + b"!" * (9 << 20), 0)  # no refusal of the file: a part that is too long

    record = ImportRecord.objects.get()
    rows = RefusedLine.objects.order_by("number").values_list("cells", "problems")
    assert [(cells, problems[0][0]) for cells, problems in rows] == [
        ({"video": "long.mp4"}, "video"),
        ({"video": "list.mp4"}, "video"),
    ]
    assert (record.refused, counts(record)[3]) == (2, 2)
    assert "4,294,967,296" in rows[0][1][0][1]
    assert "playlist" in rows[1][1][0][1]


def test_another_token_batch_or_day_is_another_import(client, farm, known, engineer):
    make(client, bearer(engineer), known)
    make(client, farm, known | {"batch": "night-7"})
    make(client, farm, known | {"batch": "night-7", "app": "<b>"})
    assert ImportRecord.objects.filter(batch="night-7").values_list("source", "refused").get() == (
        "Recordings of batch night-7, one by one",
        0,
    )
    for record in ImportRecord.objects.all():
        yesterday = record.gathers.replace(f"{timezone.now():%Y-%m-%d}", "2026-01-01")
        ImportRecord.objects.filter(pk=record.pk).update(gathers=yesterday)
    make(client, farm, known)

    assert ImportRecord.objects.count() == 4


def test_asking_whether_a_recording_is_there_is_no_import(client, farm):
    """A client asks with the sha256 first and brings the file behind the 422."""
    assert make(client, farm, FIELDS | {"sha256": SHA256}).status_code == 422
    assert not ImportRecord.objects.exists()


def test_the_page_tells_what_was_refused_and_hands_it_out_to_be_mended(client, farm, known, signed_in, tmp_path):
    wrong = [
        {"repetition": 2, "action_ms": "soon", "operator": "night", "batch": "night-7", "show_touches": False},
        {"repetition": 3, "interaction_type": "pinch", "batch": "night-7"},
        {"repetition": 4, "os_version": None, "batch": "night-7", "x": {"a": ["\ud800\x00"]}},
    ]
    for each in wrong:
        assert make(client, farm, known | each).status_code == 422
    record = ImportRecord.objects.get(batch="night-7")

    page = signed_in.get(reverse("import-record", args=[record.pk])).content.decode()
    assert "&#x27;soon&#x27; is not a finite number" in page
    assert "Refused recordings" in page
    assert "last came <time" in page
    assert reverse("batch", args=["night-7"]) not in page  # nothing opened it
    sent = body(signed_in.get(reverse("import-refused", args=[record.pk])))
    rows = list(csv.DictReader(io.StringIO(sent)))
    assert [(row["refused_line"], row["video"], row["operator"]) for row in rows] == [
        ("1", "open inbox.mp4", "night"),
        ("2", "open inbox.mp4", ""),
        ("3", "open inbox.mp4", ""),
    ]
    assert (rows[0]["show_touches"], rows[0]["refused_because"]) == (
        "0",
        "action_ms: 'soon' is not a finite number",
    )

    fake_video(tmp_path, "open inbox.mp4", FILM)
    mended = tmp_path / "mended.csv"
    mended.write_text("\n".join(sent.replace("soon", "7").replace("pinch", "tap").splitlines()[:3]))
    summary = import_manifest(path=mended, queue=False)
    assert (summary.new, summary.refused, summary.lines) == (2, 0, [])
    assert Run.objects.get(repetition=2).metadata == {"operator": "night"}
    assert (
        reverse("batch", args=["night-7"])
        in signed_in.get(reverse("import-record", args=[record.pk])).content.decode()
    )


def test_the_page_of_a_batch_says_what_was_refused_as_the_log_does(client, farm, known, signed_in, tmp_path):
    fake_video(tmp_path)
    lines = [{"repetition": "7"}, {"repetition": "soon"}, {"repetition": "late"}]
    mine = [line | {"batch": "night-7"} for line in lines]
    import_manifest(path=write_manifest(tmp_path, mine), queue=False)
    import_manifest(path=write_manifest(tmp_path, [*mine[1:], lines[1] | {"batch": "night-8"}]), queue=False)
    make(client, farm, known | {"repetition": "x", "batch": "night-7"})

    page = signed_in.get(reverse("batch", args=["night-7"])).content.decode()
    told = re.findall(r'<a href="(/import/log/[0-9]+/)">([^<]*)</a>', page)
    assert [words for _, words in told] == ["1\u00a0recording", "2\u00a0lines"]
    assert "by engineer, token farm (" in page
    assert client.get("/api/v1/batches/night-7/", headers=farm).json()["refused"] == 3
    for address, _ in told:
        assert reverse("batch", args=["night-7"]) in signed_in.get(address).content.decode()


def test_another_video_of_a_run_is_told_as_refused(client, farm, known):
    other = uploaded(client, farm, FILM + b"!")
    assert make(client, farm, FIELDS | {"upload": other}).status_code == 409

    line = RefusedLine.objects.get()
    assert (line.cells["video"], line.problems[0][0]) == ("open inbox.mp4", "video")
    assert ImportRecord.objects.get().causes[0]["field"] == "video"


def test_the_very_same_refused_again_is_counted_once(client, farm, known):
    for repetition in (2, 2, 3):
        make(client, farm, known | {"repetition": repetition, "interaction_type": "pinch"})

    record = ImportRecord.objects.get()
    assert (record.refused, record.kept, [cause["count"] for cause in record.causes]) == (2, 2, [2])
    assert list(record.lines.values_list("number", flat=True)) == [1, 2]


def test_what_is_kept_of_refused_recordings_has_the_bounds_of_a_manifest(monkeypatch):
    small = Bounds(lines_of_a_cause=2, lines=3, causes=3, characters_of_a_line=150)
    monkeypatch.setattr("reports.importing.gathered.BOUNDS", small)
    wrong = [
        *(("app", f"'{number}' is no name") for number in range(3)),
        ("scenario", "is long"),
        *((name, "is wrong") for name in ("x", "y", "device")),
    ]
    for number, (name, message) in enumerate(wrong):
        fields = {"repetition": str(number), name: "long" * 40 if name == "scenario" else "1"}
        keep_refused(fields=fields, problems=[Problem(1, name, message)])

    record = ImportRecord.objects.get()
    assert (record.refused, record.kept, record.left_out) == (7, 3, 4)
    assert [(cause["field"], cause["count"]) for cause in record.causes] == [("app", 3), ("", 3), ("scenario", 1)]
    assert record.kept_characters == sum(
        sum(map(len, line.cells.values())) + len(line.problems[0][1]) for line in record.lines.all()
    )


def test_lines_are_forgotten_after_their_time_as_those_of_a_manifest(client, farm, known, signed_in):
    make(client, farm, known | {"app": ""})
    ImportRecord.objects.update(started_at=timezone.now() - LINES_KEPT - timedelta(hours=1))

    assert forget_old_lines() == 1
    record = ImportRecord.objects.get()
    assert (record.refused, record.kept) == (1, 0)
    assert "kept for 90 days" in signed_in.get(reverse("import-record", args=[record.pk])).content.decode()


def test_a_note_is_kept_once(tmp_path):
    for repetition in ("1", "2", "3"):
        take(tmp_path, repetition=repetition, package="mail", app="Mail" if repetition == "1" else "Post")

    assert ImportRecord.objects.get().notes == ["app mail keeps its stored name 'Mail', not 'Post'"]


def test_a_run_that_was_not_stored_is_not_counted(tmp_path, monkeypatch):
    def killed(*_, **__):
        raise RuntimeError("killed")

    monkeypatch.setattr("reports.importing.write.record", killed)
    with pytest.raises(RuntimeError):
        take(tmp_path)

    assert (Run.objects.count(), ImportRecord.objects.count()) == (0, 0)


def test_a_run_by_the_api_costs_the_log_one_query(client, farm, known, django_assert_num_queries):
    make(client, farm, known | {"repetition": 2})
    with django_assert_num_queries(17) as asked:
        make(client, farm, known | {"repetition": 3})
    assert len([query for query in asked.captured_queries if "importrecord" in query["sql"]]) == 1


@pytest.mark.django_db(transaction=True)
def test_two_hosts_at_once_lose_no_count_and_make_one_import(client, farm):
    sent = [FIELDS | {"upload": uploaded(client, farm, FILM + bytes([number]))} for number in range(4)]
    all_at_once, answers = threading.Barrier(2), []

    def host(first):
        all_at_once.wait()
        for number in (first, first + 1):
            answers.append(make(Client(), farm, sent[number] | {"repetition": number}).status_code)
            answers.append(make(Client(), farm, sent[number] | {"repetition": number, "app": ""}).status_code)
        connection.close()

    hosts = [threading.Thread(target=host, args=[first]) for first in (0, 2)]
    for each in hosts:
        each.start()
    for each in hosts:
        each.join()

    record = ImportRecord.objects.get()
    assert sorted(answers) == [201] * 4 + [422] * 4
    assert counts(record) == (4, 0, 0, 4)
    assert list(record.lines.values_list("number", flat=True)) == [1, 2, 3, 4]
    assert not Batch.objects.exists()
