"""What people send from the pages of batches."""

from django import forms

from reports.models import Run
from reports.web.forms import LenientForm

OUTCOME_LENGTH = Run._meta.get_field("outcome").max_length


class FindForm(LenientForm):
    """Words that narrow the list."""

    q = forms.CharField(required=False, max_length=200)


class RetryForm(LenientForm):
    """Which failed runs of a batch are measured again: those of one cause, or all."""

    cause = forms.CharField(required=False, max_length=OUTCOME_LENGTH)
