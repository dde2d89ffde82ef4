"""The history of a line: its courses, one with every level and what was said about it, notes, releases."""

from typing import Any, cast

from django import forms
from django.http import Http404
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.history.deviations import MARKS
from analysis.verdicts.words import VERDICTS
from reports.api.base import ApiViewSet
from reports.api.bodies import FormBody, asked, parameters
from reports.api.filters import PAGING
from reports.api.paging import Steps
from reports.api.problems import wrong
from reports.api.runs import RunDeviceSerializer
from reports.api.schema import ProblemSerializer
from reports.history.courses import ALL_KINDS
from reports.history.drawing import course_address
from reports.history.forms import MatrixForm, NoteForm
from reports.history.line import written_at
from reports.history.matrix import Line, line_called, load_lines, wanted_courses
from reports.history.notes import KINDS, add_note, hide_note, load_marks
from reports.history.releases import load_releases
from reports.history.trend import Trend, TrendWanted, load_trend
from reports.models import Annotation, App, Course
from reports.web.forms import LenientForm
from reports.web.problems import PROBLEM
from reports.web.requests import signed_in_user

WORDS = {
    "channel": "The line; without it the main line, or the first there is",
    "app": "Package",
    "interaction": "Its id",
    "device": "Its id",
    "kind": "What became of it",
    "sort": "By the largest regression, by the step of the newest version, or by name",
    "q": "Words of the names of app and interaction",
}
CURSOR = "A cursor holds until the history of a version of the line is computed again: then it is refused."


class CourseListForm(MatrixForm):
    """Which courses are listed: as in the matrix of interactions."""

    by = None  # type: ignore[assignment]  # so Django leaves a field out


class PartForm(LenientForm):
    """Which part of a line, with or without the values of single runs."""

    first = forms.CharField(required=False, max_length=80)
    last = forms.CharField(required=False, max_length=80)
    runs = forms.BooleanField(required=False)


class ReleaseListForm(LenientForm):
    """Which releases are listed."""

    channel = forms.CharField(required=False, max_length=40)
    app = forms.CharField(required=False, max_length=200)


class CourseSerializer(serializers.Serializer):
    """One metric of one interaction on one device over a line."""

    id = serializers.IntegerField(source="pk")
    channel = serializers.CharField(help_text="The line; empty: the main line")
    app = serializers.CharField(source="interaction.app.package", help_text="Package")
    app_name = serializers.CharField(source="interaction.app.name")
    interaction = serializers.CharField(source="interaction.name")
    interaction_id = serializers.IntegerField()
    device = RunDeviceSerializer()
    metric = serializers.CharField()
    kind = serializers.ChoiceField(choices=["", *ALL_KINDS], help_text="Empty: nothing that people feel")
    since = serializers.CharField(source="since.name", default=None, allow_null=True)
    back = serializers.CharField(
        source="back.name", default=None, allow_null=True, help_text="Of a digression: the version on which it went"
    )
    delta = serializers.FloatField(allow_null=True, help_text="By how much, in the metric's unit")
    times = serializers.FloatField(allow_null=True, help_text="By how much, in multiples of the threshold")
    worst = serializers.FloatField(help_text="The largest regression or drift, in multiples of the threshold")
    latest = serializers.FloatField(help_text="The step of the newest version, where it is one for the worse")
    medians = serializers.ListField(child=serializers.FloatField(), help_text="Of the last versions, oldest first")
    page = serializers.SerializerMethodField(help_text="The address of its page")

    def get_page(self, course: Course) -> str:
        """Return the address, with the name of the site."""
        address: str = self.context["request"].build_absolute_uri(course_address(course))
        return address


