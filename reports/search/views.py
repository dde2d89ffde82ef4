"""Search from anywhere: a page, and the same findings as JSON while somebody types."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET

from reports.access.roles import role_of
from reports.search.selectors import Finding, Hit, find

LONGEST = 200  # characters that are looked for
ON_PAGE, WHILE_TYPING = 50, 6  # hits of each kind


@require_GET
def search(request: HttpRequest) -> HttpResponse:
    """List what has all words, kind by kind; a single hit is opened at once."""
    text = _text(request)
    finding = find(text, most=ON_PAGE, role=role_of(request.user))
    if finding.words and finding.only:
        return redirect(finding.only.address)
    context = {
        "text": text,
        "finding": finding,
        "runs_address": f"{reverse('runs')}?{urlencode({'q': text})}",
        "keys_template": "partials/row_keys.html",
    }
    return render(request, "search/page.html", context)


@require_GET
@cache_control(private=True, no_store=True)
def live(request: HttpRequest) -> JsonResponse:
    """Answer with the nearest hits of each kind, for the palette."""
    return JsonResponse(_as_json(find(_text(request), most=WHILE_TYPING, role=role_of(request.user))))


def _text(request: HttpRequest) -> str:
    return request.GET.get("q", "").strip()[:LONGEST]


def _as_json(finding: Finding) -> dict[str, object]:
    groups = [
        {"name": group.name, "more": group.more, "hits": [_hit_as_json(hit) for hit in group.hits]}
        for group in finding.groups
    ]
    return {"words": finding.words, "groups": groups}


def _hit_as_json(hit: Hit) -> dict[str, object]:
    note = ", ".join(part for part in (hit.note, hit.verdict.lower()) if part)
    return {"label": hit.label, "parts": hit.parts, "note": note, "address": hit.address}
