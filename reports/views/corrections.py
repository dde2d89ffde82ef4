"""A person's word on response and finish: say it, take it back, take all of them away as labels."""

from collections.abc import Iterator

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_POST

from reports.forms.drilldown import CorrectionForm
from reports.models import Run
from reports.selectors.labels import label_lines
from reports.services.corrections import BadCorrectionError, correct_run, withdraw_correction
from reports.web.forms import problem
from reports.web.requests import back_to, signed_in_user


@require_POST
def correct(request: HttpRequest, run_id: int) -> HttpResponse:
    """Put a person's value in the place of the measured one."""
    run = get_object_or_404(Run.objects.select_related("interaction"), pk=run_id)
    form = CorrectionForm(request.POST)
    try:
        if form.is_valid():
            correct_run(run=run, user=signed_in_user(request), **form.cleaned_data)
            messages.success(request, "Corrected; the comparison is computed again.")
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
    lines: Iterator[str] = label_lines()
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="labels.csv"'
    return response
