"""Triage: what people decided about findings, deciding, and taking that back."""

import uuid
from typing import Any

from django import forms
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from reports.api.base import ApiViewSet
from reports.api.bodies import Body, FlagField, FormBody, TextField
from reports.api.comparisons import named_pair
from reports.api.filters import PageFilters
from reports.api.problems import CONFLICT, Problem, wrong
from reports.models import Interaction, TriageEntry, TriageState
from reports.triage.forms import TriageForm
from reports.triage.selectors import newest_entries
from reports.triage.services import BadTriageError, DecidedMeanwhileError, triage, undo_triage
from reports.web.forms import LenientForm
from reports.web.requests import signed_in_user

MOST_AT_ONCE = 1_000  # interactions


class TriageListForm(LenientForm):
    """Of which comparison decisions are listed."""

    base = forms.CharField(max_length=80)
    new = forms.CharField(max_length=80)


class PlaceBody(Body):
    """An interaction."""

    package = TextField(max_length=200)
    interaction = TextField(max_length=160)


class TriageBody(FormBody):
    """One decision about some interactions of a pair of versions."""

    form = TriageForm
    without = ("interaction",)
    base = TextField(max_length=80, help_text="The old OS version")
    new = TextField(max_length=80, help_text="The updated OS version")
    keeps = FlagField(required=False, help_text="What is not given of assignee, due and bug_url stays")
    interactions = serializers.ListField(child=PlaceBody(), min_length=1, max_length=MOST_AT_ONCE)

    def typed(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return the ids of the interactions, as the page sends them."""
        places = [(place["package"], place["interaction"]) for place in values.pop("interactions")]
        rows = Interaction.objects.filter(name__in={name for _, name in places}).select_related("app")
        known = {(row.app.package, row.name): row.pk for row in rows}
        for package, name in places:
            if (package, name) not in known:
                raise ValidationError({"interactions": [f"{package} has no interaction called {name}."]})
        return super().typed({**values, "interaction": [known[place] for place in places]})

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Ask the form, and keep the pair beside what it says."""
        pair = {name: attrs.pop(name) for name in ("base", "new")}
        return {**super().validate(attrs), **pair}


class EntrySerializer(serializers.Serializer):
    """The newest decision about an interaction."""

    package = serializers.CharField(source="interaction.app.package")
    interaction = serializers.CharField(source="interaction.name")
    state = serializers.ChoiceField(choices=TriageState.choices)
    assignee = serializers.CharField()
    due = serializers.DateField(allow_null=True)
    note = serializers.CharField()
    bug_url = serializers.CharField()
    fixed_in = serializers.CharField()
    made_by = serializers.CharField(source="made_by.username")
    made_at = serializers.DateTimeField()
    batch = serializers.UUIDField(help_text="Of the decisions that were taken together, to take them back by")
    seen = serializers.IntegerField(source="pk", help_text="To send along with the next decision")


class DecidedSerializer(serializers.Serializer):
    """A decision that was written down."""

    batch = serializers.UUIDField(help_text="To take it back by")
    count = serializers.IntegerField(help_text="Interactions")
    state = serializers.ChoiceField(choices=TriageState.choices)


class UndoneSerializer(serializers.Serializer):
    """A decision that was taken back."""

    count = serializers.IntegerField(help_text="Interactions; what was decided again since is left alone")


class TriageFilters(PageFilters):
    """Of one comparison."""

    class Meta:
        form = TriageListForm

    def chosen(self, wanted: dict[str, Any]) -> QuerySet[TriageEntry]:
        """Return the newest decision about each interaction."""
        pair = named_pair(wanted["base"], wanted["new"])
        rows = newest_entries(base_id=pair.base.pk, new_id=pair.new.pk)
        return rows.select_related("interaction__app", "made_by")


class Triage(ApiViewSet):
    """Decisions about findings."""

    queryset = TriageEntry.objects.all()
    serializer_class = EntrySerializer
    filterset_class = TriageFilters

    @extend_schema(
        summary="List the newest decision about each interaction of a comparison, the newest first",
        description="What is not listed is untriaged.",
    )
    def list(self, request: Request) -> Response:
        """Answer with what people decided."""
        return super().list(request)

    @extend_schema(
        summary="Write one decision for some interactions, all or none",
        description=(
            "With seen, the newest decision that you know, a decision that somebody else made since is not "
            "overwritten: 409 names it. Without it, yours stands."
        ),
        request=TriageBody,
        responses={201: DecidedSerializer},
    )
    def create(self, request: Request) -> Response:
        """Write it down."""
        given = self.sent(request, TriageBody)
        pair, decision = named_pair(given["base"], given["new"]), given["decision"]
        ids, user = [row.pk for row in given["interaction"]], signed_in_user(request)
        try:
            batch = triage(
                base=pair.base, new=pair.new, interaction_ids=ids, decision=decision, user=user, seen=given["seen"]
            )
        except BadTriageError as error:
            raise wrong(error.field, str(error)) from error
        except DecidedMeanwhileError as error:
            cure = f"Look at it; to decide all the same, send seen: {error.seen}."
            raise Problem(CONFLICT, str(error), cure=cure) from error
        answer = {"batch": batch, "count": len(ids), "state": decision.state}
        return Response(DecidedSerializer(answer).data, status=201)

    @extend_schema(summary="Take decisions back that were taken together", request=None, responses=UndoneSerializer)
    def undo(self, request: Request, batch: uuid.UUID) -> Response:
        """Return each interaction to the state before."""
        count = undo_triage(batch=batch, user=signed_in_user(request))
        return Response(UndoneSerializer({"count": count}).data)
