"""The description of the API (OpenAPI 3), made of the views by drf-spectacular; what it cannot see is added."""

import inspect
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers

from reports.api.problems import TITLES
from reports.web.problems import PROBLEM

ROOT = "/api/v1/"
ALWAYS = (400, 401, 403, 406, 429)
WITH_BODY = (413, 415, 422)


class WrongFieldSerializer(serializers.Serializer):
    """A field that is wrong."""

    field = serializers.CharField(allow_blank=True, help_text="Empty: the request as a whole.")
    message = serializers.CharField()


class ProblemSerializer(serializers.Serializer):
    """Why a request was refused, as RFC 9457 describes it."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    errors = WrongFieldSerializer(many=True)  # type: ignore[assignment] # the metaclass takes it out
    cure = serializers.CharField(allow_blank=True, help_text="What to do about it.")
    request_id = serializers.CharField(allow_blank=True, help_text="Stands in the server's log as well.")


class ApiSchema(AutoSchema):
    """Adds to each operation how it refuses."""

    def get_tags(self) -> list[str]:
        """Group operations by what they are about."""
        return [self.path.removeprefix(ROOT).partition("/")[0]]

    def get_description(self) -> str:  # type: ignore[override] # drf-spectacular gives it less
        """Return what the operation does; of a list and of one of its rows first what they are."""
        words = str(super().get_description() or "")
        general = getattr(self.view, "action", "") in ("list", "retrieve")
        return f"{inspect.getdoc(type(self.view))} {words}" if general else words

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        codes = [*ALWAYS, *((404,) if "{" in self.path else ()), *((409,) if self.method != "GET" else ())]
        if self.method in ("POST", "PUT", "PATCH"):
            codes += WITH_BODY
        elif self.get_override_parameters() or self._get_filter_parameters() or self._is_list_view():
            codes += (422,)
        for code in sorted(codes):
            if str(code) not in bodies:
                told = OpenApiResponse(ProblemSerializer, TITLES.get(code, "You may not do that"))
                bodies[str(code)] = self._get_response_for_code(told, str(code), (PROBLEM,), direction)
        return dict(sorted(bodies.items()))


class TokenScheme(OpenApiAuthenticationExtension):
    """Describes how a token is sent."""

    target_class = "reports.tokens.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        """Return the scheme."""
        words = "A token of Your account, API tokens. In the browser one's session does."
        return {"type": "http", "scheme": "bearer", "bearerFormat": "upreg_…", "description": words}


def only_api(endpoints: list[Any], **_: Any) -> list[Any]:
    """Leave out what pages ask for themselves: it changes with them."""
    return [row for row in endpoints if row[0].startswith(ROOT)]
