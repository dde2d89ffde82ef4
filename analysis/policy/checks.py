"""Checks of a policy's values against what each may be, with messages that name the field and the cure."""

import math
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

UNSEEN = {
    "Cc",
    "Cf",
    "Cs",
    "Zl",
    "Zp",
}  # categories of characters that show nothing, or turn what stands around them
_TOLD = 40  # characters of a wrong value are told again


class PolicyError(ValueError):
    """A policy that cannot be used; the message names the field and the cure."""


@dataclass(frozen=True)
class Bound:
    """What a number may be, both ends included, and why no more."""

    least: float
    most: float
    reason: str
    whole: bool = False

    def check(self, name: str, value: object) -> None:
        """Refuse what is no number or lies outside."""
        number = as_count(name, value) if self.whole else as_number(name, value)
        if not self.least <= number <= self.most:
            raise PolicyError(f"{name}: {told(value)} is outside of {self.span}; {self.reason}")

    def nearest(self, value: Any) -> Any:
        """Return the nearest number inside; what is no number as it is."""
        if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
            return value
        inside = min(max(value, self.least), self.most)
        return round(inside) if self.whole and inside != value else inside

    @property
    def span(self) -> str:
        """The ends in words: ``1 to 10,000``."""
        return f"{_plain(self.least)} to {_plain(self.most)}"


MOST_RUNS = 10_000
RUNS = Bound(1, MOST_RUNS, "nobody records more runs a side, and comparisons are tested with so many", True)
ALPHA = Bound(1e-6, 0.5, "choose an error rate above 0, such as 0.05: less than one in a million cannot be tested")
EFFECT = Bound(0, 0.99, "choose a Cliff's delta below 1, 0 for any")
SHARE = Bound(0, 100, "it is a percentage")
INTERACTIONS = Bound(0, 100_000, "choose a whole number of interactions: no comparison has more", True)
SAVED = Bound(0, 1_000_000_000, "it counts how often the policy was saved", True)
ABSOLUTE = Bound(0, 1_000_000, "a threshold is never negative, and a million ms is longer than any recording")
RELATIVE = Bound(0, 10_000, "a threshold is never negative, nor more than a hundred times the baseline")
STEP = Bound(1, 1_000, "severities begin at the threshold, and no result counts more than 1,000 times of it")


def as_number(name: str, value: object) -> float:
    """Return ``value`` if it is a finite number."""
    if not isinstance(value, bool) and isinstance(value, int | float):
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if math.isfinite(number):
            return number
    raise PolicyError(f"{name}: {told(value)} is not a number; give a finite number")


def as_count(name: str, value: object) -> int:
    """Return ``value`` if it is a whole number."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise PolicyError(f"{name}: {told(value)} is not a count; choose a whole number")
    return value


def need_text(name: str, value: object, *, most: int, empty: str = "") -> None:
    """Refuse what is no line of at most ``most`` characters; ``empty`` is the cure where there must be a text."""
    if not isinstance(value, str):
        raise PolicyError(f"{name}: {told(value)} is not a text; write it in quotes")
    if empty and not value.strip():
        raise PolicyError(f"{name}: is empty; {empty}")
    if len(value) > most:
        raise PolicyError(f"{name}: has {len(value):,} characters; shorten it to {most} at most")
    if any(unicodedata.category(character) in UNSEEN for character in value):
        raise PolicyError(f"{name}: holds a line break or a character that shows nothing; type it again")


def need_list(name: str, value: object, *, most: int) -> list[Any]:
    """Return ``value`` as a list if it is one of at most ``most`` items."""
    if not isinstance(value, list | tuple):
        raise PolicyError(f"{name}: {told(value)} is not a list; write […]")
    if len(value) > most:
        raise PolicyError(f"{name}: are {len(value):,}; keep {most} at most")
    return list(value)


def told(value: object) -> str:
    """Return a wrong value as a message tells it: a long one cut, and nothing in it that moves other text."""
    if isinstance(value, Mapping | list | tuple):
        return "an object" if isinstance(value, Mapping) else "a list"
    if isinstance(value, int) and abs(value) >= 10**_TOLD:
        return f"a number of more than {_TOLD} digits"
    said = ascii(value[: _TOLD + 1]) if isinstance(value, str) and not value.isprintable() else repr(value)
    return said if len(said) <= _TOLD + 2 else f"{said[:_TOLD]}…"


def _plain(number: float) -> str:
    return f"{number:,.6f}".rstrip("0").rstrip(".")
