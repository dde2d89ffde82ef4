"""The policy editor: change thresholds and the gate's rules, and see first what that would change."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_POST

from analysis.policy.checks import PolicyError
from analysis.policy.policy import Policy
from analysis.policy.policyjson import policy_from_json
from reports.forms.policy import fields_of, rules_of, shown
from reports.models import App, InteractionType
from reports.policies.selectors import DEFAULT_NAME, current_policy, policy_names
from reports.policies.services import PolicyConflictError, save_policy
from reports.selectors.policies import policy_history
from reports.selectors.policy_page import Preview, comparable, load_preview
from reports.web.forms import METRIC_CHOICES
from reports.web.requests import signed_in_user

UNPROCESSABLE, CONFLICT = 422, 409


@require_GET
def policy(request: HttpRequest) -> HttpResponse:
    """Show the policy in force, ready to be changed, and its history."""
    name = request.GET.get("name") or DEFAULT_NAME
    return _page(request, _known_policy(name))


@require_POST
def policy_preview(request: HttpRequest) -> HttpResponse:
    """Show which verdicts of a comparison the typed policy would change; nothing is saved."""
    now = _known_policy(request.POST.get("name", DEFAULT_NAME))
    try:
        typed = policy_from_json({**rules_of(request.POST.dict()), "name": now.name})
    except PolicyError as error:
        return _page(request, now, typed=request.POST.dict(), problem=str(error), status=UNPROCESSABLE)
    preview = load_preview(request.POST.get("comparison", ""), now, typed)
    return _page(request, now, typed=request.POST.dict(), preview=preview)


@require_POST
def policy_save(request: HttpRequest) -> HttpResponse:
    """Save the typed policy as the next version; the comparisons that use it are computed again."""
    now = _known_policy(request.POST.get("name", DEFAULT_NAME))
    new_name = request.POST.get("save_as", "").strip()
    based_on = "0" if new_name else request.POST.get("based_on", "")
    try:
        saved = save_policy(
            name=new_name or now.name,
            rules=rules_of(request.POST.dict()),
            based_on=int(based_on) if based_on.isdecimal() else -1,
            user=signed_in_user(request),
            note=request.POST.get("note", "").strip(),
        )
    except PolicyError as error:
        return _page(request, now, typed=request.POST.dict(), problem=str(error), status=UNPROCESSABLE)
    except PolicyConflictError as error:
        return _page(request, now, typed=request.POST.dict(), problem=str(error), status=CONFLICT)
    messages.success(request, f"Saved {saved}. The comparisons that use it are computed again.")
    return redirect(f"{reverse('policy')}?{urlencode({'name': saved.name})}")


def _known_policy(name: str) -> Policy:
    try:
        return current_policy(name)
    except PolicyError as error:
        raise Http404(str(error)) from error


def _page(
    request: HttpRequest,
    now: Policy,
    *,
    typed: Mapping[str, str] | None = None,
    problem: str = "",
    preview: Preview | None = None,
    status: int = 200,
) -> HttpResponse:
    context: dict[str, Any] = {
        "policy": now,
        "names": policy_names(),
        "fields": shown(typed if typed is not None else fields_of(now), now),
        "typed": typed or {},
        "problem": problem,
        "preview": preview,
        "history": policy_history(now.name),
        "comparisons": comparable(),
        "metrics": [*METRIC_CHOICES, ("*", "every metric")],
        "types": InteractionType.values,
        "apps": App.objects.only("name", "package"),
    }
    return render(request, "reports/policy/editor.html", context, status=status)
