"""Batches: how far each is, why runs of it failed, and how the update stands that it is about."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from analysis.verdicts.text import count_text
from reports.audit.words import ChangedMeanwhileError, capital, changes_of
from reports.batches.forms import FindForm, NoteForm, OpenForm, RetryForm
from reports.batches.selectors import (
    batch_rows,
    find_batch,
    found_batches,
    known_versions,
    load_batch,
    outcome_of,
)
from reports.batches.services import (
    BatchError,
    complete_batch,
    note_batch,
    open_batch,
    reopen_batch,
    retry_batch,
)
from reports.web.requests import clean_address, number_of, page_context, signed_in_user

UNPROCESSABLE, CONFLICT = 422, 409


@require_http_methods(["GET", "POST"])
@clean_address
def batches(request: HttpRequest) -> HttpResponse:
    """List the batches, newest first, and open one."""
    form = OpenForm(request.POST or None)
    if form.is_valid():
        try:
            found, made = open_batch(**form.cleaned_data)
        except BatchError as error:
            form.add_error(error.field, f"{capital(error.words)}.")
        else:
            words = f"{found} is open." if made else f"{found} is there already: it was left as it is."
            messages.success(request, words)
            return redirect("batch", found.name)
    words = FindForm(request.GET).values()["q"]
    paging = page_context(request, found_batches(words))
    context = {
        **paging,
        "rows": batch_rows(list(paging["page"].object_list)),
        "words": words,
        "form": form,
        "versions": known_versions(),
        "section": "batches",
    }
    return render(request, "batches/list.html", context, status=UNPROCESSABLE if form.is_bound else 200)


@require_GET
def batch(request: HttpRequest, name: str) -> HttpResponse:
    """Show one batch: its progress, what failed and why, its comparison with the baseline."""
    return _batch_page(request, name)


def _batch_page(
    request: HttpRequest, name: str, *, form: NoteForm | None = None, status: int = 200
) -> HttpResponse:
    detail = load_batch(name)
    context = {
        "detail": detail,
        "changes": changes_of(detail.batch),
        "form": form or NoteForm(initial={"note": detail.batch.note}),
        "section": "batches",
    }
    return render(request, "batches/batch.html", context, status=status)


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
def batch_reopen(request: HttpRequest, name: str) -> HttpResponse:
    """Take back that nothing more comes in."""
    found = find_batch(name)
    if reopen_batch(batch=found):
        what = (
            "Its comparison stays, and is computed again once runs have come in and are measured."
            if found.comparison
            else "It is compared once somebody says again that it is complete."
        )
        messages.success(request, f"{name} is open again. {what}")
    return redirect("batch", name)


@require_POST
def batch_note(request: HttpRequest, name: str) -> HttpResponse:
    """Save the note of a batch."""
    found, form = find_batch(name), NoteForm(request.POST)
    if not form.is_valid():
        return _batch_page(request, name, form=form, status=UNPROCESSABLE)
    note, seen = form.cleaned_data["note"], number_of(request.POST.get("seen"))
    try:
        changed = note_batch(batch=found, note=note, seen=seen, user=signed_in_user(request))
    except ChangedMeanwhileError as error:
        messages.error(request, str(error))
        return _batch_page(request, name, form=form, status=CONFLICT)
    messages.success(request, "The note is saved." if changed else "Nothing was changed.")
    return redirect("batch", name)


@require_POST
def batch_retry(request: HttpRequest, name: str) -> HttpResponse:
    """Measure the failed runs again, all of them or those of one cause."""
    cause = RetryForm(request.POST).values()["cause"]
    count = retry_batch(batch=find_batch(name), outcome=outcome_of(cause))
    messages.success(request, f"{count_text(count, 'run')} will be measured again.")
    return redirect("batch", name)
