"""Scopes of the gate: list them, save one, delete one."""

from typing import Any, cast

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from reports.api.base import ApiViewSet
from reports.api.bodies import ChoiceField, FormBody, TextField, refuse_unknown
from reports.api.filters import PAGING
from reports.api.paging import Steps
from reports.api.problems import CONFLICT, Problem, wrong
from reports.models import InteractionType, Scope
from reports.policies.selectors import Part, all_parts
from reports.policies.services import ScopeConflictError, ScopeError, delete_scope, save_scope
from reports.policyeditor.forms import ScopeForm

MOST_APPS = 10_000
MOST_SEEN = 2_000_000  # characters: as many packages at their longest


class ScopeBody(FormBody):
    """Apps, interaction types, or both; what is left out is not limited."""

    form = ScopeForm
    without = ("name",)
    interaction_types = serializers.ListField(
        child=ChoiceField(choices=InteractionType.values), required=False, max_length=100
    )
    apps = serializers.ListField(
        child=TextField(max_length=200), required=False, max_length=MOST_APPS, help_text="Packages"
    )
    seen = TextField(
        required=False,
        allow_blank=True,
        max_length=MOST_SEEN,
        help_text="As you have read it, empty for a new one: what somebody saved since is not overwritten",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Ask the form, and keep what was seen beside what it says."""
        seen = attrs.pop("seen", None)
        return {**super().validate({**attrs, "name": self.context["name"]}), "seen": seen}


class ScopeSerializer(serializers.Serializer):
    """A part of every comparison that the gate decides by itself."""

    name = serializers.CharField()
    interaction_types = serializers.ListField(
        child=serializers.ChoiceField(choices=InteractionType.choices), help_text="Empty: all"
    )
    apps = serializers.ListField(child=serializers.CharField(), help_text="Packages; empty: all")
    seen = serializers.CharField(source="chosen", help_text="To send along with the next change")


class Scopes(ApiViewSet):
    """Scopes of the gate."""

    queryset = Scope.objects.none()
    serializer_class = ScopeSerializer
    pagination_class = Steps
    lookup_field, lookup_value_converter = "name", "str"

    @extend_schema(summary="List the scopes of the gate")
    def list(self, request: Request) -> Response:
        """Answer with what each is limited to."""
        refuse_unknown(request.query_params, PAGING)
        found = cast(Steps, self.paginator).steps(all_parts(), request)
        return self.get_paginated_response([_shown(part) for part in found])

    @extend_schema(summary="Read a scope")
    def retrieve(self, request: Request, name: str) -> Response:
        """Answer with one."""
        return Response(_shown(_named(name)))

    @extend_schema(
        summary="Save a scope, new (201) or in the place of the one of this name (200)",
        description="Every comparison counts it once the queue has come to it.",
        request=ScopeBody,
        responses={200: ScopeSerializer, 201: ScopeSerializer},
    )
    def update(self, request: Request, name: str) -> Response:
        """Save it."""
        said = self.sent(request, ScopeBody, name=name)
        known = any(part.name == said["name"] for part in all_parts())
        try:
            saved = save_scope(**said)
        except ScopeConflictError as error:
            cure = "Read the scope, and send its seen with yours, or give yours another name."
            raise Problem(CONFLICT, f"Somebody saved this scope since, with {error.told}.", cure=cure) from error
        except ScopeError as error:
            raise wrong("apps", str(error)) from error
        return Response(_shown(_named(saved.name)), status=200 if known else 201)

    @extend_schema(
        summary="Delete a scope", description="Decisions that were recorded for it are kept.", request=None
    )
    def destroy(self, request: Request, name: str) -> Response:
        """Delete it."""
        delete_scope(name=_named(name).name)
        return Response(status=204)


def _named(name: str) -> Part:
    parts = {part.name: part for part in all_parts()}
    if name not in parts:
        raise Http404(f"No scope is called {name}; known are: {', '.join(parts) or 'none yet'}.")
    return parts[name]


def _shown(part: Part) -> dict[str, Any]:
    return ScopeSerializer({**vars(part), "chosen": part.chosen} | _sorted(part)).data


def _sorted(part: Part) -> dict[str, list[str]]:
    return {"apps": sorted(part.apps), "interaction_types": sorted(part.interaction_types)}
