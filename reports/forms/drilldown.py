"""What people send from the drill-down."""

from django import forms

from reports.models import Interaction, Moment, TriageState
from reports.services.triage import Decision


class CorrectionForm(forms.Form):
    """A moment of a run, in ms after the action."""

    moment = forms.ChoiceField(choices=Moment.choices)
    value_ms = forms.FloatField(
        min_value=0, error_messages={"required": "Say when it was, in ms after the action."}
    )
    note = forms.CharField(required=False, max_length=300)


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
