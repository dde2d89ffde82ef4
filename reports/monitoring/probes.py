"""``/healthz``, ``/readyz`` and ``/metrics``: for load balancers, alarms and Prometheus (docs/operations.md)."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare

from reports.monitoring.metrics import CONTENT_TYPE, metrics_text
from reports.monitoring.readiness import READINESS
from reports.web.proxies import came_by_proxy, client_address, is_loopback

PLAIN = "text/plain; charset=utf-8"
NO_METRICS = (
    "Metrics are for this machine itself, and for whoever sends 'Authorization: Bearer' with the value of "
    "UPREG_METRICS_TOKEN.\n"
)


def healthz(request: HttpRequest) -> HttpResponse:
    """Tell that the process answers; nothing else is asked."""
    return HttpResponse("ok\n", content_type=PLAIN)


def readyz(request: HttpRequest) -> HttpResponse:
    """Tell part by part whether work can be done: 200, or 503 with what stands in the way."""
    found = READINESS.state()
    ready = bool(found) and all(part.ready for part in found)
    parts = {part.name: {"ready": part.ready, "words": part.words} for part in found}
    return JsonResponse({"ready": ready, "parts": parts}, status=200 if ready else 503)


def metrics(request: HttpRequest) -> HttpResponse:
    """Give the numbers to this machine, or to whoever has the token."""
    if not _may_read_metrics(request):
        return HttpResponse(NO_METRICS, status=403, content_type=PLAIN)
    return HttpResponse(metrics_text(), content_type=CONTENT_TYPE)


def _may_read_metrics(request: HttpRequest) -> bool:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if settings.METRICS_TOKEN and scheme.lower() == "bearer":
        return constant_time_compare(token.strip(), settings.METRICS_TOKEN)
    return is_loopback(client_address(request)) and not came_by_proxy(request)


PROBES: dict[str, Callable[[HttpRequest], HttpResponse]] = {
    "/healthz": healthz,
    "/readyz": readyz,
    "/metrics": metrics,
}
