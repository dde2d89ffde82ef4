"""Shade cells of a matrix."""

import math

from django import template

register = template.Library()


@register.filter
def heat(share_pct: float) -> int:
    """Return how strongly to shade a share in percent, 0 … 100: by its root, so that 2 % and 8 % look different."""
    return round(100.0 * math.sqrt(min(max(share_pct, 0.0), 100.0) / 100.0))
