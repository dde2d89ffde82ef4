from datetime import timedelta

import pytest
from django.utils import timezone
from django_q.models import OrmQ

from reports.models import Comparison, ComparisonStatus, Run, RunStatus, VersionHistory
from reports.queue.services import COMPUTE, HISTORY, runs_changed
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def comparison():
    base, new = factories.os_version("1"), factories.os_version("2")
    return Comparison.objects.create(base=base, new=new, status=ComparisonStatus.DONE)


@pytest.fixture
def tell(django_capture_on_commit_callbacks):
    """Tell that runs of a version changed, commit, and return which comparisons are queued."""

    def _tell(version, **options):
        OrmQ.objects.all().delete()
        with django_capture_on_commit_callbacks(execute=True):
            runs_changed(version_ids=[version.pk], **options)
        tasks = [entry.task for entry in OrmQ.objects.all()]
        return [task["args"] for task in tasks if task["func"] == COMPUTE]

    return _tell


def test_a_comparison_is_queued_when_no_run_of_its_versions_is_on_its_way(comparison, tell):
    factories.run(version=comparison.base)
    assert tell(comparison.base) == [(comparison.pk,)]
    assert Comparison.objects.get().stale


@pytest.mark.parametrize("status", [RunStatus.PENDING, RunStatus.RUNNING])
@pytest.mark.parametrize("side", ["base", "new"])
def test_a_comparison_waits_for_the_runs_of_either_version(comparison, tell, status, side):
    waiting = factories.run(version=getattr(comparison, side), status=status)
    assert tell(comparison.base) == []
    assert Comparison.objects.get().stale
    Run.objects.filter(pk=waiting.pk).update(status=RunStatus.DONE)
    assert tell(comparison.base) == [(comparison.pk,)]


def test_what_a_person_excluded_is_computed_at_once(comparison, tell):
    factories.run(version=comparison.new, status=RunStatus.PENDING)
    assert tell(comparison.base, at_once=True) == [(comparison.pk,)]


def test_comparisons_of_other_versions_are_left_alone(comparison, tell):
    assert tell(factories.os_version("3")) == []
    assert not Comparison.objects.get().stale


def test_nothing_changed_costs_nothing(django_assert_num_queries):
    with django_assert_num_queries(0):
        runs_changed(version_ids=[])


def test_telling_marks_with_two_updates_however_many_comparisons(comparison, django_assert_num_queries):
    for name in "345":
        Comparison.objects.create(base=comparison.base, new=factories.os_version(name))
    with django_assert_num_queries(2):  # the comparisons, and the histories
        runs_changed(version_ids=[comparison.base_id])


@pytest.mark.parametrize("status", [RunStatus.PENDING, RunStatus.DONE])
def test_the_history_of_a_version_is_queued_once_none_of_its_runs_is_on_its_way(
    status, django_capture_on_commit_callbacks
):
    version = factories.os_version("1")
    factories.run(version=version, status=status)
    VersionHistory.objects.create(version=version, status="done", stale=False)

    with django_capture_on_commit_callbacks(execute=True):
        runs_changed(version_ids=[version.pk])

    queued = [entry.task["args"] for entry in OrmQ.objects.all() if entry.task["func"] == HISTORY]
    assert queued == ([] if status == RunStatus.PENDING else [(version.pk,)])
    assert VersionHistory.objects.get().stale


def test_runs_that_trickle_in_have_the_history_computed_once_a_minute_at_most(django_capture_on_commit_callbacks):
    version = factories.os_version("1")
    factories.run(version=version)
    VersionHistory.objects.create(version=version, status="done", stale=False, computed_at=timezone.now())

    for at_once in (False, True):
        OrmQ.objects.all().delete()
        with django_capture_on_commit_callbacks(execute=True):
            runs_changed(version_ids=[version.pk], at_once=at_once)
        [entry] = [each for each in OrmQ.objects.all() if each.task["func"] == HISTORY]
        assert entry.task["args"] == (version.pk,)
        assert (entry.lock > timezone.now() + timedelta(seconds=30)) is not at_once

    assert VersionHistory.objects.get().stale  # so that the regular look finds it
