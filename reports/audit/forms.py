"""What the page of the audit log is asked for."""

from django import forms

from reports.models import Action, Subject
from reports.web.forms import LenientForm


class AuditForm(LenientForm):
    """Filters of the log, and where in it the page begins."""

    q = forms.CharField(required=False, max_length=200)
    who = forms.CharField(required=False, max_length=200)
    action = forms.ChoiceField(required=False, choices=Action.choices)
    kind = forms.ChoiceField(required=False, choices=Subject.choices)
    since = forms.DateField(required=False)
    until = forms.DateField(required=False)
    before = forms.IntegerField(required=False, min_value=0, max_value=2**63 - 1)
    after = forms.IntegerField(required=False, min_value=0, max_value=2**63 - 1)
