"""Small pictures of courses for other pages: the medians of the last versions, and what became of them."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from analysis.verdicts.sentences import metric_unit
from analysis.verdicts.text import count_text, number_text
from analysis.verdicts.words import IMPROVEMENT, REGRESSION
from reports.history.drawing import course_address, spark_path, when_it_happened
from reports.models import Course, OsVersion

LEAST = 3  # versions: two are a difference, no course


class CourseKey(NamedTuple):
    """Whose course: one metric of one interaction on one device."""

    interaction_id: int
    device_id: int
    metric: str


@dataclass(frozen=True)
class Spark:
    """A course as a small link to its page.

    ``kind`` and ``when`` say what became of it; they are empty where the page that shows it says so already.
    """

    address: str
    path: str
    words: str
    kind: str = ""
    when: str = ""


def load_sparks(version_id: int, keys: Collection[CourseKey]) -> dict[CourseKey, Spark]:
    """Return the courses of these in the line of a version; one query.

    A step to that very version is not told: a comparison with it is about nothing else.
    """
    channel = OsVersion.objects.filter(pk=version_id).values("channel")
    wanted = {"interaction__in": {row.interaction_id for row in keys}, "metric__in": {row.metric for row in keys}}
    rows = Course.objects.filter(channel__in=channel, **wanted).select_related("since", "back")
    found = {CourseKey(row.interaction_id, row.device_id, row.metric): row for row in rows}
    return {
        key: _spark(found[key], version_id) for key in keys if key in found and len(found[key].medians) >= LEAST
    }


def _spark(course: Course, version_id: int) -> Spark:
    unit, decimals = metric_unit(course.metric)
    low, high = (number_text(value, decimals) for value in (min(course.medians), max(course.medians)))
    known = course.kind in (REGRESSION, IMPROVEMENT) and course.since_id == version_id
    return Spark(
        address=course_address(course),
        path=spark_path(course.medians),
        words=f"Medians of the last {count_text(len(course.medians), 'version')}: {low} to {high} {unit}",
        kind="" if known else course.kind,
        when="" if known else when_it_happened(course),
    )
