"""The product around every page: its areas in the header, its version in the footer, the way back from an error."""

from dataclasses import dataclass

from django import template
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.template import Context
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

register = template.Library()


@dataclass(frozen=True)
class Area:
    """A part of the product; ``is_here``: the page belongs to it, ``is_exact``: its link leads to the page."""

    name: str
    address: str
    is_here: bool
    is_exact: bool


# Areas by what one must be allowed to do there, and by the beginnings of their pages' addresses.
_AREAS = (
    ("Compare", "home", "read", ("/compare/",)),
    ("Catalogue", "versions", "read", ("/versions/", "/apps/", "/devices/", "/interactions/", "/people/")),
    ("Runs", "runs", "read", ("/runs/", "/batches/")),
    ("Import", "imports", "import", ("/import/",)),
    ("History", "history", "read", ("/history/",)),
    ("Gate", "gate", "read", ("/gate/",)),
    ("Help", "help", "read", ("/help/",)),
)


@register.simple_tag(takes_context=True)
def product_areas(context: Context) -> list[Area]:
    """Return the areas that whoever looks may enter, with the one that the page belongs to marked."""
    path = context["request"].path
    areas = []
    for name, page, capability, beginnings in _AREAS:
        if not context["may"][capability]:
            continue
        address = reverse(page)
        areas.append(Area(name, address, path == address or path.startswith(beginnings), path == address))
    return areas


@register.simple_tag
def product_version() -> str:
    """Return the version of the program."""
    return settings.VERSION


@register.simple_tag(takes_context=True)
def page_before(context: Context) -> str:
    """Return the page from which somebody came, if it is one of ours and not this one; else an empty text."""
    request = context.get("request")
    if request is None:
        return ""
    came_from = request.headers.get("Referer", "")
    try:
        host, here = request.get_host(), request.build_absolute_uri()
    except DisallowedHost:  # the page says that; it must not fail by it once more
        return ""
    ours = url_has_allowed_host_and_scheme(came_from, {host}, require_https=request.is_secure())
    return came_from if ours and came_from != here else ""
