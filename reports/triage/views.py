"""Decisions about findings: one from the drill-down, many from the ranking, taking them back; excluding runs."""

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from analysis.verdicts.text import count_text
from reports.measuring.services import exclude_runs, include_runs
from reports.models import Interaction, OsVersion, Run
from reports.triage.box import offered_reason
from reports.triage.forms import ExcludeForm, ExcludeWhatForm, TriageForm
from reports.triage.people import people_to_choose
from reports.triage.selectors import excludable_runs, triage_history
from reports.triage.services import BadTriageError, DecidedMeanwhileError, triage, undo_triage
from reports.web.forms import problem
from reports.web.requests import back_to, number_of, signed_in_user

UNPROCESSABLE, CONFLICT = 422, 409


@require_POST
def decide(request: HttpRequest, base: str, new: str) -> HttpResponse:
    """Write one decision for the chosen interactions (``interaction``, repeated); JSON if that is asked for."""
    versions = {"base": get_object_or_404(OsVersion, name=base), "new": get_object_or_404(OsVersion, name=new)}
    form = TriageForm(request.POST)
    if not form.is_valid():
        return _refused(request, form, versions)
    ids, decision = [row.pk for row in form.cleaned_data["interaction"]], form.cleaned_data["decision"]
    seen, user = form.cleaned_data["seen"], signed_in_user(request)
    try:
        batch = triage(**versions, interaction_ids=ids, decision=decision, user=user, seen=seen)
    except BadTriageError as error:
        form.add_error(error.field, str(error))
        return _refused(request, form, versions)
    except DecidedMeanwhileError as error:
        return _decided_meanwhile(request, form, versions, error)
    state = f"fixed in {decision.fixed_in}" if decision.fixed_in else decision.state
    return _answer(request, f"{count_text(len(ids), 'interaction')}: {state}.", batch=str(batch), count=len(ids))


@require_POST
def undo(request: HttpRequest, batch: uuid.UUID) -> HttpResponse:
    """Take a decision back for all interactions that it was made for."""
    count = undo_triage(batch=batch, user=signed_in_user(request))
    return _answer(request, f"Taken back for {count_text(count, 'interaction')}.", count=count)


@require_http_methods(["GET", "HEAD", "POST"])
def exclude(request: HttpRequest, base: str, new: str) -> HttpResponse:
    """Ask which runs of an interaction on the updated version are excluded and why, and exclude them."""
    versions = get_object_or_404(OsVersion, name=base), get_object_or_404(OsVersion, name=new)
    asked = ExcludeWhatForm(request.GET).values()
    interaction = get_object_or_404(Interaction.objects.select_related("app"), pk=asked["interaction"])
    runs = excludable_runs(interaction=interaction, version=versions[1], device_id=asked["device"])
    back = reverse("drilldown", args=[base, new, interaction.app.package, interaction.name])
    if request.method == "POST":
        form = ExcludeForm(request.POST, runs=runs)
        if form.is_valid():
            ids, reason = [run.pk for run in form.cleaned_data["run"]], form.cleaned_data["reason"]
            count = exclude_runs(run_ids=ids, reason=reason, user=signed_in_user(request))
            messages.success(request, f"{count_text(count, 'run')} excluded; the triage box takes it back.")
            return redirect(back)
    else:
        history = triage_history(base_id=versions[0].pk, new_id=versions[1].pk, interaction_id=interaction.pk)
        reason = offered_reason(history[0] if history else None)
        form = ExcludeForm(initial={"reason": reason, "run": [run.pk for run in runs]}, runs=runs)
    chosen = {str(value) for value in form["run"].value() or []}
    context = {
        "form": form, "interaction": interaction, "base": versions[0], "new": versions[1], "back": back,
        "runs": [(run, str(run.pk) in chosen) for run in runs],
        "several_devices": len({run.device_id for run in runs}) > 1,
    }  # fmt: skip
    return render(request, "triage/exclude.html", context, status=UNPROCESSABLE if form.errors else 200)


@require_POST
def include(request: HttpRequest) -> HttpResponse:
    """Let excluded runs take part again: the way back from ``exclude``."""
    ids = [number for text in request.POST.getlist("run") if (number := number_of(text)) is not None]
    known = Run.objects.filter(pk__in=ids).values_list("pk", flat=True)
    count = include_runs(run_ids=known, user=signed_in_user(request))
    return _answer(request, f"{count_text(count, 'run')} counted again.", count=count)


def _wants_page(request: HttpRequest) -> bool:
    return request.accepts("text/html") and not request.headers.get("X-Requested-With")


def _answer(request: HttpRequest, words: str, **more: object) -> HttpResponse:
    if _wants_page(request):
        messages.success(request, words)
        return redirect(back_to(request, "home"))
    return JsonResponse({"message": words, **more})


def _refused(request: HttpRequest, form: TriageForm, versions: dict[str, OsVersion]) -> HttpResponse:
    """Answer with what is wrong: JSON for scripts, else the form again with what was typed."""
    if not _wants_page(request):
        return JsonResponse({"message": problem(form)}, status=400)
    if "interaction" in form.errors:  # nothing to decide about
        messages.error(request, problem(form))
        return redirect(back_to(request, "home"))
    return _decide_page(request, form, versions, status=UNPROCESSABLE)


def _decided_meanwhile(
    request: HttpRequest, form: TriageForm, versions: dict[str, OsVersion], error: DecidedMeanwhileError
) -> HttpResponse:
    """Show what others decided beside what was typed: sent again from here, it has seen them."""
    if not _wants_page(request):
        return JsonResponse({"message": str(error), "seen": error.seen}, status=CONFLICT)
    typed = request.POST.copy()
    typed["seen"] = str(error.seen)
    form.data = typed
    return _decide_page(request, form, versions, status=CONFLICT, meanwhile=error.entries)


def _decide_page(
    request: HttpRequest, form: TriageForm, versions: dict[str, OsVersion], *, status: int, **more: object
) -> HttpResponse:
    context = {**versions, "form": form, "interactions": form.cleaned_data["interaction"], **more}
    context["people"] = people_to_choose()
    context["back"] = back_to(request, "home")
    return render(request, "triage/decide.html", context, status=status)
