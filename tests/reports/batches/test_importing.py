"""A manifest names the batch in which its runs come in."""

import io

import pytest
from django.core.management import CommandError, call_command

from analysis.manifest.reader import ManifestError
from reports.importing.services import import_manifest
from reports.models import Batch, Run, RunStatus
from tests.intake import fake_video, write_manifest

pytestmark = pytest.mark.django_db


def take(folder, *rows, **options):
    fake_video(folder)
    numbered = [{"repetition": str(number)} | row for number, row in enumerate(rows)]
    return import_manifest(path=write_manifest(folder, numbered), queue=False, **options)


def batches():
    return dict(Run.objects.values_list("repetition", "batch__name"))


def test_lines_come_in_with_the_batch_that_they_name(tmp_path):
    take(tmp_path, {"batch": "night-1"}, {"batch": "night-2", "os_version": "14"}, {"batch": ""})

    assert batches() == {0: "night-1", 1: "night-2", 2: None}
    assert dict(Batch.objects.values_list("name", "os_version__name")) == {"night-1": "13.0.12", "night-2": "14"}


def test_a_batch_is_about_the_newest_version_of_its_lines(tmp_path):
    rows = [{"batch": "night", "os_version": name} for name in ("13.0.9", "13.0.13", "13.0.12")]
    take(tmp_path, *rows)

    assert Batch.objects.get().os_version.name == "13.0.13"


def test_the_batch_of_an_import_is_that_of_the_lines_that_name_none(tmp_path):
    take(tmp_path, {"batch": "night-1"}, {"batch": ""}, batch=" night-2 ")

    assert batches() == {0: "night-1", 1: "night-2"}


def test_a_run_stays_in_its_batch_and_one_without_takes_a_later_one(tmp_path):
    take(tmp_path, {"batch": "night-1"}, {"batch": ""})
    Run.objects.update(status=RunStatus.DONE)

    summary = take(tmp_path, {"batch": "night-2"}, {"batch": "night-2"})

    assert (summary.updated, summary.unchanged) == (1, 1)
    assert batches() == {0: "night-1", 1: "night-2"}
    assert set(Run.objects.values_list("status", flat=True)) == {RunStatus.DONE}


def test_a_dry_run_opens_no_batch(tmp_path):
    assert take(tmp_path, {"batch": "night-1"}, dry_run=True).new == 1
    assert not Batch.objects.exists()


def test_a_name_that_cannot_be_is_refused(tmp_path):
    summary = take(tmp_path, {"batch": "a/b"}, {"batch": "n" * 121})
    assert [(problem.line, problem.field) for problem in summary.lines] == [(2, "batch"), (3, "batch")]

    with pytest.raises(ManifestError, match="batch: 'a/b' cannot be a name"):
        take(tmp_path, {}, batch="a/b")


def command(path, *options):
    out = io.StringIO()
    call_command("import_runs", str(path), "--no-queue", *options, stdout=out)
    return out.getvalue()


def test_the_command_names_the_batch_and_says_that_it_is_complete(tmp_path):
    fake_video(tmp_path)
    path = write_manifest(tmp_path, [{}])

    command(path, "--batch", "night-1")
    assert Batch.objects.get().completed_at is None
    command(path, "--batch", "night-1", "--complete")

    batch = Batch.objects.get()
    assert batches() == {1: "night-1"}
    assert batch.completed_at is not None
    assert (batch.opened_by, batch.opened_as) == (None, batch.completed_as)
    assert batch.opened_as.startswith("command line")


def test_the_command_refuses_to_complete_what_is_not_there(tmp_path):
    fake_video(tmp_path)
    path = write_manifest(tmp_path, [{"video": "absent.mp4"}])
    with pytest.raises(CommandError, match="name it with --batch"):
        command(path, "--complete")
    with pytest.raises(CommandError, match="no line came in with batch night-1"):
        command(path, "--batch", "night-1", "--complete")
    command(write_manifest(tmp_path, [{}]), "--batch", "night-1", "--complete", "--dry-run")
    assert not Batch.objects.exists()
