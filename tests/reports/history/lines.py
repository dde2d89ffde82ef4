"""Lines of versions with runs whose medians are known."""

import numpy as np

from reports.history.line import behind
from reports.history.services import compute_history
from reports.models import Level, VersionHistory
from tests import factories


def film(version, middle, *, of=None, runs=8, **values):
    """Make runs evenly within 10 ms around a median response time; as after an import its history is stale then."""
    numbers = np.linspace(middle - 5.0, middle + 5.0, runs).tolist()
    made = factories.runs(numbers, version=version, of=of, **values)
    VersionHistory.objects.filter(version=version).update(stale=True)
    return made


def line(*middles, of=None, channel="", names="14.0.{}"):
    """Make a version with runs for each median; None is a version without runs of this interaction."""
    versions = [factories.os_version(names.format(number), channel=channel) for number in range(len(middles))]
    for version, middle in zip(versions, middles, strict=True):
        if middle is not None:
            film(version, middle, of=of)
    return versions


def bring_up_to_date():
    """Compute whatever is behind, as the queue does; return how many versions that were."""
    late = behind()
    for row in late:
        compute_history(version_id=row.version_id)
    return len(late)


def marks(versions, **filters):
    """Return the marks of one interaction over these versions; None where it has no level."""
    found = dict(Level.objects.filter(version__in=versions, **filters).values_list("version", "mark"))
    return [found.get(version.pk) for version in versions]


def before(versions, **filters):
    """Return the version that each was set against, by name; None without one."""
    rows = Level.objects.filter(version__in=versions, **filters).values_list("version", "before__name")
    found = dict(rows)
    return [found.get(version.pk) for version in versions]
