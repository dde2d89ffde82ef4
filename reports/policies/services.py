"""Save a policy or a scope, and have counted anew what they change. A saved policy version is never changed."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction

from analysis.policy.checks import need_text
from analysis.policy.policy import DEFAULT_POLICY
from analysis.policy.policyjson import policy_from_json, policy_to_json
from analysis.verdicts.policywords import policy_changes
from analysis.verdicts.text import count_text
from reports.audit.services import record
from reports.models import Action, App, Comparison, InteractionType, PolicyVersion, Scope
from reports.policies.selectors import Part, all_parts
from reports.queue.services import queue_comparisons, queue_look_at_histories, recount_comparisons

NOTE_LENGTH = 2000  # characters: a reason, not a report


class PolicyConflictError(Exception):
    """Somebody else saved this policy meanwhile; the message says who, and what to do."""


def save_policy(
    *, name: str, rules: Mapping[str, Any], based_on: int, user: AbstractBaseUser | None, note: str = ""
) -> PolicyVersion:
    """Save the next version of a policy and have the comparisons that use it computed again.

    Parameters
    ----------
    name, rules
        The policy; ``rules`` as JSON, its own name and version are replaced.
    based_on
        The version that was edited, 0 for a new policy or the built-in one.
    user, note
        Who, and why.

    Raises
    ------
    PolicyError
        The rules contradict themselves, or a field is out of bounds; the message names the field and the cure.
    PolicyConflictError
        Another version was saved since ``based_on``.

    """
    need_text("note", note, most=NOTE_LENGTH)
    policy = policy_from_json({**rules, "name": name, "version": based_on + 1})
    values = {"rules": policy_to_json(policy), "note": note, "author": user}
    try:
        with transaction.atomic():
            _refuse_if_newer(name, based_on)
            before = PolicyVersion.objects.filter(name=name, number=based_on).first()
            saved = PolicyVersion.objects.create(name=name, number=based_on + 1, **values)
            changes = policy_changes(policy_from_json(before.rules) if before else DEFAULT_POLICY, policy)
            record(Action.POLICY_SAVED, of=saved, user=user, note="; ".join(filter(None, [*changes, note])))
            transaction.on_commit(partial(_recompute, name))
            queue_look_at_histories()
    except IntegrityError as error:
        raise PolicyConflictError(_conflict(name)) from error
    return saved


def _refuse_if_newer(name: str, based_on: int) -> None:
    latest = PolicyVersion.objects.filter(name=name).order_by("-number").values_list("number", flat=True).first()
    if (latest or 0) != based_on:
        raise PolicyConflictError(_conflict(name))


def _conflict(name: str) -> str:
    latest = PolicyVersion.objects.select_related("author").filter(name=name).order_by("-number").first()
    if latest is None:
        return f"the policy {name!r} was never saved: base it on version 0"
    who = latest.author.get_username() if latest.author else "someone"
    return f"{who} saved {latest} meanwhile: look at it, then make your change again on top of it"


def _recompute(name: str) -> None:
    used = Comparison.objects.filter(policy__name=name)
    queue_comparisons(comparison_ids=used.values_list("pk", flat=True))


class ScopeError(ValueError):
    """A scope that says nothing or too much; the message names the field and the cure."""


class ScopeConflictError(ScopeError):
    """A scope of that name is there that the user has not seen; ``there`` is what it chooses, ``told`` in words."""

    def __init__(self, there: Part) -> None:
        count = count_text(len(there.apps), "app") if there.apps else "all apps"
        types = ", ".join(sorted(there.interaction_types)) or "all types"
        told = f"{count} and {types}"
        super().__init__(
            f"Not saved: a scope {there.name!r} was saved since you loaded the page, with {told}. "
            "Save yours again to put it in its place, or give it another name."
        )
        self.there, self.told = there, told


@transaction.atomic
def save_scope(
    *, name: str, apps: Iterable[App] = (), interaction_types: Iterable[str] = (), seen: str | None = None
) -> Scope:
    """Save a scope, or change the one of this name; the counts of every comparison are refreshed for it.

    ``seen`` is what the scope chose when the user looked (Part.chosen), empty for none; None does not ask.

    Raises
    ------
    ScopeError
        The name is empty, a type is unknown, or it limits nothing; or the scope is another one by now.

    """
    chosen, types = list(apps), sorted(set(interaction_types))
    _check_scope(name, chosen, types)
    there = next((part for part in all_parts() if part.name == name.strip()), None)
    if seen is not None and there and there.chosen != seen:
        raise ScopeConflictError(there)
    before = _limits(Scope.objects.filter(name=name.strip()).first())
    scope, _ = Scope.objects.update_or_create(name=name.strip(), defaults={"interaction_types": types})
    scope.apps.set(chosen)
    record(Action.SCOPE_SAVED, of=scope, before=before, after=_limits(scope))
    transaction.on_commit(recount_comparisons)
    return scope


@transaction.atomic
def delete_scope(*, name: str) -> bool:
    """Delete a scope; decisions of the gate that were made for it are kept. False if there is none."""
    found = Scope.objects.filter(name=name).first()
    if found:
        record(Action.SCOPE_DELETED, of=found, before=_limits(found))
    deleted, _ = Scope.objects.filter(name=name).delete()
    transaction.on_commit(recount_comparisons)
    return bool(deleted)


def _limits(scope: Scope | None) -> list[str] | None:
    """Return what a scope is limited to, as the audit log keeps it."""
    if scope is None:
        return None
    return [*scope.apps.order_by("name").values_list("name", flat=True), *scope.interaction_types]


def _check_scope(name: str, apps: list[App], types: list[str]) -> None:
    if not name.strip():
        raise ScopeError("name: is empty; give the scope a name")
    unknown = set(types) - set(InteractionType.values)
    if unknown:
        raise ScopeError(
            f"interaction_types: there is no {min(unknown)!r}; known: {', '.join(InteractionType.values)}"
        )
    if not apps and not types:
        raise ScopeError("apps, interaction_types: both are empty, which is everything; choose some of either")
