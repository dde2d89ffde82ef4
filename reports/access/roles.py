"""The role of a person, what it may do, and in which words somebody is refused."""

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import ObjectDoesNotExist, PermissionDenied

from reports.access.table import CAPABILITIES, SCOPES
from reports.models import Role, TokenScope

ORDER = (Role.VIEWER, Role.TRIAGER, Role.POLICY_OWNER, Role.ADMINISTRATOR)
PLURALS = {
    Role.VIEWER: "viewers",
    Role.TRIAGER: "triagers",
    Role.POLICY_OWNER: "policy owners",
    Role.ADMINISTRATOR: "administrators",
}
ABOUT = {
    Role.VIEWER: "reads every page and recording and takes files away",
    Role.TRIAGER: "also brings in recordings, decides about findings, corrects, excludes and repeats runs, "
    "has versions compared",
    Role.POLICY_OWNER: "also sets policies, scopes and the pinned baseline, waives regressions, records decisions",
    Role.ADMINISTRATOR: "also changes the catalogue, and says who may log in and do what",
}


class RefusedError(PermissionDenied):
    """Somebody's role does not suffice; ``capability`` names what it takes, the message says it in words.

    With ``of_token`` it is the scopes of a token that do not.
    """

    def __init__(self, capability: str, *, of_token: bool = False) -> None:
        super().__init__(token_refusal(capability) if of_token else refusal(capability))
        self.capability = capability


def role_of(user: Any) -> Role | None:
    """Return the role of a person; None for nobody, and for who is locked out."""
    return stored_role(user) if user and user.is_authenticated and user.is_active else None


def stored_role(user: Any) -> Role:
    """Return the role that a person has, or would have if they were not locked out."""
    if user.is_superuser:
        return Role.ADMINISTRATOR
    try:
        return Role(user.grant.role)
    except ObjectDoesNotExist:
        return Role.VIEWER


def may(user: Any, capability: str) -> bool:
    """Tell whether a person may do something, by the name of the capability.

    Raises
    ------
    LookupError
        There is no such capability; the message says where they are listed.

    """
    return may_role(role_of(user), capability)


def may_role(role: Role | None, capability: str) -> bool:
    """Tell the same of a role; None, nobody, may nothing. Raises as ``may``."""
    try:
        least = CAPABILITIES[capability].role
    except KeyError:
        message = f"no capability {capability!r} in reports/access/table.py: add it there, or correct the name"
        raise LookupError(message) from None
    return role is not None and ORDER.index(role) >= ORDER.index(least)


def scopes_may(scopes: Iterable[str], capability: str) -> bool:
    """Tell whether the scopes of a token include a capability; the role of its owner is asked apart."""
    return any(capability in SCOPES[TokenScope(scope)] for scope in scopes)


def scopes_of(role: Role | None) -> list[TokenScope]:
    """Return the scopes by which a token of this role can do anything that one of those before them cannot."""
    own = {name for name in CAPABILITIES if may_role(role, name)}
    offered, known = [], set[str]()
    for scope, named in SCOPES.items():
        if own & (named - known):
            offered.append(scope)
        known |= named
    return offered


def who_may(capability: str) -> str:
    """Return who may do something: ``Policy owners and administrators``."""
    roles = [PLURALS[role] for role in ORDER[ORDER.index(CAPABILITIES[capability].role) :]]
    return (" and ".join([", ".join(roles[:-1]), roles[-1]]) if len(roles) > 1 else roles[0]).capitalize()


def refusal(capability: str) -> str:
    """Say who may do what was refused."""
    return f"{who_may(capability)} may {CAPABILITIES[capability].words}."


def token_refusal(capability: str) -> str:
    """Say which token could do what was refused."""
    names = " or ".join(scope.value for scope, named in SCOPES.items() if capability in named)
    words = CAPABILITIES[capability].words
    if not names:
        return f"No token may {words}: log in with the browser."
    return f"This token may not {words}: make one with the scope {names}."
