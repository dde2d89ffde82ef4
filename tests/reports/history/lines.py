"""Lines of versions with runs whose medians are known."""

from datetime import date, timedelta

import numpy as np

from reports.history.line import behind
from reports.history.matrix import Line
from reports.history.services import compute_history
from reports.history.trend import Trend
from reports.models import App, Course, Device, Interaction, Level, OsVersion, VersionHistory
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


def unsaved_trend(days, *, runs=0, by="", **fields):
    """Make a course that is not stored: a version for each day on which one came out, with a level of 200 ms."""
    app = App(pk=1, package="org.example.mail", name="Mail")
    course = Course(
        interaction=Interaction(pk=1, app=app, name="open the inbox of all"),
        device=Device(name="phone", refresh_hz=60),
        metric="response_time_ms",
        medians=[200.0] * 8,
    )
    versions = tuple(
        OsVersion(
            pk=number + 1, name=f"14.0.{number}-nightly-2026", released_on=date(2025, 1, 1) + timedelta(days=day)
        )
        for number, day in enumerate(days)
    )
    known = {"n": 20, "p50": 1200.5, "p90": 1300.123456, "p99": 1310.0, "low": 1190.0, "high": 1220.0, **fields}
    levels = [
        Level(version=version, before=before, mark="up" if before else "", delta=3.0, felt=True, **known)
        for before, version in zip((None, *versions), versions, strict=False)
    ]
    line = Line("", versions)
    dots = {version.pk: [1000.123456 + run for run in range(runs)] for version in versions}
    return Trend(course, [course], line, line, levels, dots, by)
