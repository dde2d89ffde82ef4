"""The icon that browsers and tools ask for without being told where it is."""

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import FileResponse, HttpRequest
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

ICON = settings.BASE_DIR / "static" / "img" / "favicon.ico"
WEEK_S = 7 * 24 * 3600


@require_safe
@login_not_required
@cache_control(public=True, max_age=WEEK_S)
def favicon(request: HttpRequest) -> FileResponse:
    """Send the icon, also to strangers: the page for logging in has it, too."""
    return FileResponse(ICON.open("rb"), content_type="image/x-icon")
