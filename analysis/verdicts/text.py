"""Numbers as a person reads them: signs always, a narrow space between thousands, no needless zeros."""

import math

THIN_SPACE = "\u202f"  # does not break; 1 204
MINUS = "−"


def number_text(value: float | None, decimals: int = 0) -> str:
    """Write ``value`` with at most ``decimals`` decimals; a missing value is a dash."""
    if value is None or math.isnan(value):
        return "–"
    rounded = round(value, decimals)
    text = f"{abs(rounded):,.{decimals}f}".replace(",", THIN_SPACE)
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return MINUS + text if rounded < 0 else text


def signed_text(value: float | None, decimals: int = 0) -> str:
    """Write ``value`` with its sign, + also."""
    text = number_text(value, decimals)
    return f"+{text}" if value is not None and round(value, decimals) > 0 else text


def share_text(pct: float | None) -> str:
    """Write a percentage with one decimal at most: ``3.2 %``."""
    return f"{number_text(pct, 1)} %"


def p_text(value: float | None, letter: str = "p") -> str:
    """Write a p-value, or with its letter a q-value: ``p = 0.0325``, ``q < 0.0001``; never 0."""
    if value is None or math.isnan(value):
        return f"{letter} unknown"
    return f"{letter} < 0.0001" if value < 0.0001 else f"{letter} = {value:.4f}"


def count_text(count: int, one: str, many: str | None = None) -> str:
    """Write a count with its noun: ``1 run``, ``1 204 runs``."""
    return f"{number_text(count)} {one if count == 1 else many or one + 's'}"


def about_text(seconds: float) -> str:
    """Write a rough duration: ``about 3 min``."""
    if seconds < 90:
        return f"about {max(round(seconds / 10) * 10, 10)}\u00a0s"
    return f"about {round(seconds / 60)}\u00a0min" if seconds < 5400 else f"about {round(seconds / 3600)}\u00a0h"
