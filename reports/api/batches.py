"""Batches: open one, see how far it is, say that it is complete or is not, have its failures measured again."""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from reports.api.base import ApiViewSet
from reports.api.bodies import EditBody
from reports.api.changes import ChangedSerializer, changed_meanwhile, with_changes
from reports.api.filters import PageFilters
from reports.api.problems import CONFLICT, Problem, wrong
from reports.audit.words import ChangedMeanwhileError
from reports.batches.forms import OUTCOME_LENGTH, FindForm, NoteForm
from reports.batches.selectors import (
    COMPLETE,
    OPEN,
    BatchRow,
    batch_rows,
    find_batch,
    found_batches,
    load_batch,
    outcome_of,
)
from reports.batches.services import (
    NAME_LENGTH,
    NOTE_LENGTH,
    VERSION_LENGTH,
    BatchError,
    OtherBatchError,
    complete_batch,
    note_batch,
    open_batch,
    reopen_batch,
    retry_batch,
)
from reports.models import Batch
from reports.web.requests import signed_in_user


class BatchCountsSerializer(serializers.Serializer):
    """How many runs of a batch are where."""

    waiting = serializers.IntegerField(source="pending")
    measuring = serializers.IntegerField(source="running")
    done = serializers.IntegerField()
    failed = serializers.IntegerField()
    total = serializers.IntegerField()


class BatchSerializer(serializers.Serializer):
    """What came in together."""

    name = serializers.CharField(source="batch.name")
    os_version = serializers.CharField(source="batch.os_version.name", help_text="What it is about.")
    note = serializers.CharField(source="batch.note", allow_blank=True)
    state = serializers.ChoiceField(
        choices=[(OPEN, OPEN), (COMPLETE, COMPLETE)],
        help_text="complete: somebody said that nothing more comes in, and nothing waits any more.",
    )
    runs = BatchCountsSerializer(source="counts")
    baseline = serializers.CharField(
        source="batch.comparison.base.name",
        default=None,
        allow_null=True,
        help_text="What it was compared with, the pinned version if one was; null until then.",
    )
    comparison = serializers.SerializerMethodField(help_text="Its address here; null until it is opened.")
    opened_at = serializers.DateTimeField(source="batch.opened_at")
    opened_by = serializers.CharField(source="batch.opened_as")
    completed_at = serializers.DateTimeField(
        source="batch.completed_at", allow_null=True, help_text="When somebody said that nothing more comes in."
    )
    completed_by = serializers.CharField(source="batch.completed_as", allow_blank=True)

    @extend_schema_field({"type": "string", "format": "uri", "nullable": True})
    def get_comparison(self, row: BatchRow) -> str | None:
        """Return the address of its comparison."""
        comparison = row.batch.comparison
        if comparison is None:
            return None
        address = reverse("api:comparisons-detail", args=[comparison.base.name, comparison.new.name])
        return str(self.context["request"].build_absolute_uri(address))


class CauseSerializer(serializers.Serializer):
    """Why runs of a batch failed."""

    cause = serializers.CharField(source="key", help_text="As retry takes it.")
    words = serializers.CharField()
    count = serializers.IntegerField()
    example = serializers.CharField(help_text="What the last of them says.")


class BatchStandSerializer(BatchSerializer):
    """A batch with what failed and how long it still takes."""

    failures = CauseSerializer(source="causes", many=True, help_text="The most frequent first.")
    refused = serializers.IntegerField(help_text="Recordings that were refused when they came in, mended or not.")
    sentence = serializers.CharField(allow_blank=True, help_text="How far it is, or what it waits for.")
    left_s = serializers.FloatField(
        source="line.left_s", allow_null=True, help_text="Until its last run is measured; null: nothing tells."
    )


class BatchDetailSerializer(BatchStandSerializer, ChangedSerializer):
    """The same, with what people changed of it."""


