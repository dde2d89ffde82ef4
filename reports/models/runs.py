"""A run: one screencast of one interaction on one OS version, or one iteration of a benchmark without one."""

from datetime import UTC, datetime

from django.conf import settings
from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Coalesce

from reports.models.batches import Batch
from reports.models.catalogue import Device, Interaction, OsVersion
from reports.models.claimed import Claimed
from reports.models.querysets import RunQuerySet, WorkerHeartbeatQuerySet

NOT_MEASURED = 2**31 - 1  # revision of runs whose values came from elsewhere: no code of ours leaves them behind
_UNKNOWN_DATE = Value(datetime(1970, 1, 1, tzinfo=UTC))  # stands for "not given" in the unique constraint


class RunStatus(models.TextChoices):
    """Where a run is on its way. ``done``: it was judged (see ``Run.outcome``); ``failed``: it could not be."""

    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class Run(Claimed):
    """One screencast and what became of it.

    The file lives in the default storage under ``screencasts/`` by its sha256; several runs may share one file, as
    a recorder on a fixed frame grid does produce byte-identical screencasts of two repetitions.

    An iteration of a benchmark has no screencast: its ``file_name`` is empty, ``sha256`` and ``original_name`` are
    of the file of results that its values came from, and it is ``done`` from the first.
    """

    interaction = models.ForeignKey(Interaction, on_delete=models.PROTECT, related_name="runs")
    os_version = models.ForeignKey(OsVersion, on_delete=models.PROTECT, related_name="runs")
    device = models.ForeignKey(Device, on_delete=models.PROTECT, related_name="runs")
    batch = models.ForeignKey(
        Batch, on_delete=models.PROTECT, null=True, blank=True, related_name="runs", db_index=False
    )  # in which it came in; run_for_batch is its index
    app_version = models.CharField(max_length=80, blank=True)
    capture = models.CharField(max_length=16, blank=True, help_text="vfr, cfr or cfr with its rate, such as cfr60")
    repetition = models.PositiveIntegerField()
    recorded_at = models.DateTimeField(null=True, blank=True)

    sha256 = models.CharField(max_length=64)
    file_name = models.CharField(
        max_length=255, blank=True, help_text="Path in the default storage; empty: it was not filmed"
    )
    original_name = models.CharField(max_length=500)
    file_bytes = models.BigIntegerField()
    log_name = models.CharField(max_length=255, blank=True, help_text="Path of the log in the default storage")
    trace_name = models.CharField(max_length=255, blank=True, help_text="Path of the trace in the default storage")
    metadata = models.JSONField(default=dict, blank=True, help_text="Manifest columns that UPReg does not know")

    action_ms = models.FloatField(help_text="The user's action, in ms after the first frame")
    manifest_action_ms = models.FloatField(
        null=True, blank=True, help_text="What the manifest said, where a person set the action otherwise"
    )
    action_from = models.CharField(
        max_length=5, blank=True,
        help_text="Where nobody gave the action: what decides it (any, cross, dot, flash, key), or ask, a person",
    )  # fmt: skip
    action_confirmed = models.BooleanField(
        default=False, help_text="A person said where the action is that nobody had given"
    )
    touch_x_px = models.FloatField(null=True, blank=True)
    touch_y_px = models.FloatField(null=True, blank=True)
    show_touches = models.BooleanField(default=False)

    status = models.CharField(max_length=8, choices=RunStatus, default=RunStatus.PENDING)
    claimed_by = models.CharField(max_length=200, blank=True, help_text="Host and process id that measures it")
    attempts = models.PositiveSmallIntegerField(default=0)
    revision = models.PositiveIntegerField(
        default=0, help_text="Of the measuring code that judged it; 0: not measured, or before revisions were kept"
    )
    measured_at = models.DateTimeField(null=True, blank=True)
    measuring_s = models.FloatField(
        null=True, blank=True, help_text="How long a worker took for it; the time left is told from these"
    )
    outcome = models.CharField(max_length=24, blank=True)
    error = models.TextField(blank=True, help_text="What went wrong and its cure")
    settles = models.BooleanField(null=True, blank=True)
    width_px = models.PositiveIntegerField(null=True, blank=True)
    height_px = models.PositiveIntegerField(null=True, blank=True)
    duration_ms = models.FloatField(null=True, blank=True)
    frame_count = models.PositiveIntegerField(null=True, blank=True)

    excluded = models.BooleanField(default=False)
    excluded_reason = models.CharField(max_length=300, blank=True)
    excluded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    excluded_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = RunQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["os_version", "interaction", "device"], name="run_for_comparison"),
            models.Index(fields=["status", "os_version"], name="run_for_queue_state"),
            models.Index(fields=["measured_at"], name="run_for_queue_rate"),
            models.Index(fields=["batch", "status", "outcome"], name="run_for_batch"),
            models.Index(  # the ranking counts the runs of a pair by revision, from the index alone
                fields=["os_version", "status", "revision", "excluded", "device"], name="run_for_revisions"
            ),
            models.Index(
                fields=["outcome", "status", "excluded"], name="run_for_failures"
            ),  # the first page counts them
        ]
        constraints = [
            models.UniqueConstraint(
                F("interaction"),
                F("os_version"),
                F("device"),
                F("app_version"),
                F("capture"),
                F("repetition"),
                Coalesce(F("recorded_at"), _UNKNOWN_DATE),
                name="run_is_recorded_once",
            ),
            models.CheckConstraint(condition=Q(status__in=RunStatus.values), name="run_status_is_known"),
            models.CheckConstraint(condition=Q(action_ms__gte=0.0), name="run_action_is_not_negative"),
            models.CheckConstraint(
                condition=~Q(status=RunStatus.FAILED) | ~Q(error=""), name="run_failure_has_a_reason"
            ),
            models.CheckConstraint(
                condition=Q(excluded=False) | ~Q(excluded_reason=""), name="run_exclusion_has_a_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.interaction} · {self.os_version} · run {self.repetition}"

    @property
    def filmed(self) -> bool:
        """Whether it has, or had, a screencast."""
        return bool(self.file_name)

    @property
    def action_known(self) -> bool:
        """Whether ``action_ms`` says when the user acted: it was given, found or confirmed."""
        return not self.action_from or self.action_confirmed or self.status == RunStatus.DONE


class WorkerState(models.TextChoices):
    """What a worker does. It measures only when it has what looks at the pictures, which a first start compiles."""

    STARTING = "starting"
    COMPILING = "compiling"
    WORKING = "working"


class WorkerHeartbeat(models.Model):
    """One running worker. It renews ``seen_at`` every few seconds and takes the row away when it ends."""

    name = models.CharField(max_length=200, unique=True, help_text="Host and process id")
    processes = models.PositiveSmallIntegerField(help_text="How many runs it measures at once")
    state = models.CharField(max_length=12, choices=WorkerState, default=WorkerState.WORKING)
    started_at = models.DateTimeField(auto_now_add=True)
    seen_at = models.DateTimeField()

    objects = WorkerHeartbeatQuerySet.as_manager()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
