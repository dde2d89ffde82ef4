"""Every request is asked what its address takes, before any view runs. Nothing is open by being forgotten."""

import logging
from collections.abc import Callable
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from reports.access.pages import refused
from reports.access.roles import RefusedError, may, scopes_may
from reports.access.table import PUBLIC, capability_for, methods_of
from reports.web.problems import not_allowed

logger = logging.getLogger(__name__)
NOT_OPEN = "This address is open to nobody, as it is not in the table of who may do what."


class AccessMiddleware(MiddlewareMixin):
    """Let a request pass whose address and method the table gives to the person's role; refuse every other."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: list[Any], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        """Refuse with 403, 405 or the login page, or return None."""
        if _is_api(view):
            return None  # may bring a login of its own: the view's permission class asks the same table
        address, nobody = _address_of(request), not request.user.is_authenticated
        capability = capability_for(address, request.method or "")
        if capability == PUBLIC:
            return None
        if nobody:
            return redirect_to_login(request.get_full_path())
        methods = methods_of(address)
        if not methods:
            logger.error("%s is refused: reports/access/table.py does not name it", address)
            return refused(request, PermissionDenied(NOT_OPEN))
        if capability is None:
            return not_allowed(request, methods)
        return None if may(request.user, capability) else refused(request, RefusedError(capability))


class RolePermission(BasePermission):
    """The same for the API, where a login may come with the request itself.

    Of a token (``request.auth``) both its scopes and the role of its owner must allow it.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        """Return True, or False for nobody, who is asked to log in; raises what else is wrong.

        Raises
        ------
        RefusedError
            Role or scopes do not suffice.
        MethodNotAllowed
            The address does not answer that method.
        PermissionDenied
            The table does not name the address.

        """
        address, method = _address_of(request._request), request.method or ""
        capability = capability_for(address, method)
        if capability == PUBLIC:
            return True
        if not (request.user and request.user.is_authenticated):
            return False
        if not methods_of(address):
            logger.error("%s is refused: reports/access/table.py does not name it", address)
            raise PermissionDenied(NOT_OPEN)
        if capability is None:
            raise MethodNotAllowed(method)
        if not may(request.user, capability):
            raise RefusedError(capability)
        token: Any = request.auth  # reports/tokens/authentication.py
        if token is not None and not scopes_may(token.scopes, capability):
            raise RefusedError(capability, of_token=True)
        return True


class RoleBackend(ModelBackend):
    """Django's own way to log in; a person is loaded together with the role, in one query."""

    def get_user(self, user_id: int) -> Any:
        """Return the person of a session, or None."""
        user = get_user_model()._default_manager.select_related("grant").filter(pk=user_id).first()
        return user if user and self.user_can_authenticate(user) else None


def _address_of(request: HttpRequest) -> str:
    match = request.resolver_match
    return match.view_name if match else ""


def _is_api(view: Callable[..., Any]) -> bool:
    """Tell whether a view asks RolePermission itself; one of the API that does not is treated as any page."""
    return RolePermission in getattr(getattr(view, "cls", None), "permission_classes", ())
