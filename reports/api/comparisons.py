"""Comparisons: ask for one, list them, read how one stands, and its results as the ranking shows them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from django import forms
from django.db.models import QuerySet
from django.http import Http404, HttpResponseBase
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.gate.decision import GateDecision
from analysis.gate.reasons import EXIT_CODES
from analysis.verdicts.words import VERDICTS
from reports.api.base import ApiViewSet, with_etag
from reports.api.bodies import FormBody, TextField, WholeField, asked, parameters
from reports.api.filters import PAGING, PageFilters, given
from reports.api.paging import Steps
from reports.api.problems import CONFLICT, Problem, wrong
from reports.api.runs import RunDeviceSerializer
from reports.api.schema import ProblemSerializer
from reports.comparing.selectors import Pair, comparison_address, find_pair, load_pair
from reports.comparing.services import ask_for_comparison
from reports.comparing.standing import RulesNow, rules_now, standing
from reports.gate.forms import GateForm
from reports.home.forms import CompareForm
from reports.home.selectors import compare_choices
from reports.models import Comparison, ComparisonStatus, OsVersion, Result, Scope, TriageState
from reports.policies.selectors import EVERYTHING, Part, find_part
from reports.ranking.forms import RankingForm
from reports.ranking.head import Head, load_head
from reports.ranking.rows import export_rows
from reports.ranking.selectors import filtered_results
from reports.web.forms import BIGGEST_ID, LenientForm
from reports.web.problems import PROBLEM
from reports.web.requests import signed_in_user


class PartForm(GateForm):
    """Which comparison of two versions, and which part of it."""

    budget = None  # type: ignore[assignment]  # so Django leaves a field out


class ListForm(LenientForm):
    """Which comparisons are listed."""

    base = forms.CharField(required=False, max_length=80)
    new = forms.CharField(required=False, max_length=80)
    status = forms.ChoiceField(required=False, choices=ComparisonStatus.choices)


WORDS = {
    "scope": "A saved scope: that part alone",
    "device": "The comparison that is limited to this device, by its id, where there is one",
}


DECISIONS = tuple(EXIT_CODES)  # of the gate
WAITS = "It waits to be computed."
UNCHANGED = OpenApiResponse(description="You have it already: its ETag is that of If-None-Match.")


class CompareBody(FormBody):
    """Two versions that have runs, on all devices or on one."""

    form = CompareForm
    base = TextField(max_length=80, help_text="The old OS version")
    new = TextField(max_length=80, help_text="The updated OS version")
    device = WholeField(
        min_value=0, max_value=BIGGEST_ID, required=False, allow_null=True, help_text="Its id; all without one"
    )

    def options(self) -> dict[str, Any]:
        """Return what can be compared."""
        return {"choices": compare_choices()}


class DecisionSerializer(serializers.Serializer):
    """What the release gate says; counts are of interactions."""

    decision = serializers.ChoiceField(choices=DECISIONS)
    exit_code = serializers.IntegerField(help_text="What a pipeline ends with: 0 pass, 3 fail, 4 not enough data")
    sentence = serializers.CharField()
    regressed = serializers.IntegerField(help_text="Not waived")
    waived = serializers.IntegerField()
    decided = serializers.IntegerField()
    expected = serializers.IntegerField(help_text="Interactions of the baseline")
    missing = serializers.IntegerField(help_text="Those of them without a result")
    regressed_pct = serializers.FloatField(allow_null=True)
    coverage_pct = serializers.FloatField(allow_null=True)
    budget_pct = serializers.FloatField()


class ComparisonSerializer(serializers.Serializer):
    """A comparison and how it stands. ``stale``: runs changed since it was computed."""

    id = serializers.IntegerField(source="comparison.pk")
    base = serializers.CharField(source="comparison.base.name")
    new = serializers.CharField(source="comparison.new.name")
    device = RunDeviceSerializer(source="comparison.device", allow_null=True)
    status = serializers.ChoiceField(source="comparison.status", choices=ComparisonStatus.choices)
    stale = serializers.BooleanField(source="comparison.stale")
    error = serializers.CharField(source="comparison.error", help_text="Why it could not be computed")
    requested_at = serializers.DateTimeField(source="comparison.requested_at")
    computed_at = serializers.DateTimeField(source="comparison.computed_at", allow_null=True)
    gate = DecisionSerializer(allow_null=True, help_text="As things stand; null before the first computation")
    page = serializers.CharField(help_text="The address of its ranking")


class SummarySerializer(serializers.Serializer):
    """What stands on top of the ranking; counts are of interactions."""

    compared = serializers.IntegerField(source="counts.compared")
    decided = serializers.IntegerField(source="counts.decided")
    regressed = serializers.IntegerField(source="counts.regressed", help_text="Waived ones, too")
    improved = serializers.IntegerField(source="counts.improved")
    imperceptible = serializers.IntegerField(source="counts.imperceptible")
    no_change = serializers.IntegerField(source="counts.no_change")
    more_runs_needed = serializers.IntegerField(source="counts.more_runs_needed")
    chance = serializers.CharField(help_text="How many results chance alone would flag")
    gaps = serializers.ListField(child=serializers.CharField(), help_text="What could not be compared, in words")
    left_out = serializers.ListField(child=serializers.CharField(), help_text="Runs behind no result, in words")
    doubtful = serializers.CharField(help_text="How many values are doubtful, in words; empty: none")
    newer_policy = serializers.CharField(help_text="The policy in force, where an earlier one judged the results")


class ProgressSerializer(serializers.Serializer):
    """How far a comparison is of which there is no up-to-date result; counts are of runs."""

    waits_for = serializers.ChoiceField(choices=["result", "runs", ""])
    finished = serializers.IntegerField(source="runs.finished")
    failed = serializers.IntegerField(source="runs.failed")
    total = serializers.IntegerField(source="runs.total")
    sentence = serializers.CharField()


class ComparisonDetailSerializer(ComparisonSerializer):
    """A comparison with the counts of its results, and how far it is while there is none that is up to date."""

    summary = SummarySerializer(source="head.summary", allow_null=True)
    triage = serializers.SerializerMethodField(help_text="State of triage: how many regressed interactions")
    progress = ProgressSerializer(source="head.progress", allow_null=True)

    @extend_schema_field({"type": "object", "additionalProperties": {"type": "integer"}})
    def get_triage(self, stand: "Stand") -> dict[str, int]:
        """Return the states that occur."""
        return dict(stand.head.triaged) if stand.head else {}


class ResultSerializer(serializers.Serializer):
    """One metric of one interaction on one device: the columns of the ranking's CSV, not rounded."""

    app = serializers.CharField()
    package = serializers.CharField()
    category = serializers.CharField()
    critical = serializers.BooleanField()
    interaction = serializers.CharField()
    interaction_type = serializers.CharField()
    device = serializers.CharField()
    refresh_hz = serializers.FloatField()
    metric = serializers.CharField()
    n_base = serializers.IntegerField(help_text="Runs behind the median")
    n_new = serializers.IntegerField()
    median_base = serializers.FloatField(allow_null=True)
    median_new = serializers.FloatField(allow_null=True)
    delta = serializers.FloatField(allow_null=True)
    delta_pct = serializers.FloatField(allow_null=True)
    ci_low = serializers.FloatField(allow_null=True)
    ci_high = serializers.FloatField(allow_null=True)
    p_value = serializers.FloatField(allow_null=True)
    q_value = serializers.FloatField(allow_null=True)
    cliffs_delta = serializers.FloatField(allow_null=True)
    threshold = serializers.FloatField(allow_null=True)
    times_threshold = serializers.FloatField(allow_null=True)
    verdict = serializers.ChoiceField(choices=list(VERDICTS))
    severity = serializers.CharField(help_text="Empty where nothing regressed")
    runs_needed = serializers.IntegerField(allow_null=True, help_text="More runs a side that a verdict would need")
    triage_state = serializers.ChoiceField(choices=TriageState.choices)
    assignee = serializers.CharField(help_text="User name of who has it")
    due = serializers.DateField(allow_null=True)
    doubtful_base = serializers.IntegerField(help_text="Runs alike whose value is doubtful")
    doubtful_new = serializers.IntegerField()


