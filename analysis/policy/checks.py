"""Checks of a policy's numbers, with messages that name the field and the cure."""

import math


class PolicyError(ValueError):
    """A policy that cannot be used; the message names the field and the cure."""


def as_number(name: str, value: object) -> float:
    """Return ``value`` if it is a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise PolicyError(f"{name}: {value!r} is not a number; give a finite number")
    return float(value)


def need_share(name: str, value: object) -> None:
    """Refuse what is not a percentage."""
    if not 0 <= as_number(name, value) <= 100:
        raise PolicyError(f"{name}: {value} is not a percentage; choose 0 to 100")


def need_count(name: str, value: object, *, least: int) -> None:
    """Refuse what is not a whole number of at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise PolicyError(f"{name}: {value!r} is not a count; choose a whole number of at least {least}")
