"""The comparison behind a ranking, and what its filters offer."""

from dataclasses import dataclass

from django.db.models import Count, Q

from reports.models import App, Comparison, ComparisonStatus, Device, OsVersion, Run, RunStatus


@dataclass(frozen=True)
class Pair:
    """Two versions and their comparison, None if it was never asked for."""

    base: OsVersion
    new: OsVersion
    comparison: Comparison | None


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


def load_pair(base: str, new: str, device: int | None) -> Pair:
    """Find both versions and their comparison: the one limited to the device where there is one, else the whole.

    Raises
    ------
    OsVersion.DoesNotExist
        with a message that names the unknown version and some that are known.

    """
    versions = {row.name: row for row in OsVersion.objects.filter(name__in=[base, new])}
    for name in (base, new):
        if name not in versions:
            raise OsVersion.DoesNotExist(f"No OS version is called {name}. {_known_versions()}")
    found = Comparison.objects.filter(Q(device=None) | Q(device=device), base=versions[base], new=versions[new])
    whole_last = found.select_related("base", "new", "device").order_by("device_id")
    rows = sorted(whole_last, key=lambda row: row.device_id is None)
    return Pair(versions[base], versions[new], rows[0] if rows else None)


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


def _known_versions() -> str:
    names = OsVersion.objects.with_runs().order_by("-sort_key").values_list("name", flat=True)[:8]
    return f"Known are: {', '.join(names)}." if names else "No version has runs yet."
