"""Courses: what became of each metric over its line, kept so that lists sort and filter by it."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.history.changes import AWAY, DIGRESSION, DRIFT, KINDS, Change, Subject, drift_since, find_changes
from analysis.history.deviations import UP
from analysis.history.steps import change_points
from analysis.policy.policy import Policy
from analysis.verdicts.words import IMPROVEMENT, REGRESSION
from reports.history.line import versions_with_runs
from reports.models import Course, Interaction, Level, Measurement, OsVersion, Run

NEW, GONE = "new", "gone"
ALL_KINDS = (*KINDS, NEW, GONE)
SPARK = 8  # versions: what a small picture of the course shows
MANY = 400  # interactions; to read all of them is quicker than to name so many
_AT_ONCE = 200  # interactions whose runs are in memory at a time
_BATCH = 500
_KEY = ("interaction", "device", "metric")

Key = tuple[int, int, str]  # interaction, device, metric
Runs = dict[Key, dict[int, list[float]]]  # the values by version


class Point(NamedTuple):
    """One version of a course. ``worse`` is how much people feel it to be slower than before, in multiples of θ.

    ``verdict``, ``delta`` and ``times`` are those of its step from the version before.
    """

    version: int
    median: float
    worse: float
    stratum: tuple[str, str]
    verdict: str
    delta: float | None
    times: float | None


def courses_of(channels: Iterable[str], interactions: Collection[int], policy: Policy) -> list[Course]:
    """Return the courses of these interactions in these lines, unsaved, from their stored levels."""
    lines: dict[str, list[OsVersion]] = {channel: [] for channel in channels}
    for version in versions_with_runs():
        if version.channel in lines:
            lines[version.channel].append(version)
    return [row for channel, line in lines.items() for row in _courses(channel, line, interactions, policy)]


def store_courses(courses: Sequence[Course], interactions: Collection[int]) -> None:
    """Put these courses in the place of all that these interactions have; others may do the same at once."""
    kept = {(row.channel, row.interaction_id, row.device_id, row.metric) for row in courses}
    known = Course.objects.filter(**of_interactions(interactions)).values_list("pk", "channel", *_KEY)
    Course.objects.filter(pk__in=[pk for pk, *key in known if tuple(key) not in kept]).delete()
    Course.objects.bulk_create(
        courses,
        batch_size=_BATCH,
        update_conflicts=True,
        unique_fields=["channel", *_KEY],
        update_fields=["worst", "latest", "medians", "kind", "since", "back", "delta", "times"],
    )


def of_interactions(interactions: Collection[int]) -> dict[str, Any]:
    """Return a filter for these interactions; none where they are so many that reading all is quicker."""
    return {"interaction__in": interactions} if len(interactions) <= MANY else {}


def _courses(
    channel: str, line: Sequence[OsVersion], interactions: Collection[int], policy: Policy
) -> Iterator[Course]:
    points = _points([version.pk for version in line], interactions)
    subjects = _subjects({interaction for interaction, *_ in points})
    moving = {key for key, course in points.items() if change_points([point.median for point in course])}
    told = dict(_changes(points, moving, subjects, policy))
    pins = [version.pk for version in line if version.pinned]
    for key, course in points.items():
        interaction, device, metric = key
        kind = _kind(course, line, told.get(key, {}), pins, Subject(*subjects[interaction], metric), policy)
        lasting = kind["times"] if kind.get("kind") in (REGRESSION, DRIFT) else 0.0
        newest = course[-1].version == line[-1].pk
        yield Course(
            channel=channel,
            interaction_id=interaction,
            device_id=device,
            metric=metric,
            worst=max(lasting, *(point.worse for point in course)),
            latest=course[-1].worse if newest else 0.0,
            medians=[point.median for point in course[-SPARK:]],
            **kind,
        )


def _points(line: Sequence[int], interactions: Collection[int]) -> dict[Key, list[Point]]:
    """Return the levels of each course, in the order of the line; one query."""
    place = {version: number for number, version in enumerate(line)}
    fields = (*_KEY, "version", "p50", "mark", "felt", "verdict", "delta", "times", "app_version", "capture")
    rows = Level.objects.filter(version__in=line, **of_interactions(interactions)).order_by().values_list(*fields)
    found: dict[Key, list[Point]] = defaultdict(list)
    for *key, version, median, mark, felt, verdict, delta, times, app_version, capture in rows.iterator(
        chunk_size=5000
    ):
        worse = times if mark == UP and felt else 0.0
        point = Point(version, median, worse, (app_version, capture), verdict, delta, times)
        found[key[0], key[1], key[2]].append(point)
    for course in found.values():
        course.sort(key=lambda point: place[point.version])
    return found


def _subjects(interactions: Collection[int]) -> dict[int, tuple[str, str]]:
    """Return the app's package and the type of each interaction; one query."""
    rows = Interaction.objects.filter(**({"pk__in": interactions} if len(interactions) <= MANY else {}))
    return {pk: (package, kind) for pk, package, kind in rows.values_list("pk", "app__package", "type")}


