"""Runs: found by the filters of their page, read with what was measured, excluded, measured again, corrected."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Count, Max, Prefetch, QuerySet, prefetch_related_objects
from django.http import Http404, HttpResponseBase
from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.action.proposals import KINDS
from reports.api.base import ApiViewSet, with_etag
from reports.api.filters import PageFilters
from reports.api.incoming import FORM, JSON, NewRunFormSerializer, NewRunSerializer, Outcome, take_in
from reports.api.problems import CONFLICT, Problem, wrong
from reports.api.uploads import DIFFERS, FULL, refusals
from reports.measuring.actions import load_waiting
from reports.measuring.evidence import outcome_words
from reports.measuring.forms import LONGEST_MS, REASON_LENGTH, RunsForm
from reports.measuring.selectors import RunsFilter, filtered_runs, load_runs
from reports.measuring.series import load_series, series_json
from reports.measuring.services import (
    BadActionError,
    BadCorrectionError,
    correct_run,
    exclude_runs,
    include_runs,
    retry_runs,
    set_action,
    undo_action,
    withdraw_correction,
)
from reports.media.files import state_words
from reports.models import Confidence, Correction, InteractionType, Moment, Run, RunStatus
from reports.web.requests import signed_in_user

ACTION = "action"
NO_REASON = {"blank": "Say why the run is excluded.", "required": "Say why the run is excluded."}
NUMBERS = {"type": "object", "additionalProperties": {"type": "number"}}
WORDS = {"type": "object", "additionalProperties": {"type": "string", "enum": Confidence.values}}


class RunDeviceSerializer(serializers.Serializer):
    """The device of a run."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    refresh_hz = serializers.FloatField()


class CorrectionSerializer(serializers.Serializer):
    """A person's word that stands in the place of what was measured."""

    moment = serializers.ChoiceField(choices=Moment.choices)
    value_ms = serializers.FloatField(help_text="After the action.")
    automatic_ms = serializers.FloatField(allow_null=True, help_text="What was measured; null: nothing was.")
    note = serializers.CharField(allow_blank=True)
    made_by = serializers.CharField(source="made_by.username")
    made_at = serializers.DateTimeField()


