"""Each request: its id, one log line, one count; and the answers to operators' machines, before all else."""

import logging
import re
import time
import uuid
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBase

from reports.monitoring.metrics import observe_request
from reports.monitoring.probes import PROBES
from reports.web.logs import about
from reports.web.proxies import client_address

logger = logging.getLogger("upreg.requests")
_UNSAID = {"account-reset": "/account/reset/…/"}  # the address itself lets somebody in
_SANE_ID = re.compile(r"[A-Za-z0-9._-]{8,64}", re.ASCII)


class RequestMiddleware:
    """Name, count and log each request. It stands behind TrustedProxyMiddleware, which alone lets an id come in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a request, and tell its id."""
        given = request.META.get("HTTP_X_REQUEST_ID", "")
        number = given if _SANE_ID.fullmatch(given) else uuid.uuid4().hex
        start = time.perf_counter()
        with about(request_id=number):
            response = self._get_response(request)
            took_s = time.perf_counter() - start
            route = request.resolver_match.view_name if request.resolver_match else "none"
            path = _UNSAID.get(route, request.path)
            values = {
                "method": request.method,
                "path": path,
                "route": route,
                "status": response.status_code,
                "took_ms": round(1000 * took_s, 1),
                "client": client_address(request),
            }
            logger.info("%s %s %s", request.method, path, response.status_code, extra=values)
        observe_request(route=route, method=request.method or "", status=response.status_code, took_s=took_s)
        response["X-Request-ID"] = number
        return response


class ProbeMiddleware:
    """Answer operators' machines: they name any host, speak plain HTTP and have no session."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a probe, or pass the request on."""
        probe = PROBES.get(request.path)
        if probe is None:
            return self._get_response(request)
        if request.method not in ("GET", "HEAD"):
            return HttpResponse(status=405, headers={"Allow": "GET, HEAD"})
        response = probe(request)
        response["Cache-Control"] = "no-store"
        return response