def _changes(
    points: Mapping[Key, Sequence[Point]],
    moving: Collection[Key],
    subjects: Mapping[int, tuple[str, str]],
    policy: Policy,
) -> Iterator[tuple[Key, dict[str, Any]]]:
    """Yield the last change that people feel of each course whose level moves, as fields; on its own runs."""
    by_interaction: dict[int, list[Key]] = defaultdict(list)
    for key in moving:
        by_interaction[key[0]].append(key)
    ids = sorted(by_interaction)
    for some in (ids[start : start + _AT_ONCE] for start in range(0, len(ids), _AT_ONCE)):
        keys = [key for interaction in some for key in by_interaction[interaction]]
        runs = _runs(some, {key: points[key] for key in keys})
        for key in keys:
            course = [
                point for point in points[key] if runs[key][point.version]
            ]  # one may have lost its runs since
            values: list[NDArray[np.float64]] = [np.array(runs[key][point.version]) for point in course]
            changes = find_changes(values, Subject(*subjects[key[0]], key[2]), policy)
            if changes:
                yield key, _told(changes[-1], course)


def _told(change: Change, course: Sequence[Point]) -> dict[str, Any]:
    """Return a change as fields of a course."""
    return {
        "kind": change.kind,
        "since_id": course[change.at].version,
        "back_id": None if change.back is None else course[change.back].version,
        "delta": change.delta,
        "times": change.times,
    }


def _runs(interactions: Sequence[int], points: Mapping[Key, Sequence[Point]]) -> Runs:
    """Read the runs behind the levels of these courses: of the same app version and capture; one query."""
    strata = {(key, point.version): point.stratum for key, course in points.items() for point in course}
    usable = Run.objects.usable().filter(interaction__in=interactions)
    fields = ("interaction", "device", "os_version", "app_version", "capture")
    rows = Measurement.objects.filter(run__in=usable, metric__in={key[2] for key in points}).order_by()
    found: Runs = defaultdict(lambda: defaultdict(list))
    for metric, value, interaction, device, version, *stratum in rows.values_list(
        "metric", "value", *(f"run__{name}" for name in fields)
    ).iterator(chunk_size=5000):
        key = (interaction, device, metric)
        if strata.get((key, version)) == tuple(stratum):
            found[key][version].append(value)
    return found


def _kind(
    course: Sequence[Point],
    line: Sequence[OsVersion],
    change: dict[str, Any],
    pins: Sequence[int],
    subject: Subject,
    policy: Policy,
) -> dict[str, Any]:
    """Say what became of a course: gone or new, else its last change, else whether it has drifted since the pin.

    A level that changed with the newest version is judged by that version alone until the next one comes.
    """
    if course[-1].version != line[-1].pk:
        return {"kind": GONE, "since_id": _after(line, course[-1].version)}
    if len(course) == 1 and len(line) > 1:
        return {"kind": NEW, "since_id": course[0].version}
    order = [point.version for point in course]
    brought = _newest_step(course)
    if brought and brought["since_id"] != change.get("since_id") and course[-1].version != change.get("back_id"):
        return brought
    pin = next((order.index(version) for version in pins if version in order), None)
    if pin is None or (change and order.index(change["since_id"]) > pin):
        return change
    delta, times = drift_since([point.median for point in course], pin, subject, policy)
    return {"kind": DRIFT, "since_id": order[pin], "delta": delta, "times": times} if times > 1.0 else change


def _newest_step(course: Sequence[Point]) -> dict[str, Any]:
    """Return what the newest version brought, if people feel it: a regression that came shortly before may go."""
    newest = course[-1]
    if newest.verdict not in (REGRESSION, IMPROVEMENT):
        return {}
    for before, came in reversed(list(pairwise(course[-AWAY - 2 : -1]))):
        if newest.verdict == IMPROVEMENT and came.verdict == REGRESSION and came.delta and came.times:
            if abs(newest.median - before.median) > came.delta / came.times:
                break
            back = {"since_id": came.version, "back_id": newest.version}
            return {"kind": DIGRESSION, **back, "delta": came.delta, "times": came.times}
    return {"kind": newest.verdict, "since_id": newest.version, "delta": newest.delta, "times": newest.times}


def _after(line: Sequence[OsVersion], version: int) -> int:
    """Return the version of a line that comes after this one."""
    order = [row.pk for row in line]
    return order[order.index(version) + 1]
