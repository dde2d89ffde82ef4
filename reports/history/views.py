"""The history of a line of versions: the deviation matrix, and the course of one interaction."""

from collections.abc import Iterator

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from analysis.spreadsheet import csv_line
from analysis.verdicts.sentences import metric_label
from reports.audit.services import record_export
from reports.history.chart import draw_chart
from reports.history.courses import ALL_KINDS
from reports.history.drawing import app_row, course_row, what_happened
from reports.history.figure import make_figure
from reports.history.forms import NOTES_OFF, MatrixForm, NoteForm, TrendForm
from reports.history.matrix import (
    BY_APP,
    SORTS,
    Line,
    Wanted,
    cells_of_apps,
    cells_of_courses,
    compared,
    line_called,
    load_lines,
    metrics_of_benchmarks,
    wanted_apps,
    wanted_courses,
)
from reports.history.notes import add_note, hide_note, load_marks
from reports.history.releases import days_ago, last_slower, load_releases, load_worse_apps, release_lines
from reports.history.report import load_report, render_report, report_name
from reports.history.state import load_state
from reports.history.trend import Trend, load_trend
from reports.models import App, Interaction
from reports.policies.selectors import current_policy
from reports.web.forms import with_metrics
from reports.web.requests import back_to, clean_address, page_context, signed_in_user

LEVEL_COLUMNS = (
    *("n", "p50", "p90", "p99", "low", "high", "low_exact", "high_exact", "mark", "delta", "moved_low"),
    *("moved_high", "gap", "threshold", "times", "felt", "verdict", "severity", "app_version", "capture"),
)


@require_GET
@clean_address
def history(request: HttpRequest) -> HttpResponse:
    """Show versions × interactions, or apps, of one line, with a mark where a median moved."""
    wanted, known = MatrixForm(request.GET).wanted(), load_lines()
    line = line_called(known, wanted.channel)
    context = {"wanted": wanted, "lines": known, "line": line, "sorts": SORTS.items()}
    context["state"] = load_state(line)
    context["kinds"] = ALL_KINDS
    rows = _app_rows if wanted.by == BY_APP else _course_rows
    return render(request, "history/matrix.html", context | rows(request, wanted, line))


def _course_rows(request: HttpRequest, wanted: Wanted, line: Line) -> dict[str, object]:
    paging = page_context(request, wanted_courses(wanted, line))
    courses = list(paging["page"].object_list)
    pairs, devices = compared(line), len({row.device_id for row in courses}) > 1
    cells = cells_of_courses(line, courses)
    rows = [course_row(course, of, line, pairs, devices=devices) for course, of in zip(courses, cells, strict=True)]
    metrics = with_metrics([*metrics_of_benchmarks(line), wanted.metric])
    return {**paging, "rows": rows, "metrics": metrics}


def _app_rows(request: HttpRequest, wanted: Wanted, line: Line) -> dict[str, object]:
    paging = page_context(request, wanted_apps(wanted, line))
    by_id = App.objects.in_bulk(list(paging["page"].object_list))
    apps = [by_id[pk] for pk in paging["page"].object_list]
    cells = cells_of_apps(line, apps)
    today, policy = timezone.localdate(), current_policy()
    rows = [app_row(app, of, line, today, policy) for app, of in zip(apps, cells, strict=True)]
    return {**paging, "rows": rows, "severities": [word for word, _ in policy.ladder]}


@require_GET
def state(request: HttpRequest) -> JsonResponse:
    """Answer how far a line is behind, for the pages that wait for it."""
    told = load_state(line_called(load_lines(), MatrixForm(request.GET).wanted().channel))
    return JsonResponse(
        {
            "status": "waiting" if told.wait else "done",
            "finished": told.versions - told.wait,
            "total": told.versions,
            "sentence": told.sentence,
        }
    )


