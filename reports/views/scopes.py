"""Scopes: parts of all interactions, saved by name, that a ranking or a decision can be limited to."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from reports.forms.scope import ScopeForm
from reports.policies.selectors import all_parts
from reports.policies.services import ScopeError, delete_scope, save_scope


@require_GET
def scopes(request: HttpRequest) -> HttpResponse:
    """List all scopes, with a form for a new one; ``?name=`` opens one to change it."""
    found = next((part for part in all_parts() if part.name == request.GET.get("name")), None)
    initial = (
        {"name": found.name, "apps": found.apps, "interaction_types": found.interaction_types} if found else {}
    )
    return _page(request, ScopeForm(initial=initial))


@require_POST
def scope_save(request: HttpRequest) -> HttpResponse:
    """Save a scope, or show the form again with what is wrong."""
    form = ScopeForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    try:
        scope = save_scope(**form.cleaned_data)
    except ScopeError as error:
        form.add_error(None, str(error))
        return _page(request, form, status=422)
    messages.success(request, f"Saved {scope}. Every comparison counts it once the queue has come to it.")
    return redirect("scopes")


@require_POST
def scope_delete(request: HttpRequest) -> HttpResponse:
    """Delete a scope; decisions that were made for it are kept."""
    if delete_scope(name=request.POST.get("name", "")):
        messages.success(request, "The scope is deleted.")
    return redirect("scopes")


def _page(request: HttpRequest, form: ScopeForm, *, status: int = 200) -> HttpResponse:
    return render(request, "reports/gate/scopes.html", {"parts": all_parts(), "form": form}, status=status)
