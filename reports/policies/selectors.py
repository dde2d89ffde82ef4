"""The rules in force, as they are read: policies, scopes and waivers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

import pandas as pd
from django.db.models import Exists, OuterRef, QuerySet
from django.urls import reverse
from django.utils.http import urlencode

from analysis.gate.waivers import Waiver as Accepted
from analysis.gate.waivers import ceiling_for
from analysis.policy.checks import PolicyError, need_text
from analysis.policy.policy import DEFAULT_POLICY, NAME_LENGTH, Policy
from analysis.policy.policyjson import stored_policy
from reports.models import Comparison, PolicyVersion, Scope, Waiver

DEFAULT_NAME = DEFAULT_POLICY.name


def current_policy(name: str = DEFAULT_NAME) -> Policy:
    """Return the policy of this name that is in force; the built-in one until "default" was changed.

    Raises
    ------
    PolicyError
        No policy has this name; the message lists those that exist.

    """
    need_text("name", name, most=NAME_LENGTH)
    latest = PolicyVersion.objects.filter(name=name).order_by("-number").first()
    if latest:
        return stored_policy(latest.rules)
    if name == DEFAULT_NAME:
        return DEFAULT_POLICY
    raise PolicyError(f"no policy is called {name!r}; known are: {', '.join(policy_names())}")


def policy_number(name: str = DEFAULT_NAME) -> int:
    """Return the number of the policy of this name that is in force; 0 for the built-in one. One query."""
    newest = PolicyVersion.objects.filter(name=name).order_by("-number").values_list("number", flat=True)
    return newest.first() or 0


def current_policies() -> dict[str, Policy]:
    """Return every policy in force by its name, the default always among them; one query."""
    later = PolicyVersion.objects.filter(name=OuterRef("name"), number__gt=OuterRef("number"))
    rows = PolicyVersion.objects.filter(~Exists(later))
    return {DEFAULT_NAME: DEFAULT_POLICY, **{row.name: stored_policy(row.rules) for row in rows}}


def policy_names() -> list[str]:
    """Return the names of all policies, the default first."""
    saved = PolicyVersion.objects.order_by("name").values_list("name", flat=True).distinct()
    return [DEFAULT_NAME, *(name for name in saved if name != DEFAULT_NAME)]


def policy_for(comparison: Comparison, policies: Mapping[str, Policy] | None = None) -> Policy:
    """Return the policy that a comparison is to be decided by: the one in force of the name it has.

    ``policies`` are those in force, where they are loaded already; else one query.
    """
    known = current_policies() if policies is None else policies
    return known.get(comparison.policy.get("name", DEFAULT_NAME)) or known[DEFAULT_NAME]


@dataclass(frozen=True)
class Part:
    """Apps (packages) and interaction types; empty means all."""

    name: str = ""
    apps: frozenset[str] = frozenset()
    interaction_types: frozenset[str] = frozenset()

    @property
    def chosen(self) -> str:
        """Everything that it chooses, as one text that another choice does not have."""
        return " ".join([*sorted(self.interaction_types), *sorted(self.apps)])

    def of(self, table: pd.DataFrame) -> pd.DataFrame:
        """Return the rows inside; ``table`` has the columns app (package) and interaction_type."""
        inside = pd.Series(True, index=table.index)
        if self.apps:
            inside &= table["app"].isin(list(self.apps))
        if self.interaction_types:
            inside &= table["interaction_type"].isin(list(self.interaction_types))
        return table[inside]

    def holds(self, app: str, interaction_type: str) -> bool:
        """Tell the same of one interaction."""
        return (not self.apps or app in self.apps) and (
            not self.interaction_types or interaction_type in self.interaction_types
        )

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


@dataclass(frozen=True)
class WaiverRow:
    """A waiver in a list. ``state``: in_force, expired, refused or withdrawn."""

    waiver: Waiver
    state: str
    days_left: int | None


def waiver_rows(*, today: date) -> list[WaiverRow]:
    """Return all waivers: those in force first, next to expire on top; one query."""
    rows = [_waiver_row(waiver, today) for waiver in _with_names(Waiver.objects.all())]
    order = ("in_force", "expired", "refused", "withdrawn")
    return sorted(rows, key=lambda row: (order.index(row.state), row.waiver.expires, row.waiver.pk))


def standing_waivers() -> list[Accepted]:
    """Return every waiver that stands, expired ones too: the gate says that they expired."""
    return [
        Accepted(
            app=waiver.app.package,
            interaction=waiver.interaction.name if waiver.interaction else None,
            ceilings=waiver.ceilings,
            expires=waiver.expires,
            reason=waiver.reason,
            approver=waiver.approver,
            issue_url=waiver.issue_url,
            key=waiver.pk,
            seconded=waiver.seconded_at is not None,
            second=waiver.seconded_by.get_username() if waiver.seconded_by else "",
        )
        for waiver in _with_names(Waiver.objects.filter(withdrawn_at=None, refused_at=None))
    ]


WAIVER_DAYS = 14  # how long a waiver is offered to last: a build or two
CEILING = "ceiling_"  # begins the names of the fields that hold the ceiling of a metric
OFFERED_REASON = 300  # characters of a note that are offered as the reason; an address must stay short


def waive_address(
    app: str,
    interaction: str,
    deltas: Iterable[tuple[str, float]],
    *,
    back: str,
    reason: str = "",
    issue_url: str = "",
) -> str:
    """Return the address of the page with a form for a waiver that takes these regressed metrics of an interaction.

    ``deltas`` are (metric, delta); of a metric that regressed on several devices the largest counts. ``back`` is
    where the form leads to when it is saved.
    """
    ceilings: dict[str, float] = {}
    for metric, delta in deltas:
        ceilings[metric] = max(ceilings.get(metric, 0.0), ceiling_for(delta, metric))
    given = {
        "app": app,
        "interaction": interaction,
        "reason": reason[:OFFERED_REASON],
        "issue_url": issue_url,
        "back": back,
    }
    fields = {**given, **{f"{CEILING}{metric}": f"{ceiling:g}" for metric, ceiling in ceilings.items()}}
    return f"{reverse('waivers')}?{urlencode({key: text for key, text in fields.items() if text})}"


def _with_names(waivers: QuerySet[Waiver]) -> QuerySet[Waiver]:
    return waivers.select_related("app", "interaction", "created_by", "seconded_by", "refused_by").order_by(
        "expires", "id"
    )


def _waiver_row(waiver: Waiver, today: date) -> WaiverRow:
    if waiver.withdrawn_at:
        return WaiverRow(waiver, "withdrawn", None)
    if waiver.refused_at:
        return WaiverRow(waiver, "refused", None)
    left = (waiver.expires - today).days
    return WaiverRow(waiver, "expired" if left < 0 else "in_force", left)
