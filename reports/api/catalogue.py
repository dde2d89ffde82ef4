"""What was filmed: apps, devices, interactions, as the pages of the catalogue list and change them."""

from collections.abc import Callable, Sequence
from copy import copy
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.video.masks import FARTHEST_PX
from reports.api.base import ApiViewSet
from reports.api.bodies import Body, ChoiceField, EditBody, FlagField, FormBody, NumberField, TextField
from reports.api.changes import ChangedSerializer, changed_meanwhile, with_changes
from reports.api.filters import PageFilters
from reports.api.problems import CONFLICT, Problem, wrong
from reports.api.versions import CountsSerializer
from reports.audit.words import ChangedMeanwhileError
from reports.catalogue.forms import AppForm, FindForm, InteractionForm
from reports.catalogue.services import save_app, save_interaction
from reports.catalogue.subjects import SubjectRow, found_subjects, subject_rows
from reports.measuring.areas import Outcome, WrongTypeError, add_area, areas_of, measure_again, remove_area
from reports.measuring.forms import AreaForm
from reports.models import App, Device, Interaction, InteractionType
from reports.models.catalogue import Masked
from reports.web.forms import LONGEST_JSON
from reports.web.requests import signed_in_user

AGAIN = "Measure the runs that it concerns again; else they keep their numbers until somebody does"
UNITS = ("fraction", "px")


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


class AreaSerializer(serializers.Serializer):
    """An area of the screen that is never judged, from the left upper corner."""

    name = serializers.CharField(allow_blank=True)
    unit = serializers.ChoiceField(choices=UNITS, help_text="fraction: 0 to 1 of the screen; px: of the picture.")
    x0 = serializers.FloatField()
    y0 = serializers.FloatField()
    x1 = serializers.FloatField()
    y1 = serializers.FloatField()


class SubjectDetailSerializer(ChangedSerializer):
    """What is told of one beside what its list says."""

    masks = AreaSerializer(many=True, help_text="The areas, as areas/remove takes them.")


class AppDetailSerializer(AppSerializer, SubjectDetailSerializer):
    """An app with its areas and what people changed of it."""


class DeviceDetailSerializer(DeviceSerializer, SubjectDetailSerializer):
    """A device with its areas and what people changed of it."""


class InteractionDetailSerializer(InteractionSerializer, SubjectDetailSerializer):
    """An interaction with its areas and what people changed of it."""


class AppBody(EditBody):
    """What is known of an app besides its runs."""

    form = AppForm

    def options(self) -> dict[str, Any]:
        """Return the app that the form is about; it writes into it."""
        return {"instance": copy(self.context["row"])}


class InteractionBody(EditBody):
    """What an interaction does, and how it touches the screen: that decides what is measured."""

    form = InteractionForm
    again = FlagField(default=True, help_text=f"Where the type changes. {AGAIN}")


class AreaBody(FormBody):
    """An area that is never judged any more, in percent of the screen."""

    form = AreaForm
    without = ("owner",)
    again = FlagField(default=True, help_text=AGAIN)

    def typed(self, values: dict[str, Any]) -> dict[str, Any]:
        """Say whose area it is: the form asks."""
        return super().typed({**values, "owner": self.context["owner"]})

    def cleaned(self, form: AreaForm) -> dict[str, Any]:
        """Return the area as a measurement takes it."""
        return {"mask": form.mask(), "again": form.cleaned_data["again"]}


class RemoveAreaBody(Body):
    """An area that is judged again, as masks of a reading have it."""

    name = TextField(max_length=LONGEST_JSON, allow_blank=True)
    unit = ChoiceField(choices=UNITS, default=UNITS[0])
    x0 = NumberField(min_value=0, max_value=FARTHEST_PX)
    y0 = NumberField(min_value=0, max_value=FARTHEST_PX)
    x1 = NumberField(min_value=0, max_value=FARTHEST_PX)
    y1 = NumberField(min_value=0, max_value=FARTHEST_PX)
    again = FlagField(default=True, help_text=AGAIN)


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


