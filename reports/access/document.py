"""docs/access.md, made of the table: which role may do what, and what each address takes."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from django.conf import settings

from reports.access.addresses import all_addresses
from reports.access.roles import ABOUT, ORDER, may_role
from reports.access.table import ADDRESSES, CAPABILITIES, NAMESPACE, PUBLIC, SCOPES

FILE = Path(settings.BASE_DIR) / "docs" / "access.md"
HEAD = """# Who may do what

Made by `python manage.py access_table` from the table in `reports/access/table.py`, which pages, addresses
and the API ask; do not edit it here.

Four roles, each of which may do what those before it may, so that nobody needs two: whoever answers for a
policy must be able to look into a finding, and whoever runs the installation into everything. An
administrator gives them on the page People; whoever is new is a viewer.
"""
RULES = """
An administrator is what Django calls a superuser; `createsuperuser` makes one, and so does the first start.
Nobody changes the own role or locks oneself out, and the last administrator stays one. Each change of a
role is kept with who made it.

A button that one may not use is not shown; where that would puzzle, a sentence says who may. Whoever sends
the request all the same is answered 403, with the role that it takes. To scripts the answer is JSON with
`message`, and its header `X-Refused` tells it from a session that has ended.

Django's admin is for administrators. Only the catalogue can be changed there, and each change is kept;
accounts, roles, tasks and schedules are only shown. Policies, waivers, decisions and triage are not in it
at all.

The commands of `manage.py` ask no role: whoever has a shell on the server has its database.
"""
SCOPES_HEAD = """
## What each scope of a token may

A script logs in with a [token](api.md). It may do what one of its scopes names, as far as the role of its owner
may; what stands in no column is for people alone. Pages take no token.
"""
ADDRESS_HEAD = """
## Addresses

An address answers the methods that are named here and no other (405). One that is missing here is open to
nobody, and `manage.py check` names it. GET stands for HEAD, too. Without a login one is led to it;
*everybody* means that no login is asked for.
"""


def access_markdown() -> str:
    """Return the whole page."""
    parts = (
        (HEAD,), _roles(), (RULES, "## What each role may", ""), _matrix(),
        (SCOPES_HEAD,), _scopes(), (ADDRESS_HEAD,), _addresses(), ("",),
    )  # fmt: skip
    return "\n".join(chain.from_iterable(parts))


def _roles() -> Iterator[str]:
    yield from ("| role | |", "|---|---|")
    yield from (f"| {role.label} | {ABOUT[role]} |" for role in ORDER)


def _matrix() -> Iterator[str]:
    yield f"| may | {' | '.join(role.label for role in ORDER)} |"
    yield "|---|" + "---|" * len(ORDER)
    for row in CAPABILITIES.values():
        marks = " | ".join("✓" if may_role(role, row.name) else "–" for role in ORDER)
        yield f"| {row.words} | {marks} |"


def _scopes() -> Iterator[str]:
    yield f"| may | {' | '.join(scope.value for scope in SCOPES)} |"
    yield "|---|" + "---|" * len(SCOPES)
    for row in CAPABILITIES.values():
        marks = " | ".join("✓" if row.name in named else "–" for named in SCOPES.values())
        yield f"| {row.words} | {marks} |"


def _addresses() -> Iterator[str]:
    yield from ("| address | method | least role | to |", "|---|---|---|---|")
    places = all_addresses()
    for name, methods in ADDRESSES.items():
        for method, capability in methods.items():
            least, words = _told(capability)
            for place in [f"/{name.partition(':')[0]}/…"] if name.endswith(NAMESPACE) else places.get(name, [name]):
                yield f"| `{place}` | {method} | {least} | {words} |"


def _told(capability: str) -> tuple[str, str]:
    if capability == PUBLIC:
        return "everybody", "reach the login"
    row = CAPABILITIES[capability]
    return row.role.label, row.words
