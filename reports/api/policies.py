"""Policies: read those in force, see what another would change, save the next version."""

from typing import Any, cast

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.policy.checks import PolicyError
from analysis.policy.policy import DOUBTFUL_CHOICES, Policy
from analysis.policy.policyjson import policy_from_json, policy_to_json
from analysis.verdicts.policywords import problem_words
from reports.api.base import ApiViewSet
from reports.api.bodies import Body, ObjectField, TextField, WholeField, refuse_unknown
from reports.api.comparisons import DecisionSerializer, computed, existing, named_pair
from reports.api.filters import PAGING
from reports.api.paging import Steps
from reports.api.problems import CONFLICT, Problem, wrong
from reports.models import PolicyVersion
from reports.policies.selectors import current_policies, current_policy, policy_names
from reports.policies.services import NOTE_LENGTH, PolicyConflictError, save_policy
from reports.policyeditor.selectors import load_preview, policy_history
from reports.web.forms import BIGGEST_ID
from reports.web.requests import signed_in_user


class ThresholdSerializer(serializers.Serializer):
    """The larger of both parts is θ."""

    absolute = serializers.FloatField(help_text="In the unit of the metric")
    relative_pct = serializers.FloatField(help_text="Of the baseline's median")
    reason = serializers.CharField()


class OverrideSerializer(serializers.Serializer):
    """A θ of its own for an app, a type of interactions, or both."""

    metric = serializers.CharField(help_text="* for every metric")
    app = serializers.CharField(allow_null=True, help_text="Package")
    interaction_type = serializers.CharField(allow_null=True)
    threshold = ThresholdSerializer()


class GateRulesSerializer(serializers.Serializer):
    """What the release gate tolerates."""

    budget_pct = serializers.FloatField()
    critical_budget = serializers.IntegerField()
    min_runs = serializers.IntegerField()
    min_coverage_pct = serializers.FloatField()
    second_approver_from = serializers.FloatField(allow_null=True, help_text="Multiples of θ; null: never")
    drift_budget_pct = serializers.FloatField(
        allow_null=True, help_text="Interactions that may regress against the pinned version; null: not asked"
    )
    drift_critical_budget = serializers.IntegerField(help_text="Of critical apps, where it is asked")


class MeasuringRulesSerializer(serializers.Serializer):
    """What becomes of values that measuring itself doubts."""

    doubtful = serializers.ChoiceField(
        choices=DOUBTFUL_CHOICES, help_text="leave_out: a doubtful value counts once a person has settled it"
    )


class RulesSerializer(serializers.Serializer):
    """All that decides a verdict besides the data."""

    name = serializers.CharField()
    version = serializers.IntegerField(help_text="0: the built-in one")
    alpha = serializers.FloatField()
    min_effect = serializers.FloatField()
    min_runs = serializers.IntegerField()
    thresholds = serializers.DictField(child=ThresholdSerializer(), help_text="By metric, * for all others")
    overrides = OverrideSerializer(many=True)
    ladder = serializers.ListField(child=serializers.ListField(), help_text="Severities: [word, multiple of θ]")
    gate = GateRulesSerializer()
    measuring = MeasuringRulesSerializer()


class PolicyRow(serializers.Serializer):
    """A policy in force."""

    name = serializers.CharField()
    version = serializers.IntegerField(help_text="0: the built-in one, which nobody has changed")


class SavedVersion(serializers.Serializer):
    """Who saved a version, when and why, and what it changed."""

    version = serializers.IntegerField(source="number")
    author = serializers.CharField()
    created_at = serializers.DateTimeField()
    note = serializers.CharField()
    changes = serializers.ListField(child=serializers.CharField())


class PolicyDetail(PolicyRow):
    """A policy in force with its rules and its history."""

    rules = RulesSerializer()
    history = SavedVersion(many=True)


class RulesBody(Body):
    """Rules to try."""

    rules = ObjectField(help_text="As a reading gives them; what is left out is as in the built-in policy")


