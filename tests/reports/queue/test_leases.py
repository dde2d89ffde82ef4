from datetime import timedelta
from uuid import uuid4

import pytest
from django.db.models import Q
from django.utils import timezone

from reports.measuring.workers import beat
from reports.models import Comparison, Proxy, Run, RunStatus, WorkerHeartbeat
from reports.queue.leases import Lease, is_over, lease_over, lease_time
from tests import factories

pytestmark = pytest.mark.django_db
WAITS = Q(status="pending")


def waiting_run():
    return factories.run(status=RunStatus.PENDING)


def waiting_comparison():
    return Comparison.objects.create(base=factories.os_version("1"), new=factories.os_version("2"))


def waiting_proxy():
    return Proxy.objects.create(sha256="a" * 64, source_name="a.mp4")


@pytest.fixture(params=[waiting_run, waiting_comparison, waiting_proxy], ids=["run", "comparison", "proxy"])
def row(request):
    return request.param()


def take(row):
    return Lease.take(type(row), row.pk, free=WAITS)


def expire(row):
    type(row).objects.update(claimed_at=timezone.now() - lease_time() - timedelta(seconds=1))


def test_of_two_that_claim_at_once_exactly_one_wins(row):
    assert [take(row) is None for _ in range(2)] == [False, True]


def test_nothing_is_claimed_that_is_not_there(row):
    assert Lease.take(type(row), row.pk + 1, free=WAITS) is None


def test_a_claim_is_held_until_it_ends(row):
    lease = take(row)
    assert lease.held()
    assert lease.end(status="done")
    assert not lease.held()
    row.refresh_from_db()
    assert (row.status, row.claim, row.claimed_at) == ("done", None, None)


def test_a_claim_can_be_taken_over_only_when_its_time_is_up(row):
    late = take(row)
    assert take(row) is None
    expire(row)
    assert late.held()  # nobody wanted the row: its worker may still end
    assert take(row).held()
    assert not late.held()


def test_a_late_claim_writes_nothing(row):
    late = take(row)
    expire(row)
    successor = take(row)
    before = type(row).objects.values().get()

    assert not late.note(error="late")
    assert not late.end(status="failed", error="late")

    assert type(row).objects.values().get() == before
    assert successor.note(error="in time")


def test_a_claim_in_the_same_instant_is_another_claim(row, monkeypatch):
    now = timezone.now()
    monkeypatch.setattr("reports.queue.leases.timezone.now", lambda: now)
    first = take(row)
    first.end(status="pending")
    take(row)

    assert not first.held()


def test_a_row_that_was_claimed_before_claims_had_names_can_be_ended(row):
    type(row).objects.update(status="running", claimed_at=timezone.now())
    row.refresh_from_db()

    assert Lease.of(row).end(status="done")


@pytest.mark.parametrize(("ago", "over"), [(None, True), (timedelta(seconds=5), False), (timedelta(days=1), True)])
def test_a_row_at_hand_and_the_database_agree_on_when_a_claim_is_over(row, ago, over):
    type(row).objects.update(status="running", claimed_at=ago and timezone.now() - ago)
    row.refresh_from_db()

    assert is_over(row) == over
    assert type(row).objects.filter(lease_over()).exists() == over


def test_a_claim_from_the_future_holds_nobody_off_as_the_clock_was_set_back():
    run = factories.run(status=RunStatus.RUNNING, claimed_at=timezone.now() + timedelta(days=1))

    assert is_over(run)
    assert Lease.take(Run, run.pk, free=Q(status=RunStatus.PENDING)) is not None
    soon = factories.run(status=RunStatus.RUNNING, claimed_at=timezone.now() + timedelta(seconds=30))
    assert not is_over(soon)  # the clock of another host
    assert Lease.take(Run, soon.pk, free=Q(status=RunStatus.PENDING)) is None


def test_a_worker_seen_in_the_future_is_not_alive_for_that():
    beat(name="here:1", processes=1)
    WorkerHeartbeat.objects.update(seen_at=timezone.now() + timedelta(days=1))

    assert not WorkerHeartbeat.objects.living().exists()


def test_a_claim_whose_answer_was_cut_off_is_had_by_asking_again_with_its_name(row):
    name = uuid4()
    first, again = (Lease.take(type(row), row.pk, free=WAITS, token=name) for _ in range(2))
    assert first == again
    assert Lease.take(type(row), row.pk, free=WAITS, token=uuid4()) is None
