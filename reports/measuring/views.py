"""All runs: where each is on its way, why it failed, what can be done about it, and a person's word on it."""

from collections.abc import Iterator

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from analysis.verdicts.text import count_text
from reports.audit.services import record_export
from reports.comparing.revisions import runs_to_measure_again
from reports.measuring.evidence import OUTCOME_WORDS
from reports.measuring.forms import EXCLUDED, CorrectionForm, ExcludeForm, RevisionsForm, RunsForm
from reports.measuring.selectors import (
    FILE_WORDS,
    active_filters,
    failed_run_ids,
    filtered_runs,
    label_lines,
    load_runs,
    runs_options,
)
from reports.measuring.services import (
    BadCorrectionError,
    correct_run,
    exclude_runs,
    include_runs,
    retry_runs,
    withdraw_correction,
)
from reports.models import Confidence, Run, RunStatus
from reports.web.forms import problem
from reports.web.requests import back_to, clean_address, page_context, signed_in_user


@require_GET
@clean_address
def runs(request: HttpRequest) -> HttpResponse:
    """List runs, filtered by the query."""
    wanted = RunsForm(request.GET).wanted()
    rows = filtered_runs(wanted)
    paging = page_context(request, rows.values_list("pk", flat=True))
    options = runs_options()
    context = {
        **paging,
        "runs": load_runs(paging["page"].object_list),
        "wanted": wanted,
        "options": options,
        "filters": active_filters(wanted, options),
        "statuses": RunStatus.choices,
        "outcomes": OUTCOME_WORDS.items(),
        "excluded_choices": EXCLUDED,
        "file_choices": FILE_WORDS.items(),
        "confidence_choices": Confidence.values,
        "failed_count": rows.filter(status=RunStatus.FAILED).count(),
        "here": request.get_full_path(),
        "keys_template": "partials/row_keys.html",
    }
    return render(request, "measuring/list.html", context)


@require_POST
def run_retry(request: HttpRequest, pk: int) -> HttpResponse:
    """Measure one run again."""
    get_object_or_404(Run, pk=pk)
    return _retried(request, [pk])


@require_POST
def runs_retry(request: HttpRequest) -> HttpResponse:
    """Measure all failed runs again that the filters in the query show."""
    return _retried(request, failed_run_ids(filtered_runs(RunsForm(request.GET).wanted())))


@require_POST
def runs_retry_revisions(request: HttpRequest) -> HttpResponse:
    """Measure the runs of a comparison again that another revision of the measuring code measured."""
    form = RevisionsForm(request.POST)
    if not form.is_valid():
        messages.error(request, problem(form))
        return redirect(back_to(request, "runs"))
    return _retried(request, runs_to_measure_again(form.pair(), form.cleaned_data["interaction"]))


@require_POST
def run_exclude(request: HttpRequest, pk: int) -> HttpResponse:
    """Keep a run out of comparisons, with a reason."""
    get_object_or_404(Run, pk=pk)
    form = ExcludeForm(request.POST)
    if form.is_valid():
        exclude_runs(run_ids=[pk], reason=form.cleaned_data["reason"], user=signed_in_user(request))
        messages.success(request, f"Run {pk} is excluded; comparisons with it are out of date.")
    else:
        messages.error(request, form.problem())
    return redirect(back_to(request, "runs"))


@require_POST
def run_include(request: HttpRequest, pk: int) -> HttpResponse:
    """Let an excluded run take part again."""
    get_object_or_404(Run, pk=pk)
    include_runs(run_ids=[pk], user=signed_in_user(request))
    messages.success(request, f"Run {pk} takes part in comparisons again.")
    return redirect(back_to(request, "runs"))


def _retried(request: HttpRequest, ids: list[int]) -> HttpResponse:
    count = retry_runs(run_ids=ids)
    messages.success(request, f"{count_text(count, 'run')} will be measured again.")
    return redirect(back_to(request, "runs"))


@require_POST
def correct(request: HttpRequest, run_id: int) -> HttpResponse:
    """Put a person's value in the place of the measured one."""
    run = get_object_or_404(Run.objects.select_related("interaction"), pk=run_id)
    form = CorrectionForm(request.POST)
    try:
        if form.is_valid():
            made = correct_run(run=run, user=signed_in_user(request), **form.cleaned_data)
            messages.success(request, f"{made.word.capitalize()}; the comparison is computed again.")
        else:
            messages.error(request, problem(form))
    except BadCorrectionError as error:
        messages.error(request, str(error))
    return redirect(back_to(request, "runs"))


@require_POST
def undo(request: HttpRequest, run_id: int) -> HttpResponse:
    """Bring back what was measured."""
    run = get_object_or_404(Run.objects.select_related("interaction"), pk=run_id)
    done = withdraw_correction(run=run, moment=request.POST.get("moment", ""), user=signed_in_user(request))
    messages.success(request, "The measured value counts again." if done else "There was nothing to take back.")
    return redirect(back_to(request, "runs"))


@require_GET
def labels(request: HttpRequest) -> HttpResponse | StreamingHttpResponse:
    """Send all corrections in force as a truth table that ``benchmarks.accuracy`` reads."""
    record_export("labels.csv")
    lines: Iterator[str] = label_lines()
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="labels.csv"'
    return response
