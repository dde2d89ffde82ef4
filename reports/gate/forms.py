"""What the gate pages read from addresses and forms."""

from typing import Any

from django import forms

from reports.models import App, Interaction
from reports.web.forms import BIGGEST_ID, METRIC_CHOICES, LenientForm

REASON_LENGTH = 2000


class GateForm(LenientForm):
    """Which decision is looked at, and the budget to try."""

    scope = forms.CharField(required=False, max_length=80)
    device = forms.IntegerField(required=False, min_value=0, max_value=BIGGEST_ID)
    budget = forms.FloatField(required=False, min_value=0.0, max_value=100.0)


class DecideForm(forms.Form):
    """Which comparison to decide on."""

    base = forms.CharField(max_length=80)
    new = forms.CharField(max_length=80)
    scope = forms.CharField(required=False, max_length=80)
    device = forms.IntegerField(required=False, min_value=0, max_value=BIGGEST_ID)


class WaiverForm(forms.Form):
    """One waiver. The interaction is named by its text, as an app may have hundreds."""

    app = forms.ModelChoiceField(App.objects.all(), to_field_name="package", empty_label="choose an app")
    interaction = forms.CharField(
        required=False,
        max_length=160,
        label="Interaction (empty: all of the app)",
        widget=forms.TextInput(attrs={"list": "interaction-names"}),
    )
    metric = forms.ChoiceField(required=False, choices=[("", "every metric"), *METRIC_CHOICES])
    ceiling = forms.FloatField(required=False, label="Accepts at most, in the metric's unit")
    expires = forms.DateField(label="Last day", widget=forms.DateInput(attrs={"type": "date"}))
    approver = forms.CharField(max_length=150, label="Approved by")
    issue_url = forms.URLField(required=False, max_length=500, label="Issue link", assume_scheme="https")
    reason = forms.CharField(max_length=REASON_LENGTH, widget=forms.Textarea(attrs={"rows": 2}))

    def clean(self) -> dict[str, Any]:
        """Turn the interaction's name into the interaction of the app."""
        values = super().clean() or {}
        app, name = values.get("app"), values.get("interaction", "").strip()
        values["interaction"] = None
        if app and name:
            values["interaction"] = Interaction.objects.filter(app=app, name=name).first()
            if values["interaction"] is None:
                self.add_error("interaction", f"{app} has no interaction called {name}.")
        return values
