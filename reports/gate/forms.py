"""What the gate pages read from addresses and forms."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django import forms
from django.utils import timezone

from analysis.metrics import is_judged
from analysis.policy.checks import ABSOLUTE
from analysis.policy.policy import MOST_METRICS
from analysis.verdicts.sentences import metric_unit
from reports.models import App, Interaction
from reports.policies.selectors import CEILING, WAIVER_DAYS
from reports.web.forms import BIGGEST_ID, LenientForm, with_metrics

REASON_LENGTH = 2000


def _named_in(fields: Mapping[str, Any]) -> list[str]:
    """Return the metrics of benchmarks whose ceilings are given or offered: there is no list of all of them."""
    names = (name.removeprefix(CEILING) for name in fields if name.startswith(CEILING))
    return [metric for metric in names if is_judged(metric)][:MOST_METRICS]


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
    """One waiver. The interaction is named by its text, as an app may have hundreds; each metric has a ceiling."""

    app = forms.ModelChoiceField(
        App.objects.all(),
        to_field_name="package",
        empty_label="choose an app",
        error_messages={"required": "Choose the app."},
    )
    interaction = forms.CharField(
        required=False,
        max_length=160,
        label="Interaction (empty: all of the app)",
        widget=forms.TextInput(attrs={"list": "interaction-names"}),
    )
    expires = forms.DateField(
        label="Last day",
        widget=forms.DateInput(attrs={"type": "date"}),
        error_messages={"required": "Say until which day it is accepted."},
    )
    issue_url = forms.URLField(required=False, max_length=500, label="Issue link", assume_scheme="https")
    reason = forms.CharField(
        max_length=REASON_LENGTH,
        widget=forms.Textarea(attrs={"rows": 2}),
        error_messages={"required": "Say why it is accepted."},
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        last_day = timezone.localdate() + timedelta(days=WAIVER_DAYS)
        self.initial.setdefault("expires", last_day.isoformat())
        self._metrics = with_metrics(_named_in({**self.initial, **self.data}))
        for metric, label in self._metrics:
            unit = metric_unit(metric)[0]
            words = f"{label}, {unit}" if unit and not label.lower().endswith(unit) else label
            self.fields[CEILING + metric] = forms.FloatField(
                required=False,
                max_value=ABSOLUTE.most,
                label=words,
                widget=forms.NumberInput(attrs={"step": "any", "placeholder": "up to +"}),
            )

    @property
    def ceiling_fields(self) -> list[forms.BoundField]:
        """The fields of all metrics."""
        return [self[CEILING + metric] for metric, _ in self._metrics]

    def clean(self) -> dict[str, Any]:
        """Turn the interaction's name into the interaction of the app, and the ceilings into one mapping."""
        values = super().clean() or {}
        app, name = values.get("app"), values.get("interaction", "").strip()
        values["interaction"] = None
        if app and name:
            values["interaction"] = Interaction.objects.filter(app=app, name=name).first()
            if values["interaction"] is None:
                self.add_error("interaction", f"{app} has no interaction called {name}.")
        typed = {metric: values.pop(CEILING + metric, None) for metric, _ in self._metrics}
        values["ceilings"] = {metric: ceiling for metric, ceiling in typed.items() if ceiling is not None}
        for metric, ceiling in values["ceilings"].items():
            if not ceiling > 0:
                self.add_error(CEILING + metric, "Give a number above 0, or leave it empty.")
        return values