class _Subjects(ApiViewSet):
    ordering = ("id",)
    model: ClassVar[type[Masked]]
    row_class: ClassVar[type[serializers.Serializer]]
    detail_class: ClassVar[type[serializers.Serializer]]

    def get_serializer_class(self) -> type[serializers.Serializer]:
        """Return what the list says of each, or all that is told of one."""
        return self.row_class if self.action == "list" else self.detail_class

    def loaded(self, rows: list[Any]) -> Sequence[SubjectRow]:
        """Return the lines of the page's list."""
        return subject_rows(self.model, rows)

    def retrieve(self, request: Request, **place: Any) -> Response:
        """Answer with one."""
        return self._told(**place)

    @extend_schema(summary="Never judge an area any more, on all of its runs", request=AreaBody)
    @action(detail=True, methods=["post"])
    def areas(self, request: Request, **place: Any) -> Response:
        """Add it; one that is there already changes nothing."""
        row = self._row(**place)
        said = self.sent(request, AreaBody, owner=self.model._meta.model_name)
        return self._with_areas(place, lambda: add_area(owner=row, user=signed_in_user(request), **said))

    @extend_schema(
        summary="Judge an area again, on all of its runs",
        description="One that is gone already changes nothing.",
        request=RemoveAreaBody,
    )
    @action(detail=True, methods=["post"], url_path="areas/remove")
    def areas_remove(self, request: Request, **place: Any) -> Response:
        """Take it away."""
        row, mask = self._row(**place), self.sent(request, RemoveAreaBody)
        again, user = mask.pop("again"), signed_in_user(request)
        return self._with_areas(place, lambda: remove_area(owner=row, mask=mask, again=again, user=user))

    @extend_schema(summary="Measure all of its runs again", request=None)
    @action(detail=True, methods=["post"])
    def again(self, request: Request, **place: Any) -> Response:
        """Queue them."""
        measure_again(owner=self._row(**place), user=signed_in_user(request))
        return self._told(**place)

    def edited(self, request: Request, body: type[EditBody], save: Callable[..., Any], **place: Any) -> Response:
        """Save what was given of a form's fields."""
        row = self._row(**place)
        now = {name: getattr(row, name) for name in body.form.base_fields if hasattr(row, name)}
        said = self.sent(request, body, now=now, row=row)
        try:
            save(**{str(self.model._meta.model_name): row}, user=signed_in_user(request), **said)
        except WrongTypeError as error:
            raise wrong("type", f"{str(error).capitalize()}.") from error
        except ChangedMeanwhileError as error:
            raise changed_meanwhile(error) from error
        return self._told(**place)

    def _with_areas(self, place: dict[str, Any], change: Callable[[], Outcome]) -> Response:
        try:
            change()
        except ValueError as error:
            raise Problem(CONFLICT, str(error), cure="An administrator can put its areas right.") from error
        return self._told(**place)

    def _row(self, **place: Any) -> Any:
        row = found_subjects(self.model, {}).filter(**place).first()
        if row is None:
            raise Http404(f"There is no such {self.model._meta.verbose_name} in the catalogue.")
        return row

    def _told(self, **place: Any) -> Response:
        row = self._row(**place)
        shown = self.row_class(self.loaded([row])[0]).data
        masks = AreaSerializer([area.mask for area in areas_of(row)], many=True).data
        return Response(with_changes({**shown, "masks": masks}, row))


class Apps(_Subjects):
    """Apps, by their package."""

    model, queryset = App, App.objects.all()
    row_class, detail_class = AppSerializer, AppDetailSerializer
    filterset_class = AppFilters
    lookup_field, lookup_value_converter = "package", "str"

    @extend_schema(summary="Change name, category or critical of an app", request=AppBody)
    def partial_update(self, request: Request, package: str) -> Response:
        """Save what was given."""
        return self.edited(request, AppBody, save_app, package=package)


class Devices(_Subjects):
    """Devices."""

    model, queryset = Device, Device.objects.all()
    row_class, detail_class = DeviceSerializer, DeviceDetailSerializer
    filterset_class = DeviceFilters
    lookup_value_converter = "int"


class Interactions(_Subjects):
    """Scripted interactions."""

    model, queryset = Interaction, Interaction.objects.all()
    row_class, detail_class = InteractionSerializer, InteractionDetailSerializer
    filterset_class = InteractionFilters
    lookup_value_converter = "int"

    @extend_schema(summary="Change scenario or type of an interaction", request=InteractionBody)
    def partial_update(self, request: Request, pk: int) -> Response:
        """Save what was given; another type changes which numbers its runs have."""
        return self.edited(request, InteractionBody, save_interaction, pk=pk)
