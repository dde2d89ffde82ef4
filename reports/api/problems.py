"""What the API answers when it refuses: RFC 9457, with the field that is wrong and the cure."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.core.exceptions import ValidationError as DjangoValidationError
from django.http import Http404, HttpResponse
from rest_framework import exceptions
from rest_framework.fields import get_error_detail
from rest_framework.views import set_rollback

from reports.access.pages import refused
from reports.web.problems import problem_json

UNPROCESSABLE, CONFLICT = 422, 409
TITLES = {
    400: "This cannot be read",
    401: "Log in first",
    404: "Nothing at this address",
    405: "This address does not take that",
    406: "That form is not offered",
    409: "This contradicts what is stored",
    413: "This is too large",
    415: "That kind of content is not taken",
    422: "Something in the request is wrong",
    429: "Too many requests",
}
CURES = {
    400: "Send well-formed JSON.",
    401: "Send the header Authorization: Bearer and a token; make one under Your account, API tokens.",
    404: "Look at the list that it should be in: it was renamed, removed or never brought in.",
    405: "Send one of the methods that the header Allow names.",
    406: "Ask for application/json.",
    409: "Read what is stored, then decide.",
    413: "Send less at once.",
    415: "Send application/json.",
    422: "Correct what errors names and send the request again.",
    429: "Wait as many seconds as the header Retry-After says.",
}


class Problem(exceptions.APIException):
    """Something that a view refuses; ``status`` is 409, 413 or 422, ``field`` the name of what is wrong.

    ``raise Problem(409, "The run waits for its measurement already.", cure="Wait until it is measured.")``
    """

    def __init__(self, status: int, words: str, *, cure: str = "", field: str = "", title: str = "") -> None:
        super().__init__(words)
        self.status_code, self.words, self.cure, self.title = status, words, cure, title
        self.errors = [{"field": field, "message": words}] if field else []


def wrong(field: str, words: str, *, cure: str = "") -> Problem:
    """Return the problem of one field, to be raised: 422."""
    return Problem(UNPROCESSABLE, words, field=field, cure=cure)


def problem_answer(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """Answer for an exception of a view; None for a mistake of ours, which Django's handlers answer and log."""
    request = context["request"]
    response: HttpResponse
    if isinstance(error, PermissionDenied | exceptions.PermissionDenied):
        set_rollback()
        return refused(request._request, error)
    if isinstance(error, Http404):
        response = _answer(404, str(error) or "There is no such thing.")
    elif isinstance(error, RequestDataTooBig):
        response = _answer(413, f"JSON takes {settings.DATA_UPLOAD_MAX_MEMORY_SIZE / 1e6:.1f} MB at most.")
    elif isinstance(error, Problem):
        response = _answer(error.status_code, error.words, errors=error.errors, cure=error.cure, title=error.title)
    elif isinstance(error, exceptions.ValidationError | DjangoValidationError):
        errors = list(_flat(get_error_detail(error) if isinstance(error, DjangoValidationError) else error.detail))
        words = "; ".join(": ".join(filter(None, [row["field"], row["message"]])) for row in errors)
        response = _answer(UNPROCESSABLE, words, errors=errors)
    elif isinstance(error, exceptions.APIException):
        response = _answer(error.status_code, _plain(error))
    else:
        return None
    if header := getattr(error, "auth_header", None):
        response["WWW-Authenticate"] = header
    if isinstance(error, exceptions.Throttled):
        response["Retry-After"] = str(_wait_s(error))
    set_rollback()
    return response


def _answer(status: int, words: str, *, errors: Any = (), cure: str = "", title: str = "") -> HttpResponse:
    title, cure = title or TITLES.get(status, "Refused"), cure or CURES.get(status, "")
    return problem_json(status, title=title, detail=words, cure=cure, errors=errors)


def _plain(error: exceptions.APIException) -> str:
    if isinstance(error, exceptions.NotAuthenticated):
        return "This takes a login, and the request brought none."
    if isinstance(error, exceptions.Throttled):
        return f"This token has made enough requests in this minute; the next begins in {_wait_s(error)} s."
    return str(error.detail)


def _wait_s(error: exceptions.APIException) -> int:
    return int(getattr(error, "wait", None) or 0)


def _flat(detail: Any, field: str = "") -> Iterator[dict[str, str]]:
    """Yield each message of nested errors with its field, such as ``interactions.2``."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            own = "" if name in ("non_field_errors", "__all__") else str(name)
            yield from _flat(inner, ".".join(filter(None, [field, own])))
    elif isinstance(detail, list):
        for place, inner in enumerate(detail):
            nested = isinstance(inner, dict | list)
            yield from _flat(inner, ".".join(filter(None, [field, str(place)])) if nested else field)
    else:
        yield {"field": field, "message": str(detail)}
