"""The import log: every import, what it came to, and the lines that it refused."""

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from reports.audit.services import record_export
from reports.importing.log import import_records, manifest_to_mend, refused_lines
from reports.models import ImportRecord
from reports.web.requests import page_context


@require_GET
def import_log(request: HttpRequest) -> HttpResponse:
    """List all imports, the newest first."""
    return render(request, "importing/log.html", page_context(request, import_records()))


@require_GET
def import_record(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one import: counts, why lines were refused, and the lines."""
    record = get_object_or_404(ImportRecord, pk=pk)
    context = {"record": record, **page_context(request, refused_lines(record))}
    return render(request, "importing/record.html", context)


@require_GET
def import_refused(request: HttpRequest, pk: int) -> StreamingHttpResponse:
    """Send the refused lines as a manifest to mend; that is written down."""
    record = get_object_or_404(ImportRecord, pk=pk)
    record_export(f"refused lines of {record}")
    response = StreamingHttpResponse(manifest_to_mend(record), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="refused-{record.pk}.csv"'
    return response