class RunSerializer(serializers.Serializer):
    """One screencast of one interaction on one OS version, and what became of it."""

    id = serializers.IntegerField(source="pk")
    version = serializers.CharField(source="os_version.name")
    app = serializers.CharField(source="interaction.app.package")
    app_name = serializers.CharField(source="interaction.app.name")
    app_version = serializers.CharField(allow_blank=True)
    interaction = serializers.CharField(source="interaction.name")
    interaction_type = serializers.ChoiceField(source="interaction.type", choices=InteractionType.choices)
    device = RunDeviceSerializer()
    batch = serializers.CharField(
        source="batch.name", default=None, allow_null=True, help_text="In which it came in; null: in none."
    )
    capture = serializers.CharField(allow_blank=True)
    repetition = serializers.IntegerField()
    recorded_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField(help_text="When it came in.")
    original_name = serializers.CharField()
    sha256 = serializers.CharField()
    file_bytes = serializers.IntegerField()
    metadata = serializers.DictField(help_text="Columns of its manifest that UPReg does not know.")
    action_ms = serializers.SerializerMethodField(
        help_text="The user's action, after the first frame; null: nobody gave it, and it was not found, or it was "
        "not filmed."
    )
    action_from = serializers.CharField(
        allow_blank=True,
        help_text="Where nobody gave the action: what may decide (any, cross, dot, flash, key), or ask: a person.",
    )
    action_confirmed = serializers.BooleanField(help_text="A person said where it is, though nobody gave it.")
    status = serializers.ChoiceField(choices=RunStatus.choices)
    outcome = serializers.CharField(allow_blank=True)
    outcome_words = serializers.SerializerMethodField()
    error = serializers.CharField(allow_blank=True, help_text="What went wrong and its cure.")
    settles = serializers.BooleanField(allow_null=True)
    measurements = serializers.SerializerMethodField(help_text="By metric; one without an answer is missing.")
    confidence = serializers.SerializerMethodField(
        help_text="By metric, of those with a moment: certain, likely, doubtful; settled: a person said when."
    )
    corrections = serializers.SerializerMethodField(help_text="Those in force.")
    measured_at = serializers.DateTimeField(allow_null=True)
    revision = serializers.SerializerMethodField(
        help_text="Of the measuring code that judged it; 0: none yet, or its values came from a benchmark."
    )
    filmed = serializers.BooleanField(
        help_text="False: it has no screencast, a benchmark measured it. Then original_name, sha256 and file_bytes "
        "are of the file of results, and metadata says how its values came about."
    )
    width_px = serializers.IntegerField(allow_null=True)
    height_px = serializers.IntegerField(allow_null=True)
    duration_ms = serializers.FloatField(allow_null=True)
    frame_count = serializers.IntegerField(allow_null=True)
    excluded = serializers.BooleanField()
    excluded_reason = serializers.CharField(allow_blank=True)
    excluded_by = serializers.SerializerMethodField()
    excluded_at = serializers.DateTimeField(allow_null=True)
    page = serializers.HyperlinkedIdentityField(view_name="run-detail", help_text="Where people look at it.")

    def get_outcome_words(self, run: Run) -> str:
        """Return the outcome in words; nothing while the run waits."""
        return outcome_words(run.outcome) if run.status in (RunStatus.DONE, RunStatus.FAILED) else ""

    def get_revision(self, run: Run) -> int:
        """Return the revision; no code of ours measured what came from elsewhere."""
        return run.revision if run.filmed else 0

    def get_action_ms(self, run: Run) -> float | None:
        """Return the action, if it is known."""
        return run.action_ms if run.action_known and run.filmed else None

    @extend_schema_field(NUMBERS)
    def get_measurements(self, run: Run) -> dict[str, float]:
        """Return metric → value."""
        return {row.metric: row.value for row in run.measurements.all()}

    @extend_schema_field(WORDS)
    def get_confidence(self, run: Run) -> dict[str, str]:
        """Return metric → word."""
        return {row.metric: row.confidence for row in run.measurements.all() if row.confidence}

    @extend_schema_field(CorrectionSerializer(many=True))
    def get_corrections(self, run: Run) -> Any:
        """Return what people say of it."""
        return CorrectionSerializer(run.corrections.all(), many=True).data

    def get_excluded_by(self, run: Run) -> str:
        """Return who keeps it out."""
        return run.excluded_by.get_username() if run.excluded_by else ""


class FoundActionSerializer(serializers.Serializer):
    """An instant at which the user may have acted, as the recording shows it."""

    kind = serializers.ChoiceField(choices=list(KINDS))
    time_ms = serializers.FloatField(help_text="The first frame that shows it, after the first frame.")
    uncertain_ms = serializers.FloatField(help_text="It may have begun so much earlier.")
    certain = serializers.BooleanField(help_text="False: a part of what makes it one is not seen.")
    why = serializers.CharField()
    left_pct = serializers.FloatField(source="box.left", default=None, allow_null=True)
    top_pct = serializers.FloatField(source="box.top", default=None, allow_null=True)
    width_pct = serializers.FloatField(source="box.width", default=None, allow_null=True)
    height_pct = serializers.FloatField(source="box.height", default=None, allow_null=True)


class TakenRunSerializer(RunSerializer):
    """A run with what became of the recording that was sent."""

    taken = serializers.ChoiceField(choices=[outcome.value for outcome in Outcome])
    notes = serializers.ListField(child=serializers.CharField(), help_text="What to look at, in words.")


class ExcludeSerializer(serializers.Serializer):
    """Why a run is kept out of comparisons."""

    reason = serializers.CharField(
        max_length=REASON_LENGTH, error_messages={"blank": "Say why the run is excluded."}
    )


