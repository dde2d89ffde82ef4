"""Save a part of all interactions under a name."""

from collections.abc import Iterable

from django.db import transaction

from reports.models import App, InteractionType, Scope
from reports.queue.services import recount_comparisons


class ScopeError(ValueError):
    """A scope that says nothing or too much; the message names the field and the cure."""


@transaction.atomic
def save_scope(*, name: str, apps: Iterable[App] = (), interaction_types: Iterable[str] = ()) -> Scope:
    """Save a scope, or change the one of this name; the counts of every comparison are refreshed for it.

    Raises
    ------
    ScopeError
        The name is empty, a type is unknown, or it limits nothing.

    """
    chosen, types = list(apps), sorted(set(interaction_types))
    _check(name, chosen, types)
    scope, _ = Scope.objects.update_or_create(name=name.strip(), defaults={"interaction_types": types})
    scope.apps.set(chosen)
    transaction.on_commit(recount_comparisons)
    return scope


@transaction.atomic
def delete_scope(*, name: str) -> bool:
    """Delete a scope; decisions of the gate that were made for it are kept. False if there is none."""
    deleted, _ = Scope.objects.filter(name=name).delete()
    transaction.on_commit(recount_comparisons)
    return bool(deleted)


def _check(name: str, apps: list[App], types: list[str]) -> None:
    if not name.strip():
        raise ScopeError("name: is empty; give the scope a name")
    unknown = set(types) - set(InteractionType.values)
    if unknown:
        raise ScopeError(
            f"interaction_types: there is no {min(unknown)!r}; known: {', '.join(InteractionType.values)}"
        )
    if not apps and not types:
        raise ScopeError("apps, interaction_types: both are empty, which is everything; choose some of either")
