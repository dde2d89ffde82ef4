"""Name a part of all interactions."""

from django import forms

from reports.models import App, InteractionType


class ScopeForm(forms.Form):
    """Apps, interaction types, or both."""

    name = forms.CharField(max_length=80, label="Name")
    interaction_types = forms.MultipleChoiceField(
        required=False,
        choices=[(key, key) for key in InteractionType.values],
        widget=forms.CheckboxSelectMultiple,
        label="Interaction types (none: all)",
    )
    apps = forms.ModelMultipleChoiceField(
        App.objects.all(),
        required=False,
        to_field_name="package",
        widget=forms.CheckboxSelectMultiple,
        label="Apps (none: all)",
    )
