"""Who is at work and from where, for the audit log: the request that is being answered, else the command line.

What a person asks for and a worker does is that person's: the task carries their origin (`on_behalf_of`).
A context variable carries the request, so that a service writes down who asked without every caller handing it on.
"""

import getpass
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponseBase

from reports.web.logs import is_about
from reports.web.proxies import client_address

_LONGEST_WHO = 200
_request: ContextVar[HttpRequest | None] = ContextVar("request of the audit log", default=None)
_asker: ContextVar["Origin | None"] = ContextVar("who asked for a task", default=None)


@dataclass(frozen=True)
class Origin:
    """Who does something, and from where; without a request it is a command of an operating-system user.

    ``token`` is the API token by which they ask.
    """

    user_id: int | None
    who: str
    address: str = ""
    request_id: str = ""
    token: str | None = None

    @property
    def asker(self) -> str:
        """Name who asks, with the token by which they do."""
        return f"{self.who}, token {self.token}" if self.token else self.who


def current_origin() -> Origin:
    """Return who is at work now, or who asked for the task that is."""
    request = _request.get()
    if request is None:
        return _asker.get() or Origin(None, f"command line, {_system_user()}")
    user = getattr(request, "user", None)
    known = user is not None and user.is_authenticated
    token = getattr(request, "auth", None)  # where REST framework leaves the ApiToken
    return Origin(
        user_id=user.pk if user is not None and known else None,
        who=user.get_username()[:_LONGEST_WHO] if user is not None and known else "nobody",
        address=client_address(request),
        request_id=is_about("request_id"),
        token=token.label if token is not None else None,
    )


@contextmanager
def answering(request: HttpRequest) -> Iterator[None]:
    """Let whatever is written down meanwhile be written down as this request's."""
    token = _request.set(request)
    try:
        yield
    finally:
        _request.reset(token)


@contextmanager
def on_behalf_of(origin: Origin) -> Iterator[None]:
    """Let whatever a task writes down meanwhile be written down as done by who asked for it."""
    token = _asker.set(origin)
    try:
        yield
    finally:
        _asker.reset(token)


class OriginMiddleware:
    """Tell the audit log which request is being answered; it stands behind the one that knows the user."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request."""
        with answering(request):
            return self._get_response(request)


def _system_user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container whose user has no name
        return "a user without a name"
