"""One process at a time: claim a row for a while, tell whether it is still held, end it only while it is.

Whoever works on a run, a comparison or a proxy may be killed, hang, or come back after its time. So a claim is a
lease: when it is over, another process may take the row, and the late one must write nothing more. Each claim has a
name of its own (a clock may stand still, or differ between hosts), and everything that ends or notes something asks
for that name in the very UPDATE that writes.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone

from reports.models.claimed import Claimed

TAKEN = "another process got there first"
FREE: dict[str, Any] = {"claim": None, "claimed_at": None}  # what a row says that nobody holds
AHEAD = timedelta(minutes=2)  # so far the clocks of two hosts may differ without anybody noticing
_RUNNING = "running"  # in the status of all that is claimed


def lease_time() -> timedelta:
    """Return how long a claim holds: longer than the queue lets any task run."""
    return timedelta(seconds=settings.TASK_TIMEOUT_S + 60)


def lease_over() -> Q:
    """Match the rows whose claim no living worker can hold any more.

    Such is a claim from the future, too: the clock was set back since, and it would hold for as long as that.
    """
    now = timezone.now()
    return Q(claimed_at=None) | Q(claimed_at__lt=now - lease_time()) | Q(claimed_at__gt=now + AHEAD)


def is_over(row: Claimed) -> bool:
    """Tell the same of a row at hand."""
    now = timezone.now()
    return row.claimed_at is None or not now - lease_time() <= row.claimed_at <= now + AHEAD


@dataclass(frozen=True)
class Lease:
    """One claim of one row. ``token`` is None for a row that was claimed before claims had names."""

    model: type[Claimed]
    pk: int | UUID
    token: UUID | None

    @classmethod
    def take(
        cls, model: type[Claimed], pk: int | UUID, *, free: Q, token: UUID | None = None, **values: Any
    ) -> Lease | None:
        """Claim a row that is ``free`` or whose worker was lost, by one conditional UPDATE with ``values`` in it.

        None if it is not there to be taken: of two that ask at once, one gets it. Whoever asks again because the
        answer was cut off gives the same ``token`` again, and has what the first try took.
        """
        again, token = token is not None, token or uuid4()
        lost = Q(status=_RUNNING) & lease_over()
        rows = model._base_manager.filter(free | lost, pk=pk)
        claim = {"status": _RUNNING, "claim": token, "claimed_at": timezone.now()}
        taken = rows.update(**claim, **values) or (again and cls(model, pk, token)._mine().exists())
        return cls(model, pk, token) if taken else None

    @classmethod
    def of(cls, row: Claimed) -> Lease:
        """Return the lease under which a row was when it was read."""
        return cls(type(row), row.pk, row.claim)

    @property
    def name(self) -> str:
        """What this claim is called, for files that no other claim may touch."""
        return self.token.hex if self.token else "unnamed"

    def held(self) -> bool:
        """Tell whether the row is still this claim's, and keep it so until the transaction around ends."""
        return self._mine().select_for_update().exists()

    def note(self, **values: Any) -> bool:
        """Write something on the way; False, and nothing is written, if the row is no longer this claim's."""
        return bool(self._mine().update(**values))

    def end(self, *, status: str, **values: Any) -> bool:
        """Give the row up with its new status; False, and nothing is written, if it is no longer this claim's."""
        return bool(self._mine().update(**FREE | values | {"status": status}))

    def _mine(self) -> QuerySet[Claimed]:
        held = {"pk": self.pk, "status": _RUNNING, "claim": self.token}
        return self.model._base_manager.filter(**held)
