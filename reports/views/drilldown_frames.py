"""Pictures of single frames: evidence, film strip, what a page without JavaScript shows."""

from django.core.files.storage import default_storage
from django.http import FileResponse, Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET

from reports.models import Run
from reports.services.stills import HEIGHTS_PX, NoSuchFrameError, frame_picture


@require_GET
@cache_control(private=True, max_age=86_400)
def frame(request: HttpRequest, run_id: int, time_us: int) -> HttpResponseBase:
    """Answer with the frame shown ``time_us`` microseconds after the first one, as WebP; ``?h=`` is its height."""
    run = get_object_or_404(Run, pk=run_id)
    wanted = request.GET.get("h", "0")
    height = int(wanted) if wanted in map(str, HEIGHTS_PX) else HEIGHTS_PX[0]
    try:
        name = frame_picture(run, time_ms=time_us / 1000, height_px=height)
    except NoSuchFrameError as error:
        raise Http404(str(error)) from error
    return FileResponse(default_storage.open(name), content_type="image/webp")
