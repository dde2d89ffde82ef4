"""Draw the matrix: a sign for each cell, a small picture of each course.

Cells are made here and not by a template: a page has 3,000 of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from html import escape
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from analysis.history.changes import DIGRESSION, DRIFT
from analysis.history.deviations import DOWN, MISSING, OVERLAP, SAME, UP
from analysis.policy.policy import Policy
from analysis.verdicts.judging import severity_of
from analysis.verdicts.sentences import metric_label, metric_unit
from analysis.verdicts.text import count_text, number_text, signed_text
from analysis.verdicts.words import REGRESSION, severity_kind
from reports.history.courses import NEW
from reports.history.matrix import Cells, Line
from reports.history.releases import day_of, days_ago
from reports.models import App, Course, OsVersion

SIGNS: Mapping[str, str] = {UP: "▲", DOWN: "▼", OVERLAP: "•", SAME: "■", MISSING: "□"}
WORDS: Mapping[str, str] = {
    UP: "slower",
    DOWN: "faster",
    OVERLAP: "moved, but the intervals overlap",
    SAME: "no significant difference",
    MISSING: "too few runs to tell",
}
SIZES = (0.25, 1.0, 3.0)  # gaps in multiples of θ from which on a triangle is larger
SPARK_WIDTH, SPARK_HEIGHT = 64.0, 16.0
SPARK_LEAST = 0.2  # of the largest median: what moves less is no mountain
_NOTHING = mark_safe("<td></td>")


@dataclass(frozen=True)
class Row:
    """A row as the page shows it. ``kind`` and ``told`` say what became of a course: the word, and the rest.

    ``search`` leads to a bisection of it, empty where there is nothing to search for.
    """

    app: App
    address: str
    cells: Sequence[SafeString]
    name: str = ""
    facts: str = ""
    spark: str = ""
    kind: str = ""
    told: str = ""
    search: str = ""


def course_row(course: Course, cells: Cells, line: Line, compared: set[tuple[int, int]], *, devices: bool) -> Row:
    """Draw a course; ``devices``: there are several, so each is named."""
    interaction = course.interaction
    facts = metric_label(course.metric) + (f" · {course.device.name}" if devices else "")
    names = {version.pk: version for version in line.versions}
    query = urlencode({"metric": course.metric, **({"device": course.device_id} if devices else {})})
    of_line = f"&{urlencode({'channel': course.channel})}" if course.channel else ""
    search = urlencode({"q": interaction.name})

    def address(before: OsVersion, version: OsVersion) -> str:
        if (before.pk, version.pk) in compared:
            pair = [before.name, version.name, interaction.app.package, interaction.name]
            return f"{reverse('drilldown', args=pair)}?{query}"
        return f"{_ranking(before.name, version.name)}?{search}"

    def draw(version: OsVersion) -> SafeString:
        cell = cells.get(version.pk)
        if cell is None:
            return _NOTHING
        before = names.get(cell["before_id"])
        if before is None or not cell["mark"]:
            return _plain("first", "○", level_words(cell, course.metric) + ", the first of its line")
        words = f"{before.name} → {version.name}: {step_words(cell, course.metric)}"
        return _linked(_css(cell), SIGNS[cell["mark"]], words, address(before, version))

    return Row(
        app=interaction.app,
        name=interaction.name,
        facts=facts,
        kind=course.kind,
        told=what_happened(course),
        search=_search(course, cells, line),
        address=f"{reverse('history-course', args=[interaction.pk])}?{query}{of_line}",
        spark=spark_path(course.medians),
        cells=[draw(version) for version in line.versions],
    )


def course_address(course: Course) -> str:
    """Return the address of the page of a course."""
    query = {"metric": course.metric, "device": course.device_id}
    query |= {"channel": course.channel} if course.channel else {}
    return f"{reverse('history-course', args=[course.interaction_id])}?{urlencode(query)}"


def _search(course: Course, cells: Cells, line: Line) -> str:
    """Return the address that starts a bisection of what became of a course; empty where nothing is to be found."""
    if course.since is None or course.kind not in (REGRESSION, DRIFT):
        return ""
    if course.kind == DRIFT:
        good, bad = course.since.name, line.versions[-1].name
    else:
        before = cells.get(course.since.pk, {}).get("before_id")
        good = next((version.name for version in line.versions if version.pk == before), "")
        bad = course.since.name
    of = {"app": course.interaction.app.package, "interaction": course.interaction.name}
    ends = {"metric": course.metric, "device": course.device_id, "good": good, "bad": bad}
    return f"{reverse('bisections')}?{urlencode(of | ends)}#start" if good else ""


def app_row(app: App, cells: Cells, line: Line, today: date, policy: Policy, *, linked: bool = True) -> Row:
    """Draw what moved in an app: how many of its interactions people feel to be slower, how badly, or faster.

    Where a file stands alone nothing is ``linked``.
    """
    query = urlencode({"app": app.package})
    put = _linked if linked else _alone

    def draw(before: OsVersion | None, version: OsVersion) -> SafeString:
        cell = cells.get(version.pk)
        if cell is None or before is None:
            return _NOTHING
        words = f"{before.name} → {version.name}: of {count_text(cell['interactions'], 'interaction')} "
        words += f"{cell['worse']} slower, {cell['better']} faster, as people feel it"
        address = f"{_ranking(before.name, version.name)}?{query}"
        if cell["worse"]:
            severity = severity_of(cell["worst"], policy)
            words += f"; {severity} at worst"
            return put(f"m-1 severity-{severity_kind(severity)}", f"▲{cell['worse']}", words, address)
        if cell["better"]:
            return put("m-better m-1", f"▼{cell['better']}", words, address)
        return put("m-quiet", SIGNS[SAME], words, address)

    pairs = zip((None, *line.versions), line.versions, strict=False)
    slower = [version for version in line.versions if cells.get(version.pk, {}).get("worse")]
    return Row(
        app=app,
        kind="slower" if slower else "",
        told=f"on {slower[-1]}, {days_ago(day_of(slower[-1]), today)}" if slower else "",
        address=f"{reverse('history-app', args=[app.pk])}?{urlencode({'channel': line.channel})}",
        cells=[draw(before, version) for before, version in pairs],
    )


def what_happened(course: Course) -> str:
    """Say since when, and by how much, what a course's kind says."""
    unit, decimals = metric_unit(course.metric)
    moved = f"{signed_text(course.delta, decimals)} {unit}" if course.delta is not None else ""
    when = when_it_happened(course)
    return ", ".join(filter(None, [when, moved])) if when else ""