@require_GET
@clean_address
def releases(request: HttpRequest) -> HttpResponse:
    """Show one line for each version: what moved from the one before it, and how long ago the last got slower."""
    known = load_lines()
    line = line_called(known, MatrixForm(request.GET).wanted().channel)
    rows = load_releases(line)
    slower = last_slower(rows)
    context = {
        "lines": known,
        "line": line,
        "releases": rows,
        "slower": slower,
        "worse_apps": load_worse_apps(line),
        "state": load_state(line),
    }
    context["slower_ago"] = days_ago(slower.day, timezone.localdate()) if slower else ""
    return render(request, "history/releases.html", context)


@require_GET
def releases_csv(request: HttpRequest) -> StreamingHttpResponse:
    """Send the same table."""
    line = line_called(load_lines(), MatrixForm(request.GET).wanted().channel)
    rows = (csv_line(row) for row in release_lines(load_releases(line)))
    return _csv_file(rows, f"upreg-releases-{line.channel}.csv" if line.channel else "upreg-releases.csv")


@require_GET
@never_cache
def releases_report(request: HttpRequest) -> HttpResponse:
    """Send the releases with the apps and the worst courses as one file that opens anywhere."""
    report = load_report(line_called(load_lines(), MatrixForm(request.GET).wanted().channel))
    html = render_report(report, address=request.build_absolute_uri("/"))
    name = report_name(report)
    record_export(name)
    headers = {"Content-Disposition": content_disposition_header(True, name) or ""}
    return HttpResponse(html, content_type="text/html; charset=utf-8", headers=headers)


@require_GET
@clean_address
def course(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one metric of an interaction over its line: a chart, and the same in numbers."""
    wanted = TrendForm(request.GET).wanted()
    trend = load_trend(pk, wanted)
    names = [level.version.name for level in trend.levels]
    marks = [] if wanted.notes == NOTES_OFF else load_marks(trend.line, trend.course)
    figure = make_figure(trend, wanted.picked, marks)
    context = {
        "trend": trend,
        "course": trend.course,
        "figure": figure.plain(),
        "chart": draw_chart(figure),
        "label": f"{figure.title} in {figure.unit} over the versions",
        "marks": marks,
        "here": request.get_full_path(),
        "wanted": wanted,
        "picked": wanted.picked if wanted.picked in names else "",
        "devices": sorted({row.device for row in trend.courses}, key=str),
        "channels": sorted({row.channel for row in trend.courses}),
        "metrics": {row.metric: metric_label(row.metric) for row in trend.courses}.items(),
        "told": what_happened(trend.course),
        "state": load_state(trend.whole),
    }
    return render(request, "history/course.html", context)


@require_POST
def note_add(request: HttpRequest, pk: int) -> HttpResponse:
    """Add a note to a version, on the chart of this interaction or of all."""
    interaction = get_object_or_404(Interaction, pk=pk)
    form = NoteForm(request.POST)
    if form.is_valid():
        values = form.cleaned_data
        of = None if values["everywhere"] else interaction
        add_note(version=values["version"], interaction=of, text=values["text"], user=signed_in_user(request))
    else:
        messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
    return redirect(back_to(request, "history"))


@require_POST
def note_hide(request: HttpRequest, pk: int) -> HttpResponse:
    """Hide a note for everybody."""
    hide_note(pk=pk, user=signed_in_user(request))
    return redirect(back_to(request, "history"))


@require_GET
def course_csv(request: HttpRequest, pk: int) -> StreamingHttpResponse:
    """Send the levels of a course, one line for each version."""
    trend = load_trend(pk, TrendForm(request.GET).wanted())
    return _csv_file(_csv(trend), f"upreg-history-{pk}-{trend.course.metric}.csv")


def _csv_file(lines: Iterator[str], name: str) -> StreamingHttpResponse:
    record_export(name)
    answer = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = content_disposition_header(True, name)
    return answer


def _csv(trend: Trend) -> Iterator[str]:
    yield csv_line(("version", "before", *LEVEL_COLUMNS))
    for level in trend.levels:
        before = level.before.name if level.before else ""
        yield csv_line((level.version.name, before, *(getattr(level, name) for name in LEVEL_COLUMNS)))
