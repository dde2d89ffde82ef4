"""Look values up by a key that the template holds."""

from collections.abc import Mapping
from typing import Any

from django import template

register = template.Library()


@register.filter
def lookup(values: Mapping[Any, Any], key: Any) -> Any:
    """Return the value for a key, the key itself where there is none."""
    return values.get(key, key)


@register.filter
def value_of(values: Mapping[str, float], key: str) -> float | None:
    """Return a run's value of a metric; None where it has none."""
    return values.get(key)
