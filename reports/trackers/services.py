"""Set trackers up, ask for issues, make them, see how they stand. Only the queue ever asks a tracker anything."""

import hmac
import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from reports.audit.services import keep_change, record
from reports.models import Action, Interaction, Issue, IssueState, IssueStatus, OsVersion, Tracker
from reports.queue.leases import TAKEN, Lease, lease_over
from reports.queue.services import queue_issues
from reports.trackers.adapters import Draft, Made, TrackerError, adapter_of
from reports.triage.services import link_issue
from reports.web.sealed import seal

logger = logging.getLogger(__name__)
PAUSES = tuple(timedelta(minutes=each) for each in (1, 5, 15, 60, 240, 480, 720))  # a day, over a broken night
LOST_AFTER = timedelta(minutes=5)  # what nobody took by then was lost on its way through the queue
OPEN_EVERY, CLOSED_EVERY = timedelta(minutes=15), timedelta(hours=24)  # so often an issue is looked at
MOST_LOOKED_AT = 50  # issues in one go
FIELDS = ("name", "kind", "address", "project", "account", "issue_type")


@transaction.atomic
def save_tracker(*, tracker: Tracker, values: dict[str, str], token: str, user: AbstractBaseUser) -> Tracker:
    """Store a new tracker or a changed one; an empty ``token`` leaves the one that is kept."""
    added, before = tracker.pk is None, {name: getattr(tracker, name) for name in FIELDS}
    for name in FIELDS:
        setattr(tracker, name, values[name])
    if token:
        tracker.token, tracker.error, tracker.error_at = seal(token), "", None
    tracker.save()
    if added:
        record(Action.ADDED, of=tracker, user=user, note=f"{tracker.get_kind_display()}, {tracker.project}")
        return tracker
    for name in FIELDS:
        if before[name] != values[name]:
            keep_change(of=tracker, field=name, before=before[name], after=values[name], user=user)
    if token:
        keep_change(of=tracker, field="tracker_token", before=None, after=None, user=user)
    return tracker


@transaction.atomic
def remove_tracker(*, tracker: Tracker, user: AbstractBaseUser) -> None:
    """Forget a tracker's token and offer it no more; the issues that were made there stay in the findings."""
    Tracker.objects.filter(pk=tracker.pk).update(active=False, token="", error="", error_at=None)
    waiting = tracker.issues.filter(status=IssueStatus.WAITING)
    waiting.update(status=IssueStatus.FAILED, error="The tracker was removed before it was made.")
    record(Action.DELETED, of=tracker, user=user)


@transaction.atomic
def ask_issue(
    *,
    tracker: Tracker,
    base: OsVersion,
    new: OsVersion,
    interaction: Interaction,
    title: str,
    body: str,
    user: AbstractBaseUser,
) -> tuple[Issue, bool]:
    """Have the issue of a finding made; returns it, and whether it is new. Of two who ask at once, one does."""
    marker = marker_of(tracker, base, new, interaction)
    issue, is_new = Issue.objects.get_or_create(
        tracker=tracker,
        base=base,
        new=new,
        interaction=interaction,
        defaults={
            "marker": marker,
            "title": " ".join(title.split())[:250],
            "body": body.replace("\r\n", "\n"),
            "asked_by_id": user.pk,
            "due_at": timezone.now(),
        },
    )
    if is_new:
        _record(issue, user)
        queue_issues(issue_ids=[issue.pk])
    return issue, is_new


@transaction.atomic
def ask_again(*, issue: Issue, user: AbstractBaseUser) -> bool:
    """Try once more what could not be made; False if somebody else did, or it was made meanwhile."""
    failed = Issue.objects.filter(pk=issue.pk, status=IssueStatus.FAILED, tracker__active=True)
    # not the first time: the tracker may have it, and is asked whether it does
    asked = failed.update(status=IssueStatus.WAITING, tries=1, due_at=timezone.now())
    if asked:
        _record(issue, user, note="tried again")
        queue_issues(issue_ids=[issue.pk])
    return bool(asked)


def _record(issue: Issue, user: AbstractBaseUser, note: str = "") -> None:
    subject = f"{issue.interaction} · {issue.base} → {issue.new}"
    words = "; ".join(filter(None, [f"in {issue.tracker}", note]))
    record(Action.ISSUE_ASKED, of=issue.interaction, user=user, subject=subject, note=words)


def marker_of(tracker: Tracker, base: OsVersion, new: OsVersion, interaction: Interaction) -> str:
    """Return what stands in the issue of a finding and nowhere else: the same again for the same finding."""
    names = (str(tracker.pk), tracker.project, base.name, new.name, interaction.app.package, interaction.name)
    told = hmac.new(settings.SECRET_KEY.encode(), "\0".join(names).encode(), sha256)
    return f"upreg-{told.hexdigest()[:24]}"


