"""All runs: where each is on its way, why it failed, and what can be done about it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from analysis.verdicts.text import count_text
from reports.forms.runs import EXCLUDED, ExcludeForm, RunsForm
from reports.models import Run, RunStatus
from reports.outcome_words import OUTCOME_WORDS
from reports.selectors.run_detail import load_run
from reports.selectors.runs_filter import filtered_runs
from reports.selectors.runs_page import failed_run_ids, load_runs, runs_options
from reports.services.runs import exclude_runs, include_runs, retry_runs
from reports.web.requests import back_to, page_context, signed_in_user


@require_GET
def runs(request: HttpRequest) -> HttpResponse:
    """List runs, filtered by the query."""
    wanted = RunsForm(request.GET).wanted()
    rows = filtered_runs(wanted)
    paging = page_context(request, rows.values_list("pk", flat=True))
    context = {
        **paging,
        "runs": load_runs(paging["page"].object_list),
        "wanted": wanted,
        "options": runs_options(),
        "statuses": RunStatus.choices,
        "outcomes": OUTCOME_WORDS.items(),
        "excluded_choices": EXCLUDED,
        "failed_count": rows.filter(status=RunStatus.FAILED).count(),
        "here": request.get_full_path(),
    }
    return render(request, "reports/runs/list.html", context)


@require_GET
def run_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one run: its facts, what was measured on it and why, its screencast."""
    return render(request, "reports/runs/detail.html", {"detail": load_run(pk), "here": request.get_full_path()})


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
    include_runs(run_ids=[pk])
    messages.success(request, f"Run {pk} takes part in comparisons again.")
    return redirect(back_to(request, "runs"))


def _retried(request: HttpRequest, ids: list[int]) -> HttpResponse:
    count = retry_runs(run_ids=ids)
    messages.success(request, f"{count_text(count, 'run')} will be measured again.")
    return redirect(back_to(request, "runs"))
