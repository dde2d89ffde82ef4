"""What the pages about runs show besides the runs themselves."""

from collections.abc import Iterable
from dataclasses import dataclass

from reports.models import App, Device, OsVersion, Run, RunStatus
from reports.models.querysets import RunQuerySet


@dataclass(frozen=True)
class RunsOptions:
    """What the list can be filtered by."""

    versions: list[str]
    apps: list[App]
    devices: list[Device]


def runs_options() -> RunsOptions:
    """List versions, apps and devices: three queries."""
    return RunsOptions(
        versions=list(OsVersion.objects.order_by("-sort_key").values_list("name", flat=True)),
        apps=list(App.objects.only("name", "package")),
        devices=list(Device.objects.all()),
    )


def load_runs(ids: Iterable[int]) -> list[Run]:
    """Load these runs with all that a row shows, newest first: two queries.

    Apart from the query that finds the page: with all its joins a database may sort every run before it cuts.
    """
    runs = Run.objects.for_list().filter(pk__in=list(ids))
    return list(runs.prefetch_related("measurements").order_by("-pk"))


def failed_run_ids(runs: RunQuerySet) -> list[int]:
    """Return the ids of the failed runs among these."""
    return list(runs.filter(status=RunStatus.FAILED).values_list("pk", flat=True))
