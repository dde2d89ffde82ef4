"""What pages need of the table: whether to show a button, and the page for whoever was refused."""

import logging
from typing import Any

from django.contrib.auth import get_user_model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from reports.access.roles import RefusedError, may, role_of
from reports.models import Role
from reports.web.problems import is_script, problem_json
from reports.web.proxies import client_address

security = logging.getLogger("upreg.security")
NAMED = 3  # administrators whom the page of refusal names
TITLE = "This is not yours to do"
HEADER = "X-Refused"  # tells a refusal from a lost session where nobody reads the body


class May:
    """What the person who looks may do, as ``{% if may.waiver %}``; an unknown capability is an error."""

    def __init__(self, user: Any) -> None:
        self._user = user

    def __getitem__(self, capability: str) -> bool:
        return may(self._user, capability)


def rights(request: HttpRequest) -> dict[str, Any]:
    """Give every template ``may`` and ``my_role``, the role of who looks in words."""
    user = getattr(request, "user", None)
    role = role_of(user)
    return {"may": May(user), "my_role": role.label if role else ""}


def refused(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 403: who may do that, who one is oneself and whom to ask; as JSON to a script."""
    words = str(exception)
    capability = exception.capability if isinstance(exception, RefusedError) else ""
    user = getattr(request, "user", None)
    role = role_of(user)
    name = user.get_username() if user else ""
    asked = (name or "nobody", request.method, request.path, capability or "address", client_address(request))
    security.warning("%r is refused: %s %r takes %s, from %s", *asked)
    if is_script(request):
        facts = {"message": words, "refused": capability}  # which the pages' own scripts read
        response: HttpResponse = problem_json(
            403, title=TITLE, detail=words, cure="Ask an administrator.", more=facts
        )
    else:
        own = f"You are {'an' if role == Role.ADMINISTRATOR else 'a'} {role.label}." if role else ""
        context = {"exception": words, "own": own, "ask": _administrators()}
        response = render(request, "403.html", context, status=403)
    response[HEADER] = capability or "address"
    return response


def _administrators() -> str:
    found = (
        get_user_model()._default_manager.filter(is_superuser=True, is_active=True).order_by("-last_login", "pk")
    )
    names = [user.get_full_name() or user.get_username() for user in found[:NAMED]]
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
