"""The ranking of a comparison: what got worse, worst first, as a page and as files."""

import json
from collections.abc import Iterator
from itertools import chain
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_GET

from analysis.spreadsheet import csv_line
from analysis.verdicts.words import VERDICT_WORDS
from reports.audit.services import record_export
from reports.comparing.output import comparison_head
from reports.comparing.selectors import Pair, find_pair
from reports.models import Comparison, InteractionType, TriageState
from reports.policies.selectors import all_parts
from reports.ranking.forms import RankingForm
from reports.ranking.head import load_head, load_progress
from reports.ranking.plan import load_plan, plan_lines
from reports.ranking.rows import COLUMNS, export_rows, load_rows
from reports.ranking.selectors import RankingFilter, active_filters, filter_options, filtered_results, unknown_drift
from reports.ranking.summary import ladder_words, load_diagnosis, ranked_apps
from reports.triage.people import people_to_choose
from reports.web.forms import with_metrics
from reports.web.requests import clean_address, page_context

KEYS = "ranking/keys.html"


@require_GET
@clean_address
def ranking(request: HttpRequest, base: str, new: str) -> HttpResponse:
    """Show the verdict on top and the rows of the chosen tab; all state is in the query."""
    pair, wanted, context = _frame(request, base, new)
    if pair.comparison is None or not pair.comparison.summary:
        return render(request, "ranking/waiting.html", context)
    context["apps"] = ranked_apps(pair.comparison)
    tab = request.GET.get("tab")
    if tab == "apps":
        return render(request, "ranking/apps.html", context | {"tab": tab})
    if tab == "patterns":
        diagnosis = load_diagnosis(pair.comparison, wanted.metric)
        return render(request, "ranking/patterns.html", context | {"tab": tab, "diagnosis": diagnosis})
    return render(request, "ranking/interactions.html", context | _interactions(request, pair.comparison, wanted))


@require_GET
@clean_address
def plan(request: HttpRequest, base: str, new: str) -> HttpResponse:
    """Show which runs to record so that more can be said, in the part that the filters leave."""
    pair, wanted, context = _frame(request, base, new)
    if pair.comparison is None or not pair.comparison.summary:
        return render(request, "ranking/waiting.html", context)
    return render(request, "ranking/plan.html", context | {"plan": load_plan(pair.comparison, wanted)})


@require_GET
def plan_csv(request: HttpRequest, base: str, new: str) -> StreamingHttpResponse:
    """Send the same as a manifest to fill in: one line for each run to record; names come back as they are."""
    comparison, wanted = _computed(request, base, new)
    body = (csv_line(line) for line in plan_lines(load_plan(comparison, wanted)))
    return _download(body, "text/csv; charset=utf-8", f"plan-{base}-{new}.csv")


@require_GET
def ranking_state(request: HttpRequest, base: str, new: str) -> JsonResponse:
    """Answer whether the comparison is computed yet, for the page that waits for it."""
    pair = find_pair(base, new, RankingForm(request.GET).wanted().device)
    progress = load_progress(pair)
    return JsonResponse(
        {
            "status": pair.comparison.status if pair.comparison else "none",
            "stale": bool(pair.comparison and pair.comparison.stale),
            "computed_at": pair.comparison.computed_at if pair.comparison else None,
            "finished": progress.runs.finished,
            "total": progress.runs.total,
            "sentence": progress.sentence,
        }
    )


def _frame(request: HttpRequest, base: str, new: str) -> tuple[Pair, RankingFilter, dict[str, Any]]:
    """Return the pair, what is wanted of it, and what ranking/frame.html shows."""
    parts = all_parts()
    wanted = RankingForm(request.GET).wanted(parts, user_id=request.user.pk)
    pair = find_pair(base, new, wanted.device)
    context = {"pair": pair, "wanted": wanted, "comparison": pair.comparison, "parts": parts, "keys_template": KEYS}
    return pair, wanted, context | {"head": load_head(pair, wanted.part)}


def _interactions(request: HttpRequest, comparison: Comparison, wanted: RankingFilter) -> dict[str, Any]:
    paging = page_context(request, filtered_results(comparison, wanted).values_list("pk", flat=True))
    options = filter_options()
    rows = load_rows(comparison, paging["page"].object_list)
    return {
        **paging,
        "rows": rows,
        "seen": max((row.decided.entry for row in rows), default=0),
        "options": options,
        "filters": active_filters(wanted, options),
        "metrics": with_metrics([*comparison.summary["matrix"], wanted.metric]),
        "types": InteractionType.choices,
        "verdicts": VERDICT_WORDS.items(),
        "states": TriageState.choices,
        "people": people_to_choose(),
        "here": request.get_full_path(),
        "severities": ladder_words(comparison),
        "unknown_drift": unknown_drift(comparison) if wanted.drift and not rows else "",
        "sort": wanted.sort,
        "tab": "interactions",
    }


@require_GET
def ranking_csv(request: HttpRequest, base: str, new: str) -> StreamingHttpResponse:
    """Send the rows that the filters in the query show as CSV, in the order of the page."""
    _, rows = _wanted_rows(request, base, new)
    body = chain([csv_line(COLUMNS)], (csv_line(row.values()) for row in rows))
    return _download(body, "text/csv; charset=utf-8", f"{base}-{new}.csv")


@require_GET
def ranking_json(request: HttpRequest, base: str, new: str) -> StreamingHttpResponse:
    """Send the same rows as the command ``compare --json`` prints."""
    comparison, rows = _wanted_rows(request, base, new)
    body = _json_parts(comparison, rows)
    return _download(body, "application/json", f"{base}-{new}.json")


def _wanted_rows(request: HttpRequest, base: str, new: str) -> tuple[Comparison, Iterator[dict[str, object]]]:
    comparison, wanted = _computed(request, base, new)
    return comparison, export_rows(comparison, filtered_results(comparison, wanted))


def _computed(request: HttpRequest, base: str, new: str) -> tuple[Comparison, RankingFilter]:
    """Return the comparison and what is wanted of it, or answer 404 if it was never asked for."""
    wanted = RankingForm(request.GET).wanted(all_parts(), user_id=request.user.pk)
    pair = find_pair(base, new, wanted.device)
    if pair.comparison is None:
        raise Http404(f"{base} and {new} have not been compared yet.")
    return pair.comparison, wanted


def _json_parts(comparison: Comparison, rows: Iterator[dict[str, object]]) -> Iterator[str]:
    yield json.dumps(comparison_head(comparison))[:-1] + ', "results": ['
    for number, row in enumerate(rows):
        yield (",\n" if number else "\n") + json.dumps(row)
    yield "\n]}\n"


def _download(body: Iterator[str], content_type: str, name: str) -> StreamingHttpResponse:
    response = StreamingHttpResponse(body, content_type=content_type)
    safe = "upreg-" + "".join(sign if sign.isalnum() or sign in ".-_" else "_" for sign in name)
    record_export(safe)
    response["Content-Disposition"] = content_disposition_header(True, safe)
    return response
