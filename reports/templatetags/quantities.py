"""Template filters for numbers with units: thin-space thousands, a true minus, a sign on every difference.

The writing itself is analysis.verdicts.text, so that pages, commands and reports agree. A missing number is a dash.
"""

from django import template

from analysis.verdicts.sentences import metric_label, metric_unit
from analysis.verdicts.text import count_text, number_text, p_text, share_text, signed_text

register = template.Library()
NBSP = "\u00a0"
LARGE_PCT = 10

register.filter("metric_label", metric_label)
register.filter("number", number_text)
register.filter("signed", signed_text)
register.filter("share", share_text)


@register.filter
def p_value(value: float | None) -> str:
    """Write a p-value with its letter: ``p < 0.0001``."""
    return p_text(value).replace(" ", NBSP)


@register.filter
def q_value(value: float | None) -> str:
    """Write a q-value like a p-value: ``q < 0.0001``."""
    return p_text(value, "q").replace(" ", NBSP)


@register.filter
def signed_percent(value: float | None) -> str:
    """Write a relative difference, ``+12 %``; a decimal only where it matters. Nothing when it is missing."""
    if value is None:
        return ""
    return f"{signed_text(value, 1 if abs(value) < LARGE_PCT else 0)}{NBSP}%"


@register.filter
def count_of(count: int, words: str) -> str:
    """Write a count with its noun: ``{{ 3|count_of:"app" }}`` gives ``3 apps``; "story,stories" names both."""
    one, _, many = words.partition(",")
    return count_text(count, one, many or None).replace(" ", NBSP)


@register.filter
def metric_short(metric: str) -> str:
    """Return the name of a metric without the word that every time shares."""
    return metric_label(metric).removesuffix(" time")


@register.filter("metric_unit")
def unit_of(metric: str) -> str:
    """Return the unit of a metric."""
    return metric_unit(metric)[0]


@register.filter
def metric_number(value: float | None, metric: str) -> str:
    """Write a value with the metric's decimals, without its unit."""
    return number_text(value, metric_unit(metric)[1])


@register.filter
def quantity(value: float | None, metric: str) -> str:
    """Write a value of a metric with its unit, ``1 204 ms``."""
    return _with_unit(metric_number(value, metric), value, metric)


@register.filter
def signed_quantity(value: float | None, metric: str) -> str:
    """Write a difference of a metric with sign and unit, ``+392 ms``."""
    return _with_unit(signed_text(value, metric_unit(metric)[1]), value, metric)


def _with_unit(text: str, value: float | None, metric: str) -> str:
    unit = unit_of(metric)
    return f"{text}{NBSP}{unit}" if unit and value is not None else text


@register.filter
def measured(value: float, metric: str) -> str:
    """Write a measurement with its name in a few words: ``Response 81 ms``, ``3 dropped frames``."""
    unit = unit_of(metric)
    if unit and metric_label(metric).lower().endswith(unit):
        return f"{metric_number(value, metric)} {metric_label(metric).lower()}"
    return f"{metric_short(metric)} {quantity(value, metric)}"


@register.filter
def is_time(metric: str) -> bool:
    """Tell whether a metric is a time, so that a relative difference means something."""
    return unit_of(metric) == "ms"


@register.filter
def signed_metric(value: float | None, metric: str) -> str:
    """Return a difference with its sign and the metric's decimals, without the unit."""
    return signed_text(value, metric_unit(metric)[1])
