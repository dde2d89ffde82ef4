"""Look a value up by a key that the template holds."""

from collections.abc import Mapping
from typing import Any

from django import template

register = template.Library()


@register.filter
def lookup(values: Mapping[Any, Any], key: Any) -> Any:
    """Return the value for a key, the key itself where there is none."""
    return values.get(key, key)
