"""Scopes: which part of a comparison a name stands for."""

from dataclasses import dataclass
from typing import Any

import pandas as pd

from reports.models import Scope


@dataclass(frozen=True)
class Part:
    """Apps (packages) and interaction types; empty means all."""

    name: str = ""
    apps: frozenset[str] = frozenset()
    interaction_types: frozenset[str] = frozenset()

    def of(self, table: pd.DataFrame) -> pd.DataFrame:
        """Return the rows inside; ``table`` has the columns app (package) and interaction_type."""
        inside = pd.Series(True, index=table.index)
        if self.apps:
            inside &= table["app"].isin(list(self.apps))
        if self.interaction_types:
            inside &= table["interaction_type"].isin(list(self.interaction_types))
        return table[inside]

    def result_filter(self) -> dict[str, Any]:
        """Return the same as conditions on Result."""
        return {f"interaction__{key}": value for key, value in self.interaction_filter().items()}

    def interaction_filter(self) -> dict[str, Any]:
        """Return the same as conditions on Interaction."""
        conditions: dict[str, Any] = {}
        if self.apps:
            conditions["app__package__in"] = sorted(self.apps)
        if self.interaction_types:
            conditions["type__in"] = sorted(self.interaction_types)
        return conditions


EVERYTHING = Part()


def all_parts() -> list[Part]:
    """Return every saved scope: two queries."""
    return [_part(scope) for scope in Scope.objects.prefetch_related("apps")]


def find_part(name: str) -> Part:
    """Return the scope called ``name``, everything for an empty name; Scope.DoesNotExist lists the known ones."""
    if not name:
        return EVERYTHING
    scope = Scope.objects.filter(name=name).prefetch_related("apps").first()
    if scope is None:
        known = ", ".join(Scope.objects.values_list("name", flat=True)) or "none yet"
        raise Scope.DoesNotExist(f"no scope is called {name!r}; known are: {known}")
    return _part(scope)


def _part(scope: Scope) -> Part:
    return Part(scope.name, frozenset(app.package for app in scope.apps.all()), frozenset(scope.interaction_types))
