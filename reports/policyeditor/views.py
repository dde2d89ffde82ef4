"""Change the rules: thresholds, the gate, named scopes; and see first what a policy would change."""

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
from analysis.verdicts.policywords import problem_words
from reports.models import App, InteractionType
from reports.policies.selectors import DEFAULT_NAME, all_parts, current_policy, policy_names
from reports.policies.services import (
    PolicyConflictError,
    ScopeConflictError,
    ScopeError,
    delete_scope,
    save_policy,
    save_scope,
)
from reports.policyeditor.forms import ScopeForm, fields_of, rules_of, shown
from reports.policyeditor.selectors import Preview, benchmark_metrics, comparable, load_preview, policy_history
from reports.web.forms import with_metrics
from reports.web.requests import number_of, signed_in_user

UNPROCESSABLE, CONFLICT = 422, 409


@require_GET
def policy(request: HttpRequest) -> HttpResponse:
    """Show the policy in force, ready to be changed, and its history."""
    name = request.GET.get("name") or DEFAULT_NAME
    return _policy_page(request, _known_policy(name))


@require_POST
def policy_preview(request: HttpRequest) -> HttpResponse:
    """Show which verdicts of a comparison the typed policy would change; nothing is saved."""
    now = _known_policy(request.POST.get("name", DEFAULT_NAME))
    try:
        typed = policy_from_json({**rules_of(request.POST.dict()), "name": now.name})
    except PolicyError as error:
        return _policy_page(
            request, now, typed=request.POST.dict(), problem=problem_words(str(error)), status=UNPROCESSABLE
        )
    preview = load_preview(request.POST.get("comparison", ""), now, typed)
    return _policy_page(request, now, typed=request.POST.dict(), preview=preview)


@require_POST
def policy_save(request: HttpRequest) -> HttpResponse:
    """Save the typed policy as the next version; the comparisons that use it are computed again."""
    now = _known_policy(request.POST.get("name", DEFAULT_NAME))
    new_name = request.POST.get("save_as", "").strip()
    based_on = 0 if new_name else number_of(request.POST.get("based_on"))
    try:
        saved = save_policy(
            name=new_name or now.name,
            rules=rules_of(request.POST.dict()),
            based_on=-1 if based_on is None else based_on,
            user=signed_in_user(request),
            note=request.POST.get("note", "").strip(),
        )
    except PolicyError as error:
        return _policy_page(
            request, now, typed=request.POST.dict(), problem=problem_words(str(error)), status=UNPROCESSABLE
        )
    except PolicyConflictError as error:
        return _policy_page(request, now, typed=request.POST.dict(), problem=str(error), status=CONFLICT)
    messages.success(request, f"Saved {saved}. The comparisons that use it are computed again.")
    return redirect(f"{reverse('policy')}?{urlencode({'name': saved.name})}")


def _known_policy(name: str) -> Policy:
    try:
        return current_policy(name)
    except PolicyError as error:
        raise Http404(str(error)) from error


def _policy_page(
    request: HttpRequest,
    now: Policy,
    *,
    typed: Mapping[str, str] | None = None,
    problem: str = "",
    preview: Preview | None = None,
    status: int = 200,
) -> HttpResponse:
    benchmarked = benchmark_metrics()
    context: dict[str, Any] = {
        "policy": now,
        "names": policy_names(),
        "fields": shown(typed if typed is not None else fields_of(now), now, benchmarked),
        "typed": typed or {},
        "problem": problem,
        "preview": preview,
        "history": policy_history(now.name),
        "comparisons": comparable(),
        "metrics": [*with_metrics(benchmarked), ("*", "every metric")],
        "types": InteractionType.values,
        "apps": App.objects.only("name", "package"),
    }
    return render(request, "policyeditor/editor.html", context, status=status)


@require_GET
def scopes(request: HttpRequest) -> HttpResponse:
    """List all scopes, with a form for a new one; ``?name=`` opens one to change it."""
    found = next((part for part in all_parts() if part.name == request.GET.get("name")), None)
    initial = (
        {"name": found.name, "apps": found.apps, "interaction_types": found.interaction_types} if found else {}
    )
    return _scopes_page(request, ScopeForm(initial=initial), seen=found.chosen if found else "")


@require_POST
def scope_save(request: HttpRequest) -> HttpResponse:
    """Save a scope, or show the form again with what is wrong."""
    form, seen = ScopeForm(request.POST), request.POST.get("seen")
    if not form.is_valid():
        return _scopes_page(request, form, seen=seen, status=UNPROCESSABLE)
    try:
        scope = save_scope(**form.cleaned_data, seen=seen)
    except ScopeConflictError as error:
        form.add_error(None, str(error))
        return _scopes_page(request, form, seen=error.there.chosen, status=CONFLICT)
    except ScopeError as error:
        form.add_error(None, str(error))
        return _scopes_page(request, form, seen=seen, status=UNPROCESSABLE)
    messages.success(request, f"Saved {scope}. Every comparison counts it once the queue has come to it.")
    return redirect("scopes")


@require_POST
def scope_delete(request: HttpRequest) -> HttpResponse:
    """Delete a scope; decisions that were made for it are kept."""
    if delete_scope(name=request.POST.get("name", "")):
        messages.success(request, "The scope is deleted.")
    return redirect("scopes")


def _scopes_page(request: HttpRequest, form: ScopeForm, *, seen: str | None, status: int = 200) -> HttpResponse:
    context = {"parts": all_parts(), "form": form, "seen": seen}
    return render(request, "policyeditor/scopes.html", context, status=status)