class OpenSerializer(serializers.Serializer):
    """A batch to be opened."""

    name = serializers.CharField(max_length=NAME_LENGTH)
    os_version = serializers.CharField(max_length=VERSION_LENGTH, help_text="Stored with it if it is new.")
    note = serializers.CharField(max_length=NOTE_LENGTH, required=False, allow_blank=True, default="")


class NoteBody(EditBody):
    """What is to be known of a batch."""

    form = NoteForm


class RetrySerializer(serializers.Serializer):
    """Which failed runs are measured again."""

    cause = serializers.CharField(
        max_length=OUTCOME_LENGTH, required=False, allow_blank=True, default="", help_text="Empty: all of them."
    )


class BatchFilters(PageFilters):
    """As the list of batches."""

    class Meta:
        form = FindForm

    def chosen(self, wanted: dict[str, Any]) -> QuerySet[Batch]:
        """Return what the page lists."""
        return found_batches(wanted["q"])


class Batches(ApiViewSet):
    """Batches, newest first."""

    queryset = Batch.objects.all()
    serializer_class, filterset_class = BatchSerializer, BatchFilters
    ordering = ("-id",)
    lookup_field, lookup_value_converter = "name", "str"

    def loaded(self, rows: list[Batch]) -> Sequence[BatchRow]:
        """Return the lines of the page's list."""
        return batch_rows(rows)

    @extend_schema(request=OpenSerializer, responses={200: BatchDetailSerializer, 201: BatchDetailSerializer})
    def create(self, request: Request) -> Response:
        """Open one; the same name again is the same batch (200)."""
        said = self.sent(request, OpenSerializer)
        try:
            batch, made = open_batch(**said)
        except OtherBatchError as error:
            raise Problem(CONFLICT, error.words, field=error.field, cure="Give it another name.") from error
        except BatchError as error:
            raise wrong(error.field, error.words) from error
        return self._told(batch.name, status=201 if made else 200)

    @extend_schema(responses=BatchDetailSerializer)
    def retrieve(self, request: Request, name: str) -> Response:
        """Answer with one."""
        return self._told(name)

    @extend_schema(summary="Change the note of a batch", request=NoteBody, responses=BatchDetailSerializer)
    def partial_update(self, request: Request, name: str) -> Response:
        """Save what was given."""
        batch = find_batch(name)
        said = self.sent(request, NoteBody, now={"note": batch.note})
        try:
            note_batch(batch=batch, user=signed_in_user(request), **said)
        except ChangedMeanwhileError as error:
            raise changed_meanwhile(error) from error
        return self._told(name)

    @extend_schema(
        summary="Take back that a batch is complete: more comes in",
        description=(
            "A comparison that was made stays, and is computed again once runs have come in and are measured. A "
            "batch that was not compared yet is compared when somebody says again that it is complete."
        ),
        request=None,
        responses=BatchDetailSerializer,
    )
    @action(detail=True, methods=["post"])
    def reopen(self, request: Request, name: str) -> Response:
        """Take it back; an open one is left as it is."""
        reopen_batch(batch=find_batch(name))
        return self._told(name)

    @extend_schema(request=None, responses=BatchDetailSerializer)
    @action(detail=True, methods=["post"])
    def complete(self, request: Request, name: str) -> Response:
        """Say that nothing more comes in; said twice it is said once."""
        complete_batch(batch=find_batch(name))
        return self._told(name)

    @extend_schema(request=RetrySerializer, responses=BatchDetailSerializer)
    @action(detail=True, methods=["post"])
    def retry(self, request: Request, name: str) -> Response:
        """Measure the failed runs again, all of them or those of one cause."""
        said = self.sent(request, RetrySerializer)
        retry_batch(batch=find_batch(name), outcome=outcome_of(said["cause"]))
        return self._told(name)

    def _told(self, name: str, *, status: int = 200) -> Response:
        detail = load_batch(name)
        shown = BatchStandSerializer(detail, context=self.get_serializer_context())
        return Response(with_changes(shown.data, detail.batch), status=status)
