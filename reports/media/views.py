"""The pictures of a run: its screencast as imported, single frames, the proxy that a player steps through."""

from datetime import timedelta
from http import HTTPStatus
from pathlib import PurePosixPath

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET, require_safe

from reports.audit.services import record_export
from reports.media.delivery import deliver
from reports.media.files import NO_SCREENCAST, state_words
from reports.media.stills import HEIGHTS_PX, NoSuchFrameError, change_map, frame_picture
from reports.models import Action, AuditEntry, Proxy, ProxyStatus, Run, Subject
from reports.web.requests import signed_in_user

SENT = (HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT, HTTPStatus.FOUND)  # by us or the proxy, a part, by the store
SAME_DOWNLOAD = timedelta(hours=1)


@require_safe
def run_video(request: HttpRequest, run_id: int) -> HttpResponseBase:
    """Send the screencast of a run, or the range a player seeks to; ``?download=1`` saves it by its own name."""
    run = get_object_or_404(Run.objects.only("file_name", "original_name", "sha256"), pk=run_id)
    if not run.filmed:
        return HttpResponse(NO_SCREENCAST, status=404, content_type="text/plain; charset=utf-8")
    download_as = PurePosixPath(run.original_name).name if request.GET.get("download") == "1" else ""
    try:
        response = deliver(request, run.file_name, etag=run.sha256, download_as=download_as)
        if download_as and response.status_code in SENT:
            _record_download(request, run, download_as)
        return response
    except FileNotFoundError:
        lost = f"The screencast of run {run_id} is no longer in the storage."
        text = state_words(run) or f"{lost} Restore it, or import its manifest again."
        return HttpResponse(text, status=404, content_type="text/plain; charset=utf-8")


def _record_download(request: HttpRequest, run: Run, name: str) -> None:
    """Write a download down once, however many parts a browser asks for to resume it."""
    user = signed_in_user(request)
    same = AuditEntry.objects.filter(kind=Subject.RUN, object_id=run.pk, action=Action.EXPORTED, user_id=user.pk)
    part = "Range" in request.headers and same.filter(made_at__gt=timezone.now() - SAME_DOWNLOAD).exists()
    if request.method == "GET" and not part:
        record_export(name, of=run)


@require_GET
@cache_control(private=True, max_age=86_400)
def frame(request: HttpRequest, run_id: int, time_us: int) -> HttpResponseBase:
    """Answer with the frame shown ``time_us`` microseconds after the first one, as WebP; ``?h=`` is its height."""
    run: Run = get_object_or_404(Run.objects.only("sha256", "file_name"), pk=run_id)
    wanted = request.GET.get("h", "0")
    height = int(wanted) if wanted in map(str, HEIGHTS_PX) else HEIGHTS_PX[0]
    try:
        picture = frame_picture(run, time_ms=time_us / 1000, height_px=height)
    except NoSuchFrameError as error:
        raise Http404(str(error)) from error
    return HttpResponse(picture, content_type="image/webp")


@require_GET
@cache_control(private=True, max_age=86_400)
def changes(request: HttpRequest, run_id: int) -> HttpResponseBase:
    """Answer with the map of where and how often the screen changed after the action, see-through elsewhere."""
    run: Run = get_object_or_404(Run.objects.select_related("interaction__app", "device"), pk=run_id)
    try:
        return HttpResponse(change_map(run), content_type="image/png")
    except NoSuchFrameError as error:
        raise Http404(str(error)) from error


@require_safe
def proxy(request: HttpRequest, run_id: int) -> HttpResponseBase:
    """Send the proxy of a run's screencast, or the range that a player seeks to."""
    run = get_object_or_404(Run.objects.only("sha256"), pk=run_id)
    found = get_object_or_404(Proxy, sha256=run.sha256, status=ProxyStatus.DONE)
    try:
        return deliver(request, found.file_name, etag=PurePosixPath(found.file_name).stem)
    except FileNotFoundError as error:
        raise Http404("The proxy is no longer in the storage: open the page again to have it made.") from error
