"""Answers to requests that fail: a page of the house for people, an object as RFC 9457 describes it for scripts."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.middleware.csrf import REASON_NO_CSRF_COOKIE
from django.template.loader import render_to_string
from django.urls import Resolver404

from reports.web.logs import is_about

API = "/api/"
PROBLEM = "application/problem+json"
_TITLES = {
    400: "This request makes no sense to the server",
    403: "This form cannot be taken",
    404: "Nothing at this address",
    405: "This address does not take that",
    413: "This is too large",
    414: "The address is too long",
    500: "The server made a mistake",
    503: "The server cannot do that now",
}
_TEXTS = {
    400: "The address or the form was cut off or changed on its way. Load the page again and try once more.",
    405: "A form's address was opened as a page, or the other way round. Nothing was changed.",
    413: "It was not read, and nothing was changed.",
    414: "Nothing was changed.",
    500: "It is written in the server's log. Trying again may help; nothing that was stored is lost.",
    503: "Its disk or its database does not take it. Nothing stored is lost; what you just sent was not kept.",
}
_MISTYPED = "The address has a typing error, or the page has moved."
_GONE = "What you look for was renamed, removed or never imported."
_FORM = "Nothing was changed. Load the page again, then send the form once more."
_NO_COOKIE = "Your browser sent no cookie: let it keep those of this site. "
_OTHER_LOGIN = "You have logged in or out since this page was opened, or the form came from another site. "


def is_script(request: HttpRequest) -> bool:
    """Tell whether a script asks, which reads JSON, and no person."""
    asks = request.headers.get("X-Requested-With") or not request.accepts("text/html")
    return bool(asks) or request.path.startswith(API)


def problem(request: HttpRequest, status: int, *, text: str = "", reason: str = "", cure: str = "") -> HttpResponse:
    """Answer that a request failed, why, and what to do; needs neither a session nor the database."""
    text = text or _TEXTS[status]
    number = is_about("request_id")
    if is_script(request):
        return problem_json(status, title=_TITLES[status], detail=f"{text} {reason}".strip(), cure=cure)
    context = {"code": str(status), "title": _TITLES[status], "text": text, "reason": f"{reason} {cure}".strip()}
    if status >= 500:
        context["number"] = number
    page = render_to_string("partials/error_page.html", context, request=None if status >= 500 else request)
    return HttpResponse(page, status=status)


def problem_json(
    status: int,
    *,
    title: str,
    detail: str,
    cure: str = "",
    errors: Sequence[dict[str, str]] = (),
    more: Mapping[str, Any] = MappingProxyType({}),
) -> JsonResponse:
    """Answer a script as RFC 9457 describes it.

    ``cure`` says what to do, ``errors`` names each wrong field as ``{"field": …, "message": …}``.
    """
    found: dict[str, Any] = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    found |= {"errors": list(errors), "cure": cure, "request_id": is_about("request_id"), **more}
    return JsonResponse(found, status=status, content_type=PROBLEM)


def not_found(request: HttpRequest, exception: Http404) -> HttpResponse:
    """Answer 404: no such address, or nothing that a page could show."""
    if isinstance(exception, Resolver404):
        return problem(request, 404, text=_MISTYPED)
    return problem(request, 404, text=_GONE, reason=str(exception))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer 403 to a form without the token of its page."""
    cause = _NO_COOKIE if reason == REASON_NO_CSRF_COOKIE else _OTHER_LOGIN
    return problem(request, 403, text=cause + _FORM)


def not_allowed(request: HttpRequest, methods: Any) -> HttpResponse:
    """Answer 405 with the methods that the address takes."""
    response = problem(request, 405)
    response["Allow"] = HttpResponseNotAllowed(methods)["Allow"]
    return response
