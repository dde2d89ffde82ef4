"""The release gate of a comparison: what it says as things stand, and keeping that as a decision."""

from typing import Any

from django.http import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.gate.drift import STATES
from reports.api.base import ApiViewSet
from reports.api.bodies import Body, TextField, WholeField, parameters
from reports.api.comparisons import (
    DECISIONS,
    UNCHANGED,
    WAITS,
    WORDS,
    PartForm,
    asked_for,
    computed,
    existing,
    kept,
    named_part,
)
from reports.comparing.selectors import Pair, comparison_address, find_pair
from reports.gate.changes import recorded_beside
from reports.gate.formats import as_markdown
from reports.gate.selectors import latest_record, load_stand, nothing_report, recorded_mark
from reports.gate.services import decide_gate
from reports.models import Comparison, ComparisonStatus, GateRecord
from reports.policies.selectors import Part, policy_for
from reports.ranking.head import load_progress
from reports.web.forms import BIGGEST_ID
from reports.web.requests import signed_in_user


class DecideBody(Body):
    """Which comparison of the two versions, and which part of it."""

    scope = TextField(required=False, allow_blank=True, max_length=80, help_text="A saved scope: that part alone")
    device = WholeField(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=BIGGEST_ID,
        help_text="As in the address of a reading",
    )


class ReasonSerializer(serializers.Serializer):
    """Why the gate says so; ``decides`` is what this reason alone would lead to."""

    rule = serializers.CharField()
    decides = serializers.ChoiceField(choices=DECISIONS)
    text = serializers.CharField()
    app = serializers.CharField(help_text="Package, where it is about one")
    interaction = serializers.CharField()
    waiver = serializers.IntegerField(allow_null=True, help_text="Id of the waiver that it speaks of")


class RegressionSerializer(serializers.Serializer):
    """A result that regressed."""

    app = serializers.CharField(help_text="Package")
    app_name = serializers.CharField()
    interaction = serializers.CharField()
    interaction_type = serializers.CharField()
    device = serializers.CharField()
    metric = serializers.CharField()
    severity = serializers.CharField()
    median_base = serializers.FloatField(allow_null=True)
    median_new = serializers.FloatField(allow_null=True)
    delta = serializers.FloatField(allow_null=True)
    delta_pct = serializers.FloatField(allow_null=True)
    threshold = serializers.FloatField(allow_null=True)
    times_threshold = serializers.FloatField(allow_null=True)
    p_value = serializers.FloatField(allow_null=True)
    cliffs_delta = serializers.FloatField(allow_null=True)
    critical = serializers.BooleanField()
    waiver = serializers.IntegerField(allow_null=True, help_text="Id of the waiver that accepts it")
    waits = serializers.IntegerField(allow_null=True, help_text="Id of a waiver that takes a second person first")


class DriftRegressionSerializer(RegressionSerializer):
    """A result that regressed against the pinned version."""

    felt = serializers.BooleanField(help_text="The interaction regressed against the baseline as well")


class DriftSerializer(serializers.Serializer):
    """How the rule against the pinned version of the line stands."""

    state = serializers.ChoiceField(
        choices=STATES,
        help_text="same: the baseline is the pinned version; itself: the updated one is; waits: being computed",
    )
    pinned = serializers.CharField(help_text="Empty: no version of the line is pinned")
    why = serializers.CharField(help_text="Why nothing is known, else empty")
    regressed = serializers.IntegerField(help_text="Interactions, not waived")
    waived = serializers.IntegerField()
    decided = serializers.IntegerField()
    expected = serializers.IntegerField()
    missing = serializers.IntegerField()
    regressed_pct = serializers.FloatField(allow_null=True)
    budget_pct = serializers.FloatField()
    regressions = DriftRegressionSerializer(many=True)


class RecordedSerializer(serializers.Serializer):
    """The last decision that was recorded; ``changes`` say since when it is out of date, empty while it holds."""

    id = serializers.IntegerField(source="record.pk")
    decision = serializers.ChoiceField(source="record.decision", choices=DECISIONS)
    decided_by = serializers.CharField(source="record.decided_by.username", default="")
    created_at = serializers.DateTimeField(source="record.created_at")
    changes = serializers.ListField(child=serializers.CharField())


