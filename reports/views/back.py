"""Where a form leads back to."""

from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme


def back_to(request: HttpRequest, otherwise: str) -> str:
    """Return the page that the form was on, if it is one of ours, else the page of that URL name."""
    asked = request.POST.get("back", "")
    if url_has_allowed_host_and_scheme(asked, allowed_hosts={request.get_host()}):
        return asked
    return reverse(otherwise)
