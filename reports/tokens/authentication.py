"""Log in with a token: ``Authorization: Bearer upreg_…``. ``request.auth`` is the ApiToken, None in a session."""

import logging
from typing import Any

from django.views.decorators.debug import sensitive_variables
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.request import Request

from reports.models import ApiToken
from reports.tokens.services import ASKING, BRINGING, BadTokenError, Purse, token_called, use_token
from reports.web.proxies import client_address

security = logging.getLogger("upreg.security")
SCHEME = b"bearer"
# What a farm sends many requests to while it brings recordings in: (name of the address, methods).
_BRINGS_IN = {
    "api:uploads-list": {"POST", "OPTIONS"},
    "api:uploads-detail": {"GET", "HEAD", "PATCH", "DELETE"},
    "api:runs-list": {"POST"},
}


def purse_of(request: Request) -> Purse:
    """Return from what a request is paid: what brings recordings in takes nothing from the rest."""
    match = request._request.resolver_match
    name = match.view_name if match else ""
    return BRINGING if request.method in _BRINGS_IN.get(name, ()) else ASKING


class TokenAuthentication(BaseAuthentication):
    """Takes the token of a request, and counts it: a token has a number of requests a minute, of either kind."""

    @sensitive_variables()
    def authenticate(self, request: Request) -> tuple[Any, ApiToken] | None:
        """Return the owner and the token; None if the request brings none, so that its session counts."""
        scheme, _, text = get_authorization_header(request).partition(b" ")
        if scheme.lower() != SCHEME:
            return None
        address = client_address(request._request)
        try:
            token = token_called(text.strip().decode("latin-1"))
        except BadTokenError as error:
            security.warning("a token is refused, from %s: %s", address or "an unknown address", error)
            raise AuthenticationFailed(str(error)) from None
        wait_s = use_token(token=token, address=address, purse=purse_of(request))
        if wait_s:
            raise Throttled(wait=wait_s)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """Say how to log in, with 401."""
        return 'Bearer realm="UPReg"'
