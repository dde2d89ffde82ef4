"""Waivers: list them with what they do, propose one, answer one as the second person, take one back."""

from collections.abc import Callable
from typing import Any, cast

from django import forms
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.metrics import is_judged
from analysis.policy.checks import ABSOLUTE
from reports.api.base import ApiViewSet
from reports.api.bodies import FormBody, NumberField, asked, parameters
from reports.api.filters import PAGING
from reports.api.paging import Steps
from reports.api.problems import CONFLICT, Problem, wrong
from reports.gate.forms import WaiverForm
from reports.gate.selectors import ListedWaiver, listed_waivers
from reports.gate.services import WaiverError, add_waiver, refuse_waiver, second_waiver, withdraw_waiver
from reports.models import Waiver
from reports.policies.selectors import CEILING
from reports.web.forms import LenientForm
from reports.web.requests import signed_in_user

STATES = ("in_force", "expired", "refused", "withdrawn")


class WaiverListForm(LenientForm):
    """Which waivers are listed."""

    app = forms.CharField(required=False, max_length=200)
    state = forms.ChoiceField(required=False, choices=[(state, state) for state in STATES])


class WaiverBody(FormBody):
    """One waiver. Without an interaction it is about all of the app, without ceilings about all of every metric."""

    form = WaiverForm
    ceilings = serializers.DictField(
        child=NumberField(max_value=ABSOLUTE.most),
        required=False,
        help_text="Metric: the largest Δ that is accepted, in its unit",
    )

    def typed(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return one field for each ceiling."""
        ceilings = values.pop("ceilings", {})
        known = {name.removeprefix(CEILING) for name in self.form().fields if name.startswith(CEILING)}
        if unknown := sorted(metric for metric in ceilings.keys() - known if not is_judged(metric)):
            words = f"There is no metric {unknown[0][:40]!r}; there are {', '.join(sorted(known))}."
            raise ValidationError({"ceilings": [words]})
        return super().typed({**values, **{CEILING + metric: value for metric, value in ceilings.items()}})

    def errors_of(self, form: forms.BaseForm) -> dict[str, list[str]]:
        """Name a ceiling as the JSON does."""
        found = super().errors_of(form)
        return {
            f"ceilings.{name.removeprefix(CEILING)}" if name.startswith(CEILING) else name: words
            for name, words in found.items()
        }


class EffectSerializer(serializers.Serializer):
    """What a waiver does in one of the last comparisons."""

    base = serializers.CharField(source="comparison.base.name")
    new = serializers.CharField(source="comparison.new.name")
    waived = serializers.IntegerField(help_text="Results that it takes out")
    waits = serializers.BooleanField(help_text="For a second person, before it takes out all that it speaks of")
    warning = serializers.CharField(help_text="Why it does not hold there; empty where it does")


class WaiverSerializer(serializers.Serializer):
    """A regression that somebody accepts, until a day."""

    id = serializers.IntegerField(source="row.waiver.pk")
    app = serializers.CharField(source="row.waiver.app.package", help_text="Package")
    app_name = serializers.CharField(source="row.waiver.app.name")
    interaction = serializers.CharField(
        source="row.waiver.interaction.name", default=None, allow_null=True, help_text="null: all of the app"
    )
    ceilings = serializers.DictField(
        source="row.waiver.ceilings",
        child=serializers.FloatField(allow_null=True),
        help_text="Empty: all of every metric",
    )
    expires = serializers.DateField(source="row.waiver.expires", help_text="The last day on which it holds")
    days_left = serializers.IntegerField(source="row.days_left", allow_null=True)
    state = serializers.ChoiceField(source="row.state", choices=STATES)
    reason = serializers.CharField(source="row.waiver.reason")
    issue_url = serializers.CharField(source="row.waiver.issue_url")
    approver = serializers.CharField(source="row.waiver.approver")
    second = serializers.CharField(
        source="row.waiver.seconded_by.username", default="", help_text="The second person, where one approved it"
    )
    created_at = serializers.DateTimeField(source="row.waiver.created_at")
    waits = serializers.BooleanField(help_text="A regression counts until a second person approves it")
    effects = EffectSerializer(many=True, help_text="In the last comparisons")


class Waivers(ApiViewSet):
    """Waivers."""

    queryset = Waiver.objects.none()
    serializer_class = WaiverSerializer
    pagination_class = Steps
    lookup_value_converter = "int"

    @extend_schema(
        summary="List waivers with what they do, those in force first, next to expire on top",
        parameters=parameters(WaiverListForm, app="Package"),
    )
    def list(self, request: Request) -> Response:
        """Answer with what each does in the last comparisons."""
        wanted = asked(WaiverListForm, request.query_params, besides=PAGING).cleaned_data
        rows = [
            line
            for line in listed_waivers()
            if wanted["app"] in ("", line.row.waiver.app.package) and wanted["state"] in ("", line.row.state)
        ]
        found = cast(Steps, self.paginator).steps(rows, request)
        return self.get_paginated_response(self.get_serializer(found, many=True).data)

    @extend_schema(
        summary="Accept a regression until a day",
        description="Whoever asks approves it. What is serious by the policy takes a second person.",
        request=WaiverBody,
        responses={201: WaiverSerializer},
    )
    def create(self, request: Request) -> Response:
        """Save it."""
        given = self.sent(request, WaiverBody)
        try:
            waiver = add_waiver(**given, user=signed_in_user(request))
        except WaiverError as error:
            raise wrong(error.field, error.words) from error
        return Response(self.get_serializer(_listed(waiver.pk)).data, status=201)

    @extend_schema(summary="Read a waiver with what it does")
    def retrieve(self, request: Request, pk: int) -> Response:
        """Answer with one."""
        return Response(self.get_serializer(_listed(pk)).data)

    @extend_schema(summary="Approve a waiver as the second person", request=None)
    @action(detail=True, methods=["post"])
    def approve(self, request: Request, pk: int) -> Response:
        """Approve it; if somebody was faster, it is answered as it stands."""
        return self._answered(request, pk, second_waiver)

    @extend_schema(summary="Refuse a waiver that waits for a second person", request=None)
    @action(detail=True, methods=["post"])
    def refuse(self, request: Request, pk: int) -> Response:
        """Refuse it; if somebody approved it before, it is answered as it stands."""
        return self._answered(request, pk, refuse_waiver)

    @extend_schema(
        summary="Take a waiver back",
        description="It stays in the list, as old decisions name it. Doing it twice changes nothing.",
        request=None,
    )
    @action(detail=True, methods=["post"])
    def withdraw(self, request: Request, pk: int) -> Response:
        """Withdraw it."""
        return self._answered(request, pk, withdraw_waiver)

    def _answered(self, request: Request, pk: int, answer: Callable[..., bool]) -> Response:
        _listed(pk)
        try:
            answer(waiver_id=pk, user=signed_in_user(request))
        except WaiverError as error:
            raise Problem(CONFLICT, error.words) from error
        return Response(self.get_serializer(_listed(pk)).data)


def _listed(pk: int) -> ListedWaiver:
    """Return a waiver as the list has it."""
    found = next((line for line in listed_waivers() if line.row.waiver.pk == pk), None)
    if found is None:
        raise Http404(f"There is no waiver {pk}.")
    return found