def when_it_happened(course: Course) -> str:
    """Say since when a course is what its kind says; empty for a course without one."""
    if not course.kind or course.since is None:
        return ""
    return {
        DRIFT: f"since the pinned {course.since}",
        DIGRESSION: f"{course.since} to {course.back}",
        NEW: f"on {course.since}",
    }.get(course.kind, f"since {course.since}")


def spark_path(medians: Sequence[float]) -> str:
    """Return SVG path data of a course in a box of 64 × 16 that is a fifth of the largest median high, or more."""
    if len(medians) < 2:
        return ""
    top, low = max(medians), min(medians)
    span = max(top - low, SPARK_LEAST * top) or 1.0
    floor = (top + low - span) / 2.0
    step = SPARK_WIDTH / (len(medians) - 1)
    heights = [SPARK_HEIGHT * (1.0 - (value - floor) / span) for value in medians]
    return "M" + " L".join(f"{number * step:.1f} {height:.1f}" for number, height in enumerate(heights))


def _css(cell: Mapping[str, Any]) -> str:
    if cell["mark"] not in (UP, DOWN):
        return "m-quiet"
    tone = ("m-worse" if cell["mark"] == UP else "m-better") if cell["felt"] else "m-unfelt"
    times = cell["gap"] / cell["threshold"] if cell["threshold"] else SIZES[-1]  # a share of 0 is 0
    return f"{tone} m-{_size(times)}"


def _size(times: float) -> int:
    return sum(times >= least for least in SIZES)


def level_words(cell: Mapping[str, Any], metric: str) -> str:
    """Say the level of one version: ``300 ms, 8 runs``."""
    unit, decimals = metric_unit(metric)
    return f"{number_text(cell['p50'], decimals)} {unit}, {count_text(cell['n'], 'run')}"


def step_words(cell: Mapping[str, Any], metric: str) -> str:
    """Say how a level moved from the version before: ``slower, +100 ms to 300 ms, 8 runs``."""
    unit, decimals = metric_unit(metric)
    if cell["mark"] == MISSING:
        return f"{WORDS[MISSING]} ({count_text(cell['n'], 'run')})"
    moved = f"{WORDS[cell['mark']]}, {signed_text(cell['delta'], decimals)} {unit} to {level_words(cell, metric)}"
    return moved if cell["felt"] or cell["mark"] not in (UP, DOWN) else f"{moved}, nobody can feel it"


def _plain(css: str, sign: str, words: str) -> SafeString:
    return mark_safe(f'<td class="m-{css}"><span role="img" aria-label="{escape(words)}">{sign}</span></td>')


def _linked(css: str, sign: str, words: str, address: str) -> SafeString:
    """Return a cell whose link is called as its title says; the sign is for the eyes alone."""
    link = f'<a href="{escape(address)}" title="{escape(words)}"><i aria-hidden="true">{sign}</i></a>'
    return mark_safe(f'<td class="{css}">{link}</td>')


def _alone(css: str, sign: str, words: str, _address: str) -> SafeString:
    """Return a cell without a link; where nothing moved it has no words, as there are thousands."""
    if css == "m-quiet":
        return mark_safe(f'<td class="m-quiet">{sign}</td>')
    return mark_safe(f'<td class="{css}"><b title="{escape(words)}">{sign}</b></td>')


@lru_cache(maxsize=4096)
def _ranking(base: str, new: str) -> str:
    """Return the address of a pair; every row of a page asks for the same."""
    return reverse("ranking", args=[base, new])
