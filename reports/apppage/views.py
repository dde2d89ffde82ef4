"""The page of an app: everything that UPReg knows of it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from reports.apppage.selectors import FOR_HISTORY, load_app
from reports.apppage.trend import load_app_trend_page
from reports.history.forms import MatrixForm
from reports.web.requests import clean_address, number_of


@require_GET
def app(request: HttpRequest, package: str) -> HttpResponse:
    """Show an app; ``?comparison=`` is the one to look at, else that of the newest versions which includes it."""
    wanted = number_of(request.GET.get("comparison"))
    context = {
        "found": load_app(package, comparison_id=wanted, today=timezone.localdate()),
        "for_history": FOR_HISTORY,
        "section": "apps",
    }
    return render(request, "apppage/app.html", context)


@require_GET
@clean_address
def app_trend(request: HttpRequest, pk: int) -> HttpResponse:
    """Show how an app goes over the versions of a line."""
    channel = MatrixForm(request.GET).wanted().channel
    page = load_app_trend_page(pk, channel=channel, today=timezone.localdate())
    return render(request, "apppage/trend.html", {"page": page})
