"""Batches: how far each is, why runs of it failed, and how the update stands that it is about."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from analysis.verdicts.text import count_text
from reports.batches.forms import FindForm, RetryForm
from reports.batches.selectors import batch_rows, find_batch, found_batches, load_batch, outcome_of
from reports.batches.services import complete_batch, retry_batch
from reports.web.requests import clean_address, page_context


@require_GET
@clean_address
def batches(request: HttpRequest) -> HttpResponse:
    """List the batches, newest first."""
    words = FindForm(request.GET).values()["q"]
    paging = page_context(request, found_batches(words))
    context = {**paging, "rows": batch_rows(list(paging["page"].object_list)), "words": words, "section": "batches"}
    return render(request, "batches/list.html", context)


@require_GET
def batch(request: HttpRequest, name: str) -> HttpResponse:
    """Show one batch: its progress, what failed and why, its comparison with the baseline."""
    return render(request, "batches/batch.html", {"detail": load_batch(name), "section": "batches"})


@require_GET
def batch_state(request: HttpRequest, name: str) -> JsonResponse:
    """Answer how far a batch is, for the page that waits for it."""
    detail = load_batch(name)
    comparison = detail.batch.comparison
    state = {
        "finished": detail.line.finished,
        "total": detail.line.total,
        "sentence": detail.sentence,
        "stale": detail.line.busy,
        "status": comparison.status if comparison else "none",
    }
    return JsonResponse(state, headers={"Cache-Control": "no-store"})


@require_POST
def batch_complete(request: HttpRequest, name: str) -> HttpResponse:
    """Say that nothing more comes in."""
    found = find_batch(name)
    first = complete_batch(batch=found)
    messages.success(
        request,
        f"Noted: nothing more comes in with {name}." if first else f"{name} was said to be complete before.",
    )
    return redirect("batch", name)


@require_POST
def batch_retry(request: HttpRequest, name: str) -> HttpResponse:
    """Measure the failed runs again, all of them or those of one cause."""
    cause = RetryForm(request.POST).values()["cause"]
    count = retry_batch(batch=find_batch(name), outcome=outcome_of(cause))
    messages.success(request, f"{count_text(count, 'run')} will be measured again.")
    return redirect("batch", name)
