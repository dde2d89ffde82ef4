"""The filtered rows of a ranking as files."""

import csv
import json
from collections.abc import Iterator

from django.http import Http404, HttpRequest, StreamingHttpResponse
from django.views.decorators.http import require_GET

from reports.comparing.selectors import find_pair
from reports.forms.ranking import RankingForm
from reports.policies.selectors import all_parts
from reports.selectors.ranking_export import COLUMNS, export_rows
from reports.selectors.ranking_filter import filtered_results


class _Line:
    """What csv.writer writes to: it hands each line back."""

    def write(self, line: str) -> str:
        return line


@require_GET
def ranking_csv(request: HttpRequest, base: str, new: str) -> StreamingHttpResponse:
    """Send the rows that the filters in the query show as CSV, in the order of the page."""
    rows = _rows(request, base, new)
    writer = csv.writer(_Line())
    lines = (writer.writerow([_safe(value) for value in row.values()]) for row in rows)
    body = (line for part in ([writer.writerow(COLUMNS)], lines) for line in part)
    return _download(body, "text/csv; charset=utf-8", f"{base}-{new}.csv")


@require_GET
def ranking_json(request: HttpRequest, base: str, new: str) -> StreamingHttpResponse:
    """Send the same rows as the command ``compare --json`` prints."""
    body = _json(base, new, _rows(request, base, new))
    return _download(body, "application/json", f"{base}-{new}.json")


def _rows(request: HttpRequest, base: str, new: str) -> Iterator[dict[str, object]]:
    wanted = RankingForm(request.GET).wanted(all_parts())
    pair = find_pair(base, new, wanted.device)
    if pair.comparison is None:
        raise Http404(f"{base} and {new} have not been compared yet.")
    return export_rows(pair.comparison, filtered_results(pair.comparison, wanted))


def _json(base: str, new: str, rows: Iterator[dict[str, object]]) -> Iterator[str]:
    yield json.dumps({"base": base, "new": new})[:-1] + ', "results": ['
    for number, row in enumerate(rows):
        yield (",\n" if number else "\n") + json.dumps(row)
    yield "\n]}\n"


def _safe(value: object) -> object:
    """Keep a spreadsheet from taking a name for a formula."""
    return "'" + value if isinstance(value, str) and value[:1] in ("=", "+", "-", "@") else value


def _download(body: Iterator[str], content_type: str, name: str) -> StreamingHttpResponse:
    response = StreamingHttpResponse(body, content_type=content_type)
    safe = "".join(sign if sign.isalnum() or sign in ".-_" else "_" for sign in name)
    response["Content-Disposition"] = f'attachment; filename="upreg-{safe}"'
    return response
