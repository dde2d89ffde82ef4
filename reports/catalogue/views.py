"""OS versions in their order."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from reports.catalogue.selectors import version_rows


@require_GET
def versions(request: HttpRequest) -> HttpResponse:
    """List the versions, newest first, each with a link to compare it with the one before."""
    return render(request, "catalogue/versions.html", {"rows": version_rows()})
