"""Decisions of the release gate that were recorded: list them, read one with all that it said."""

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from reports.api.base import ApiViewSet
from reports.api.comparisons import DECISIONS
from reports.api.filters import PageFilters, given
from reports.api.gates import ReportSerializer
from reports.gate.formats import as_markdown, report_sentence
from reports.gate.selectors import load_record
from reports.models import GateRecord
from reports.web.forms import LenientForm


class DecisionListForm(LenientForm):
    """Which decisions are listed."""

    base = forms.CharField(required=False, max_length=80)
    new = forms.CharField(required=False, max_length=80)
    scope = forms.CharField(required=False, max_length=80)


class RecordRowSerializer(serializers.Serializer):
    """A recorded decision."""

    id = serializers.IntegerField(source="pk")
    base = serializers.CharField(source="comparison.base.name")
    new = serializers.CharField(source="comparison.new.name")
    scope = serializers.CharField(
        source="scope.name", default=None, allow_null=True, help_text="null: everything, or a scope since deleted"
    )
    decision = serializers.ChoiceField(choices=DECISIONS)
    decided_by = serializers.CharField(source="decided_by.username", default="")
    created_at = serializers.DateTimeField()


class RecordDetailSerializer(ReportSerializer):
    """A recorded decision with its reasons and every regression, as they were then."""

    id = serializers.IntegerField()
    decided_by = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    markdown = serializers.CharField(help_text="The same as a short comment for a pull request")
    page = serializers.CharField(help_text="The address of its page")


class DecisionFilters(PageFilters):
    """By version and scope."""

    class Meta:
        form = DecisionListForm

    def chosen(self, wanted: dict[str, Any]) -> QuerySet[GateRecord]:
        """Return the decisions asked for."""
        names = {"base": "comparison__base__name", "new": "comparison__new__name", "scope": "scope__name"}
        rows = GateRecord.objects.select_related("comparison__base", "comparison__new", "scope", "decided_by")
        return rows.defer("inputs", "report").filter(**given(wanted, **names))


class Decisions(ApiViewSet):
    """Recorded decisions of the release gate."""

    queryset = GateRecord.objects.all()
    serializer_class, filterset_class = RecordRowSerializer, DecisionFilters
    lookup_value_converter = "int"

    @extend_schema(summary="List the recorded decisions of the gate, the newest first")
    def list(self, request: Request) -> Response:
        """Answer with what the filters leave."""
        return super().list(request)

    @extend_schema(
        summary="Read a recorded decision of the gate",
        description="It never changes; what the gate says by now stands at its comparison.",
        responses=RecordDetailSerializer,
    )
    def retrieve(self, request: Request, pk: int) -> Response:
        """Answer with one."""
        record = load_record(pk)
        site, report = request.build_absolute_uri("/"), record.report
        told = {
            "id": record.pk,
            "decided_by": record.decided_by.get_username() if record.decided_by else "",
            "created_at": record.created_at,
            "sentence": report_sentence(report),
            "markdown": as_markdown(report, site),
            "page": request.build_absolute_uri(reverse("gate-record", args=[pk])),
        }
        return Response(RecordDetailSerializer({**report, **told}).data)
