"""What people decide about findings, as forms."""

from typing import Any

from django import forms

from reports.measuring.services import REASON_LENGTH
from reports.models import Interaction, Run, TriageState
from reports.triage.services import BadTriageError, Decision
from reports.web.forms import BIGGEST_ID, LenientForm, NameField


class TriageForm(forms.Form):
    """A decision about some interactions."""

    interaction = forms.ModelMultipleChoiceField(
        Interaction.objects.all(),
        error_messages={"required": "Choose at least one interaction."},
        widget=forms.MultipleHiddenInput,
    )
    state = forms.ChoiceField(choices=[(value, value) for value in TriageState.values])
    fixed_in = NameField(required=False, max_length=80, label="Fixed in version (only for fixed)")
    assignee = NameField(required=False, max_length=150, widget=forms.TextInput(attrs={"list": "people"}))
    due = forms.DateField(
        required=False,
        label="Due",
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": "This is no date: give one such as 2026-12-31, or leave it empty."},
    )
    keeps = forms.BooleanField(required=False, widget=forms.HiddenInput)
    bug_url = forms.URLField(required=False, max_length=500, assume_scheme="https", label="Bug link")
    note = forms.CharField(required=False, max_length=2000, widget=forms.Textarea(attrs={"rows": 2}))
    seen = forms.IntegerField(required=False, min_value=0, max_value=BIGGEST_ID, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        """Make the decision, or say at which field it cannot be."""
        values = super().clean() or {}
        if not self.errors:
            names = ("state", "assignee", "due", "note", "bug_url", "fixed_in", "keeps")
            try:
                values["decision"] = Decision(**{name: values[name] for name in names})
            except BadTriageError as error:
                self.add_error(error.field, str(error))
        return values


class ExcludeForm(forms.Form):
    """Which runs of an interaction are kept out of comparisons, and why."""

    run = forms.ModelMultipleChoiceField(
        Run.objects.none(), error_messages={"required": "Choose at least one run."}, label="Runs"
    )
    reason = forms.CharField(
        max_length=REASON_LENGTH, error_messages={"required": "Say why these runs are excluded."}
    )

    def __init__(self, *args: Any, runs: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["run"].queryset = runs  # type: ignore[attr-defined]


class ExcludeWhatForm(LenientForm):
    """Whose runs: ids of an interaction and, perhaps, a device."""

    interaction = forms.IntegerField(required=False, min_value=1, max_value=BIGGEST_ID)
    device = forms.IntegerField(required=False, min_value=1, max_value=BIGGEST_ID)
