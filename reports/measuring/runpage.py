"""One run: why it was judged so, in words and pictures, and what a person may set right on it."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from analysis.verdicts.text import count_text
from reports.audit.words import ChangedMeanwhileError
from reports.measuring.areas import Outcome, add_area, remove_area, set_type
from reports.measuring.evidence import MOMENTS
from reports.measuring.forms import ActionForm, AreaForm, RemoveAreaForm, TypeForm
from reports.measuring.selectors import load_run
from reports.measuring.services import BadActionError, set_action, undo_action
from reports.models import Run
from reports.models.catalogue import Masked
from reports.web.requests import number_of, signed_in_user

FARTHEST_US = 10**11


@require_GET
def run_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one run; ``?t=`` is the frame to look at, in microseconds. A script that steps gets that part alone."""
    part = request.headers.get("X-Requested-With") == "fetch"
    return _page(request, pk, template="measuring/frames.html" if part else "measuring/detail.html")


@require_POST
def run_action(request: HttpRequest, pk: int) -> HttpResponse:
    """Say when the user acted, and measure the run again."""
    run, form = get_object_or_404(Run, pk=pk), ActionForm(request.POST)
    if not form.is_valid():
        return _page(request, pk, action_form=form, status=422)
    try:
        seen, user = number_of(request.POST.get("seen")), signed_in_user(request)
        moved = set_action(run=run, action_ms=form.cleaned_data["action_ms"], user=user, seen=seen)
    except ChangedMeanwhileError as error:
        messages.error(request, str(error))
        return _page(request, pk, action_form=form, status=409)
    except BadActionError as error:
        form.add_error("action_ms", str(error))
        return _page(request, pk, action_form=form, status=422)
    words = "The action is set; the run will be measured from it." if moved else "The action was there already."
    messages.success(request, words)
    return redirect("run-detail", pk)


@require_POST
def run_action_undo(request: HttpRequest, pk: int) -> HttpResponse:
    """Let the manifest's action count again."""
    if undo_action(run=get_object_or_404(Run, pk=pk), user=signed_in_user(request)):
        messages.success(request, "What the manifest says of it counts again; the run will be measured again.")
    else:
        messages.success(request, "There was nothing to take back.")
    return redirect("run-detail", pk)


@require_POST
def run_type(request: HttpRequest, pk: int) -> HttpResponse:
    """Say how the run's interaction touches the screen."""
    run = _with_owners(pk)
    form = TypeForm(request.POST)
    if not form.is_valid():
        return _page(request, pk, type_form=form, status=422)
    outcome = set_type(interaction=run.interaction, user=signed_in_user(request), **form.cleaned_data)
    return _changed(request, run, outcome, f"{run.interaction} is of type {form.cleaned_data['type']}")


@require_POST
def run_area_add(request: HttpRequest, pk: int) -> HttpResponse:
    """Never judge an area any more."""
    run, form = _with_owners(pk), AreaForm(request.POST)
    if not form.is_valid():
        return _page(request, pk, area_form=form, status=422)
    owner = _owner(run, form)
    user, again = signed_in_user(request), form.cleaned_data["again"]
    outcome = add_area(owner=owner, mask=form.mask(), again=again, user=user)
    return _changed(request, run, outcome, f"{form.cleaned_data['name']} is no longer judged in {owner}")


@require_POST
def run_area_remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Judge an area again."""
    run, form = _with_owners(pk), RemoveAreaForm(request.POST)
    if not form.is_valid():
        messages.error(request, "That area is not known: load the page again.")
        return redirect("run-detail", pk)
    owner = _owner(run, form)
    user, again = signed_in_user(request), form.cleaned_data["again"]
    outcome = remove_area(owner=owner, mask=form.cleaned_data["mask"], again=again, user=user)
    return _changed(request, run, outcome, f"The area is judged again in {owner}")


def _with_owners(pk: int) -> Run:
    return get_object_or_404(Run.objects.select_related("interaction__app", "device"), pk=pk)


def _owner(run: Run, form: forms.Form) -> Masked:
    return {"interaction": run.interaction, "app": run.interaction.app, "device": run.device}[
        form.cleaned_data["owner"]
    ]


def _changed(request: HttpRequest, run: Run, outcome: Outcome, words: str) -> HttpResponse:
    messages.success(request, outcome_sentence(outcome, words))
    return redirect(reverse("run-detail", args=[run.pk]) + "#check")


def outcome_sentence(outcome: Outcome, words: str) -> str:
    """Say what was changed and what becomes of the runs that it concerns."""
    if not outcome.changed:
        return "Nothing was changed."
    if outcome.again:
        return f"{words}; {count_text(outcome.again, 'run')} will be measured again."
    if not outcome.concerned:
        return f"{words}. It concerns no run yet."
    keep = "keeps its numbers" if outcome.concerned == 1 else "keep their numbers"
    return f"{words}. {count_text(outcome.concerned, 'run')} {keep} until measured again."


def _page(
    request: HttpRequest,
    pk: int,
    *,
    template: str = "measuring/detail.html",
    status: int = 200,
    **bound: forms.Form,
) -> HttpResponse:
    asked = number_of(request.GET.get("t"))
    detail = load_run(pk, at_us=None if asked is None else min(asked, FARTHEST_US))
    run = detail.run
    initial: dict[str, Any] = {"again": True}
    context: dict[str, Any] = {
        "detail": detail,
        "here": reverse("run-detail", args=[pk]),
        "action_form": ActionForm(initial={"action_ms": round(run.action_ms, 3)} if run.action_known else {}),
        "type_form": TypeForm(initial=initial | {"type": run.interaction.type}),
        "area_form": AreaForm(initial=initial | {"owner": "interaction"}),
        "moments": MOMENTS,
    }
    return render(request, template, context | bound, status=status)
