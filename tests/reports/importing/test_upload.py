"""The page that takes recordings in: send, look, import. Nothing is written before, or twice, or seen by others."""

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from reports.models import Batch, ImportRecord, Run, StagedFile, StagedImport
from reports.tasks import import_staged
from tests import factories
from tests.intake import MP4_HEAD, ROW
from tests.reports.importing.sending import fill, manifest, page, press, send, start, stored, video, zipped

pytestmark = pytest.mark.django_db


def test_a_manifest_with_its_recordings_is_looked_at_then_imported(
    signed_in, engineer, django_capture_on_commit_callbacks
):
    address = send(signed_in, manifest({}, {"repetition": "2", "video": "b.mp4"}, {"repetition": "3"}), video())
    looked = page(signed_in, address)
    assert "b.mp4 was not sent: send it together with the manifest" in looked
    assert "Import 2" in looked
    assert not Run.objects.exists()
    assert not ImportRecord.objects.exists()

    with django_capture_on_commit_callbacks(execute=True):
        start(signed_in, address)

    record = ImportRecord.objects.get()
    assert (record.source, record.who, record.new, record.refused) == ("runs.csv", "engineer", 2, 1)
    runs = list(Run.objects.order_by("repetition"))
    assert [(run.repetition, run.original_name, run.status) for run in runs] == [
        (1, "a.mp4", "pending"),
        (3, "a.mp4", "pending"),
    ]
    with default_storage.open(runs[0].file_name) as stream:
        assert stream.read() == MP4_HEAD + b"a.mp4"
    assert stored() == []
    assert "0 of 1" in page(signed_in, address)


def test_recordings_alone_are_guessed_filled_in_and_imported(signed_in, engineer):
    factories.interaction("open inbox", of=factories.app("Mail"), type="launch")
    address = send(signed_in, zipped(*((f"14.1/mail/open_inbox_{n}.mp4", MP4_HEAD + bytes([n])) for n in (1, 2))))
    looked = page(signed_in, address)
    assert 'value="14.1"' in looked
    assert 'value="open inbox"' in looked
    assert "2 recordings give no action" in looked

    fill(signed_in, address, action_ms="120", device="Pixel 9")
    one = StagedFile.objects.get(path__endswith="2.mp4")
    signed_in.post(f"{address}files/", {f"action_ms-{one.pk}": "80", f"repetition-{one.pk}": "7"})
    start(signed_in, address)

    found = Run.objects.order_by("repetition").values_list(
        "os_version__name", "interaction__app__name", "interaction__name", "repetition", "action_ms", "device__name"
    )
    assert list(found) == [
        ("14.1", "Mail", "open inbox", 1, 120.0, "Pixel 9"),
        ("14.1", "Mail", "open inbox", 7, 80.0, "Pixel 9"),
    ]
    done = page(signed_in, address)
    assert "Compare 14.1" in done
    assert "open_inbox_2.mp4" in done


def test_recordings_stand_in_the_order_in_which_a_person_reads_them(signed_in, engineer):
    sent = ("15/Mail/open/2.mp4", "14/Mail/open/10.mp4", "14/Mail/open/9.mp4", "14/Mail/archive/1.mp4")
    address = send(signed_in, zipped(*((path, MP4_HEAD + path.encode()) for path in sent)))

    looked = page(signed_in, address)

    assert sorted(sent, key=looked.index) == [sent[3], sent[2], sent[1], sent[0]]


def test_the_type_of_an_interaction_is_said_once_for_all_of_its_recordings(signed_in, engineer):
    paths = ("14.1/Mail/open inbox/1.mp4", "14.1/Mail/open inbox/2.mp4", "14.1/Mail/toggle all/1.mp4")
    address = send(signed_in, zipped(*((path, MP4_HEAD + path.encode()) for path in paths)))
    inbox, second, other = StagedFile.objects.order_by("pk")
    looked = page(signed_in, address)
    assert f'name="type-of-{inbox.pk}"' in looked
    assert f'name="type-of-{other.pk}"' in looked
    assert f'name="type-of-{second.pk}"' not in looked

    told = {f"type-of-{inbox.pk}": "tap", f"interaction_type-{second.pk}": "swipe", f"type-of-{other.pk}": ""}
    signed_in.post(f"{address}files/", told)

    types = [file.cells.get("interaction_type") for file in StagedFile.objects.order_by("pk")]
    assert types == ["tap", "swipe", None]
    assert f'name="type-of-{inbox.pk}"' not in page(signed_in, address)


def test_a_zip_with_a_manifest_in_a_folder_finds_files_beside_it(signed_in, engineer):
    row = ",".join((ROW | {"video": "films/a.mp4"}).values())
    files = [
        ("night/runs.csv", ",".join(ROW) + "\n" + row),
        ("night/films/a.mp4", MP4_HEAD),
        ("night/notes.txt", "x"),
    ]
    address = send(signed_in, zipped(*files))

    start(signed_in, address)

    assert Run.objects.get().original_name == "films/a.mp4"


def test_an_import_of_two_versions_leads_to_their_comparison(signed_in, engineer):
    rows = [{"os_version": version, "video": f"{version}.mp4"} for version in ("14.10", "14.9")]
    address = send(signed_in, manifest(*rows), video("14.10.mp4"), video("14.9.mp4"))

    start(signed_in, address)

    assert f'href="{reverse("home")}?base=14.9&amp;new=14.10">Compare 14.9 with 14.10</a>' in page(
        signed_in, address
    )


