"""The timed steps, each run in a process of its own so that its peak memory is its own."""

import time
from pathlib import Path
from typing import Any

from benchmarks.scale_data import CROWD_VERSIONS, VERSIONS, fill, fill_crowd
from benchmarks.steps import percentiles

PAGES = (
    *("", "?tab=apps", "?page=2", "?metric=all", "?metric=all&page=40", "?sort=-delta", "?sort=p&metric=all"),
    *("?category=games", "?type=scroll&verdict=regression", "?q=app+01", "?critical=on", "?severity=Severe"),
    *("?min_runs=20&metric=response_time_ms", "?app=org.example.app007", "?q=nothing+like+this"),
)
REPEATS = 4
CROWD_RUNS = 10_000


def step_fill(folder: Path, apps: int, interactions: int, runs: int) -> dict[str, Any]:
    """Import and measure."""
    return {"runs": fill(folder, apps=apps, interactions=interactions, runs=runs)}


def step_forget() -> dict[str, Any]:
    """Delete what an earlier benchmark computed on this database."""
    from reports.models import Comparison

    return {"comparisons": Comparison.objects.all().delete()[0]}


def step_compare() -> dict[str, Any]:
    """Compute the comparison, or what changed in it."""
    from reports.comparing.services import compute_comparison, find_version, open_comparison

    comparison = open_comparison(base=find_version(VERSIONS[0]), new=find_version(VERSIONS[1]))
    computed = compute_comparison(comparison_id=comparison.pk)
    assert computed is not None
    return {"results": computed.results.count(), "regressed": computed.summary["regressed"]}


def step_exclude() -> dict[str, Any]:
    """Exclude one run, as a person does."""
    from reports.measuring.services import exclude_runs
    from reports.models import Run

    run = Run.objects.filter(os_version__name=VERSIONS[1], excluded=False).order_by("id").first()
    assert run is not None
    return {"runs": exclude_runs(run_ids=[run.pk], reason="the phone rang", user=None)}


def step_gate() -> dict[str, Any]:
    """Ask the release gate."""
    from reports.gate.services import decide_gate
    from reports.models import Comparison

    return {"decision": decide_gate(comparison=Comparison.objects.select_related("base", "new").get()).decision}


def step_pages() -> dict[str, Any]:
    """Request the ranking with many filters; server time without the network."""
    from django.contrib.auth import get_user_model
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext
    from django.urls import reverse

    client = Client(SERVER_NAME="localhost")
    client.force_login(get_user_model().objects.get_or_create(username="benchmark")[0])
    address = reverse("ranking", args=VERSIONS)
    seconds, queries = [], set()
    client.get(address)
    for page in PAGES * REPEATS:
        with CaptureQueriesContext(connection) as context:
            started = time.perf_counter()
            answer = client.get(address + page)
            seconds.append(time.perf_counter() - started)
        assert answer.status_code == 200, (page, answer.status_code)
        queries.add(len(context))
    median, p95, most = percentiles(seconds)
    return {"median ms": median, "p95 ms": p95, "max ms": most, "queries": f"{min(queries)}–{max(queries)}"}


def step_crowd() -> dict[str, Any]:
    """Compare two versions with 10,000 runs a side of one interaction, then ask for every page that shows them."""
    from django.contrib.auth import get_user_model
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext
    from django.urls import reverse

    from reports.comparing.services import compute_comparison, find_version, open_comparison

    of = fill_crowd(runs=CROWD_RUNS)
    started = time.process_time()
    comparison = open_comparison(base=find_version(CROWD_VERSIONS[0]), new=find_version(CROWD_VERSIONS[1]))
    compute_comparison(comparison_id=comparison.pk)
    found: dict[str, Any] = {"comparison": f"{time.process_time() - started:.1f} s of a processor"}
    client = Client(SERVER_NAME="localhost")
    client.force_login(get_user_model().objects.get_or_create(username="benchmark", is_superuser=True)[0])
    one = (*CROWD_VERSIONS, of.app.package, of.name)
    addresses = {
        "drill-down": reverse("drilldown", args=one),
        "ranking": reverse("ranking", args=CROWD_VERSIONS),
        "runs": reverse("runs", query={"app": of.app.package, "interaction": of.name}),
        "app": reverse("app", args=[of.app.package]),
        "gate": reverse("gate-pair", args=CROWD_VERSIONS),
        "bug report": reverse("bug-report", args=one),
        "release report": reverse("release-report", args=CROWD_VERSIONS),
        "CSV": reverse("ranking-csv", args=CROWD_VERSIONS),
    }
    for name, address in addresses.items():
        client.get(address)
        with CaptureQueriesContext(connection) as context:
            started = time.process_time()
            answer = client.get(address)
            size = len(answer.getvalue())
            seconds = time.process_time() - started
        assert answer.status_code == 200, (name, answer.status_code)
        found[name] = f"{size / 1000:.0f} kB in {1000 * seconds:.0f} ms of a processor with {len(context)} queries"
    return found
