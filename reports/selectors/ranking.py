"""The comparison behind a ranking, and what its filters offer."""

from dataclasses import dataclass

from django.db.models import Count, Q

from reports.comparing.selectors import Pair
from reports.models import App, ComparisonStatus, Device, Run, RunStatus


@dataclass(frozen=True)
class Progress:
    """How many runs of the two versions are judged."""

    finished: int
    total: int


@dataclass(frozen=True)
class FilterOptions:
    """What can be chosen."""

    apps: list[App]
    categories: list[str]
    devices: list[Device]


def needs_progress(pair: Pair) -> bool:
    """Tell whether the page says how far the runs are: there is no up-to-date result to show."""
    comparison = pair.comparison
    return comparison is None or comparison.status != ComparisonStatus.DONE or comparison.stale


def measuring_progress(pair: Pair) -> Progress:
    """Count the runs of both versions, and those already judged."""
    runs = Run.objects.filter(os_version__in=[pair.base, pair.new])
    judged = Count("id", filter=Q(status__in=[RunStatus.DONE, RunStatus.FAILED]))
    return Progress(**runs.aggregate(finished=judged, total=Count("id")))


def filter_options() -> FilterOptions:
    """List apps, their categories and devices: two queries."""
    apps = list(App.objects.only("name", "package", "category"))
    return FilterOptions(apps, sorted({app.category for app in apps} - {""}), list(Device.objects.all()))
