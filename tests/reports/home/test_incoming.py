from datetime import timedelta

from django.utils import timezone

from reports.home.incoming import CameIn, came_in, failure_kinds
from reports.measuring.forms import RunsForm
from reports.measuring.selectors import filtered_runs
from reports.models import RunStatus, WorkerHeartbeat
from tests import factories

NOW = timezone.now()
LONG_AGO = NOW - timedelta(days=3)


def _page(client):
    return " ".join(client.get("/").content.decode().split())


def test_came_in_counts_what_was_measured_lately_or_still_waits_by_version(versions):
    base, new = versions
    factories.run(version=base, measured_at=LONG_AGO)
    factories.run(version=base, measured_at=NOW)
    factories.run(version=new, measured_at=NOW, status=RunStatus.FAILED, outcome="unreadable")
    factories.run(version=new, measured_at=NOW)
    factories.run(version=new, status=RunStatus.PENDING)

    assert came_in() == [CameIn("13.0.13", 3, 2, 1), CameIn("13.0.9", 1, 1, 0)]


def test_failure_kinds_count_all_and_those_that_are_new(versions):
    factories.run(status=RunStatus.FAILED, outcome="unreadable", measured_at=LONG_AGO)
    factories.run(outcome="no_response", measured_at=NOW)
    factories.run(outcome="no_response", measured_at=LONG_AGO)
    factories.run(outcome="no_response", excluded=True, excluded_reason="a call came in")
    factories.run(status=RunStatus.FAILED, error="the worker ran out of memory")
    factories.run(outcome="ok")

    kinds = failure_kinds()

    assert [(kind.outcome, kind.failed, kind.count, kind.lately) for kind in kinds] == [
        ("no_response", False, 2, 1),
        ("", True, 1, 0),
        ("unreadable", True, 1, 0),
    ]


def test_failure_kind_leads_to_as_runs_as_it_counts(versions):
    factories.run(outcome="no_response")
    factories.run(outcome="no_response", excluded=True, excluded_reason="a call came in")
    (kind,) = failure_kinds()
    query = dict(part.split("=") for part in kind.query.split("&"))

    assert filtered_runs(RunsForm(query).wanted()).count() == kind.count == 1


def test_home_names_failures_in_plain_words(signed_in, versions):
    factories.run(outcome="no_response")

    page = _page(signed_in)

    assert ">no response</a>" in page
    assert "nothing changed on the screen after the action" in page


def test_home_without_failures_says_that_every_run_has_an_answer(signed_in, versions):
    factories.run(measured_at=NOW)

    assert "every run has an answer" in _page(signed_in)


def test_home_with_nothing_new_says_what_would_be_counted(signed_in, versions):
    factories.run(measured_at=LONG_AGO)

    assert "Nothing. Runs that are imported and measured are counted here" in _page(signed_in)


def test_home_shows_how_far_each_version_on_its_way_is(signed_in, versions):
    WorkerHeartbeat.objects.create(name="host:1", processes=2, seen_at=timezone.now())
    factories.run(version=versions[1], measured_at=NOW)
    factories.run(version=versions[1], status=RunStatus.PENDING)

    page = _page(signed_in)

    assert '<progress max="2" value="1" aria-label="Runs of 13.0.13 judged">' in page
