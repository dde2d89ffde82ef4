import errno
import io
import json
import os

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from reports.management.commands import extract
from reports.models import Run, RunStatus
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def measured(monkeypatch):
    """Replace the measurement; returns the list of the run ids measured."""
    found = []

    def measure(*, run_id):
        found.append(run_id)
        Run.objects.filter(pk=run_id).update(status=RunStatus.DONE, outcome="ok")

    monkeypatch.setattr(extract, "extract_run", measure)
    return found


def call(*args):
    out = io.StringIO()
    call_command("extract", *args, stdout=out)
    return out.getvalue().strip()


@pytest.fixture
def runs():
    """Make a pending, a done, a failed and a running run."""
    now = timezone.now()
    return {status: factories.run(status=status, claimed_at=now).pk for status in RunStatus}


def test_every_pending_run_is_measured(runs, measured):
    assert call() == "1 ok"
    assert measured == [runs[RunStatus.PENDING]]
    assert call() == "Nothing is pending."


def test_all_measures_finished_runs_again_but_none_that_another_process_holds(runs, measured):
    assert json.loads(call("--all", "--json")) == {"ok": 3}
    assert measured == sorted(runs[status] for status in (RunStatus.PENDING, RunStatus.DONE, RunStatus.FAILED))


def test_chosen_runs_are_measured_again(runs, measured):
    call("--run", str(runs[RunStatus.DONE]))
    assert measured == [runs[RunStatus.DONE]]


def test_an_unknown_run_is_named(runs, measured):
    with pytest.raises(CommandError, match="no such run: 999999"):
        call("--run", str(runs[RunStatus.DONE]), "999999")
    assert measured == []


def test_a_full_disk_ends_it_with_what_was_measured_and_the_cure(runs, monkeypatch):
    def full(*, run_id):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/tmp/frames")

    monkeypatch.setattr(extract, "extract_run", full)

    with pytest.raises(CommandError, match="0 of 1 run measured, then the disk is full"):
        call()