class LevelSerializer(serializers.Serializer):
    """The level on one version and how it moved; what is about the step is null, or empty, without one before."""

    version = serializers.CharField(source="version.name")
    before = serializers.CharField(source="before.name", default=None, allow_null=True)
    n = serializers.IntegerField(help_text="Runs")
    p50 = serializers.FloatField()
    p90 = serializers.FloatField()
    p99 = serializers.FloatField()
    low = serializers.FloatField(allow_null=True, help_text="95 % around the median after Olive")
    high = serializers.FloatField(allow_null=True)
    low_exact = serializers.FloatField(allow_null=True, help_text="95 %, as verdicts use it")
    high_exact = serializers.FloatField(allow_null=True)
    mark = serializers.ChoiceField(choices=["", *MARKS], help_text="Empty: the first of its line")
    delta = serializers.FloatField(allow_null=True)
    moved_low = serializers.FloatField(allow_null=True, help_text="95 % of delta after Price and Bonett")
    moved_high = serializers.FloatField(allow_null=True)
    gap = serializers.FloatField(allow_null=True, help_text="Between the intervals, where they do not overlap")
    threshold = serializers.FloatField(allow_null=True)
    times = serializers.FloatField(allow_null=True, help_text="Delta in multiples of the threshold")
    felt = serializers.BooleanField(help_text="Past the threshold")
    verdict = serializers.ChoiceField(choices=["", *VERDICTS])
    severity = serializers.CharField(allow_blank=True)
    app_version = serializers.CharField(allow_blank=True)
    capture = serializers.CharField(allow_blank=True)
    runs = serializers.SerializerMethodField(help_text="The values of its runs, where they are asked for")

    def get_runs(self, level: Any) -> list[float]:
        """Return the values."""
        dots: list[float] = self.context["dots"].get(level.version_id, [])
        return dots


class SaidSerializer(serializers.Serializer):
    """What was said about a version: a release note, a pin, a note, a decision of triage or a waiver."""

    version = serializers.CharField(source="version.name")
    kind = serializers.ChoiceField(choices=KINDS)
    words = serializers.CharField()
    who = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField()
    note = serializers.IntegerField(allow_null=True, help_text="The id of a note, to hide it by")


class CourseDetailSerializer(CourseSerializer):
    """A course with its levels, oldest first, and what was said about its versions."""

    levels = serializers.SerializerMethodField()
    said = serializers.SerializerMethodField()

    @extend_schema_field(LevelSerializer(many=True))
    def get_levels(self, course: Course) -> Any:
        """Return the levels of the part that is asked for."""
        trend: Trend = self.context["trend"]
        return LevelSerializer(trend.levels, many=True, context={"dots": trend.dots}).data

    @extend_schema_field(SaidSerializer(many=True))
    def get_said(self, course: Course) -> Any:
        """Return what was said, in the order of the line."""
        return SaidSerializer(load_marks(self.context["trend"].line, course), many=True).data


class NoteBody(FormBody):
    """A note on a version, for this interaction or for all."""

    form = NoteForm


class NoteSerializer(serializers.Serializer):
    """A note."""

    id = serializers.IntegerField(source="pk")
    version = serializers.CharField(source="version.name")
    text = serializers.CharField()
    everywhere = serializers.SerializerMethodField(help_text="For all interactions")
    made_by = serializers.CharField(source="made_by.username")
    made_at = serializers.DateTimeField()

    def get_everywhere(self, note: Annotation) -> bool:
        """Tell whether it is for all."""
        return note.interaction_id is None


class ReleaseSerializer(serializers.Serializer):
    """What moved in a version from the one before it, as people feel it; counts are of interactions."""

    version = serializers.CharField(source="version.name")
    before = serializers.CharField(source="before.name", default=None, allow_null=True)
    day = serializers.DateField(help_text="On which it came out; without that, came in")
    pinned = serializers.BooleanField(source="version.pinned")
    interactions = serializers.IntegerField(help_text="That were set against the version before")
    worse = serializers.IntegerField()
    better = serializers.IntegerField()
    share_pct = serializers.FloatField(allow_null=True, help_text="That got slower")
    apps_worse = serializers.IntegerField(source="apps", help_text="Apps with one that got slower")
    severity = serializers.CharField(allow_blank=True, help_text="Of the largest step among them")
    risk = serializers.FloatField(allow_null=True, help_text="Of the app at most risk, 0 to 100")
    compared = serializers.BooleanField(help_text="Whether there is a comparison of the pair")


