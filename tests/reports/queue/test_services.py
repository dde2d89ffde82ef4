from datetime import timedelta

import pytest
from django.utils import timezone
from django_q.brokers import get_broker
from django_q.models import OrmQ
from django_q.signing import SignedPackage
from django_q.tasks import async_task

from reports.queue.services import queue_runs, queued_run_ids

pytestmark = pytest.mark.django_db


def hand_out():
    """Return the first arguments of the tasks in the order in which a worker gets them."""
    OrmQ.objects.filter(lock__gt=timezone.now() - timedelta(seconds=1)).update(
        lock=timezone.now() - timedelta(seconds=1)
    )
    broker = get_broker()
    found = []
    while OrmQ.objects.filter(lock__lt=timezone.now()).exists():
        for pk, payload in broker.dequeue():
            found.append(SignedPackage.loads(payload)["args"][0])
            broker.acknowledge(pk)
    return found


def test_runs_are_measured_in_the_order_in_which_they_came():
    queue_runs(run_ids=[3, 1, 2])
    assert hand_out() == [3, 1, 2]


def test_what_a_person_waits_for_goes_before_the_backlog():
    queue_runs(run_ids=[1, 2])
    async_task("reports.tasks.compute_comparison", 100)
    async_task("reports.tasks.compute_comparison", 101)
    queue_runs(run_ids=[3])
    assert hand_out() == [100, 101, 1, 2, 3]


def test_a_task_that_was_handed_out_is_not_handed_out_again():
    async_task("reports.tasks.compute_comparison", 100)
    broker = get_broker()
    assert len(broker.dequeue()) == 1
    assert not OrmQ.objects.filter(lock__lt=timezone.now()).exists()


def test_only_runs_count_as_queued_runs():
    async_task("reports.tasks.compute_comparison", 100)
    queue_runs(run_ids=[1, 2])
    assert queued_run_ids() == {1, 2}


def test_queueing_many_is_one_transaction(django_assert_num_queries):
    with django_assert_num_queries(5):  # savepoint, three tasks, release
        queue_runs(run_ids=[1, 2, 3])
