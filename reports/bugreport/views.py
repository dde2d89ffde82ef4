"""The bug report of one interaction, to attach to a tracker."""

import tempfile

from django.core.exceptions import ObjectDoesNotExist
from django.http import FileResponse, Http404, HttpRequest
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from reports.audit.services import record_export
from reports.bugreport.selectors import load_finding
from reports.bugreport.services import report_name, write_bug_report
from reports.drilldown.moments import asked_for
from reports.drilldown.selectors import known_names
from reports.drilldown.views import wanted_runs


@require_GET
@never_cache
def bug_report(request: HttpRequest, base: str, new: str, app: str, interaction: str) -> FileResponse:
    """Send the chosen pair of runs as a zip that opens without the server."""
    try:
        finding = load_finding(base, new, app, interaction, wanted_runs(request))
    except ObjectDoesNotExist as error:
        raise Http404(f"{error} {known_names(app)}") from error
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the response closes it, which deletes it
    try:
        address = _address(request, base, new, app, interaction)
        write_bug_report(finding, file, address=address, at_ms=asked_for(request.GET.get("t")))
    except BaseException:
        file.close()
        raise
    file.seek(0)
    name = report_name(finding)
    record_export(name)
    return FileResponse(file, as_attachment=True, filename=name, content_type="application/zip")


def _address(request: HttpRequest, *names: str) -> str:
    query = request.GET.urlencode()
    return request.build_absolute_uri(reverse("drilldown", args=names)) + (f"?{query}" if query else "")
