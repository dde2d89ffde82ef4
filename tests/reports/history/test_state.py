"""How far a history is behind: what is queued when, and what the pages say until it is computed."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from django_q.models import OrmQ

from analysis.policy.policyjson import policy_to_json
from reports.history import services
from reports.history.courses import courses_of
from reports.history.line import behind
from reports.history.services import compute_history
from reports.models import Course, Level, OsVersion, RunStatus, VersionHistory
from reports.policies.selectors import current_policy
from reports.policies.services import save_policy
from reports.queue.services import runs_changed
from tests import factories
from tests.repeated import made_once
from tests.reports.history.lines import bring_up_to_date, film, line

pytestmark = pytest.mark.django_db
PAGES = [("history", None), ("history-releases", None), ("history-course", "interaction")]


def queued(function):
    """Return the arguments of what is queued for a function, and whether it waits, in order."""
    rows = [row for row in OrmQ.objects.order_by("lock", "pk") if row.task["func"] == f"reports.tasks.{function}"]
    return [(*row.task["args"], row.lock > timezone.now()) for row in rows]


@pytest.fixture
def versions():
    made_once(_three_versions)
    return list(OsVersion.objects.order_by("name"))


def _three_versions():
    line(200.0, 200.0, 300.0)
    bring_up_to_date()


def address(name, of):
    return reverse(name, args=[factories.interaction().pk] if of else [])


@pytest.mark.parametrize(("name", "of"), PAGES)
def test_pages_say_what_is_to_be_computed_again_and_no_more_once_it_is(signed_in, versions, name, of):
    assert "history-state" not in signed_in.get(address(name, of)).content.decode()
    film(versions[1], 250.0)

    html = signed_in.get(address(name, of)).content.decode()

    assert "Shown: the last results. The history of 1 of 3 versions is to be computed again." in html
    assert "No worker is running" in html
    bring_up_to_date()
    assert "history-state" not in signed_in.get(address(name, of)).content.decode()


def test_the_state_tells_the_same_to_the_page_that_waits(signed_in, versions):
    state = signed_in.get(reverse("history-state")).json()
    assert state == {"status": "done", "finished": 3, "total": 3, "sentence": ""}
    factories.runs([200.0], version=versions[2], status=RunStatus.PENDING)
    VersionHistory.objects.filter(version=versions[2]).update(stale=True)

    state = signed_in.get(reverse("history-state")).json()

    assert (state["status"], state["finished"], state["total"]) == ("waiting", 2, 3)
    assert "Runs are still being measured: 8 of 9 runs judged." in state["sentence"]
    assert signed_in.get(reverse("history-state"), {"channel": "no such"}).status_code == 404


def test_what_was_never_computed_is_not_called_the_last_results(signed_in):
    line(200.0, 300.0)

    html = signed_in.get(reverse("history")).content.decode()

    assert "The history of every version is to be computed." in html
    assert "the last results" not in html


def test_another_policy_has_histories_computed_at_once(versions, django_capture_on_commit_callbacks, engineer):
    rules = policy_to_json(current_policy())
    rules["thresholds"]["response_time_ms"] = {**rules["thresholds"]["response_time_ms"], "absolute": 10.0}

    with django_capture_on_commit_callbacks(execute=True):
        save_policy(name="default", rules=rules, based_on=0, user=engineer)

    assert queued("queue_histories") == [(False,)]
    assert len(behind()) == 3


def test_runs_that_trickle_in_are_counted_once_a_minute(versions, django_capture_on_commit_callbacks):
    long_ago = timezone.now() - timedelta(hours=1)
    VersionHistory.objects.filter(version=versions[0]).update(computed_at=long_ago)

    with django_capture_on_commit_callbacks(execute=True):
        runs_changed(version_ids=[versions[0].pk, versions[1].pk])

    assert queued("compute_history") == [(versions[0].pk, False), (versions[1].pk, True)]


def test_a_person_who_excludes_a_run_need_not_wait(versions, django_capture_on_commit_callbacks):
    factories.runs([200.0], version=versions[1], status=RunStatus.PENDING)

    with django_capture_on_commit_callbacks(execute=True):
        runs_changed(version_ids=[versions[1].pk], at_once=True)

    assert queued("compute_history") == [(versions[1].pk, False)]


def test_runs_that_change_while_they_are_counted_are_counted_again(
    versions, monkeypatch, django_capture_on_commit_callbacks
):
    real = services.levels

    def and_then_another_comes(*args):
        VersionHistory.objects.filter(version=versions[1]).update(stale=True)
        return real(*args)

    monkeypatch.setattr(services, "levels", and_then_another_comes)
    VersionHistory.objects.filter(version=versions[1]).update(stale=True)

    with django_capture_on_commit_callbacks(execute=True):
        compute_history(version_id=versions[1].pk)

    assert queued("compute_history") == [(versions[1].pk, True)]
    assert [row.version_id for row in behind()] == [versions[1].pk]


def test_levels_that_another_worker_writes_meanwhile_are_in_the_course(versions, monkeypatch):
    film(versions[0], 240.0, runs=40)
    film(versions[1], 260.0, runs=40)
    came = []

    def and_then_the_other_writes(*args):
        found = courses_of(*args)
        if not came:
            came.append(True)
            compute_history(version_id=versions[1].pk)
        return found

    monkeypatch.setattr(services, "courses_of", and_then_the_other_writes)
    compute_history(version_id=versions[0].pk)

    assert Course.objects.get().medians == [pytest.approx(240.0, abs=3), pytest.approx(260.0, abs=3), 300.0]


def test_a_step_begins_at_the_version_before_that_another_worker_writes_meanwhile(monkeypatch):
    versions = line(200.0, 200.0, 300.0)
    compute_history(version_id=versions[0].pk)
    real, came = services.deviations, []

    def and_then_the_other_writes(*args, **options):
        if not came:
            came.append(True)
            compute_history(version_id=versions[1].pk)
        return real(*args, **options)

    monkeypatch.setattr(services, "deviations", and_then_the_other_writes)
    compute_history(version_id=versions[2].pk)

    before = Level.objects.order_by("version__sort_key").values_list("before", flat=True)
    assert list(before) == [None, versions[0].pk, versions[1].pk]
