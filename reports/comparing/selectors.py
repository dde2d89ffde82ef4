"""Find comparisons: the last ones, and the one of two versions."""

from dataclasses import dataclass

from django.db.models import Q
from django.http import Http404
from django.urls import reverse

from reports.models import Comparison, OsVersion

RECENT = 10


def recent_comparisons() -> list[Comparison]:
    """List the last comparisons with their versions, in one query."""
    return list(Comparison.objects.for_home()[:RECENT])


def comparison_address(page: str, comparison: Comparison) -> str:
    """Return the address of a page about a comparison, with its device where it has one."""
    address = reverse(page, args=[comparison.base.name, comparison.new.name])
    return f"{address}?device={comparison.device_id}" if comparison.device_id else address


@dataclass(frozen=True)
class Pair:
    """Two versions and their comparison, None if it was never asked for."""

    base: OsVersion
    new: OsVersion
    comparison: Comparison | None


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


def _known_versions() -> str:
    names = OsVersion.objects.with_runs().order_by("-sort_key").values_list("name", flat=True)[:8]
    return f"Known are: {', '.join(names)}." if names else "No version has runs yet."


def find_pair(base: str, new: str, device: int | None) -> Pair:
    """Return the two versions and their comparison, or answer 404 with the versions that are known."""
    try:
        return load_pair(base, new, device)
    except OsVersion.DoesNotExist as error:
        raise Http404(str(error)) from error
