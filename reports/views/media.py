"""The screencast of a run, as it was imported."""

from pathlib import PurePosixPath

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from reports.models import Run
from reports.views.ranged import stored_file


@require_safe
def run_video(request: HttpRequest, run_id: int) -> HttpResponseBase:
    """Send the screencast of a run, or the range a player seeks to; ``?download=1`` saves it by its own name."""
    run = get_object_or_404(Run.objects.only("file_name", "original_name", "sha256"), pk=run_id)
    download_as = PurePosixPath(run.original_name).name if request.GET.get("download") == "1" else ""
    try:
        return stored_file(request, run.file_name, etag=run.sha256, download_as=download_as)
    except FileNotFoundError:
        text = (
            f"The screencast of run {run_id} is no longer in the storage. Restore it, or import its manifest again."
        )
        return HttpResponse(text, status=404, content_type="text/plain; charset=utf-8")