def test_sending_the_same_again_changes_nothing(signed_in, engineer):
    for _ in range(2):
        start(signed_in, send(signed_in, manifest({}), video()))

    assert Run.objects.count() == 1
    assert [(record.new, record.unchanged) for record in ImportRecord.objects.all()] == [(0, 1), (1, 0)]


def alone(*contents, folder="14.1/Mail/open inbox"):
    """Recordings in a zip whose names carry no number, by what is in them."""
    return zipped(*((f"{folder}/VID_20261120_10000{n}.mp4", MP4_HEAD + each) for n, each in enumerate(contents)))


def numbered():
    found = []
    for run in Run.objects.order_by("repetition"):
        with default_storage.open(run.file_name) as stream:
            found.append((run.repetition, stream.read()[len(MP4_HEAD) :]))
    return found


def deliver(client, *contents, **of_all):
    address = send(client, alone(*contents))
    fill(client, address, action_ms="0", interaction_type="tap", **of_all)
    looked = page(client, address)
    start(client, address)
    return looked


def test_a_second_delivery_is_numbered_after_the_first(signed_in, engineer):
    deliver(signed_in, b"one", b"two")
    looked = deliver(signed_in, b"three", b"four")

    assert numbered() == [(1, b"one"), (2, b"two"), (3, b"three"), (4, b"four")]
    assert 'placeholder="3"' in looked
    assert 'placeholder="4"' in looked


def test_the_same_file_again_stays_the_repetition_that_it_is(signed_in, engineer):
    deliver(signed_in, b"one", b"two", b"two")  # a copy is told, and is a recording as any other
    deliver(signed_in, b"two", b"new", b"one", b"two")

    assert numbered() == [(1, b"one"), (2, b"two"), (3, b"two"), (4, b"new")]
    record = ImportRecord.objects.first()
    assert (record.new, record.unchanged, record.refused) == (1, 3, 0)


def test_a_file_that_came_in_by_a_manifest_is_found_again_by_what_is_in_it(signed_in, engineer):
    columns = (*ROW, "recorded_at", "capture")
    said = {"os_version": "14.1", "interaction": "open inbox", "action_ms": "0", "repetition": "7"}
    said |= {"recorded_at": "2026-11-20T08:49:45Z", "capture": "cfr60"}
    film = SimpleUploadedFile("a.mp4", MP4_HEAD + b"one")
    start(signed_in, send(signed_in, manifest(said, columns=columns), film))

    deliver(signed_in, b"one", b"two")

    assert numbered() == [(7, b"one"), (8, b"two")]


def test_numbers_go_on_after_those_that_are_said_and_for_each_line_by_itself(signed_in, engineer):
    deliver(signed_in, b"one")
    address = send(
        signed_in,
        zipped(
            ("14.1/Mail/open inbox/5.mp4", MP4_HEAD + b"five"),
            ("14.1/Mail/open inbox/VID_20261120_100001.mp4", MP4_HEAD + b"six"),
            ("14.2/Mail/open inbox/VID_20261120_100001.mp4", MP4_HEAD + b"other"),
        ),
    )
    fill(signed_in, address, action_ms="0", interaction_type="tap")
    start(signed_in, address)

    found = Run.objects.order_by("os_version__name", "repetition").values_list("os_version__name", "repetition")
    assert list(found) == [("14.1", 1), ("14.1", 5), ("14.1", 6), ("14.2", 1)]


def test_a_batch_is_set_looked_at_and_linked_to_after_the_import(signed_in, engineer):
    Batch.objects.create(name="night 7", os_version=factories.os_version("14.1"), opened_as="lab")
    address = send(signed_in, alone(b"one"))
    assert '<option value="night 7">' in page(signed_in, address)
    fill(signed_in, address, action_ms="0", interaction_type="tap")
    press(signed_in, address, "files", batch="night/8")
    assert "batch: &#x27;night/8&#x27; cannot be a name" in page(signed_in, address)

    press(signed_in, address, "start", batch=" night 8 ")
    import_staged(address.rstrip("/").rpartition("/")[2])

    assert Run.objects.get().batch.name == "night 8"
    assert Batch.objects.get(name="night 8").opened_as == "engineer"
    assert reverse("batch", args=["night 8"]) in page(signed_in, address)


def test_lines_that_name_a_batch_keep_theirs_and_stored_runs_are_put_into_it(signed_in, engineer):
    rows = ({"batch": "theirs"}, {"repetition": "2", "batch": ""})
    for batch in ("", "mine"):
        address = send(signed_in, manifest(*rows, columns=(*ROW, "batch")), video())
        press(signed_in, address, "files", batch=batch)
        looked = page(signed_in, address)
        start(signed_in, address)

    assert [run.batch.name for run in Run.objects.order_by("repetition")] == ["theirs", "mine"]
    assert "Import 1\xa0recording" in looked


def test_what_was_written_and_not_looked_at_is_set_before_it_is_imported(signed_in, engineer):
    address = send(signed_in, alone(b"one"))
    fill(signed_in, address, action_ms="0", interaction_type="tap")
    one = StagedFile.objects.get()

    press(signed_in, address, "start", **{f"action_ms-{one.pk}": "80"})
    assert StagedImport.objects.get().status == "open"
    assert "has just been set" in page(signed_in, address)
    start(signed_in, address)

    assert Run.objects.get().action_ms == 80
