"""What single sign-on must know of its provider, as the settings read it from the environment."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.core.exceptions import ImproperlyConfigured

ROLES = ("viewer", "triager", "policy_owner", "administrator")


@dataclass(frozen=True, eq=False, kw_only=True)
class Oidc:
    """A provider of OpenID Connect. ``roles`` are group → role; empty: roles are given on the page People."""

    issuer: str
    client_id: str
    client_secret: str = field(repr=False)
    name: str
    scopes: str
    groups_claim: str
    roles: Mapping[str, str]

    def __post_init__(self) -> None:
        """Refuse half of a provider."""
        if not (self.client_id and self.client_secret):
            raise ImproperlyConfigured("UPREG_OIDC_ISSUER needs UPREG_OIDC_CLIENT_ID and UPREG_OIDC_CLIENT_SECRET")


def group_roles(pairs: Iterable[str]) -> dict[str, str]:
    """Return group → role of pairs such as ``lab=triager``; a group may hold an equals sign."""
    found = {}
    for pair in pairs:
        group, equals, role = pair.rpartition("=")
        if not equals or role.strip() not in ROLES:
            known = ", ".join(ROLES)
            raise ImproperlyConfigured(f"UPREG_OIDC_ROLES: {pair!r} is not group=role with one of {known}")
        found[group.strip()] = role.strip()
    return found
