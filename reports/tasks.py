"""What the queue calls: an id in, a service call out. Every task may be repeated."""

import os
from uuid import UUID

from django.conf import settings

from reports.accounts import reset
from reports.batches import services as batches
from reports.bisecting import services as bisecting
from reports.comparing import services as comparing
from reports.history import services as history
from reports.importing import log, queued, staging
from reports.measuring import extraction, recovery
from reports.media import files, proxies
from reports.notify import delivery, digest
from reports.safety import retention
from reports.trackers import services as trackers
from reports.uploads import services as uploads


def extract_run(run_id: int) -> str:
    """Measure one run. The workers share the cores."""
    return extraction.extract_run(run_id=run_id, threads=max(1, (os.cpu_count() or 1) // settings.WORKERS))


def recover_lost_runs() -> str:
    """Give lost runs another chance (scheduled, see reports.safety.schedules)."""
    return f"{recovery.recover_lost_runs()} runs queued again"


def import_staged(staged_id: str) -> str:
    """Import what somebody has sent by the page Import."""
    return queued.import_staged(staged_id=UUID(staged_id))


def go_on_with_imports() -> str:
    """Queue imports again that were lost on the way (scheduled, see reports.safety.schedules)."""
    return f"{queued.go_on_with_lost_imports()} imports queued again"


def forget_old_imports() -> str:
    """Drop what is no longer kept of imports (scheduled, see reports.safety.schedules)."""
    return (
        f"{log.forget_old_lines()} refused lines, {staging.forget_expired()} imports that nobody finished dropped"
    )


def look_at_files() -> str:
    """Compare some stored files with their sha256 (scheduled, see reports.safety.schedules)."""
    looked = files.look_at_files(
        bytes_per_s=settings.VERIFY_MB_S * 1e6, seconds=min(files.SLICE_S, settings.TASK_TIMEOUT_S / 4)
    )
    return f"{looked.files} files looked at, {looked.news} in another state than before"


def drop_old_screencasts() -> str:
    """Drop what retention no longer keeps (scheduled where UPREG_RETENTION_DAYS is set)."""
    ages = {"days": settings.RETENTION_DAYS, "finding_days": settings.RETENTION_FINDING_DAYS}
    films = retention.droppable(**ages)
    return f"{len(films)} screencasts dropped, {retention.drop(films)} bytes"


def forget_old_uploads() -> str:
    """Delete uploads whose time is over (scheduled, see reports.safety.schedules)."""
    return f"{uploads.forget_expired()} uploads forgotten"


def compute_comparison(comparison_id: int) -> str:
    """Compute what changed in a comparison."""
    return comparing.compute_in_queue(comparison_id=comparison_id)


def compare_batch(batch_id: int) -> str:
    """Open the comparison of a complete batch with its baseline, and queue it."""
    return batches.compare_batch(batch_id=batch_id)


def make_proxy(proxy_id: int) -> str:
    """Make the proxy of a screencast, for the drill-down."""
    return proxies.make_proxy(proxy_id=proxy_id)


def send_reset_link(entry_id: int, base: str) -> str:
    """Send the link that somebody asked for on the log-in page."""
    return f"{reset.send_link(entry_id=entry_id, base=base)} mails sent"


def tell_event(event_id: int) -> str:
    """Make the deliveries of an event."""
    return delivery.tell(event_id=event_id)


def deliver_notice(delivery_id: int) -> str:
    """Send one notice to one receiver."""
    return delivery.deliver(delivery_id=delivery_id)


def send_what_waits() -> str:
    """Try again what could not be sent (scheduled, see reports.safety.schedules)."""
    return delivery.send_what_waits()


def write_digest() -> str:
    """Write the digest of the week that is over (scheduled, see reports.safety.schedules)."""
    return digest.write_weekly()


def notice_turned_gates() -> str:
    """Tell of gates that fail though nothing was computed (scheduled, see reports.safety.schedules)."""
    return f"{comparing.notice_turned_gates()} gates turned"


def send_issue(issue_id: int) -> str:
    """Make one issue in its tracker."""
    return trackers.send_issue(issue_id=issue_id)


def look_after_issues() -> str:
    """Try again what could not be made, see how issues stand (scheduled, see reports.safety.schedules)."""
    return trackers.look_after_issues()


def compute_history(version_id: int) -> str:
    """Compute the levels and steps of a version."""
    return history.compute_history(version_id=version_id)


def queue_histories() -> str:
    """Queue what is out of date of histories and bisections (scheduled, see reports.safety.schedules)."""
    return f"{history.queue_what_is_behind()} histories, {bisecting.queue_what_is_open()} bisections queued"


def look_at_bisection(bisection_id: int) -> str:
    """Keep where a bisection stands."""
    return bisecting.look_again(bisection_id=bisection_id)
