"""What several forms share: forgiving reading of a query string, choices, the first error in words."""

from collections.abc import Iterable
from typing import Any, ClassVar

from django import forms
from django.forms.fields import InvalidJSONInput

from analysis.metrics import METRICS, is_judged
from analysis.metrics.benchmarks import LONGEST_KEY
from analysis.names import tidy_name
from analysis.verdicts.outcomes import OUTCOME_METRIC
from analysis.verdicts.sentences import metric_label
from reports.models.catalogue import seen_validator

METRIC_CHOICES = [(key, metric_label(key)) for key in (*METRICS, OUTCOME_METRIC)]
BIGGEST_ID = 2**63 - 1
LONGEST_JSON = 20_000  # characters


class NameField(forms.CharField):
    """A name in one form of Unicode, so that two that look alike are one, without what hides or moves others."""

    default_validators = [seen_validator]

    def to_python(self, value: Any) -> str:
        """Return the name, tidied."""
        return tidy_name(super().to_python(value) or "")


class MetricField(forms.CharField):
    """The key of a metric that is compared: one of ours, or one that a benchmark may have."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=LONGEST_KEY, **options)

    def validate(self, value: str) -> None:
        """Refuse what is the key of no metric."""
        super().validate(value)
        if value and value not in dict(METRIC_CHOICES) and not is_judged(value):
            known = ", ".join(key for key, _ in METRIC_CHOICES)
            raise forms.ValidationError(
                f"{ascii(value)[:60]} is not one of the metrics: {known}, and those of benchmarks.",
                code="invalid_choice",
            )


def with_metrics(keys: Iterable[str]) -> list[tuple[str, str]]:
    """Return the choices of metrics with those of benchmarks among ``keys``, by name."""
    more = {key: metric_label(key) for key in keys if key and key not in dict(METRIC_CHOICES)}
    return [*METRIC_CHOICES, *sorted(more.items(), key=lambda choice: choice[1])]


class ShortJSONField(forms.JSONField):
    """JSON of at most 20,000 characters: a hundred areas and more.

    Python refuses numbers of thousands of digits, and deep nesting, by other errors than those that Django expects.
    """

    default_error_messages: ClassVar = {"long": f"Shorten this to {LONGEST_JSON:,} characters."}

    def to_python(self, value: Any) -> Any:
        """Return the value; what cannot be read is an error of the field."""
        if isinstance(value, str) and len(value) > LONGEST_JSON:
            raise forms.ValidationError(self.error_messages["long"], code="long")
        try:
            return super().to_python(value)
        except (ValueError, RecursionError):
            raise forms.ValidationError(
                self.error_messages["invalid"], code="invalid", params={"value": str(value)[:80]}
            ) from None

    def bound_data(self, data: Any, initial: Any) -> Any:
        """Return what is shown again; what cannot be read as it was typed."""
        try:
            return super().bound_data(data, initial)
        except (ValueError, RecursionError):
            return InvalidJSONInput(data)

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Tell whether something else was typed."""
        try:
            return super().has_changed(initial, data)
        except (ValueError, RecursionError):
            return True


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
