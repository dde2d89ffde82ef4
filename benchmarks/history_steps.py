"""The timed steps of the history, each run in a process of its own."""

import time
from typing import Any

from benchmarks.history_data import fill
from benchmarks.steps import percentiles

PAGES = (
    *("", "?page=2", "?sort=latest", "?sort=name&page=30", "?by=apps", "?by=apps&page=3", "?q=app+01"),
    *("?app=org.example.app007", "?metric=response_time_ms&sort=latest", "?q=nothing+like+this"),
)
REPEATS = 6


def step_fill(*, apps: int, interactions: int, versions: int, runs: int) -> dict[str, Any]:
    """Write all runs."""
    return {"runs": fill(apps=apps, interactions=interactions, versions=versions, runs=runs)}


def step_line() -> dict[str, Any]:
    """Compute the history of every version but the last, oldest first."""
    from reports.history.line import versions_with_runs

    return {"levels": sum(_compute(version.pk) for version in versions_with_runs()[:-1])}


def step_one() -> dict[str, Any]:
    """Compute the last version."""
    from reports.history.line import versions_with_runs

    return {"levels": _compute(versions_with_runs()[-1].pk)}


def step_again() -> dict[str, Any]:
    """Ask for it once more."""
    from reports.history.line import behind, versions_with_runs
    from reports.history.services import compute_history

    return {"answer": compute_history(version_id=versions_with_runs()[-1].pk), "behind": len(behind())}


def step_middle() -> dict[str, Any]:
    """Compute a version in the middle again, as after the exclusion of a run."""
    from reports.history.line import versions_with_runs

    versions = versions_with_runs()
    return {"levels": _compute(versions[len(versions) // 2].pk)}


def step_pages() -> dict[str, Any]:
    """Request the matrix with many filters; server time without the network."""
    from django.contrib.auth import get_user_model
    from django.test import Client
    from django.urls import reverse

    client = Client(SERVER_NAME="localhost")
    client.force_login(get_user_model().objects.get_or_create(username="benchmark", is_superuser=True)[0])
    address = reverse("history")
    client.get(address)
    seconds, most = [], 0
    for page in PAGES * REPEATS:
        started = time.perf_counter()
        answer = client.get(address + page)
        seconds.append(time.perf_counter() - started)
        assert answer.status_code == 200, (page, answer.status_code)
        most = max(most, len(answer.content))
    median, p95, longest = percentiles(seconds)
    return {"median ms": median, "p95 ms": p95, "most ms": longest, "largest page kB": most / 1000}


def _compute(version_id: int) -> int:
    from reports.history.services import compute_history
    from reports.models import Level, VersionHistory

    VersionHistory.objects.filter(version=version_id).update(stale=True)
    compute_history(version_id=version_id)
    return Level.objects.filter(version=version_id).count()
