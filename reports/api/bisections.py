"""Bisections: start one, read what to record next, leave a version out, end it."""

from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.history.bisection import CONFIRM, DOUBT, END, FIRST, FOUND, OPEN, RANGE, REFUSED
from reports.api.base import ApiViewSet
from reports.api.bodies import FormBody, TextField, WholeField
from reports.api.filters import PageFilters
from reports.api.problems import CONFLICT, Problem, wrong
from reports.audit.words import capital
from reports.bisecting.faults import BisectionError, ComputingError, FinishedError
from reports.bisecting.forms import NAME_LENGTH, FindForm, SkipForm, StartForm
from reports.bisecting.reports import BROKEN, STATES
from reports.bisecting.selectors import COMPUTING, found_bisections, load_stand, named, sentence_of
from reports.bisecting.services import MOST_BUILDS, Search, finish_bisection, skip_build, start_bisection
from reports.models import Bisection
from reports.web.forms import BIGGEST_ID


class StartBody(FormBody):
    """What to search for."""

    form = StartForm
    app = TextField(max_length=200, help_text="Package")
    device = WholeField(
        required=False,
        min_value=1,
        max_value=BIGGEST_ID,
        help_text="Its id; needed where several have recorded the two versions",
    )
    builds = serializers.ListField(
        child=TextField(max_length=2 * NAME_LENGTH + 1),
        required=False,
        max_length=MOST_BUILDS,
        help_text="Versions between the two that nothing was recorded of yet: NAME, or NAME=PLACE",
    )

    def typed(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return one name a line, as the page sends them."""
        return super().typed({**values, "builds": "\n".join(values.get("builds", []))})


class SkipBody(FormBody):
    """Which version is left out, and why."""

    form = SkipForm


class BisectionSerializer(serializers.Serializer):
    """A search for the version that made an interaction slower."""

    id = serializers.IntegerField(source="pk")
    app = serializers.CharField(source="interaction.app.package", help_text="Package")
    interaction = serializers.CharField(source="interaction.name")
    metric = serializers.CharField()
    device = serializers.IntegerField(source="device_id")
    good = serializers.CharField(source="good.name")
    bad = serializers.CharField(source="bad.name")
    sentence = serializers.SerializerMethodField(help_text="Where it stands, or how it ended.")
    started_at = serializers.DateTimeField()
    started_by = serializers.CharField(source="started_as")
    finished_at = serializers.DateTimeField(allow_null=True)
    finished_by = serializers.CharField(source="finished_as", allow_blank=True)
    suspects = serializers.ListField(
        child=serializers.CharField(),
        help_text="Of a finished one: the versions of which one is to blame, one where it is found",
    )
    author = serializers.CharField(allow_blank=True, help_text="Whose change the version to blame brings.")
    triaged = serializers.CharField(allow_blank=True, help_text="What became of the finding by that.")
    page = serializers.SerializerMethodField(help_text="For people.")

    def get_sentence(self, row: Bisection) -> str:
        """Say where it stands."""
        return sentence_of(row)

    @extend_schema_field({"type": "string", "format": "uri"})
    def get_page(self, row: Bisection) -> str:
        """Return the address of its page."""
        return str(self.context["request"].build_absolute_uri(reverse("bisection", args=[row.pk])))


class MeasureSerializer(serializers.Serializer):
    """A version to be recorded next."""

    version = serializers.CharField()
    runs = serializers.IntegerField(help_text="So many more.")
    why = serializers.ChoiceField(choices=[(why, why) for why in (END, FIRST, DOUBT, CONFIRM)])
    words = serializers.CharField()


class BuildSerializer(serializers.Serializer):
    """A version of the range; ``median``, ``low`` and ``high`` are in the metric's unit."""

    version = serializers.CharField()
    state = serializers.ChoiceField(choices=[(state, state) for state in STATES])
    runs = serializers.IntegerField()
    median = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True, help_text="95 % around the median, from five runs on.")
    high = serializers.FloatField(allow_null=True)
    left_out = serializers.IntegerField(help_text="Runs of another app version or capture, which do not count.")
    reason = serializers.CharField(allow_blank=True, help_text="Why it was skipped.")


