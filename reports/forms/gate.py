"""What the gate pages read from addresses and forms."""

from django import forms

from reports.web.forms import BIGGEST_ID, LenientForm


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
