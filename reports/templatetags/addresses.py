"""Addresses of the same page with another query: all state of a page is in its URL."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from django import template
from django.http import QueryDict
from django.template import Context

from reports.web.filters import ActiveFilter

register = template.Library()


@register.simple_tag(takes_context=True)
def with_query(context: Context, **changes: Any) -> str:
    """Return ``?…`` with some keys set; None or an empty text removes a key."""
    words = tuple((key, "" if value is None else str(value)) for key, value in changes.items())
    return _changed(context["request"].GET.urlencode(), words)


@lru_cache(maxsize=4096)  # a drill-down has hundreds of links, most of them several times
def _changed(query_string: str, changes: tuple[tuple[str, str], ...]) -> str:
    query = QueryDict(query_string, mutable=True)
    for key, value in changes:
        if value:
            query[key] = value
        else:
            query.pop(key, None)
    return "?" + query.urlencode()


@register.simple_tag(takes_context=True)
def kept_query(context: Context, **changes: Any) -> str:
    """Return the same to stand behind an address of its own: nothing where no key is left."""
    return with_query(context, **changes).removesuffix("?")


@register.simple_tag(takes_context=True)
def without_key(context: Context, key: str) -> str:
    """Return this page's address without one key, on the first page: the chip of a filter takes it away so."""
    return context["request"].path + kept_query(context, **{key: None, "page": None})


@register.simple_tag(takes_context=True)
def without_filters(context: Context, filters: Iterable[ActiveFilter]) -> str:
    """Return this page's address without these filters and what is searched for, on the first page."""
    taken: dict[str, Any] = dict.fromkeys((*(each.key for each in filters), "q", "page"))
    return context["request"].path + kept_query(context, **taken)


@register.inclusion_tag("partials/sort_head.html", takes_context=True)
def sort_head(
    context: Context, key: str, words: str, css: str = "", title: str = "", term: str = ""
) -> dict[str, Any]:
    """Return a table head that sorts by ``key`` (``-key`` the largest first); a second click turns it round.

    ``term`` is the word of the glossary whose note stands beside it.
    """
    now = context.get("sort") or ""
    field = key.removeprefix("-")
    turned = field if key.startswith("-") else f"-{field}"
    order = "descending" if now.startswith("-") else "ascending"
    return {
        "href": with_query(context, sort=turned if now == key else key, page=None),
        "words": words,
        "css": css,
        "title": title,
        "term": term,
        "order": order if now.removeprefix("-") == field else "",
    }
