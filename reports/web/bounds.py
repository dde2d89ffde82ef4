"""How much any request may hold, whatever its address: refused in plain words before a view reads it.

What a single field may hold stands at the field; this is the outermost bound, so that a view that forgets its own
never meets what a database or Python's own numbers refuse.
"""

import re
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import Http404, HttpRequest, HttpResponse, QueryDict, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.utils.deprecation import MiddlewareMixin

from reports.web.forms import BIGGEST_ID
from reports.web.problems import API, problem

LONGEST_PATH = 2_000  # characters; the longest names of a drill-down make 800
LONGEST_QUERY = (
    32_000  # as sent: all filters at their longest, in a script of four bytes a sign, with the page before
)
LONGEST_VALUE = 100_000  # characters of one field; the longest, a scenario, takes 20,000
MOST_PARAMETERS = 1_000  # of an address; a form may tick more (DATA_UPLOAD_MAX_NUMBER_FIELDS)
_IMPOSSIBLE = re.compile("[\x00\ud800-\udfff]")  # no database keeps them, and no keyboard writes them
UNREAD = "upreg.body_unread"  # set by the web server: the body is too large, and was not read
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


class BoundsMiddleware(MiddlewareMixin):
    """Refuse what no page of ours sends: 414 for an address that is too long, 400 for what it or a form holds.

    Also 413 for a body that the web server has not read because of its size.

    Numbers in paths that no row can have lead to the page for what is not there.
    """

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Look at the address, before anything else reads it."""
        if request.META.get(UNREAD):
            return _too_large(request)
        query = request.META.get("QUERY_STRING", "")
        if len(request.path) > LONGEST_PATH or len(query) > LONGEST_QUERY:
            return refused(request, "The address is too long. Shorten what you look for.", status=414)
        if query.count("&") >= MOST_PARAMETERS:
            return refused(request, f"The address has more than {MOST_PARAMETERS:,} parameters. Leave some out.")
        if _IMPOSSIBLE.search(request.path) or any(map(_IMPOSSIBLE.search, request.COOKIES.values())):
            return refused(request, "The address or a cookie holds a character that nothing here has.")
        return self._fault(request, request.GET)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: list[Any], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        """Look at the numbers of the path and at a form that was sent."""
        if any(isinstance(value, int) and value > BIGGEST_ID for value in kwargs.values()):
            raise Http404("No number is that long.")
        if request.method != "POST" or request.content_type not in _FORMS:
            return None
        try:
            return self._fault(request, request.POST)
        except UnreadablePostError:
            return None  # whoever sent it has gone

    def _fault(self, request: HttpRequest, given: QueryDict) -> HttpResponse | None:
        for key, values in given.lists():
            field = key[:40].replace("_", " ") if key.isprintable() else "a field"
            for text in (key, *values):
                if len(text) > LONGEST_VALUE:
                    return refused(
                        request,
                        f"{field}: has {len(text):,} characters, and no field takes more than {LONGEST_VALUE:,}. "
                        "Shorten it.",
                    )
                if _IMPOSSIBLE.search(text):
                    return refused(
                        request,
                        f"{field}: holds a character that cannot be stored (NUL). Remove it, or type it again.",
                    )
        return None


def refused(request: HttpRequest, words: str, *, status: int = 400) -> HttpResponse:
    """Answer with the page for a request that cannot be read, and why."""
    return problem(request, status, reason=words)


def _too_large(request: HttpRequest) -> HttpResponse:
    way = "by POST /api/v1/uploads/" if request.path.startswith(API) else "as the page Import does with scripts"
    words = f"A request takes {settings.REQUEST_MB} MB at most."
    return problem(request, 413, reason=words, cure=f"Send a larger file in parts, {way}.")


def bad_request_page(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400 where Django refuses a request: what was too much of it, if it was that."""
    words = ""
    if isinstance(exception, RequestDataTooBig):
        words = f"A form takes {settings.DATA_UPLOAD_MAX_MEMORY_SIZE / 1e6:.1f} MB at most. Shorten what it holds."
    elif isinstance(exception, TooManyFieldsSent):
        words = f"A form takes {settings.DATA_UPLOAD_MAX_NUMBER_FIELDS:,} fields at most. Choose fewer at once."
    elif isinstance(exception, TooManyFilesSent):
        words = f"A form takes {settings.DATA_UPLOAD_MAX_NUMBER_FILES:,} files at most. Send them as one zip."
    elif isinstance(exception, MultiPartParserError):
        words = "The form was cut off on its way. Send it again."
    return refused(request, words)
