"""What was filmed: versions, apps, devices, interactions, as the pages of the catalogue list them."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from reports.api.base import ApiViewSet
from reports.api.filters import PageFilters
from reports.catalogue.forms import FindForm
from reports.catalogue.selectors import VersionRow, version_row, version_rows, versions_with
from reports.catalogue.subjects import SubjectRow, found_subjects, subject_rows
from reports.models import App, Device, Interaction, InteractionType, OsVersion
from reports.models.catalogue import Masked


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
    released_on = serializers.DateField(allow_null=True)
    note = serializers.CharField(allow_blank=True)
    pinned = serializers.BooleanField(help_text="The baseline that somebody chose.")
    pinned_reason = serializers.CharField(allow_blank=True)
    previous = serializers.CharField(allow_blank=True, help_text="The version before it that has runs.")
    counts = CountsSerializer(source="*")
    apps = serializers.IntegerField(help_text="How many were filmed on it.")
    interactions = serializers.IntegerField(help_text="How many were filmed on it.")
    first = serializers.DateTimeField(allow_null=True, help_text="The first recording.")
    last = serializers.DateTimeField(allow_null=True, help_text="The last recording.")


class SubjectSerializer(serializers.Serializer):
    """What apps, devices and interactions share."""

    id = serializers.IntegerField(source="row.pk")
    areas = serializers.IntegerField(help_text="Areas of the screen that are never judged.")
    counts = CountsSerializer()


class AppSerializer(SubjectSerializer):
    """An app."""

    package = serializers.CharField(source="row.package")
    name = serializers.CharField(source="row.name")
    category = serializers.CharField(source="row.category", allow_blank=True)
    critical = serializers.BooleanField(source="row.critical", help_text="No regression of it passes the gate.")
    interactions = serializers.IntegerField()


class DeviceSerializer(SubjectSerializer):
    """A device model at one refresh rate."""

    name = serializers.CharField(source="row.name")
    refresh_hz = serializers.FloatField(source="row.refresh_hz")


class InteractionSerializer(SubjectSerializer):
    """A scripted interaction of an app."""

    app = serializers.CharField(source="row.app.package")
    app_name = serializers.CharField(source="row.app.name")
    name = serializers.CharField(source="row.name")
    type = serializers.ChoiceField(source="row.type", choices=InteractionType.choices)
    scenario = serializers.CharField(source="row.scenario", allow_blank=True)


class VersionFilters(PageFilters):
    """As the list of versions."""

    except_for = ("category", "critical", "type")

    class Meta:
        form = FindForm

    def chosen(self, wanted: dict[str, Any]) -> QuerySet[OsVersion]:
        """Return the versions that have all words."""
        rows = OsVersion.objects.all()
        return rows.filter(name__in=[row.name for row in versions_with(wanted["q"])]) if wanted["q"] else rows


class _SubjectFilters(PageFilters):
    model: ClassVar[type[Masked]]

    class Meta:
        form = FindForm

    def chosen(self, wanted: dict[str, Any]) -> QuerySet[Any]:
        """Return what the page lists."""
        return found_subjects(self.model, {name: wanted[name] for name in self.fields_of()})


class AppFilters(_SubjectFilters):
    """As the list of apps."""

    model, except_for = App, ("type",)


class DeviceFilters(_SubjectFilters):
    """As the list of devices."""

    model, except_for = Device, ("category", "critical", "type")


class InteractionFilters(_SubjectFilters):
    """As the list of interactions."""

    model, except_for = Interaction, ("category", "critical")


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

    def retrieve(self, request: Request, name: str) -> Response:
        """Answer with one."""
        return Response(self.get_serializer(version_row(name)).data)


class _Subjects(ApiViewSet):
    ordering = ("id",)
    model: ClassVar[type[Masked]]

    def loaded(self, rows: list[Any]) -> Sequence[SubjectRow]:
        """Return the lines of the page's list."""
        return subject_rows(self.model, rows)

    def _one(self, **wanted: Any) -> Response:
        rows = list(found_subjects(self.model, {}).filter(**wanted))
        if not rows:
            raise Http404(f"There is no such {self.model._meta.verbose_name} in the catalogue.")
        return Response(self.get_serializer(self.loaded(rows)[0]).data)


class Apps(_Subjects):
    """Apps, by their package."""

    model, queryset = App, App.objects.all()
    serializer_class, filterset_class = AppSerializer, AppFilters
    lookup_field, lookup_value_converter = "package", "str"

    def retrieve(self, request: Request, package: str) -> Response:
        """Answer with one."""
        return self._one(package=package)


class Devices(_Subjects):
    """Devices."""

    model, queryset = Device, Device.objects.all()
    serializer_class, filterset_class = DeviceSerializer, DeviceFilters
    lookup_value_converter = "int"

    def retrieve(self, request: Request, pk: int) -> Response:
        """Answer with one."""
        return self._one(pk=pk)


class Interactions(_Subjects):
    """Scripted interactions."""

    model, queryset = Interaction, Interaction.objects.all()
    serializer_class, filterset_class = InteractionSerializer, InteractionFilters
    lookup_value_converter = "int"

    def retrieve(self, request: Request, pk: int) -> Response:
        """Answer with one."""
        return self._one(pk=pk)
