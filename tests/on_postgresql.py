"""Run once more on PostgreSQL what another database can answer otherwise: `python -m tests.on_postgresql`.

On the server that UPREG_TEST_DATABASE_URL names, else on one of our own if PostgreSQL is installed. Where there is
neither it says so: nothing is left out in silence. Options are those of pytest.

Every test has passed on SQLite before. A file belongs into ``KEPT`` if the database decides what comes out in it:
what it refuses, what it matches, how it sorts, who waits for whom, what a dump holds. What reads through the same
selectors and services and looks at words, pictures, addresses or exit codes is tried on SQLite alone.
"""

import os
import signal
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

from benchmarks.postgres import CURE, find_binaries, own_postgres

TESTS = Path(__file__).parent / "reports"
KEPT = {
    "any value at any address: NUL, numbers that no column holds, the longest texts": (
        "web/test_nasty_values.py web/test_bounds.py models/test_masks.py"
    ),
    "constraints and migrations": (
        "models/test_constraints.py models/test_versions.py access/test_upgrade.py notify/test_upgrade.py "
        "audit/test_append_only.py"
    ),
    "what one transaction sees of another, locks and leases, claims, what is tried again": (
        "queue/ measuring/test_recovery.py measuring/test_recovery_comparisons.py measuring/test_workers.py "
        "comparing/test_taken_over.py comparing/test_queued.py history/test_state.py notify/test_deliveries.py "
        "trackers/test_services.py importing/test_queued.py importing/test_gathered.py uploads/test_services.py "
        "api/test_incoming.py api/test_uploads.py media/test_proxies.py catalogue/test_changed_meanwhile.py "
        "accounts/test_throttle.py history/test_notes.py measuring/test_areas.py gate/test_second_approver.py "
        "notify/test_own_page.py bisecting/test_views.py"
    ),
    "writes: many rows at once, what is there already, what goes along with a row": (
        "audit/test_every_post.py importing/test_services.py importing/test_log.py importing/test_summary.py "
        "batches/test_services.py batches/test_importing.py comparing/test_services.py comparing/test_revisions.py "
        "gate/test_services.py history/test_services.py measuring/test_services.py measuring/test_extraction.py "
        "measuring/test_corrections.py media/test_files.py media/test_screencasts.py policies/ "
        "triage/test_services.py triage/test_people.py tokens/ safety/"
    ),
    "sums, order, case, JSON and nothing in what is read": (
        "search/ drilldown/test_selectors.py drilldown/test_series.py ranking/test_summary.py ranking/test_plan.py "
        "gate/test_waivers.py catalogue/test_lines.py catalogue/test_versions.py home/test_overview.py "
        "home/test_incoming.py home/test_waiting.py home/test_assigned.py measuring/test_doubtful.py "
        "notify/test_digest.py bisecting/test_blame.py apppage/ api/test_runs.py api/test_catalogue.py "
        "monitoring/test_probes.py accounts/test_reset.py accounts/test_signon.py ranking/test_views.py "
        "audit/test_page.py catalogue/test_people.py catalogue/test_subjects.py batches/test_pages.py "
        "history/test_views.py measuring/test_views.py importing/test_upload.py importing/test_upload_refusals.py"
    ),
}


def kept() -> list[Path]:
    """Return the files and folders to run."""
    return [TESTS / name for names in KEPT.values() for name in names.split()]


def main(options: list[str]) -> int:
    """Return pytest's exit code, or 0 after saying why there was nothing to run."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the server of our own ends as well
    named = os.environ.get("UPREG_TEST_DATABASE_URL", "")
    if not named and find_binaries() is None:
        print(f"PostgreSQL NOT TESTED, SQLite alone: there is none here: {CURE}.", flush=True)
        return 0
    command = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "worksteal", "--database-only"]
    with nullcontext() if named else own_postgres() as server:
        which = "the server that is named" if named else "our own server"
        print(f"Tests of the database once more, on {which}.", flush=True)
        where = {"UPREG_DATABASE_URL": named or server.url}
        return subprocess.run([*command, *kept(), *options], env={**os.environ, **where}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
