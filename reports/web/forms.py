"""What several forms share: forgiving reading of a query string, choices, the first error in words."""

from typing import Any

from django import forms

from analysis.metrics import METRICS
from analysis.verdicts.outcomes import OUTCOME_METRIC
from analysis.verdicts.sentences import metric_label

METRIC_CHOICES = [(key, metric_label(key)) for key in (*METRICS, OUTCOME_METRIC)]
BIGGEST_ID = 2**63 - 1


class LenientForm(forms.Form):
    """A form over GET whose wrong values count as not given."""

    def values(self) -> dict[str, Any]:
        """Return the cleaned value of every field; a wrong one as if nothing had been given."""
        self.is_valid()
        return {name: self.cleaned_data.get(name, _nothing(field)) for name, field in self.fields.items()}


def _nothing(field: forms.Field) -> Any:
    if isinstance(field, forms.BooleanField):
        return False
    return None if isinstance(field, forms.IntegerField | forms.FloatField) else ""


def problem(form: forms.Form) -> str:
    """Return the first error of a form in words, with its field."""
    errors: dict[str, Any] = form.errors
    return next((f"{name.replace('_', ' ')}: {texts[0]}" for name, texts in errors.items()), "")