class CorrectSerializer(serializers.Serializer):
    """When something was; ``value_ms`` null takes the word of a person back."""

    moment = serializers.ChoiceField(choices=[*Moment.choices, (ACTION, ACTION)])
    value_ms = serializers.FloatField(
        min_value=0,
        max_value=LONGEST_MS,
        allow_null=True,
        help_text="Response and finish after the action, the action after the first frame.",
    )
    note = serializers.CharField(max_length=300, required=False, allow_blank=True, default="")


class SeriesGapSerializer(serializers.Serializer):
    """A gap in which a moving screen lost refreshes, in ms after the action."""

    from_ms = serializers.FloatField()
    to_ms = serializers.FloatField()
    frames = serializers.IntegerField()


class SeriesSerializer(serializers.Serializer):
    """What changed frame by frame; times in ms after the first frame, response and finish after the action."""

    run = serializers.IntegerField()
    action_ms = serializers.FloatField()
    refresh_hz = serializers.FloatField()
    time_ms = serializers.ListField(child=serializers.FloatField())
    ssim_mean = serializers.ListField(child=serializers.FloatField())
    ssim_worst = serializers.ListField(child=serializers.FloatField())
    changed_pct = serializers.ListField(child=serializers.FloatField())
    response_ms = serializers.FloatField(allow_null=True)
    finish_ms = serializers.FloatField(allow_null=True)
    outcome = serializers.CharField(allow_blank=True)
    dropped = SeriesGapSerializer(many=True)
    masks = serializers.ListField(child=serializers.DictField(), help_text="Areas that were never judged.")
    ignored = serializers.ListField(child=serializers.DictField(), help_text="Changes that do not decide.")


class RunFilters(PageFilters):
    """As the list of runs."""

    class Meta:
        form = RunsForm

    def chosen(self, wanted: dict[str, Any]) -> QuerySet[Run]:
        """Return what the page lists."""
        return filtered_runs(RunsFilter(**wanted)).only("pk")


