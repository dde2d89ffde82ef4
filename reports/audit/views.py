"""The audit log, for administrators: as a page and as CSV."""

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from reports.audit.forms import AuditForm
from reports.audit.selectors import GROUPS, active_filters, audit_lines, load_page
from reports.audit.services import record_export
from reports.models import Subject
from reports.web.requests import clean_address, page_size


@require_GET
@never_cache
@clean_address
def audit(request: HttpRequest) -> HttpResponse:
    """Show what was done, newest first; the query filters it."""
    wanted = AuditForm(request.GET).values()
    context = {
        "log": load_page(wanted, size=page_size(request.GET)),
        "wanted": wanted,
        "filters": active_filters(wanted),
        "groups": GROUPS,
        "kinds": Subject.choices,
    }
    return render(request, "audit/log.html", context)


@require_GET
@never_cache
def audit_csv(request: HttpRequest) -> StreamingHttpResponse:
    """Send what the filters in the query leave as CSV; that is written down as well."""
    record_export("audit.csv")
    lines = audit_lines(AuditForm(request.GET).values())
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="audit.csv"'
    return response