class Courses(ApiViewSet):
    """Courses of a line."""

    queryset = Course.objects.none()
    serializer_class = CourseSerializer
    pagination_class = Steps

    @extend_schema(
        summary="List the courses of a line, those that got worst first",
        description=CURSOR,
        parameters=parameters(CourseListForm, **WORDS),
        responses={200: CourseSerializer(many=True), (409, PROBLEM): ProblemSerializer},
    )
    def list(self, request: Request) -> Response:
        """Answer with the rows of the matrix."""
        wanted = asked(CourseListForm, request.query_params, besides=PAGING).wanted()
        line = _line(wanted.channel)
        rows = cast(Steps, self.paginator).steps(
            wanted_courses(wanted, line), request, mark=written_at(line.versions)
        )
        return self.get_paginated_response(self.get_serializer(rows, many=True).data)

    @extend_schema(
        summary="Read a course with its levels and what was said about its versions",
        parameters=parameters(PartForm, first="The first version", last="The last version", runs="With every run"),
        responses=CourseDetailSerializer,
    )
    def retrieve(self, request: Request, pk: int) -> Response:
        """Answer with one."""
        part = asked(PartForm, request.query_params).values()
        course = _course(pk)
        wanted = TrendWanted(metric=course.metric, device=course.device_id, channel=course.channel, **part)
        trend = load_trend(course.interaction_id, wanted)
        context = {**self.get_serializer_context(), "trend": trend}
        return Response(CourseDetailSerializer(trend.course, context=context).data)

    @extend_schema(
        summary="Put a note on a version",
        description="It stands under the chart of the interaction, or of all, at its version.",
        request=NoteBody,
        responses={201: NoteSerializer},
    )
    @action(detail=True, methods=["post"])
    def notes(self, request: Request, pk: int) -> Response:
        """Add it."""
        course, said = _course(pk), self.sent(request, NoteBody)
        of = None if said["everywhere"] else course.interaction
        note = add_note(version=said["version"], interaction=of, text=said["text"], user=signed_in_user(request))
        return Response(NoteSerializer(note).data, status=201)


class Notes(ApiViewSet):
    """Notes on versions."""

    queryset = Annotation.objects.none()
    serializer_class = NoteSerializer

    @extend_schema(
        summary="Hide a note for everybody",
        description="It stays in the audit log. Doing it twice changes nothing.",
        request=None,
    )
    def destroy(self, request: Request, pk: int) -> Response:
        """Hide it."""
        hide_note(pk=pk, user=signed_in_user(request))
        return Response(status=204)


class Releases(ApiViewSet):
    """Release over release."""

    queryset = Course.objects.none()
    serializer_class = ReleaseSerializer
    pagination_class = Steps

    @extend_schema(
        summary="List the versions of a line with what moved in each, the newest first",
        description=CURSOR,
        parameters=parameters(ReleaseListForm, channel=WORDS["channel"], app="Package: of this app alone"),
        responses={200: ReleaseSerializer(many=True), (409, PROBLEM): ProblemSerializer},
    )
    def list(self, request: Request) -> Response:
        """Answer with the table of releases."""
        wanted = asked(ReleaseListForm, request.query_params, besides=PAGING).values()
        line, app = _line(wanted["channel"]), None
        if wanted["app"]:
            app = App.objects.filter(package=wanted["app"]).first()
            if app is None:
                raise wrong("app", f"No app has the package {wanted['app']}.")
        rows = cast(Steps, self.paginator).steps(
            load_releases(line, app=app), request, mark=written_at(line.versions)
        )
        return self.get_paginated_response(self.get_serializer(rows, many=True).data)


def _line(channel: str) -> Line:
    try:
        return line_called(load_lines(), channel)
    except Http404 as error:
        raise wrong("channel", str(error)) from error


def _course(pk: int) -> Course:
    found = Course.objects.select_related("interaction__app").filter(pk=pk).first()
    if found is None:
        raise Http404(f"There is no course {pk}: its interaction has no measured runs any more, or never had.")
    return found
