"""The release report as a file to keep, to send and to print."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from reports.audit.services import record_export
from reports.comparing.selectors import find_pair
from reports.gate.forms import GateForm
from reports.gate.selectors import load_record
from reports.models import Scope
from reports.policies.selectors import find_part
from reports.releasereport.page import render_report, report_name
from reports.releasereport.selectors import ReleaseReport, load_recorded, load_standing

PATIENCE_S = 8.0  # for pictures that nobody looked at yet; the command has no limit


@require_GET
@never_cache
def release_report(request: HttpRequest, base: str, new: str) -> HttpResponse:
    """Send the comparison as things stand, on the device and in the scope that the query names."""
    wanted = GateForm(request.GET).values()
    comparison = find_pair(base, new, wanted["device"]).comparison
    if comparison is None or not comparison.summary:
        raise Http404(f"{base} and {new} have not been compared yet.")
    try:
        part = find_part(wanted["scope"])
    except Scope.DoesNotExist as error:
        raise Http404(str(error)) from error
    return _file(request, load_standing(comparison, part, patience_s=PATIENCE_S))


@require_GET
@never_cache
def recorded_report(request: HttpRequest, pk: int) -> HttpResponse:
    """Send a kept decision of the gate with what it was made from."""
    return _file(request, load_recorded(load_record(pk), patience_s=PATIENCE_S))


def _file(request: HttpRequest, report: ReleaseReport) -> HttpResponse:
    html = render_report(report, address=request.build_absolute_uri("/"))
    name = report_name(report)
    record_export(name)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(html, content_type="text/html; charset=utf-8", headers=headers)
