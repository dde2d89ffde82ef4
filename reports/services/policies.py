"""Policies in force: read, save, and say who changed what. A saved version is never changed."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction

from analysis.policy.checks import PolicyError
from analysis.policy.policy import DEFAULT_POLICY, Policy
from analysis.policy.policyjson import policy_from_json, policy_to_json
from reports.models import Comparison, PolicyVersion
from reports.queue.services import queue_comparisons

DEFAULT_NAME = DEFAULT_POLICY.name


class PolicyConflictError(Exception):
    """Somebody else saved this policy meanwhile; the message says who, and what to do."""


def current_policy(name: str = DEFAULT_NAME) -> Policy:
    """Return the policy of this name that is in force; the built-in one until "default" was changed.

    Raises
    ------
    PolicyError
        No policy has this name; the message lists those that exist.

    """
    latest = PolicyVersion.objects.filter(name=name).order_by("-number").first()
    if latest:
        return policy_from_json(latest.rules)
    if name == DEFAULT_NAME:
        return DEFAULT_POLICY
    raise PolicyError(f"no policy is called {name!r}; known are: {', '.join(policy_names())}")


def policy_names() -> list[str]:
    """Return the names of all policies, the default first."""
    saved = PolicyVersion.objects.order_by("name").values_list("name", flat=True).distinct()
    return [DEFAULT_NAME, *(name for name in saved if name != DEFAULT_NAME)]


def policy_for(comparison: Comparison) -> Policy:
    """Return the policy that a comparison is to be decided by: the latest of the name it was decided by before."""
    try:
        return current_policy(comparison.policy.get("name", DEFAULT_NAME))
    except PolicyError:
        return current_policy()


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
        The rules contradict themselves; the message names the field and the cure.
    PolicyConflictError
        Another version was saved since ``based_on``.

    """
    policy = policy_from_json({**rules, "name": name, "version": based_on + 1})
    values = {"rules": policy_to_json(policy), "note": note, "author": user}
    try:
        with transaction.atomic():
            _refuse_if_newer(name, based_on)
            saved = PolicyVersion.objects.create(name=name, number=based_on + 1, **values)
            transaction.on_commit(partial(_recompute, name))
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
