"""OS versions: as their page lists them, where each stands in the order, which one is the pinned baseline."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from reports.api.base import ApiViewSet
from reports.api.bodies import DayField, EditBody, FormBody
from reports.api.changes import ChangedSerializer, changed_meanwhile, with_changes
from reports.api.filters import PageFilters
from reports.api.problems import wrong
from reports.audit.words import ChangedMeanwhileError
from reports.catalogue.forms import FindForm, PinForm, VersionForm
from reports.catalogue.selectors import VersionRow, no_version, version_row, version_rows, versions_with
from reports.catalogue.services import LineIsPinnedError, pin_version, save_version, unpin_version
from reports.models import OsVersion
from reports.web.requests import signed_in_user


class CountsSerializer(serializers.Serializer):
    """How many runs there are, and in which state."""

    runs = serializers.IntegerField()
    done = serializers.IntegerField(help_text="Judged, with a time or without.")
    failed = serializers.IntegerField()
    waiting = serializers.IntegerField()
    excluded = serializers.IntegerField(help_text="Kept out of comparisons; also counted by their state.")


class VersionSerializer(serializers.Serializer):
    """An OS version."""

    name = serializers.CharField()
    sorts_as = serializers.CharField(allow_blank=True, help_text="Empty: by its own name.")
    channel = serializers.CharField(allow_blank=True, help_text="Its line of versions. Empty: the main line.")
    released_on = serializers.DateField(allow_null=True)
    note = serializers.CharField(allow_blank=True)
    author = serializers.CharField(allow_blank=True, help_text="Whose change it brings: name or mail.")
    change = serializers.CharField(allow_blank=True, help_text="That change: a link or a revision.")
    pinned = serializers.BooleanField(help_text="The baseline that somebody chose.")
    pinned_at = serializers.DateTimeField(allow_null=True)
    pinned_by = serializers.CharField(source="pinned_as", allow_blank=True)
    pinned_reason = serializers.CharField(allow_blank=True)
    previous = serializers.CharField(allow_blank=True, help_text="The version before it that has runs.")
    counts = CountsSerializer(source="*")
    apps = serializers.IntegerField(help_text="How many were filmed on it.")
    interactions = serializers.IntegerField(help_text="How many were filmed on it.")
    first = serializers.DateTimeField(allow_null=True, help_text="The first recording.")
    last = serializers.DateTimeField(allow_null=True, help_text="The last recording.")


class VersionDetailSerializer(VersionSerializer, ChangedSerializer):
    """An OS version with what people changed of it."""


class VersionBody(EditBody):
    """Where a version stands, when it came out, what is to be known of it."""

    form = VersionForm
    released_on = DayField(allow_null=True)


class PinBody(FormBody):
    """Why a version is the baseline."""

    form = PinForm


class VersionListForm(FindForm):
    """As the page's, and the one that is pinned."""

    category = critical = type = None  # type: ignore[assignment]  # so Django leaves a field out
    pinned = forms.BooleanField(required=False, help_text="The pinned baseline alone")


class VersionFilters(PageFilters):
    """As the list of versions."""

    class Meta:
        form = VersionListForm

    def chosen(self, wanted: dict[str, Any]) -> QuerySet[OsVersion]:
        """Return the versions that have all words."""
        rows = OsVersion.objects.pinned() if wanted["pinned"] else OsVersion.objects.all()
        return rows.filter(name__in=[row.name for row in versions_with(wanted["q"])]) if wanted["q"] else rows


class Versions(ApiViewSet):
    """OS versions, newest first."""

    queryset = OsVersion.objects.all()
    serializer_class = VersionSerializer
    filterset_class = VersionFilters
    ordering = ("-sort_key", "-name")
    lookup_field, lookup_value_converter = "name", "str"

    def loaded(self, rows: list[OsVersion]) -> Sequence[VersionRow]:
        """Return the lines of the page's list."""
        lines = {line.name: line for line in version_rows()}
        return [lines[row.name] for row in rows]

    @extend_schema(responses=VersionDetailSerializer)
    def retrieve(self, request: Request, name: str) -> Response:
        """Answer with one."""
        return _told(_named(name))

    @extend_schema(
        summary="Change place, day, author, change or note of a version",
        request=VersionBody,
        responses=VersionDetailSerializer,
    )
    def partial_update(self, request: Request, name: str) -> Response:
        """Save what was given."""
        row = _named(name)
        now = {field: getattr(row, field) for field in VersionForm.base_fields}
        said = self.sent(request, VersionBody, now=now)
        try:
            save_version(version=row, user=signed_in_user(request), **said)
        except ChangedMeanwhileError as error:
            raise changed_meanwhile(error) from error
        except LineIsPinnedError as error:
            raise wrong("channel", str(error)) from error
        return _told(row)

    @extend_schema(
        summary="Pin a version as the baseline",
        description=(
            "The one that was pinned before is no longer. Complete batches that waited for a baseline are compared "
            "with it. Pinned once more for the same reason, it stays pinned by whom and since when it was."
        ),
        request=PinBody,
        responses=VersionDetailSerializer,
    )
    @action(detail=True, methods=["post"])
    def pin(self, request: Request, name: str) -> Response:
        """Pin it."""
        row, said = _named(name), self.sent(request, PinBody)
        pin_version(version=row, reason=said["reason"], user=signed_in_user(request))
        return _told(row)

    @extend_schema(
        summary="Let no version be pinned",
        description="A version that is not pinned is left as it is.",
        request=None,
        responses=VersionDetailSerializer,
    )
    @action(detail=True, methods=["post"])
    def unpin(self, request: Request, name: str) -> Response:
        """Take the pin away."""
        row = _named(name)
        unpin_version(version=row, user=signed_in_user(request))
        return _told(row)


def _named(name: str) -> OsVersion:
    row = OsVersion.objects.filter(name=name).first()
    if row is None:
        raise no_version(name)
    return row


def _told(row: OsVersion) -> Response:
    return Response(with_changes(VersionSerializer(version_row(row.name)).data, row))