class Runs(ApiViewSet):
    """Runs, newest first."""

    queryset = Run.objects.all()
    serializer_class, filterset_class = RunSerializer, RunFilters
    ordering = ("-id",)
    lookup_value_converter = "int"

    def loaded(self, rows: list[Run]) -> Sequence[Run]:
        """Return the runs of a page with all that is told of them: three queries."""
        runs = load_runs(row.pk for row in rows)
        said = Correction.objects.filter(withdrawn_at=None).select_related("made_by").order_by("moment")
        prefetch_related_objects(runs, Prefetch("corrections", said))
        return runs

    def get_parsers(self) -> list[Any]:
        """Take a form with a file where a run is made."""
        making = getattr(self, "action_map", {}).get("post") == "create"
        return [*super().get_parsers(), *([MultiPartParser()] if making else [])]

    @extend_schema(
        request={JSON: NewRunSerializer, FORM: NewRunFormSerializer},
        responses={
            201: OpenApiResponse(TakenRunSerializer, "A new run, which waits for its measurement."),
            200: OpenApiResponse(TakenRunSerializer, "The run was there, with this very recording."),
            **refusals(s404="There is no such upload.", s460=DIFFERS, **FULL),
        },
    )
    def create(self, request: Request) -> Response:
        """Make a run of a recording: of an upload, of a file in a form, or of the one that another run has."""
        taken = take_in(request)
        run = self._run(taken.run.pk)
        told = {**self.get_serializer(run).data, "taken": taken.outcome.value, "notes": taken.notes}
        place = {"Location": reverse("api:runs-detail", args=[run.pk])}
        return Response(told, status=201 if taken.outcome == Outcome.NEW else 200, headers=place)

    def retrieve(self, request: Request, pk: int) -> Response:
        """Answer with one."""
        return self._told(self._run(pk))

    @extend_schema(responses={200: SeriesSerializer, 304: OpenApiResponse(description="You have it.")})
    @action(detail=True, methods=["get"], filterset_class=None)
    def series(self, request: Request, pk: int) -> HttpResponseBase:
        """Answer with its frame series; 404 where none was measured."""
        parts = Run.objects.filter(pk=pk).annotate(said=Count("corrections"), last=Max("corrections__withdrawn_at"))
        state = parts.values_list("revision", "measured_at", "action_ms", "outcome", "said", "last").first()
        if state is None:
            raise _no_run(pk)
        return with_etag(request, [pk, *state], lambda: _series(pk))

    @extend_schema(responses=FoundActionSerializer(many=True))
    @action(detail=True, methods=["get"], filterset_class=None, pagination_class=None)
    def actions(self, request: Request, pk: int) -> Response:
        """Answer with what may be the user's action, the surest first; nothing where somebody gave it.

        ``correct`` with the moment ``action`` and one of these times lets it count.
        """
        [waiting] = load_waiting([self._run(pk).pk])
        return Response(FoundActionSerializer(waiting.found, many=True).data)

    @extend_schema(request=ExcludeSerializer)
    @action(detail=True, methods=["post"])
    def exclude(self, request: Request, pk: int) -> Response:
        """Keep it out of comparisons. The first exclusion and its reason stand."""
        said, run = self.sent(request, ExcludeSerializer), self._run(pk)
        exclude_runs(run_ids=[run.pk], reason=said["reason"], user=signed_in_user(request))
        return self._told(self._run(pk))

    @extend_schema(request=None)
    @action(detail=True, methods=["post"])
    def include(self, request: Request, pk: int) -> Response:
        """Let it take part in comparisons again."""
        include_runs(run_ids=[self._run(pk).pk], user=signed_in_user(request))
        return self._told(self._run(pk))

    @extend_schema(request=None)
    @action(detail=True, methods=["post"])
    def retry(self, request: Request, pk: int) -> Response:
        """Measure it again. One that waits already is left as it is."""
        run = self._run(pk)
        if not retry_runs(run_ids=[run.pk]) and run.status == RunStatus.DONE:
            raise Problem(
                CONFLICT, f"Run {pk} cannot be measured again: {state_words(run)}", cure="Bring it in again."
            )
        return self._told(self._run(pk))

    @extend_schema(request=CorrectSerializer)
    @action(detail=True, methods=["post"])
    def correct(self, request: Request, pk: int) -> Response:
        """Put a person's word in the place of what was measured, or take it back; another action measures anew."""
        said, run, user = self.sent(request, CorrectSerializer), self._run(pk), signed_in_user(request)
        moment, value_ms = said["moment"], said["value_ms"]
        try:
            if moment == ACTION:
                if value_ms is None:
                    undo_action(run=run, user=user)
                else:
                    set_action(run=run, action_ms=value_ms, user=user)
            elif value_ms is None:
                withdraw_correction(run=run, moment=moment, user=user)
            else:
                correct_run(run=run, moment=moment, value_ms=value_ms, user=user, note=said["note"])
        except (BadActionError, BadCorrectionError) as error:
            raise wrong("value_ms", str(error)) from error
        return self._told(self._run(pk))

    def _run(self, pk: int) -> Run:
        found = self.loaded([Run(pk=pk)])
        if not found:
            raise _no_run(pk)
        return found[0]

    def _told(self, run: Run) -> Response:
        return Response(self.get_serializer(run).data)


def _series(pk: int) -> dict[str, Any]:
    found = load_series(pk).get(pk)
    if found is None:
        error = Run.objects.filter(pk=pk).values_list("error", flat=True).first()
        raise Http404(f"Run {pk} has no frame series: {error or 'it has not been measured yet'}.")
    return series_json(found)


def _no_run(pk: int) -> Http404:
    return Http404(f"There is no run {pk}.")
