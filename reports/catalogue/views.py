"""OS versions in their order."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from reports.catalogue.forms import FindForm
from reports.catalogue.selectors import versions_with
from reports.web.requests import page_context


@require_GET
def versions(request: HttpRequest) -> HttpResponse:
    """List the versions, newest first, each with a link to compare it with the one before."""
    words = FindForm(request.GET).values()["q"]
    paging = page_context(request, versions_with(words))
    rows = paging["page"].object_list
    context = {**paging, "rows": rows, "words": words, "section": "versions"}
    context["lines"] = any(row.channel for row in rows)
    return render(request, "catalogue/versions.html", context)
