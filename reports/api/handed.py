"""What is handed on as a file: the bug report of an interaction, the release report of a comparison."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.http import FileResponse, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.request import Request

from reports.api.base import ApiViewSet
from reports.api.bodies import asked, parameters
from reports.api.comparisons import WORDS, PartForm, named_part
from reports.bugreport.views import bug_report
from reports.models import Comparison
from reports.releasereport.views import release_report
from reports.web.forms import BIGGEST_ID, LenientForm


class RunsForm(LenientForm):
    """Which runs a bug report shows, and at which moment it opens."""

    base_run = forms.IntegerField(required=False, min_value=0, max_value=BIGGEST_ID)
    new_run = forms.IntegerField(required=False, min_value=0, max_value=BIGGEST_ID)
    device = forms.IntegerField(required=False, min_value=0, max_value=BIGGEST_ID)
    t = forms.FloatField(required=False, min_value=-1e6, max_value=1e6)


RUN_WORDS = {
    "base_run": "The run of the baseline, by its id; else the one nearest to the median",
    "new_run": "The run of the updated version, by its id",
    "device": "The device, by its id; else that of the worst result",
    "t": "Opens so many ms after the action; else on what tells the story",
}


class OneKind(BaseContentNegotiation):
    """A file has one form, whatever a request would like best; a refusal is JSON."""

    def select_parser(self, request: Request, parsers: Iterable[Any]) -> Any:
        """Return the first: nothing is sent."""
        return next(iter(parsers))

    def select_renderer(self, request: Request, renderers: Iterable[Any], format_suffix: Any = None) -> Any:
        """Return the first."""
        first = next(iter(renderers))
        return first, first.media_type


class ReleaseReports(ApiViewSet):
    """A comparison as a file."""

    queryset = Comparison.objects.none()
    content_negotiation_class = OneKind

    @extend_schema(
        summary="Take the release report away: one HTML file that opens without the server",
        parameters=parameters(PartForm, **WORDS),
        responses={(200, "text/html"): OpenApiTypes.STR},
    )
    def retrieve(self, request: Request, base: str, new: str) -> HttpResponse:
        """Send what the page sends."""
        form = asked(PartForm, request.query_params)
        named_part(form.cleaned_data["scope"])
        return release_report(request._request, base, new)


class BugReports(ApiViewSet):
    """A finding as a file."""

    queryset = Comparison.objects.none()
    content_negotiation_class = OneKind

    @extend_schema(
        summary="Take the bug report of an interaction away: a zip that opens without the server",
        parameters=parameters(RunsForm, **RUN_WORDS),
        responses={(200, "application/zip"): OpenApiTypes.BINARY},
    )
    def retrieve(self, request: Request, base: str, new: str, package: str, interaction: str) -> FileResponse:
        """Send what the page sends."""
        asked(RunsForm, request.query_params)
        return bug_report(request._request, base, new, package, interaction)
