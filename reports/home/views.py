"""The first page: choose two versions, see how the last comparison came out, what came in and what waits."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_POST

from reports.batches.selectors import last_batch
from reports.comparing.selectors import comparison_address, recent_comparisons
from reports.comparing.services import NothingToCompareError, request_comparison
from reports.home.forms import CompareForm
from reports.home.incoming import came_in, failure_kinds
from reports.home.overview import load_over_versions, load_overview
from reports.home.selectors import compare_choices, pinned_baseline, shared_facts
from reports.home.waiting import assigned_to, waiting_for
from reports.models import Device, OsVersion
from reports.queue.selectors import queue_state
from reports.web.requests import page_context, signed_in_user


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """Show the choice; ``?base=…&new=…`` preset it, ``swap`` turns it round, ``open`` leads to their ranking."""
    if "swap" in request.GET:
        return redirect(_home_address(_swapped(request.GET)))
    choices = compare_choices()
    chosen = bool(request.GET.get("base") and request.GET.get("new"))
    form = CompareForm(request.GET if chosen else choices.proposal, choices=choices)
    if chosen and "open" in request.GET and form.is_valid():
        return redirect(_ranking_address(**form.cleaned_data))
    facts = shared_facts(**form.cleaned_data) if form.is_valid() else None
    state = queue_state()
    comparisons = recent_comparisons()
    pinned = pinned_baseline(choices)
    context = {
        "form": form,
        "choices": choices,
        "chosen": chosen,
        "facts": facts,
        "comparable": bool(facts and facts.shared),
        "pinned": pinned,
        "pinned_has_runs": bool(pinned and choices.has_runs(pinned)),
        "overview": load_overview(comparisons),
        "over_versions": load_over_versions(choices.versions, timezone.localdate()),
        "came_in": came_in(),
        "last_batch": last_batch(),
        "failures": failure_kinds(),
        "waiting": waiting_for(signed_in_user(request), comparisons),
        "state": state,
        "queue": state.summary,
    }
    return render(request, "home/home.html", context)


@require_GET
def assigned(request: HttpRequest) -> HttpResponse:
    """List all that is assigned to whoever looks, of every comparison: the first due on top."""
    mine = assigned_to(signed_in_user(request))
    overdue = mine.filter(due__lt=timezone.localdate()).count()
    return render(request, "home/mine.html", {"overdue": overdue, **page_context(request, mine)})


@require_POST
def compare_start(request: HttpRequest) -> HttpResponse:
    """Queue the comparison and lead to its ranking; what cannot be compared leads back to the choice."""
    form = CompareForm(request.POST, choices=compare_choices())
    if not form.is_valid():
        return redirect(_home_address(request.POST))
    try:
        comparison = request_comparison(**form.cleaned_data, user=signed_in_user(request))
    except NothingToCompareError as error:
        messages.error(request, str(error))
        return redirect(_home_address(request.POST))
    return redirect(comparison_address("ranking", comparison))


def _ranking_address(*, base: OsVersion, new: OsVersion, device: Device | None) -> str:
    address = reverse("ranking", args=[base.name, new.name])
    return f"{address}?{urlencode({'device': device.pk})}" if device else address


def _swapped(query: QueryDict) -> dict[str, str]:
    return {"base": query.get("new", ""), "new": query.get("base", ""), "device": query.get("device", "")}


def _home_address(query: QueryDict | dict[str, str]) -> str:
    kept = {name: query.get(name, "") for name in ("base", "new", "device") if query.get(name)}
    return f"{reverse('home')}?{urlencode(kept)}" if kept else reverse("home")
