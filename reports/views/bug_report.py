"""The bug report of one interaction, to attach to a tracker."""

import re
import tempfile

from django.core.exceptions import ObjectDoesNotExist
from django.http import FileResponse, Http404, HttpRequest
from django.urls import reverse
from django.views.decorators.http import require_GET

from reports.selectors.drilldown import load_drilldown
from reports.services.bug_report import write_bug_report
from reports.views.drilldown import sentence_of, wanted_runs

IN_MEMORY_BYTES = 1 << 24


@require_GET
def bug_report(request: HttpRequest, base: str, new: str, app: str, interaction: str) -> FileResponse:
    """Send the chosen pair of runs as a zip that opens without the server."""
    try:
        found = load_drilldown(base, new, app, interaction, wanted_runs(request))
    except ObjectDoesNotExist as error:
        raise Http404(str(error)) from error
    page = request.build_absolute_uri(reverse("drilldown", args=[base, new, app, interaction]))
    file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY_BYTES)  # noqa: SIM115 - the response closes it
    write_bug_report(found, sentence_of(found), file, address=page)
    file.seek(0)
    return FileResponse(file, as_attachment=True, filename=report_name(base, new, interaction))


def report_name(*parts: str) -> str:
    """Return a file name of plain letters."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", "-".join(parts)).strip("-") + ".zip"
