"""OS versions in their order, and search from anywhere."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET

from reports.catalogue.forms import FindForm
from reports.catalogue.selectors import search_interactions, versions_with
from reports.web.requests import page_context

LONGEST = 200


@require_GET
def versions(request: HttpRequest) -> HttpResponse:
    """List the versions, newest first, each with a link to compare it with the one before."""
    words = FindForm(request.GET).values()["q"]
    paging = page_context(request, versions_with(words))
    context = {**paging, "rows": paging["page"].object_list, "words": words, "section": "versions"}
    return render(request, "catalogue/versions.html", context)


@require_GET
def search(request: HttpRequest) -> HttpResponse:
    """List the interactions that have all words; a single one is opened at once."""
    words = request.GET.get("q", "").replace("\x00", "").strip()[:LONGEST]
    if not words:
        return render(request, "catalogue/search.html", {"words": ""})
    result = search_interactions(words)
    if len(result.found) == 1 and result.found[0].result and result.comparison:
        interaction, pair = result.found[0].interaction, result.comparison
        return redirect("drilldown", pair.base.name, pair.new.name, interaction.app.package, interaction.name)
    context = {"words": words, "result": result, "runs_address": f"{reverse('runs')}?{urlencode({'q': words})}"}
    return render(request, "catalogue/search.html", context)
