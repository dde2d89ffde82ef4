"""The audit log as its page reads it: filters that each have an index, and pages that begin behind an entry.

A page is found by the number of the entry before it, never by counting: the millionth is as near as the first.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from analysis.spreadsheet import csv_line
from reports.audit.words import capital, detail_words
from reports.models import Action, AuditEntry, Subject
from reports.web.filters import ActiveFilter, in_use

COLUMNS = (
    "when",
    "who",
    "token",
    "from",
    "what",
    "kind",
    "subject",
    "field",
    "before",
    "after",
    "details",
    "request",
)
_OVERLAP = 1000  # entries that other transactions may have numbered a moment before or after their time
# the groups of the filter, so that nobody looks through all actions
GROUPS = (
    ("Logins", (Action.LOGGED_IN, Action.LOGGED_OUT, Action.LOGIN_FAILED, Action.LOCKED_OUT,
                Action.LOCKOUT_LIFTED, Action.SESSIONS_ENDED, Action.LINK_MADE, Action.RESET_ASKED,
                Action.TOKEN_MADE, Action.TOKEN_REVOKED)),
    ("Files", (Action.IMPORTED, Action.EXPORTED)),
    ("Runs", (Action.EXCLUDED, Action.INCLUDED, Action.CORRECTED, Action.CORRECTION_WITHDRAWN,
              Action.MEASURED_AGAIN, Action.BATCH_COMPLETED)),
    ("Findings", (Action.COMPARED, Action.TRIAGED, Action.TRIAGE_UNDONE, Action.ISSUE_ASKED)),
    ("Gate", (Action.GATE_DECIDED, Action.WAIVER_ADDED, Action.WAIVER_SECONDED, Action.WAIVER_REFUSED,
              Action.WAIVER_WITHDRAWN, Action.POLICY_SAVED,
              Action.SCOPE_SAVED, Action.SCOPE_DELETED)),
    ("Catalogue and people", (Action.CHANGED, Action.ADDED, Action.DELETED)),
)  # fmt: skip


@dataclass(frozen=True)
class AuditLine:
    """One entry as the page shows it."""

    when: datetime
    who: str
    token: str
    address: str
    action: str
    subject: str
    detail: str


@dataclass(frozen=True)
class AuditPage:
    """Some entries, newest first; ``older`` and ``newer`` are the numbers that the pages beside begin with."""

    lines: list[AuditLine]
    older: int | None
    newer: int | None


def filtered_entries(wanted: dict[str, Any]) -> QuerySet[AuditEntry]:
    """Return the entries that the filters leave, newest first."""
    rows: QuerySet[AuditEntry] = AuditEntry.objects.all()
    equal = {name: wanted[name] for name in ("who", "action", "kind") if wanted.get(name)}
    rows = rows.filter(**equal)
    for word in (wanted.get("q") or "").split():
        rows = rows.filter(subject__icontains=word)
    if wanted.get("since"):
        rows = _since(rows, _midnight(wanted["since"]))
    if wanted.get("until"):
        rows = _until(rows, _midnight(wanted["until"] + timedelta(days=1)))
    return rows


def load_page(wanted: dict[str, Any], *, size: int) -> AuditPage:
    """Load the entries before ``wanted['before']``, those after ``wanted['after']``, or the newest; two queries."""
    rows = filtered_entries(wanted)
    if wanted.get("after") is not None and wanted.get("before") is None:
        found = list(rows.filter(pk__gt=wanted["after"]).order_by("pk")[: size + 1])
        more, found = len(found) > size, found[:size][::-1]
        older = bool(found) and rows.filter(pk__lt=found[-1].pk).exists()
        return _page(found, older=older, newer=more)
    before = wanted.get("before")
    found = list((rows if before is None else rows.filter(pk__lt=before))[: size + 1])
    more, found = len(found) > size, found[:size]
    newer = bool(found) and before is not None and rows.filter(pk__gt=found[0].pk).order_by("pk").exists()
    return _page(found, older=more, newer=newer)


def _page(found: list[AuditEntry], *, older: bool, newer: bool) -> AuditPage:
    return AuditPage(
        lines=[_line(entry) for entry in found],
        older=found[-1].pk if older else None,
        newer=found[0].pk if newer else None,
    )


def _line(entry: AuditEntry) -> AuditLine:
    return AuditLine(
        when=entry.made_at,
        who=entry.who,
        token=entry.token or "",
        address=entry.address,
        action=entry.get_action_display(),
        subject=entry.subject,
        detail=capital(detail_words(entry)),
    )


def audit_lines(wanted: dict[str, Any]) -> Iterator[str]:
    """Yield the entries that the filters leave as CSV with a header, newest first, in constant memory."""
    yield csv_line(COLUMNS)
    for entry in filtered_entries(wanted).iterator(chunk_size=2000):
        yield csv_line(
            (
                entry.made_at.isoformat(timespec="seconds"), entry.who, entry.token or "", entry.address,
                entry.get_action_display(), entry.kind, entry.subject, entry.field, _cell(entry.before),
                _cell(entry.after), detail_words(entry), entry.request_id,
            )
        )  # fmt: skip


def _cell(value: Any) -> Any:
    return "" if value is None else value if isinstance(value, str | int | float) else str(value)


def active_filters(wanted: dict[str, Any]) -> list[ActiveFilter]:
    """Return the filters in use, each with its words."""
    return in_use(
        [
            ("who", "who", wanted["who"]),
            ("action", "what", capital(Action(wanted["action"]).label) if wanted["action"] else ""),
            ("kind", "to", Subject(wanted["kind"]).label.lower() if wanted["kind"] else ""),
            ("since", "since", wanted["since"].isoformat() if wanted["since"] else ""),
            ("until", "until", wanted["until"].isoformat() if wanted["until"] else ""),
        ]
    )


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time()))


def _since(rows: QuerySet[AuditEntry], instant: datetime) -> QuerySet[AuditEntry]:
    """Keep what is not older. Entries are numbered as they come: by the number the newest are found at once."""
    first = AuditEntry.objects.filter(made_at__gte=instant).order_by("made_at").values_list("pk", flat=True).first()
    return rows.filter(made_at__gte=instant, pk__gte=first - _OVERLAP) if first else rows.none()


def _until(rows: QuerySet[AuditEntry], instant: datetime) -> QuerySet[AuditEntry]:
    last = AuditEntry.objects.filter(made_at__lt=instant).order_by("-made_at").values_list("pk", flat=True).first()
    return rows.filter(made_at__lt=instant, pk__lte=last + _OVERLAP) if last else rows.none()
