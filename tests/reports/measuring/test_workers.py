from datetime import timedelta

import pytest
from django.utils import timezone

from reports.measuring.workers import beat, end, my_name
from reports.models import WorkerHeartbeat

pytestmark = pytest.mark.django_db


def living():
    return [worker.name for worker in WorkerHeartbeat.objects.living()]


def test_a_worker_lives_while_it_beats_and_ends_at_once():
    beat(name="a", processes=2)
    beat(name="a", processes=2)
    beat(name="b", processes=1)
    assert living() == ["a", "b"]
    end(name="a")
    assert living() == ["b"]


def test_a_worker_that_was_killed_is_not_counted_and_in_the_end_forgotten():
    now = timezone.now()
    WorkerHeartbeat.objects.create(name="killed", processes=2, seen_at=now - timedelta(seconds=25))
    WorkerHeartbeat.objects.create(name="long ago", processes=2, seen_at=now - timedelta(days=2))
    beat(name="a", processes=2)
    assert living() == ["a"]
    assert set(WorkerHeartbeat.objects.values_list("name", flat=True)) == {"a", "killed"}


def test_a_worker_that_compiles_lives_longer_without_a_beat():
    long = timezone.now() - timedelta(seconds=60)
    for state in ("compiling", "starting", "working"):
        WorkerHeartbeat.objects.create(name=state, processes=1, seen_at=long, state=state)
    assert living() == ["compiling", "starting"]
    WorkerHeartbeat.objects.update(seen_at=timezone.now() - timedelta(minutes=4))
    assert living() == []


def test_each_process_has_its_own_name():
    assert my_name() == my_name()
    assert ":" in my_name()