@dataclass(frozen=True)
class Stand:
    """A comparison as it stands; ``head`` only where one is looked at."""

    comparison: Comparison
    gate: GateDecision | None
    page: str
    head: Head | None = None


class ComparisonFilters(PageFilters):
    """By version and status."""

    class Meta:
        form = ListForm

    def chosen(self, wanted: dict[str, Any]) -> QuerySet[Comparison]:
        """Return the comparisons asked for."""
        conditions = given(wanted, base="base__name", new="new__name", status="status")
        return Comparison.objects.select_related("base", "new", "device").filter(**conditions)


class Comparisons(ApiViewSet):
    """Comparisons of two OS versions."""

    queryset = Comparison.objects.all()
    serializer_class = ComparisonSerializer
    filterset_class = ComparisonFilters

    def loaded(self, rows: Sequence[Comparison]) -> Sequence[Stand]:
        """Return how each stands, by rules that are loaded once."""
        rules = rules_now(rows)
        return [_stand(row, self.request, rules) for row in rows]

    @extend_schema(summary="List comparisons, the last asked for first")
    def list(self, request: Request) -> Response:
        """Answer with what the filters leave."""
        return super().list(request)

    @extend_schema(
        summary="Have two versions compared, or compared again if anything changed",
        description="The same two versions are the same comparison: 201 when it is new, 200 when it was there.",
        request=CompareBody,
        responses={200: ComparisonSerializer, 201: ComparisonSerializer},
    )
    def create(self, request: Request) -> Response:
        """Queue what is not up to date."""
        asked = self.sent(request, CompareBody)
        comparison, created = ask_for_comparison(**asked, user=signed_in_user(request))
        shown = ComparisonSerializer(_stand(comparison, request, rules_now()))
        return Response(shown.data, status=201 if created else 200)

    @extend_schema(
        summary="Read how a comparison stands: status, counts and what the gate says",
        parameters=parameters(PartForm, **WORDS),
        responses=ComparisonDetailSerializer,
    )
    def retrieve(self, request: Request, base: str, new: str) -> Response:
        """Answer with the head of the ranking."""
        pair, comparison, part = asked_for(request, base, new)
        stand = _stand(comparison, request, rules_now(), part=part, head=load_head(pair, part))
        return Response(ComparisonDetailSerializer(stand).data)


