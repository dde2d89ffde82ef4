"""What people send from the drill-down."""

from django import forms

from reports.models import Moment


class CorrectionForm(forms.Form):
    """A moment of a run, in ms after the action."""

    moment = forms.ChoiceField(choices=Moment.choices)
    value_ms = forms.FloatField(
        min_value=0, error_messages={"required": "Say when it was, in ms after the action."}
    )
    note = forms.CharField(required=False, max_length=300)
