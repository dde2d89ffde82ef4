"""The course of one metric over its line: levels with their intervals, runs on demand, and what happened when."""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db.models import QuerySet
from django.http import Http404

from reports.history.matrix import Line, load_lines
from reports.models import Course, Interaction, Level, Measurement, Run

MOST_DOTS = 2_000
BY_DAYS = "days"


@dataclass(frozen=True)
class TrendWanted:
    """What is wanted of a course: its metric, device and line, from which version to which, with its runs or not.

    ``picked`` is the version that was chosen to be compared with another; ``notes`` is off where what people said
    about versions is not wanted; ``by`` is days where versions stand on the day on which they came out.
    """

    metric: str = ""
    device: int | None = None
    channel: str = ""
    first: str = ""
    last: str = ""
    runs: bool = False
    picked: str = ""
    notes: str = ""
    by: str = ""


@dataclass(frozen=True)
class Trend:
    """One of the ``courses`` of an interaction, as its page shows it.

    ``line`` is the part of the ``whole`` line that is wanted, ``levels`` those of its versions that have one, in
    their order, ``dots`` the values of single runs by version, where they were asked for; ``by`` as wanted.
    ``apart`` are the versions whose step is not the difference of two medians: it takes runs that both have alike.
    """

    course: Course
    courses: Sequence[Course]
    whole: Line
    line: Line
    levels: Sequence[Level]
    dots: dict[int, list[float]] = field(default_factory=dict)
    by: str = ""
    apart: frozenset[int] = frozenset()


def load_trend(interaction_id: int, wanted: TrendWanted) -> Trend:
    """Load a course: six queries at most, one more for its runs; answers 404 for an interaction without any."""
    interaction = Interaction.objects.select_related("app").filter(pk=interaction_id).first()
    if interaction is None:
        raise Http404("There is no such interaction.")
    rows = Course.objects.filter(interaction=interaction).order_by("-worst", "pk")
    courses = list(rows.select_related("interaction__app", "device", "since", "back"))
    if not courses:
        raise Http404(f"{interaction} has no history yet: it takes measured runs on one version at least.")
    of_metric = [row for row in courses if wanted.metric in ("", row.metric)]
    alike = [row for row in of_metric if wanted.device in (None, row.device_id)] or courses
    course = next((row for row in alike if row.channel == wanted.channel), alike[0])
    whole = whole_line(course)
    line = _between(whole, wanted)
    everywhere = _levels(course, whole)
    levels = [level for level in everywhere if level.version in line.versions]
    dots = _runs(course, levels) if wanted.runs else {}
    return Trend(course, courses, whole, line, levels, dots, wanted.by, _apart(everywhere))


def load_trends(courses: Sequence[Course], line: Line) -> list[Trend]:
    """Load several courses over the same part of a line, without their runs; one query."""
    place = {version.pk: number for number, version in enumerate(line.versions)}
    interactions = {course.interaction_id for course in courses}
    rows = Level.objects.filter(interaction__in=interactions, version__in=place).select_related("version", "before")
    found: dict[tuple[int, int, str], list[Level]] = defaultdict(list)
    for level in sorted(rows, key=lambda level: place[level.version_id]):
        found[level.interaction_id, level.device_id, level.metric].append(level)
    return [
        Trend(course, [course], line, line, found[course.interaction_id, course.device_id, course.metric])
        for course in courses
    ]


def whole_line(course: Course) -> Line:
    """Return all versions of a course's line; one query."""
    return next((each for each in load_lines() if each.channel == course.channel), Line(course.channel))


def _between(line: Line, wanted: TrendWanted) -> Line:
    """Return the part of a line from the first to the last version that are wanted; unknown names are its ends."""
    names = [version.name for version in line.versions]
    first = names.index(wanted.first) if wanted.first in names else 0
    last = names.index(wanted.last) if wanted.last in names else len(names) - 1
    return Line(line.channel, line.versions[min(first, last) : max(first, last) + 1])


def _levels(course: Course, line: Line) -> list[Level]:
    place = {version.pk: number for number, version in enumerate(line.versions)}
    same = {"interaction": course.interaction_id, "device": course.device_id, "metric": course.metric}
    rows: QuerySet[Level] = Level.objects.filter(version__in=place, **same).select_related("version", "before")
    return sorted(rows, key=lambda level: place[level.version_id])


def _apart(levels: Sequence[Level]) -> frozenset[int]:
    medians = {level.version_id: level.p50 for level in levels}
    known = [level for level in levels if level.before_id in medians and level.delta is not None]
    return frozenset(
        level.version_id
        for level in known
        if not math.isclose(level.delta or 0.0, level.p50 - medians[level.before_id or 0], abs_tol=1e-6)
    )


def _runs(course: Course, levels: Sequence[Level]) -> dict[int, list[float]]:
    """Return the values behind these levels, of the same app version and capture, by version; one query."""
    strata = {level.version_id: (level.app_version, level.capture) for level in levels}
    usable = Run.objects.usable().filter(
        interaction=course.interaction_id, device=course.device_id, os_version__in=strata
    )
    rows = Measurement.objects.filter(metric=course.metric, run__in=usable).order_by("run")
    found: dict[int, list[float]] = {}
    for version, value, *stratum in rows.values_list(
        "run__os_version", "value", "run__app_version", "run__capture"
    )[:MOST_DOTS]:
        if strata[version] == tuple(stratum):
            found.setdefault(version, []).append(value)
    return found
