"""Bring recordings in by the browser: send files, look at what would become of them, import; and the import log."""

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from analysis.manifest.reader import ManifestError
from analysis.options import INTERACTION_TYPES
from reports.audit.services import record_export
from reports.importing.forms import UploadForm, said_batch, said_of_all, said_of_each, said_types, sent_in_parts
from reports.importing.log import batch_of, import_records, manifest_to_mend, refused_lines
from reports.importing.pictures import (
    action_cell,
    frame_picture,
    look_at_frame,
    next_without_action,
    recording_of,
)
from reports.importing.queued import ask_for_import, under_way
from reports.importing.selectors import (
    asked_of,
    load_files,
    load_lines,
    names_known,
    open_batch_names,
    without_type,
)
from reports.importing.staged import (
    NotNowStagedError,
    has_manifest,
    look_at,
    progress_of,
    refused_files,
    say,
    staged_of,
)
from reports.importing.staging import StagingError, discard, open_of, stage, stage_uploads
from reports.media.screencasts import NotNowError, StorageError
from reports.media.stills import NoSuchFrameError
from reports.models import ImportRecord, StagedFile, StagedImport, StagedStatus
from reports.uploads.services import UploadError
from reports.web.requests import back_to, number_of, page_context, signed_in_user

LAST = 5  # imports that the page lists


@require_http_methods(["GET", "HEAD", "POST"])
def imports(request: HttpRequest) -> HttpResponse:
    """Show the form that takes files, what one has sent before, and the last imports; take files in."""
    if request.method != "POST":
        return _form(request)
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        return _form(request, fault="Choose recordings, a manifest with its recordings, or a zip of them.")
    return _taken(request, partial(stage, files=form.cleaned_data["recordings"]))


@require_POST
def imports_sent(request: HttpRequest) -> HttpResponse:
    """Take in what the page has sent in parts."""
    sent = sent_in_parts(request.POST)
    if not sent:
        return _form(request, fault="Choose recordings, a manifest with its recordings, or a zip of them.")
    return _taken(request, partial(stage_uploads, sent=sent))


def _taken(request: HttpRequest, take: Callable[..., StagedImport]) -> HttpResponse:
    try:
        return redirect("import-staged", take(user=signed_in_user(request)).pk)
    except (StagingError, UploadError) as error:
        return _form(request, fault=f"Nothing was taken in: {error}.")
    except StorageError as error:
        return _form(request, fault=f"Nothing was taken in: {error}.", status=503)


def _form(request: HttpRequest, *, fault: str = "", status: int = 422) -> HttpResponse:
    context = {
        "fault": fault,
        "open": open_of(signed_in_user(request)),
        "last": import_records()[:LAST],
        "request_mb": settings.REQUEST_MB,
        "upload_mb": settings.UPLOAD_MB,
        "most_mb": settings.IMPORT_MB,
    }
    return render(request, "importing/upload.html", context, status=status if fault else 200)


