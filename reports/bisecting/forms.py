"""What people send about bisections, and what addresses ask for."""

from typing import Any

from django import forms

from analysis.metrics import METRICS, is_judged
from analysis.verdicts.sentences import metric_label
from reports.bisecting.selectors import ENDED, UNDER_WAY
from reports.bisecting.services import Search
from reports.models import Device
from reports.web.forms import LenientForm, MetricField, NameField

CHOICES = [(key, metric_label(key)) for key in METRICS]
NAME_LENGTH, REASON_LENGTH, BUILDS_LENGTH = 80, 300, 40_000


class FindForm(LenientForm):
    """Which bisections are listed."""

    state = forms.ChoiceField(required=False, choices=[(UNDER_WAY, "under way"), (ENDED, "ended")])


class StartForm(forms.Form):
    """What to search for. What is wrong beside its form is told by the service."""

    app = NameField(
        max_length=200,
        label="App",
        help_text="Its package, such as org.example.mail.",
        error_messages={"required": "Name the app by its package."},
    )
    interaction = NameField(
        max_length=160, label="Interaction", error_messages={"required": "Name the interaction."}
    )
    metric = MetricField(
        label="Metric",
        widget=forms.Select(choices=CHOICES),
        error_messages={"required": "Choose the metric that got worse."},
    )
    device = forms.ModelChoiceField(
        Device.objects.all(),
        required=False,
        label="Device",
        empty_label="the one that recorded it",
        error_messages={"invalid_choice": "There is no such device: choose one of the list."},
    )
    good = NameField(
        max_length=NAME_LENGTH,
        label="Good version",
        widget=forms.TextInput(attrs={"list": "versions-known"}),
        error_messages={"required": "Name a version on which it was still good."},
    )
    bad = NameField(
        max_length=NAME_LENGTH,
        label="Bad version",
        widget=forms.TextInput(attrs={"list": "versions-known"}),
        error_messages={"required": "Name a later version on which it is bad."},
    )
    builds = forms.CharField(
        required=False,
        max_length=BUILDS_LENGTH,
        label="Builds between them that nothing was recorded of yet",
        help_text="One a line. A name that does not tell its place takes it along: 0758686f97=14.0.3.",
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        named = str((self.data if self.is_bound else self.initial).get("metric", ""))
        if is_judged(named):  # of a benchmark: there is no list of all of them
            self.fields["metric"].widget = forms.Select(choices=[*CHOICES, (named, metric_label(named))])

    def clean_builds(self) -> list[str]:
        """Return the names."""
        return [name for line in str(self.cleaned_data["builds"]).splitlines() if (name := " ".join(line.split()))]

    def search(self) -> Search:
        """Return what is looked for."""
        return Search(**self.cleaned_data)


class SkipForm(forms.Form):
    """Which version is left out, and why."""

    version = NameField(max_length=NAME_LENGTH, error_messages={"required": "Choose the version to skip."})
    reason = forms.CharField(
        max_length=REASON_LENGTH,
        error_messages={"required": "Say why it cannot be tested."},
    )


def prefilled(query: Any) -> dict[str, str]:
    """Return what a link to the start form fills in."""
    names = {name: field for name, field in StartForm.base_fields.items() if name != "builds"}
    return {
        name: query[name][: getattr(field, "max_length", None) or NAME_LENGTH]
        for name, field in names.items()
        if query.get(name)
    }
