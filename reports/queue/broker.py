"""The order of the queue: what a person waits for goes before the recordings of a night."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django_q.brokers.orm import ORM
from django_q.models import OrmQ

# A task is handed out once its lock has passed. So the lock is also its place in the queue.
_AT_ONCE = datetime(2000, 1, 1, tzinfo=UTC)


class OrderedBroker(ORM):
    """django-q's broker in the database, in order. What is queued through it goes before any backlog."""

    @staticmethod
    def get_connection(list_key: str | None = None) -> QuerySet[OrmQ]:
        """Return the queued tasks, the first to hand out first."""
        return ORM.get_connection(list_key).order_by("lock", "pk")

    def enqueue(self, task: str) -> Any:
        """Queue a task before the backlog, behind what was queued alike."""
        return self._add(task, _AT_ONCE)

    def _add(self, task: str, lock: datetime) -> Any:
        return OrmQ.objects.create(key=self.list_key, payload=task, lock=lock).pk


class BacklogBroker(OrderedBroker):
    """Queues what may wait: thousands of recordings."""

    def enqueue(self, task: str) -> Any:
        """Queue a task at the end."""
        return self._add(task, timezone.now())


class LaterBroker(OrderedBroker):
    """Queues again what could not be done because something was away, to be tried in a while."""

    wait = timedelta(seconds=20)

    def enqueue(self, task: str) -> Any:
        """Queue a task that is handed out in a while."""
        return self._add(task, timezone.now() + self.wait)


class PausedBroker(LaterBroker):
    """Queues what is done once for all that trickles in meanwhile."""

    wait = timedelta(minutes=1)
