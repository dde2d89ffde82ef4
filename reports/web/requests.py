"""What views ask of a request: who is at the keyboard, where a form leads back to, which page of a list."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast

from django.contrib.auth.models import AbstractBaseUser
from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode

PAGE_SIZES = (50, 100, 200)
LONGEST_NUMBER = 18  # digits: more do not fit into a column
P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def signed_in_user(request: HttpRequest) -> AbstractBaseUser:
    """Return the user of a request; LoginRequiredMiddleware has let nobody else in."""
    return cast(AbstractBaseUser, request.user)


def clean_address(view: View[P]) -> View[P]:
    """Lead from an address with empty keys to the one without them, which can be read and shared.

    Such addresses come from filter forms that a browser without scripts sends; with scripts static/js/base.js
    leaves the empty fields out.
    """

    @wraps(view)
    def cleaned(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        given = [(key, value) for key, values in request.GET.lists() for value in values]
        kept = [(key, value) for key, value in given if value]
        if kept == given:
            return view(request, *args, **kwargs)
        return HttpResponseRedirect(f"{request.path}?{urlencode(kept)}" if kept else request.path)

    return cleaned


def number_of(text: str | None) -> int | None:
    """Return the whole number that an address gives, an id or a time; a wrong one is as if none had been given."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < LONGEST_NUMBER else None


def back_to(request: HttpRequest, otherwise: str) -> str:
    """Return the page that the form was on, if it is one of ours, else the page of that URL name."""
    asked = request.POST.get("back", "")
    # Without a slash in front it would be taken for the name of an address.
    if asked.startswith("/") and url_has_allowed_host_and_scheme(asked, allowed_hosts={request.get_host()}):
        return asked
    return reverse(otherwise)


def page_size(query: QueryDict) -> int:
    """Return the rows a page that the address asks for, one of ``PAGE_SIZES``."""
    asked = query.get("per_page", "")
    return int(asked) if asked in map(str, PAGE_SIZES) else PAGE_SIZES[0]


def page_context(request: HttpRequest, rows: Any) -> dict[str, Any]:
    """Return the context that partials/pages.html needs."""
    page: Page[Any] = Paginator(rows, page_size(request.GET)).get_page(request.GET.get("page"))
    numbers = page.paginator.get_elided_page_range(page.number, on_each_side=1, on_ends=1)
    return {"page": page, "page_numbers": list(numbers), "page_sizes": PAGE_SIZES}