class PreviewBody(RulesBody):
    """Rules, and perhaps a comparison to try them on."""

    base = TextField(required=False, max_length=80)
    new = TextField(required=False, max_length=80)
    device = WholeField(required=False, allow_null=True, min_value=0, max_value=BIGGEST_ID)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Ask for both versions or for none."""
        if ("base" in attrs) != ("new" in attrs):
            raise ValidationError({"new" if "base" in attrs else "base": ["Name both versions, or none of them."]})
        return attrs


class SaveBody(RulesBody):
    """Rules to save, and the version that was edited."""

    based_on = WholeField(
        min_value=0, max_value=1_000_000_000, help_text="The version that was edited; 0 for a new policy"
    )
    note = TextField(required=False, allow_blank=True, max_length=NOTE_LENGTH, help_text="Why")


class MovedSerializer(serializers.Serializer):
    """How many results would go from one verdict to another."""

    old = serializers.CharField()
    new = serializers.CharField()
    count = serializers.IntegerField()


class ChangedSerializer(serializers.Serializer):
    """A result that the rules would judge differently."""

    app = serializers.CharField(help_text="Package")
    interaction = serializers.CharField()
    device = serializers.CharField()
    metric = serializers.CharField()
    delta = serializers.FloatField(allow_null=True)
    old_verdict = serializers.CharField()
    old_severity = serializers.CharField()
    new_verdict = serializers.CharField()
    new_severity = serializers.CharField()


class PreviewSerializer(serializers.Serializer):
    """What the rules would change, against those in force; null and empty without a comparison to try them on."""

    changes = serializers.ListField(child=serializers.CharField(), help_text="Of the rules, in words")
    results = serializers.IntegerField(help_text="Tried on so many")
    changed_count = serializers.IntegerField()
    changed = ChangedSerializer(many=True, help_text="The first 100, worst first")
    moved = MovedSerializer(many=True)
    before = DecisionSerializer(allow_null=True, help_text="What the gate says by the policy in force")
    after = DecisionSerializer(allow_null=True, help_text="What it would say")


class Policies(ApiViewSet):
    """Policies."""

    queryset = PolicyVersion.objects.none()
    serializer_class = PolicyRow
    pagination_class = Steps

    @extend_schema(summary="List the policies in force, the default first")
    def list(self, request: Request) -> Response:
        """Answer with name and version of each."""
        refuse_unknown(request.query_params, PAGING)
        policies, pages = current_policies(), cast(Steps, self.paginator)
        found = pages.steps([policies[name] for name in policy_names()], request)
        return self.get_paginated_response(PolicyRow(found, many=True).data)

    @extend_schema(summary="Read the rules of a policy and their history", responses=PolicyDetail)
    def retrieve(self, request: Request, name: str) -> Response:
        """Answer with the version in force."""
        return Response(_detail(_known(name)))

    @extend_schema(
        summary="Save the next version of a policy, or a new policy",
        description=(
            "The comparisons that use it are computed again. If somebody saved it since based_on: 409, and nothing "
            "is changed."
        ),
        request=SaveBody,
        responses={201: PolicyDetail},
    )
    def create(self, request: Request, name: str) -> Response:
        """Save it."""
        sent = self.sent(request, SaveBody)
        try:
            saved = save_policy(name=name, user=signed_in_user(request), **sent)
        except PolicyError as error:
            raise _refused(error) from error
        except PolicyConflictError as error:
            cure = "Read the policy, and base your change on the version in force."
            raise Problem(CONFLICT, str(error), cure=cure) from error
        return Response(_detail(_known(saved.name)), status=201)

    @extend_schema(
        summary="See what rules would change, without saving them",
        description="With two versions the stored results of their comparison are judged by the rules.",
        request=PreviewBody,
        responses=PreviewSerializer,
    )
    def preview(self, request: Request, name: str) -> Response:
        """Judge stored results; nothing is written."""
        now, sent = _known(name), self.sent(request, PreviewBody)
        try:
            typed = policy_from_json({**sent["rules"], "name": now.name})
        except PolicyError as error:
            raise _refused(error) from error
        found = load_preview(_tried_on(sent), now, typed)
        before, after = found.gates or (None, None)
        return Response(PreviewSerializer({**vars(found), "before": before, "after": after}).data)


def _tried_on(sent: dict[str, Any]) -> str:
    """Return the id of the comparison that the body names, as the editor sends it; empty for none."""
    if "base" not in sent:
        return ""
    return str(computed(existing(named_pair(sent["base"], sent["new"], sent.get("device")))).pk)


def _refused(error: PolicyError) -> Problem:
    """Return the refusal of rules, at the field that the message names."""
    path, colon, _ = str(error).partition(": ")
    field = path if colon and " " not in path and path != "policy" else ""
    place = field if field == "note" else ".".join(filter(None, ["rules", field]))
    return wrong(place, problem_words(str(error)))


def _known(name: str) -> Policy:
    try:
        return current_policy(name)
    except PolicyError as error:
        raise Http404(str(error)) from error


def _detail(policy: Policy) -> dict[str, Any]:
    found = {"name": policy.name, "version": policy.version, "rules": policy_to_json(policy)}
    return PolicyDetail({**found, "history": policy_history(policy.name)}).data
