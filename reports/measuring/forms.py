"""What people send from the pages about runs."""

from typing import Any

from django import forms

from reports.comparing.inputs import PairIds
from reports.measuring.selectors import RunsFilter
from reports.models import Moment, Run, RunStatus
from reports.web.forms import BIGGEST_ID, LenientForm

EXCLUDED = [("no", "not excluded"), ("yes", "excluded")]
REASON_LENGTH = Run._meta.get_field("excluded_reason").max_length


class RunsForm(LenientForm):
    """Filters of the list. Names are kept as text: an unknown one simply matches no row."""

    q = forms.CharField(required=False, max_length=200)
    status = forms.ChoiceField(required=False, choices=RunStatus.choices)
    outcome = forms.CharField(required=False, max_length=24)
    version = forms.CharField(required=False, max_length=80)
    app = forms.CharField(required=False, max_length=200)
    interaction = forms.CharField(required=False, max_length=160)
    device = forms.IntegerField(required=False, min_value=0, max_value=BIGGEST_ID)
    excluded = forms.ChoiceField(required=False, choices=EXCLUDED)

    def wanted(self) -> RunsFilter:
        """Return what the address asks for."""
        return RunsFilter(**self.values())


class ExcludeForm(forms.Form):
    """Why a run is kept out of comparisons."""

    reason = forms.CharField(max_length=REASON_LENGTH, error_messages={"required": "Say why the run is excluded."})

    def problem(self) -> str:
        """Return the first error in words."""
        errors: dict[str, Any] = self.errors
        return next(iter(errors["reason"])) if errors else ""


class RevisionsForm(forms.Form):
    """Whose runs are measured again where another revision measured them. All are ids."""

    base = forms.IntegerField(min_value=1, max_value=BIGGEST_ID)
    new = forms.IntegerField(min_value=1, max_value=BIGGEST_ID)
    device = forms.IntegerField(required=False, min_value=1, max_value=BIGGEST_ID)
    interaction = forms.IntegerField(required=False, min_value=1, max_value=BIGGEST_ID)

    def pair(self) -> PairIds:
        """Return the two versions, on the device if one is named."""
        return PairIds(*(self.cleaned_data[name] for name in ("base", "new", "device")))


class CorrectionForm(forms.Form):
    """A moment of a run, in ms after the action."""

    moment = forms.ChoiceField(choices=Moment.choices)
    value_ms = forms.FloatField(
        min_value=0, error_messages={"required": "Say when it was, in ms after the action."}
    )
    note = forms.CharField(required=False, max_length=300)