class ReportSerializer(serializers.Serializer):
    """What the gate says; numbers are null where nothing could be compared yet."""

    base = serializers.CharField()
    new = serializers.CharField()
    device = serializers.CharField(allow_null=True)
    scope = serializers.CharField(allow_null=True)
    computed_at = serializers.DateTimeField(allow_null=True)
    policy = serializers.CharField(allow_null=True)
    policy_version = serializers.IntegerField(allow_null=True)
    decision = serializers.ChoiceField(choices=DECISIONS)
    exit_code = serializers.IntegerField(help_text="What a pipeline ends with: 0 pass, 3 fail, 4 not enough data")
    sentence = serializers.CharField()
    regressed = serializers.IntegerField(allow_null=True, help_text="Interactions, not waived")
    waived = serializers.IntegerField(allow_null=True)
    decided = serializers.IntegerField()
    expected = serializers.IntegerField(allow_null=True)
    missing = serializers.IntegerField(allow_null=True)
    regressed_pct = serializers.FloatField(allow_null=True)
    coverage_pct = serializers.FloatField(allow_null=True)
    budget_pct = serializers.FloatField(allow_null=True)
    min_coverage_pct = serializers.FloatField(allow_null=True)
    reasons = ReasonSerializer(many=True)
    regressions = RegressionSerializer(many=True)
    drift = DriftSerializer(allow_null=True, help_text="null: the policy does not ask, or nothing is computed yet")


class GateSerializer(ReportSerializer):
    """What the gate says as things stand."""

    status = serializers.ChoiceField(choices=ComparisonStatus.choices, help_text="Of the comparison")
    stale = serializers.BooleanField(help_text="Runs changed since it was computed")
    markdown = serializers.CharField(help_text="The same as a short comment for a pull request")
    page = serializers.CharField(help_text="The address of the gate's page")
    recorded = RecordedSerializer(allow_null=True)


class Gate(ApiViewSet):
    """The gate of a comparison."""

    queryset = GateRecord.objects.none()
    serializer_class = GateSerializer

    @extend_schema(
        summary="Read what the release gate says as things stand",
        description="Nothing is kept. A comparison that is not computed yet is not enough data, with its status.",
        parameters=parameters(PartForm, **WORDS),
        responses={200: GateSerializer, 304: UNCHANGED},
    )
    def retrieve(self, request: Request, base: str, new: str) -> HttpResponseBase:
        """Answer with the decision, its reasons and every regression."""
        pair, comparison, part = asked_for(request, base, new)
        return kept(request, _shown(request, pair, comparison, part))

    @extend_schema(
        summary="Record what the release gate says, with what it was made from",
        description="While nothing changed since the last decision, that one is answered: 200 and not 201.",
        request=DecideBody,
        responses={200: GateSerializer, 201: GateSerializer},
    )
    def create(self, request: Request, base: str, new: str) -> Response:
        """Keep the decision."""
        asked = self.sent(request, DecideBody)
        part = named_part(asked.get("scope", ""))
        pair = find_pair(base, new, asked.get("device"))
        comparison = computed(existing(pair))
        before = recorded_mark(comparison, part.name)
        record = decide_gate(comparison=comparison, part=part, user=signed_in_user(request))
        known = before is not None and before.pk == record.pk
        return Response(_shown(request, pair, comparison, part), status=200 if known else 201)


def _shown(request: Request, pair: Pair, comparison: Comparison, part: Part) -> dict[str, Any]:
    recorded = None
    if comparison.summary:
        stand = load_stand(comparison, policy_for(comparison), part)
        report, record = stand.report, latest_record(comparison, part.name)
        recorded = recorded_beside(record, stand, comparison) if record else None
    else:
        report = nothing_report(comparison, comparison.error or load_progress(pair).sentence or WAITS)
    site = request.build_absolute_uri("/")
    return GateSerializer(
        {
            **report,
            "status": comparison.status,
            "stale": comparison.stale,
            "markdown": as_markdown(report, site),
            "page": request.build_absolute_uri(comparison_address("gate-pair", comparison)),
            "recorded": recorded,
        }
    ).data
