"""What every answer tells the browser beside its content: who may use it, what it may do, and to keep no copy."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase, JsonResponse

# What a page that shows films never needs, whatever finds its way into it.
_UNUSED = ("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "microphone", "payment", "usb")
HEADERS = {
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{name}=()" for name in _UNUSED),
    # Static files and recordings say for how long they may be kept; whatever says nothing is not kept at all.
    "Cache-Control": "no-store, private",
}
API = "/api/"
PLAIN = "Ask by https: what is sent by http can be read on the way, so the API does not lead there by itself."


class HardeningMiddleware:
    """Add what an answer does not say itself; refuse the API by plain HTTP where HTTPS is to be used.

    It stands before SecurityMiddleware, which leads people to HTTPS: a script that was led there would send its
    session readably for ever, and nobody would notice.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a request."""
        if settings.SECURE_SSL_REDIRECT and not request.is_secure() and request.path.startswith(API):
            response: HttpResponseBase = JsonResponse({"detail": PLAIN}, status=403)
        else:
            response = self._get_response(request)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response
