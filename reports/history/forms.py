"""What is wanted of the matrix and of a course, read from the address."""

from django import forms

from reports.history.courses import ALL_KINDS
from reports.history.matrix import BY_APP, BY_INTERACTION, SORTS, Wanted
from reports.history.trend import BY_DAYS, TrendWanted
from reports.models import OsVersion
from reports.web.forms import BIGGEST_ID, LenientForm, MetricField, NameField

NOTES_OFF = "off"


class NoteForm(forms.Form):
    """A note on a version, for the chart of one interaction or of all of them."""

    version = forms.ModelChoiceField(
        OsVersion.objects.all(),
        to_field_name="name",
        error_messages={"required": "Choose the version.", "invalid_choice": "There is no such version."},
    )
    text = NameField(max_length=200, error_messages={"required": "Write what is to be known of the version."})
    everywhere = forms.BooleanField(required=False)


class TrendForm(LenientForm):
    """Which course, which part of its line, with or without single runs."""

    metric = MetricField(required=False)
    device = forms.IntegerField(required=False, min_value=1, max_value=BIGGEST_ID)
    channel = forms.CharField(required=False, max_length=40)
    first = forms.CharField(required=False, max_length=80)
    last = forms.CharField(required=False, max_length=80)
    picked = forms.CharField(required=False, max_length=80)
    runs = forms.BooleanField(required=False)
    notes = forms.ChoiceField(required=False, choices=[(NOTES_OFF, "without notes")])
    by = forms.ChoiceField(required=False, choices=[(BY_DAYS, "days")])

    def wanted(self) -> TrendWanted:
        """Return what the address asks for."""
        return TrendWanted(**{name: value for name, value in self.values().items() if value})


class MatrixForm(LenientForm):
    """Line, rows, filters and order."""

    channel = forms.CharField(required=False, max_length=40)
    by = forms.ChoiceField(required=False, choices=[(BY_INTERACTION, "interactions"), (BY_APP, "apps")])
    q = forms.CharField(required=False, max_length=200)
    app = forms.CharField(required=False, max_length=200)
    interaction = forms.IntegerField(required=False, min_value=1, max_value=BIGGEST_ID)
    metric = MetricField(required=False)
    device = forms.IntegerField(required=False, min_value=1, max_value=BIGGEST_ID)
    kind = forms.ChoiceField(required=False, choices=[(kind, kind) for kind in ALL_KINDS])
    sort = forms.ChoiceField(required=False, choices=list(SORTS.items()))

    def wanted(self) -> Wanted:
        """Return what the address asks for."""
        return Wanted(**{name: value for name, value in self.values().items() if value})
