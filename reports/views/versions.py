"""All OS versions, in their order."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from reports.selectors.versions_page import version_rows


@require_GET
def versions(request: HttpRequest) -> HttpResponse:
    """List the versions, newest first, each with a link to compare it with the one before."""
    return render(request, "reports/versions.html", {"rows": version_rows()})
