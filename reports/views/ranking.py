"""The ranking of a comparison: what got worse, worst first."""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from analysis.verdicts.words import VERDICT_WORDS
from reports.comparing.selectors import Pair, find_pair
from reports.forms.ranking import RankingForm
from reports.models import InteractionType, TriageState
from reports.policies.selectors import all_parts
from reports.selectors.diagnosis import load_diagnosis
from reports.selectors.ranking import filter_options, measuring_progress, needs_progress
from reports.selectors.ranking_apps import ranked_apps
from reports.selectors.ranking_filter import RankingFilter, filtered_results
from reports.selectors.ranking_rows import load_rows
from reports.selectors.verdict_summary import ladder_words, verdict_summary
from reports.triage.selectors import triage_counts
from reports.web.forms import METRIC_CHOICES
from reports.web.requests import page_context

KEYS = "reports/ranking/keys.html"


@require_GET
def ranking(request: HttpRequest, base: str, new: str) -> HttpResponse:
    """Show the verdict on top and the rows of the chosen tab; all state is in the query."""
    parts = all_parts()
    wanted = RankingForm(request.GET).wanted(parts)
    pair = find_pair(base, new, wanted.device)
    context = {"pair": pair, "wanted": wanted, "comparison": pair.comparison, "parts": parts, "keys_template": KEYS}
    if needs_progress(pair):
        context["progress"] = measuring_progress(pair)
    if pair.comparison is None or not pair.comparison.summary:
        return render(request, "reports/ranking/waiting.html", context)
    context |= {"summary": verdict_summary(pair.comparison, wanted.part.name), "apps": ranked_apps(pair.comparison)}
    tab = request.GET.get("tab")
    if tab == "apps":
        return render(request, "reports/ranking/apps.html", context | {"tab": tab})
    if tab == "patterns":
        diagnosis = load_diagnosis(pair.comparison, wanted.metric)
        return render(request, "reports/ranking/patterns.html", context | {"tab": tab, "diagnosis": diagnosis})
    return render(request, "reports/ranking/interactions.html", context | _interactions(request, pair, wanted))


@require_GET
def ranking_state(request: HttpRequest, base: str, new: str) -> JsonResponse:
    """Answer whether the comparison is computed yet, for the page that waits for it."""
    pair = find_pair(base, new, RankingForm(request.GET).wanted().device)
    progress = measuring_progress(pair)
    return JsonResponse(
        {
            "status": pair.comparison.status if pair.comparison else "none",
            "stale": bool(pair.comparison and pair.comparison.stale),
            "computed_at": pair.comparison.computed_at if pair.comparison else None,
            "finished": progress.finished,
            "total": progress.total,
        }
    )


def _interactions(request: HttpRequest, pair: Pair, wanted: RankingFilter) -> dict[str, Any]:
    assert pair.comparison is not None
    paging = page_context(request, filtered_results(pair.comparison, wanted).values_list("pk", flat=True))
    return {
        **paging,
        "rows": load_rows(pair.comparison, paging["page"].object_list),
        "options": filter_options(),
        "metrics": METRIC_CHOICES,
        "types": InteractionType.choices,
        "verdicts": VERDICT_WORDS.items(),
        "states": TriageState.choices,
        "triaged": triage_counts(pair.comparison),
        "here": request.get_full_path(),
        "severities": ladder_words(pair.comparison),
        "sort": wanted.sort,
        "tab": "interactions",
    }
