"""A filter of a list in use, as its chip names it (templates/partials/filter_chips.html)."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class ActiveFilter:
    """One filter in use: its key in the address, its name and its value in words."""

    key: str
    name: str
    value: str


def in_use(filters: Iterable[tuple[str, str, str]]) -> list[ActiveFilter]:
    """Return the filters, given as key, name and value in words, whose value is not empty."""
    return [ActiveFilter(key, name, value) for key, name, value in filters if value]
