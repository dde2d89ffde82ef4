"""Decisions about findings: one from the drill-down, many from the ranking, and taking them back."""

import uuid

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from analysis.verdicts.text import count_text
from reports.models import Interaction, OsVersion, TriageState
from reports.triage.services import BadTriageError, Decision, triage, undo_triage
from reports.web.forms import problem
from reports.web.requests import back_to, signed_in_user


class TriageForm(forms.Form):
    """A decision about some interactions."""

    interaction = forms.ModelMultipleChoiceField(
        Interaction.objects.all(), error_messages={"required": "Choose at least one interaction."}
    )
    state = forms.ChoiceField(choices=TriageState.choices)
    assignee = forms.CharField(required=False, max_length=150)
    note = forms.CharField(required=False, max_length=2000)
    bug_url = forms.URLField(required=False, max_length=500, assume_scheme="https")

    def decision(self) -> Decision:
        """Return what was decided."""
        fields = ("state", "assignee", "note", "bug_url")
        return Decision(**{name: self.cleaned_data[name] for name in fields})


@require_POST
def decide(request: HttpRequest, base: str, new: str) -> HttpResponse:
    """Write one decision for the chosen interactions (``interaction``, repeated); JSON if that is asked for."""
    versions = {"base": get_object_or_404(OsVersion, name=base), "new": get_object_or_404(OsVersion, name=new)}
    form = TriageForm(request.POST)
    if not form.is_valid():
        return _answer(request, error=problem(form))
    ids = [interaction.pk for interaction in form.cleaned_data["interaction"]]
    try:
        batch = triage(**versions, interaction_ids=ids, decision=form.decision(), user=signed_in_user(request))
    except BadTriageError as error:
        return _answer(request, error=str(error))
    words = f"{count_text(len(ids), 'interaction')}: {form.cleaned_data['state']}."
    return _answer(request, words=words, batch=str(batch), count=len(ids))


@require_POST
def undo(request: HttpRequest, batch: uuid.UUID) -> HttpResponse:
    """Take a decision back for all interactions that it was made for."""
    count = undo_triage(batch=batch, user=signed_in_user(request))
    return _answer(request, words=f"Taken back for {count_text(count, 'interaction')}.", count=count)


def _answer(request: HttpRequest, *, words: str = "", error: str = "", **more: object) -> HttpResponse:
    if request.accepts("text/html") and not request.headers.get("X-Requested-With"):
        if error:
            messages.error(request, error)
        else:
            messages.success(request, words)
        return redirect(back_to(request, "home"))
    return JsonResponse({"message": error or words, **more}, status=400 if error else 200)
