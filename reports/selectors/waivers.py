"""Waivers as the gate and their page read them."""

from dataclasses import dataclass
from datetime import date

from django.db.models import QuerySet

from analysis.gate.waivers import Waiver as Accepted
from reports.models import Waiver


@dataclass(frozen=True)
class WaiverRow:
    """A waiver in a list. ``state``: in_force, expired or withdrawn."""

    waiver: Waiver
    state: str
    days_left: int | None


def waiver_rows(*, today: date) -> list[WaiverRow]:
    """Return all waivers: those in force first, next to expire on top; one query."""
    rows = [_row(waiver, today) for waiver in _with_names(Waiver.objects.all())]
    order = ("in_force", "expired", "withdrawn")
    return sorted(rows, key=lambda row: (order.index(row.state), row.waiver.expires, row.waiver.pk))


def standing_waivers() -> list[Accepted]:
    """Return every waiver that was not withdrawn, expired ones too: the gate says that they expired."""
    return [
        Accepted(
            app=waiver.app.package,
            interaction=waiver.interaction.name if waiver.interaction else None,
            metric=waiver.metric or None,
            ceiling=waiver.ceiling,
            expires=waiver.expires,
            reason=waiver.reason,
            approver=waiver.approver,
            issue_url=waiver.issue_url,
            key=waiver.pk,
        )
        for waiver in _with_names(Waiver.objects.filter(withdrawn_at=None))
    ]


def _with_names(waivers: QuerySet[Waiver]) -> QuerySet[Waiver]:
    return waivers.select_related("app", "interaction", "created_by").order_by("expires", "id")


def _row(waiver: Waiver, today: date) -> WaiverRow:
    if waiver.withdrawn_at:
        return WaiverRow(waiver, "withdrawn", None)
    left = (waiver.expires - today).days
    return WaiverRow(waiver, "expired" if left < 0 else "in_force", left)
