"""Issues of findings: where one can be made, having it made, how it stands. Only the queue asks a tracker."""

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from reports.api.base import ApiViewSet
from reports.api.bodies import FormBody, TextField
from reports.api.comparisons import named_pair
from reports.api.filters import PageFilters, given
from reports.bugreport.selectors import load_finding
from reports.drilldown.selectors import Wanted, known_names
from reports.models import Interaction, Issue, IssueState, IssueStatus, Tracker, TrackerKind
from reports.trackers.forms import IssueForm
from reports.trackers.selectors import active_trackers, issues, written
from reports.trackers.services import ask_again, ask_issue
from reports.web.forms import LenientForm
from reports.web.requests import signed_in_user


class IssueListForm(LenientForm):
    """Which issues are listed."""

    base = forms.CharField(required=False, max_length=80)
    new = forms.CharField(required=False, max_length=80)
    tracker = forms.CharField(required=False, max_length=80)
    status = forms.ChoiceField(required=False, choices=IssueStatus.choices)


class TrackerSerializer(serializers.Serializer):
    """A tracker that findings are offered."""

    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=TrackerKind.choices)
    project = serializers.CharField()


class IssueBody(FormBody):
    """The issue of a finding; UPReg writes what is left out of title and body."""

    form = IssueForm
    base = TextField(max_length=80, help_text="The old OS version")
    new = TextField(max_length=80, help_text="The updated OS version")
    package = TextField(max_length=200)
    interaction = TextField(max_length=160)
    tracker = TextField(max_length=80, help_text="Its name")
    title = TextField(required=False, max_length=250)
    body = TextField(required=False, max_length=30_000, help_text="In Markdown")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Find what it is about, write what was not given, and ask the form."""
        pair = named_pair(attrs["base"], attrs["new"])
        place = {"app__package": attrs["package"], "name": attrs["interaction"]}
        scripted = Interaction.objects.filter(**place).first()
        if scripted is None:
            raise ValidationError({"interaction": [known_names(attrs["package"])]})
        trackers = {tracker.name: tracker.pk for tracker in active_trackers()}
        if attrs["tracker"] not in trackers:
            known = f"There is none of this name; there are {', '.join(trackers) or 'none yet'}."
            raise ValidationError({"tracker": [known]})
        typed = {name: value for name, value in attrs.items() if name in ("title", "body")}
        issue: dict[str, Any] = {**self._written(attrs), **typed, "tracker": trackers[attrs["tracker"]]}
        return {**super().validate(issue), "base": pair.base, "new": pair.new, "interaction": scripted}

    def _written(self, attrs: dict[str, Any]) -> dict[str, str]:
        base, new, package, name = (attrs[key] for key in ("base", "new", "package", "interaction"))
        address = reverse("drilldown", args=[base, new, package, name])
        finding = load_finding(base, new, package, name, Wanted())
        return written(finding, self.context["request"].build_absolute_uri(address))


class IssueSerializer(serializers.Serializer):
    """The issue of a finding in a tracker; number, url and state are empty until it is made."""

    id = serializers.IntegerField(source="pk")
    tracker = serializers.CharField(source="tracker.name")
    base = serializers.CharField(source="base.name")
    new = serializers.CharField(source="new.name")
    package = serializers.CharField(source="interaction.app.package")
    interaction = serializers.CharField(source="interaction.name")
    title = serializers.CharField()
    status = serializers.ChoiceField(
        choices=IssueStatus.choices, help_text="waiting and running: on its way; failed: error says why."
    )
    error = serializers.CharField(allow_blank=True)
    number = serializers.CharField(allow_blank=True, help_text="What the tracker calls it.")
    url = serializers.CharField(allow_blank=True)
    state = serializers.ChoiceField(
        choices=IssueState.choices, allow_blank=True, help_text="How it stood when its tracker was asked last."
    )
    checked_at = serializers.DateTimeField(allow_null=True, help_text="When that was.")
    asked_by = serializers.CharField(source="asked_by.username", default="")
    asked_at = serializers.DateTimeField()


class IssueFilters(PageFilters):
    """By version, tracker and status."""

    class Meta:
        form = IssueListForm

    def chosen(self, wanted: dict[str, Any]) -> QuerySet[Issue]:
        """Return the issues asked for."""
        names = {"base": "base__name", "new": "new__name", "tracker": "tracker__name", "status": "status"}
        return issues().filter(**given(wanted, **names))


class Trackers(ApiViewSet):
    """Issue trackers, as findings are offered them; administrators set them up on a page."""

    queryset = Tracker.objects.none()
    serializer_class = TrackerSerializer
    ordering = ("name", "id")

    def get_queryset(self) -> QuerySet[Tracker]:
        """Return those that were not removed."""
        return active_trackers()


class Issues(ApiViewSet):
    """Issues of findings, the newest first."""

    queryset = Issue.objects.all()
    serializer_class, filterset_class = IssueSerializer, IssueFilters
    lookup_value_converter = "int"

    @extend_schema(
        summary="Have the issue of a finding made in a tracker",
        description=(
            "There is never a second one of a finding in a tracker: the one that is there is answered, 200 and not "
            "201. It is on its way until the queue has made it."
        ),
        request=IssueBody,
        responses={200: IssueSerializer, 201: IssueSerializer},
    )
    def create(self, request: Request) -> Response:
        """Ask for it."""
        said = self.sent(request, IssueBody)
        issue, is_new = ask_issue(**said, user=signed_in_user(request))
        return Response(self._one(issue.pk), status=201 if is_new else 200)

    def retrieve(self, request: Request, pk: int) -> Response:
        """Answer with one."""
        return Response(self._one(pk))

    @extend_schema(
        summary="Try once more what could not be made",
        description="An issue that did not fail is left as it is.",
        request=None,
    )
    @action(detail=True, methods=["post"])
    def again(self, request: Request, pk: int) -> Response:
        """Queue it again."""
        ask_again(issue=_named(pk), user=signed_in_user(request))
        return Response(self._one(pk))

    def _one(self, pk: int) -> dict[str, Any]:
        return self.get_serializer(_named(pk)).data


def _named(pk: int) -> Issue:
    issue = issues().filter(pk=pk).first()
    if issue is None:
        raise Http404(f"There is no issue {pk}.")
    return issue
