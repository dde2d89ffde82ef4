"""What was said about the versions of a line: release notes, the pin, notes, decisions of triage, waivers.

They are the marks of a chart.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import Truncator

from reports.audit.services import record
from reports.history.matrix import Line
from reports.history.releases import day_of
from reports.models import Action, Annotation, Course, Interaction, OsVersion, TriageEntry, Waiver

KINDS = ("release", "pin", "note", "triage", "waiver")
LONGEST = 200  # letters of a release note, whose page has all of it


@dataclass(frozen=True)
class Mark:
    """Something that was said about a version.

    ``kind`` is one of ``KINDS``, ``who`` empty where nobody is known, ``note`` the id of one that can be hidden.
    """

    version: OsVersion
    kind: str
    words: str
    who: str
    at: datetime
    note: int | None = None


def load_marks(line: Line, course: Course) -> list[Mark]:
    """Return what was said about a course in a part of its line, in the order of its versions; four queries."""
    place = {version.pk: number for number, version in enumerate(line.versions)}
    found = [*_of_versions(line), *_notes(line, course), *_decisions(line, course), *_waivers(line, course)]
    return sorted(found, key=lambda mark: (place[mark.version.pk], mark.at))


def _of_versions(line: Line) -> Iterator[Mark]:
    """Yield what the versions themselves say: what their note tells, and why one is pinned."""
    for version in line.versions:
        if version.note:
            came = timezone.make_aware(datetime.combine(day_of(version), time.min))
            yield Mark(version, "release", Truncator(version.note).chars(LONGEST), "", came)
        if version.pinned and version.pinned_at:
            who = version.pinned_by.get_username() if version.pinned_by else ""
            yield Mark(version, "pin", f"pinned: {version.pinned_reason}", who, version.pinned_at)


def _notes(line: Line, course: Course) -> Iterator[Mark]:
    of = Q(interaction=None) | Q(interaction=course.interaction_id)
    rows = Annotation.objects.filter(of, version__in=line.versions, hidden_at=None).select_related("made_by")
    for row in rows:
        yield Mark(_of(line, row.version_id), "note", row.text, row.made_by.get_username(), row.made_at, row.pk)


def _decisions(line: Line, course: Course) -> Iterator[Mark]:
    """Yield the newest decision about the interaction for each pair of versions, at the updated one."""
    same = {name: OuterRef(name) for name in ("base", "new", "interaction")}
    later = TriageEntry.objects.filter(pk__gt=OuterRef("pk"), **same)
    rows = TriageEntry.objects.filter(~Exists(later), interaction=course.interaction_id, new__in=line.versions)
    for row in rows.select_related("base", "made_by"):
        words = f"{row.state} since {row.base}" + (f": {row.note}" if row.note else "")
        yield Mark(_of(line, row.new_id), "triage", words, row.made_by.get_username(), row.made_at)


def _waivers(line: Line, course: Course) -> Iterator[Mark]:
    """Yield what is or was accepted of this metric, at the version that was the newest on that day."""
    of = Q(interaction=None) | Q(interaction=course.interaction_id)
    standing = Waiver.objects.filter(of, app=course.interaction.app_id, withdrawn_at=None, refused_at=None)
    for row in standing:
        version = _newest_on(line.versions, timezone.localdate(row.created_at))
        if version is not None and (not row.ceilings or course.metric in row.ceilings):
            words = f"waived until {date_format(row.expires, 'j M Y')}: {row.reason}"
            yield Mark(version, "waiver", words, row.approver, row.created_at)


def _newest_on(versions: Sequence[OsVersion], day: date) -> OsVersion | None:
    return next((version for version in reversed(versions) if day_of(version) <= day), None)


def _of(line: Line, pk: int) -> OsVersion:
    return next(version for version in line.versions if version.pk == pk)


@transaction.atomic
def add_note(
    *, version: OsVersion, interaction: Interaction | None, text: str, user: AbstractBaseUser
) -> Annotation:
    """Add a note to a version, for all interactions or for one."""
    made = Annotation.objects.create(version=version, interaction=interaction, text=text, made_by_id=user.pk)
    record(Action.ADDED, user=user, subject=str(made), note=text)
    return made


@transaction.atomic
def hide_note(*, pk: int, user: AbstractBaseUser) -> None:
    """Hide a note for everybody; it stays stored. A hidden one stays as it is, an unknown one answers 404."""
    note = get_object_or_404(Annotation.objects.select_for_update().select_related("version"), pk=pk)
    if note.hidden_at is not None:
        return
    note.hidden_at, note.hidden_by_id = timezone.now(), user.pk
    note.save(update_fields=["hidden_at", "hidden_by"])
    record(Action.CHANGED, user=user, subject=str(note), field="hidden", before=False, after=True, note=note.text)
