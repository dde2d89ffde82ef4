"""The timed steps of the history, each run in a process of its own."""

import re
import time
from typing import Any

from benchmarks.history_data import fill
from benchmarks.steps import percentiles

PAGES = (
    *("", "?page=2", "?sort=latest", "?sort=name&page=30", "?by=apps", "?by=apps&page=3", "?q=app+01"),
    *("?app=org.example.app007", "?metric=response_time_ms&sort=latest", "?q=nothing+like+this"),
)
REPEATS = 6
CHARTS = 20
_CHART_DATA = re.compile(r'<script id="trend-data" type="application/json">(.*?)</script>')


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
    from django.urls import reverse

    address = reverse("history")
    found, pages = _requests([address + page for page in PAGES * REPEATS])
    return {**found, "largest page kB": max(map(len, pages)) / 1000}


def step_charts() -> dict[str, Any]:
    """Request the pages of courses with every run, of all versions; tell how large the data of a chart is."""
    from django.urls import reverse

    from reports.models import Course

    ids = Course.objects.order_by("-worst", "pk").values_list("interaction", flat=True).distinct()[:CHARTS]
    found, pages = _requests([reverse("history-course", args=[pk]) + "?runs=on" for pk in ids])
    data = [_CHART_DATA.search(page.decode()) for page in pages]
    largest = max(len(match[1].encode()) for match in data if match)
    return {**found, "largest page kB": max(map(len, pages)) / 1000, "largest chart data kB": largest / 1000}


def _requests(addresses: list[str]) -> tuple[dict[str, Any], list[bytes]]:
    """Ask for pages one after the other, after a first one that does not count."""
    from django.contrib.auth import get_user_model
    from django.test import Client

    client = Client(SERVER_NAME="localhost")
    client.force_login(get_user_model().objects.get_or_create(username="benchmark", is_superuser=True)[0])
    client.get(addresses[0])
    seconds, pages = [], []
    for address in addresses:
        started = time.perf_counter()
        answer = client.get(address)
        seconds.append(time.perf_counter() - started)
        assert answer.status_code == 200, (address, answer.status_code)
        pages.append(answer.content)
    median, p95, longest = percentiles(seconds)
    return {"median ms": median, "p95 ms": p95, "most ms": longest}, pages


def _compute(version_id: int) -> int:
    from reports.history.services import compute_history
    from reports.models import Level, VersionHistory

    VersionHistory.objects.filter(version=version_id).update(stale=True)
    compute_history(version_id=version_id)
    return Level.objects.filter(version=version_id).count()
