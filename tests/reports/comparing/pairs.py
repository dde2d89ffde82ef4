"""Two OS versions with runs, and their comparison, for tests of the services."""

from reports.comparing.services import compute_comparison, open_comparison
from tests import factories

FAST = [200.0, 201, 202, 203, 204, 205, 206, 207]
SLOW = [value + 120 for value in FAST]


def two_versions():
    return factories.os_version("13.0.12"), factories.os_version("13.0.13")


def fill(versions, base=FAST, new=SLOW, **kwargs):
    """Make one run per value on each version; return them (base, new)."""
    return tuple(
        factories.runs(values, version=version, **kwargs)
        for version, values in zip(versions, (base, new), strict=True)
    )


def compare(versions, **kwargs):
    comparison = open_comparison(base=versions[0], new=versions[1], **kwargs)
    return compute_comparison(comparison_id=comparison.pk)