class StandSerializer(serializers.Serializer):
    """Where a bisection stands."""

    state = serializers.ChoiceField(
        choices=[(state, state) for state in (COMPUTING, OPEN, FOUND, RANGE, REFUSED, BROKEN)],
        help_text="refused: people feel no difference between the two; broken: they are no line; see trouble.",
    )
    stale = serializers.BooleanField(help_text="Something has changed since; it is computed again.")
    trouble = serializers.CharField(
        source="told.trouble", default="", allow_blank=True, help_text="Why it cannot go on, with the cure."
    )
    lines = serializers.ListField(source="told.lines", default=list, child=serializers.CharField())
    notes = serializers.ListField(
        child=serializers.CharField(), help_text="What changed under it, what never came."
    )
    measure = MeasureSerializer(many=True, help_text="What to record next; nothing: it waits to be finished.")
    waiting = serializers.IntegerField(help_text="Runs of those that wait for their measurement.")
    last_good = serializers.CharField(source="told.last_good", default="", allow_blank=True)
    first_bad = serializers.CharField(source="told.first_bad", default="", allow_blank=True)
    builds = BuildSerializer(many=True, help_text="From the good one to the bad one.")


class BisectionDetailSerializer(BisectionSerializer, StandSerializer):
    """A bisection with where it stands."""


class BisectionFilters(PageFilters):
    """As the list of the page."""

    class Meta:
        form = FindForm

    def chosen(self, wanted: dict[str, Any]) -> QuerySet[Bisection]:
        """Return what the page lists."""
        return found_bisections(wanted["state"])


class Bisections(ApiViewSet):
    """Bisections, the newest first."""

    queryset = Bisection.objects.all()
    serializer_class, filterset_class = BisectionSerializer, BisectionFilters
    lookup_value_converter = "int"

    @extend_schema(
        summary="Start a bisection",
        description=(
            "What is searched for already is not started twice: the one under way is answered, 200 and not 201. "
            "What to record first is computed in the queue: until then the state is computing."
        ),
        request=StartBody,
        responses={200: BisectionDetailSerializer, 201: BisectionDetailSerializer},
    )
    def create(self, request: Request) -> Response:
        """Start it."""
        said = self.sent(request, StartBody)
        try:
            row, made = start_bisection(Search(**said))
        except BisectionError as error:
            raise _refused(error) from error
        return self._told(row.pk, status=201 if made else 200)

    @extend_schema(summary="Read where a bisection stands", responses=BisectionDetailSerializer)
    def retrieve(self, request: Request, pk: int) -> Response:
        """Answer with one."""
        return self._told(pk)

    @extend_schema(
        summary="Leave out a version that cannot be tested",
        description="One that is left out already stays so, for the first reason.",
        request=SkipBody,
        responses=BisectionDetailSerializer,
    )
    @action(detail=True, methods=["post"])
    def skip(self, request: Request, pk: int) -> Response:
        """Leave it out."""
        row, said = named(pk), self.sent(request, SkipBody)
        try:
            skip_build(row, **said)
        except BisectionError as error:
            raise _refused(error) from error
        return self._told(pk)

    @extend_schema(
        summary="End a bisection, and keep its answer",
        description="A finished one is left as it is. The author of the one version to blame is given the finding.",
        request=None,
        responses=BisectionDetailSerializer,
    )
    @action(detail=True, methods=["post"])
    def finish(self, request: Request, pk: int) -> Response:
        """End it."""
        try:
            finish_bisection(named(pk))
        except BisectionError as error:
            raise _refused(error) from error
        return self._told(pk)

    def _told(self, pk: int, *, status: int = 200) -> Response:
        stand, context = load_stand(pk), self.get_serializer_context()
        row = BisectionSerializer(stand.row, context=context).data
        return Response({**row, **StandSerializer(stand, context=context).data}, status=status)


def _refused(error: BisectionError) -> Problem:
    words = f"{capital(error.words)}."
    if isinstance(error, ComputingError):
        return Problem(CONFLICT, words, cure="Read it until it is not stale, then finish it.")
    if isinstance(error, FinishedError):
        return Problem(CONFLICT, words, cure="Start another.")
    return wrong(error.field, words)