def send_issue(*, issue_id: int) -> str:
    """Make one issue in its tracker; say in a word how that ended. What fails for now is tried again for a day.

    Of two workers one makes it. The tracker is first asked whether it has the issue: it may have made it and
    its answer
    been lost, or the worker died before it wrote that down.
    """
    lease = Lease.take(Issue, issue_id, free=Q(status=IssueStatus.WAITING), tries=F("tries") + 1)
    if lease is None:
        return TAKEN
    issue = Issue.objects.select_related("tracker", "base", "new", "interaction__app").get(pk=issue_id)
    try:
        made = _find_or_make(issue)
    except TrackerError as error:
        return _not_made(lease, issue, error)
    except Exception as error:  # of whatever kind: the row must not stay claimed
        logger.exception("issue %s could not be made", issue_id)
        return _not_made(lease, issue, TrackerError(f"{type(error).__name__}: {error}", again=True))
    _told(issue.tracker, "")
    return f"made {made.number}" if _keep_made(lease, issue, made) else TAKEN


@transaction.atomic
def _keep_made(lease: Lease, issue: Issue, made: Made) -> bool:
    """Keep what a tracker made, and let the finding lead there if it leads nowhere; False if the claim is lost."""
    values = {"number": made.number, "url": made.url, "state": made.state, "checked_at": timezone.now()}
    kept = lease.end(status=IssueStatus.MADE, error="", **values)
    if kept and made.url:
        link_issue(base=issue.base, new=issue.new, interaction=issue.interaction, url=made.url)
    return kept


def _find_or_make(issue: Issue) -> Made:
    if not issue.tracker.active:
        raise TrackerError("The tracker was removed before it was made.")
    adapter = adapter_of(issue.tracker)
    found = adapter.find(issue.marker, issue.asked_at) if issue.tries > 1 else None
    return found or adapter.create(Draft(issue.title, issue_text(issue), issue.marker))


def issue_text(issue: Issue) -> str:
    """Return the Markdown that is sent: as it was written, and the marker below it."""
    line = f"Made by UPReg. Leave this line, by which it knows the issue: `{issue.marker}`"
    return f"{issue.body.rstrip()}\n\n---\n{line}\n"


def _not_made(lease: Lease, issue: Issue, error: TrackerError) -> str:
    again = error.again and issue.tries <= len(PAUSES)
    words = _short(str(error))
    _told(issue.tracker, words)
    due = timezone.now() + max(PAUSES[min(issue.tries, len(PAUSES)) - 1], error.pause)
    status = IssueStatus.WAITING if again else IssueStatus.FAILED
    lease.end(status=status, error=words, due_at=due)
    return f"{words} {'Tried again later.' if again else 'Given up.'}"


def look_after_issues() -> str:
    """Queue again what is due or was lost on the way, and see how the made ones stand; done every few minutes."""
    now = timezone.now()
    with transaction.atomic():
        held = Q(status=IssueStatus.RUNNING) & lease_over()
        due = list(Issue.objects.filter(_due(now) | held).order_by("due_at").values_list("pk", flat=True)[:200])
        Issue.objects.filter(pk__in=due).update(due_at=now + LOST_AFTER)  # not again while it is queued
        queue_issues(issue_ids=due)
    return f"{len(due)} issues queued, {_look(_to_look_at(now))} looked at"


def _due(now: datetime) -> Q:
    return Q(status=IssueStatus.WAITING) & (Q(error__gt="", due_at__lte=now) | Q(due_at__lte=now - LOST_AFTER))


def _to_look_at(now: datetime) -> QuerySet[Issue]:
    seldom = Q(checked_at__lt=now - CLOSED_EVERY)
    often = Q(state=IssueState.OPEN, checked_at__lt=now - OPEN_EVERY)
    made = Issue.objects.filter(seldom | often, status=IssueStatus.MADE, tracker__active=True)
    return made.select_related("tracker").order_by("checked_at")[:MOST_LOOKED_AT]


def _look(issues: Iterable[Issue]) -> int:
    """Ask how issues stand and note it; a tracker that fails is not asked for another one this time."""
    looked, failed = 0, set[int]()
    for issue in issues:
        values: dict[str, Any] = {"checked_at": timezone.now()}
        if issue.tracker_id not in failed:
            try:
                values["state"] = adapter_of(issue.tracker).state(issue.number)
                _told(issue.tracker, "")
                looked += 1
            except TrackerError as error:
                failed.add(issue.tracker_id)
                _told(issue.tracker, _short(str(error)))
            except Exception as error:  # of whatever kind: the others are looked at all the same
                logger.exception("issue %s could not be looked at", issue.pk)
                failed.add(issue.tracker_id)
                _told(issue.tracker, _short(f"{type(error).__name__}: {error}"))
        Issue.objects.filter(pk=issue.pk, status=IssueStatus.MADE).update(**values)
    return looked


def _told(tracker: Tracker, error: str) -> None:
    """Note at the tracker, for administrators, why it was last of no use; nothing where nothing changed."""
    if tracker.error == error:
        return
    tracker.error = error
    Tracker.objects.filter(pk=tracker.pk).update(error=error, error_at=timezone.now() if error else None)


def _short(words: str) -> str:
    return words.replace("\0", "")[:300]