class Results(ApiViewSet):
    """The results of a comparison."""

    queryset = Result.objects.none()
    serializer_class = ResultSerializer
    pagination_class = Steps

    @extend_schema(
        summary="List results, the worst first, with the filters of the ranking",
        description=(
            "Without a metric each interaction shows its worst one; metric=all lifts that. A cursor holds until "
            "the comparison is computed again: then it is refused, so that no list is of two computations."
        ),
        parameters=parameters(RankingForm, **WORDS, q="Words in the names of app, package and interaction"),
        responses={200: ResultSerializer(many=True), 304: UNCHANGED, (409, PROBLEM): ProblemSerializer},
    )
    def list(  # type: ignore[override]  # of one pair of versions
        self, request: Request, base: str, new: str
    ) -> HttpResponseBase:
        """Answer with the rows that the ranking shows, in its order."""
        form = asked(RankingForm, request.query_params, besides=PAGING)
        part = named_part(form.cleaned_data["scope"])
        wanted = form.wanted([part], user_id=request.user.pk)
        comparison = existing(find_pair(base, new, wanted.device))
        pages = cast(Steps, self.paginator)
        found = pages.steps(filtered_results(comparison, wanted), request, mark=_computation(comparison))
        rows = ResultSerializer(export_rows(comparison, found), many=True).data
        return kept(request, self.get_paginated_response(rows).data)


def _stand(
    comparison: Comparison, request: Request, rules: RulesNow, *, part: Part = EVERYTHING, head: Head | None = None
) -> Stand:
    return Stand(
        comparison=comparison,
        gate=standing(comparison, part, rules) if comparison.summary else None,
        page=request.build_absolute_uri(comparison_address("ranking", comparison)),
        head=head,
    )


def _computation(comparison: Comparison) -> str:
    """Name the computation that results are of."""
    return f"{comparison.pk} {comparison.computed_at:%Y%m%d%H%M%S%f}" if comparison.computed_at else ""


def kept(request: Request, answer: dict[str, Any]) -> HttpResponseBase:
    """Answer with a tag of all that is answered, so that whoever has it already is not sent it again."""
    return with_etag(request, [answer], lambda: answer)


def asked_for(request: Request, base: str, new: str) -> tuple[Pair, Comparison, Part]:
    """Return what an address asks about: two versions, their comparison and a part of it."""
    values = asked(PartForm, request.query_params).cleaned_data
    part = named_part(values["scope"])
    pair = find_pair(base, new, values["device"])
    return pair, existing(pair), part


def existing(pair: Pair) -> Comparison:
    """Return the comparison of two versions, or answer 404 if nobody asked for it."""
    if pair.comparison is None:
        raise Http404(f"{pair.base} and {pair.new} have not been compared yet: ask for it at /api/v1/comparisons/.")
    return pair.comparison


def computed(comparison: Comparison) -> Comparison:
    """Return a comparison that has results; without any it is refused as what it is."""
    if not comparison.summary:
        words = comparison.error or WAITS
        raise Problem(
            CONFLICT, f"{comparison} has no results yet. {words}", cure="Read the comparison until it is done."
        )
    return comparison


def named_part(name: str) -> Part:
    """Return the scope of this name, everything for an empty one; refuse an unknown one with those there are."""
    try:
        return find_part(name)
    except Scope.DoesNotExist as error:
        raise wrong("scope", str(error)) from error


def named_pair(base: str, new: str, device: int | None = None) -> Pair:
    """Return the two versions that a body names; an unknown one is refused at its field."""
    try:
        return load_pair(base, new, device)
    except OsVersion.DoesNotExist as error:
        known = OsVersion.objects.filter(name=base).exists()
        raise wrong("new" if known else "base", str(error)) from error