@require_GET
def staged(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show what would become of what was sent; once it is imported, how far its runs are."""
    found = staged_of(signed_in_user(request), pk)
    if found.status == StagedStatus.DONE:
        progress = progress_of(found)
        context = {"staged": found, "progress": progress, "record": found.record}
        context |= page_context(request, progress.files)
        return render(request, "importing/progress.html", context)
    if way := under_way(found):
        return render(request, "importing/under_way.html", {"staged": found, "way": way})
    look = look_at(found)
    context = {
        "staged": found,
        "look": look,
        "refused_files": refused_files(found),
        "importable": look.summary.new + look.summary.updated,
        "open_batches": open_batch_names(),
    }
    if has_manifest(found):
        lines = load_lines(found, look.outcomes, request.GET.get("show", ""))
        context |= {**page_context(request, lines.shown), "lines": lines, "what_names": True}
        return render(request, "importing/manifest.html", context)
    files = load_files(found, look)
    paging = page_context(request, files)
    context |= {**paging, "asked": asked_of(), "types": INTERACTION_TYPES, "known": names_known()}
    context["untyped"] = without_type(files)
    return render(request, "importing/files.html", context)


@require_POST
def staged_say(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Keep what somebody says of what was sent; lead to the picture of a recording, if that is asked for."""
    found = staged_of(signed_in_user(request), pk)
    _said(request, found)
    picture = number_of(request.POST.get("picture"))
    if picture is not None:
        return redirect("import-staged-action", found.pk, picture)
    return redirect(back_to(request, "imports"))


def _said(request: HttpRequest, found: StagedImport) -> bool:
    """Keep what the form says; False if it cannot be kept, or if it says something new of a file."""
    try:
        return not say(
            staged=found,
            of_all=said_of_all(request.POST),
            of_each=said_of_each(request.POST),
            types=said_types(request.POST),
            batch=said_batch(request.POST),
        )
    except (NotNowStagedError, ManifestError) as error:
        messages.error(request, f"{error}.".replace("..", "."))
        return False


@require_http_methods(["GET", "HEAD", "POST"])
def staged_action(request: HttpRequest, pk: UUID, file_id: int) -> HttpResponse:
    """Show a recording frame by frame, ``?t=`` in microseconds; take the frame of the action.

    A script that steps gets the part that changes alone.
    """
    found = staged_of(signed_in_user(request), pk)
    if found.status != StagedStatus.OPEN:
        return redirect("import-staged", pk)
    file = recording_of(found, file_id)
    if request.method == "POST":
        return _action_taken(request, found, file)
    context: dict[str, Any] = {"staged": found, "file": file}
    try:
        context["view"] = look_at_frame(file, number_of(request.GET.get("t")))
    except (NoSuchFrameError, NotNowError) as error:
        context["fault"] = str(error)
    if request.headers.get("X-Requested-With") == "fetch":
        return render(request, "importing/steps.html", context)
    context["further"], context["lacking"] = next_without_action(found, file)
    return render(request, "importing/action.html", context)


def _action_taken(request: HttpRequest, found: StagedImport, file: StagedFile) -> HttpResponse:
    time_us = number_of(request.POST.get("t"))
    if time_us is None:
        return redirect("import-staged-action", found.pk, file.pk)
    try:
        say(staged=found, of_each={file.pk: {"action_ms": action_cell(time_us)}})
    except NotNowStagedError as error:
        messages.error(request, str(error))
        return redirect("import-staged", found.pk)
    further, _ = next_without_action(found, file)
    if further:  # at the same time: what a script drives acts in each recording at about the same
        return redirect(f"{reverse('import-staged-action', args=[found.pk, further])}?t={time_us}")
    messages.success(request, "Each recording has its action now.")
    return redirect("import-staged", found.pk)


@require_GET
@cache_control(private=True, max_age=86_400)
def staged_frame(request: HttpRequest, pk: UUID, file_id: int, time_us: int) -> HttpResponse:
    """Answer with the frame shown ``time_us`` microseconds after the first one, as WebP."""
    file = recording_of(staged_of(signed_in_user(request), pk), file_id)
    try:
        return HttpResponse(frame_picture(file, time_us), content_type="image/webp")
    except (NoSuchFrameError, NotNowError) as error:
        raise Http404(str(error)) from error


@require_GET
def staged_state(request: HttpRequest, pk: UUID) -> JsonResponse:
    """Answer how far the import is, for the page that waits for it."""
    found = staged_of(signed_in_user(request), pk)
    way = under_way(found)
    # to the page it is over, too, where it is open again: loaded anew it says why
    state = {"status": found.status} | asdict(way) if way else {"status": StagedStatus.DONE}
    return JsonResponse(state, headers={"Cache-Control": "no-store"})


@require_POST
def staged_import(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Have what was sent imported in the queue, as far as it can be; pressed twice it is imported once."""
    found = staged_of(signed_in_user(request), pk)
    if found.status == StagedStatus.OPEN:
        if not _said(request, found):
            messages.info(request, "What you wrote has just been set: look at what becomes of it, then import.")
            return redirect(back_to(request, "imports"))
        ask_for_import(staged=found)
    return redirect("import-staged", pk)


@require_POST
def staged_discard(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Drop what was sent."""
    found = staged_of(signed_in_user(request), pk)
    if discard(staged=found):
        messages.success(request, f"{found} was dropped; nothing of it was imported.")
        return redirect("imports")
    messages.error(request, "It is being imported already, or was: nothing was dropped.")
    return redirect("import-staged", found.pk)


@require_GET
def import_log(request: HttpRequest) -> HttpResponse:
    """List all imports, the newest first."""
    return render(request, "importing/log.html", page_context(request, import_records()))


@require_GET
def import_record(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one import: counts, why lines were refused, and the lines."""
    record = get_object_or_404(ImportRecord, pk=pk)
    context = {"record": record, "batch": batch_of(record), **page_context(request, refused_lines(record))}
    return render(request, "importing/record.html", context)


@require_GET
def import_refused(request: HttpRequest, pk: int) -> StreamingHttpResponse:
    """Send the refused lines as a manifest to mend; that is written down."""
    record = get_object_or_404(ImportRecord, pk=pk)
    record_export(f"refused lines of {record}")
    response = StreamingHttpResponse(manifest_to_mend(record), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="refused-{record.pk}.csv"'
    return response
