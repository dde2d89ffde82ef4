"""Bisections as pages: those there are, one of them, and what is done with it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from analysis.spreadsheet import csv_line
from reports.audit.services import record_export
from reports.audit.words import capital
from reports.batches.selectors import known_versions
from reports.bisecting.faults import BisectionError
from reports.bisecting.forms import FindForm, SkipForm, StartForm, prefilled
from reports.bisecting.selectors import found_bisections, lines_to_record, load_stand, named, sentence_of
from reports.bisecting.services import finish_bisection, skip_build, start_bisection
from reports.web.forms import problem
from reports.web.requests import page_context

UNPROCESSABLE = 422


@require_http_methods(["GET", "POST"])
def bisections(request: HttpRequest) -> HttpResponse:
    """List bisections, the newest first, and start one."""
    form = StartForm(request.POST) if request.method == "POST" else StartForm(initial=prefilled(request.GET))
    if form.is_bound and form.is_valid():
        try:
            row, made = start_bisection(form.search())
        except BisectionError as error:
            form.add_error(error.field if error.field in form.fields else None, f"{capital(error.words)}.")
        else:
            if not made:
                messages.success(request, "Just this is searched for already: here it is.")
            return redirect("bisection", row.pk)
    wanted = FindForm(request.GET).values()["state"]
    paging = page_context(request, found_bisections(wanted))
    context = {
        **paging,
        "rows": [(row, sentence_of(row)) for row in paging["page"].object_list],
        "state": wanted,
        "form": form,
        "versions": known_versions(),
        "filled": form.is_bound or bool(form.initial),
    }
    return render(request, "bisecting/list.html", context, status=UNPROCESSABLE if form.is_bound else 200)


@require_GET
def bisection(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one: what is asked next, each version of the range, who did what."""
    stand = load_stand(pk)
    lines = [csv_line(cells).strip() for _, cells in zip(range(2), lines_to_record(stand), strict=False)]
    context = {"stand": stand, "row": stand.row, "told": stand.told, "manifest": lines if stand.measure else []}
    return render(request, "bisecting/bisection.html", context)


@require_GET
def bisection_state(request: HttpRequest, pk: int) -> JsonResponse:
    """Answer whether anything is new since what a page shows (``seen``), for that page while it waits."""
    stand = load_stand(pk)
    waits = request.GET.get("seen", "") == stand.row.basis and not stand.row.finished_at
    state = {"finished": stand.waiting, "total": -1, "sentence": stand.busy, "stale": waits}
    return JsonResponse(state, headers={"Cache-Control": "no-store"})


@require_GET
def bisection_manifest(request: HttpRequest, pk: int) -> StreamingHttpResponse:
    """Send a manifest with a line for each run that is asked for, to fill in."""
    name = f"upreg-bisection-{pk}.csv"
    lines = [csv_line(cells) for cells in lines_to_record(load_stand(pk))]
    record_export(name)
    answer = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = content_disposition_header(True, name)
    return answer


@require_POST
def bisection_skip(request: HttpRequest, pk: int) -> HttpResponse:
    """Leave a version out that cannot be tested."""
    row, form = named(pk), SkipForm(request.POST)
    if not form.is_valid():
        messages.error(request, problem(form))
        return redirect("bisection", pk)
    try:
        skip_build(row, **form.cleaned_data)
    except BisectionError as error:
        messages.error(request, f"{capital(error.words)}.")
    return redirect("bisection", pk)


@require_POST
def bisection_finish(request: HttpRequest, pk: int) -> HttpResponse:
    """End it, and keep its answer."""
    try:
        finish_bisection(named(pk))
    except BisectionError as error:
        messages.error(request, f"{capital(error.words)}.")
    return redirect("bisection", pk)
