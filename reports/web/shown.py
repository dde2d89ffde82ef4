"""Show harmlessly what was stored before names were refused, and what people write in their own words.

A character that turns the reading direction, or shows nothing, would let one name look like another and move what
stands beside it. On every page a sign stands in its place. What a field of a form holds is left as it is: it is
sent back to be compared with what is stored.
"""

import re
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBase

from analysis.names import harmless

_MARKUP = re.compile(r"([\\`*_{}\[\]<>|~#@!&])")
_VALUE = re.compile(r'(\bvalue="[^"]*")')
# Pages are looked through for these first bytes alone, which costs a millisecond a megabyte; few hold any.
_SIGNS = re.compile(b"\xe2(?:\x80[\x8b\x8e\x8f\xa8-\xae]|\x81[\xa0-\xaf])")
_OTHERS = (b"\xef\xbb\xbf", b"\xd8\x9c", b"\xef\xbf\xb9", b"\xef\xbf\xba", b"\xef\xbf\xbb", b"\xf3\xa0")


class HarmlessMiddleware:
    """Replace, on pages, what hides or moves other characters."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a request with a page that shows what it says."""
        response = self._get_response(request)
        if isinstance(response, HttpResponse) and response.get("Content-Type", "").startswith("text/html"):
            content = response.content
            if _SIGNS.search(content) or any(sign in content for sign in _OTHERS):
                response.content = harmless_page(content.decode())
                if "Content-Length" in response:
                    response["Content-Length"] = str(len(response.content))
        return response


def harmless_page(page: str) -> str:
    """Return HTML with a sign in the place of each such character, but for what its fields hold."""
    parts = _VALUE.split(page)
    return "".join(part if place % 2 else harmless(part) for place, part in enumerate(parts))


def markdown_line(text: str) -> str:
    """Return a text as one line that Markdown shows letter by letter: no markup, no HTML, nobody is mentioned."""
    line = " ".join(harmless(str(text)).split())
    return _MARKUP.sub(r"\\\1", line).replace("\\@", "@\u200b")
