"""Template filters of the drill-down."""

from collections.abc import Mapping

from django import template

from analysis.verdicts.sentences import metric_unit
from analysis.verdicts.text import signed_text

register = template.Library()


@register.filter
def value_of(values: Mapping[str, float], key: str) -> float | None:
    """Return a run's value of a metric; None where it has none."""
    return values.get(key)


@register.filter
def unlocalized(value: float) -> str:
    """Return a number for scripts: a point, no grouping."""
    return f"{value:.3f}"


@register.filter
def signed_metric(value: float | None, metric: str) -> str:
    """Return a difference with its sign and the metric's decimals, without the unit."""
    return signed_text(value, metric_unit(metric)[1])
