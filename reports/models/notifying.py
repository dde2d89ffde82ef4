"""What people are told: events, written with what they tell of, who wants which, and what was sent to whom."""

import uuid
from urllib.parse import urlsplit

from django.conf import settings
from django.db import models
from django.db.models import Q

from reports.models.catalogue import name_validator
from reports.models.claimed import Claimed
from reports.models.comparisons import Comparison


class Notice(models.TextChoices):
    """What somebody may want to be told of; the label goes on after "when"."""

    COMPLETE = "complete", "a comparison is complete"
    GATE_FAILED = "gate_failed", "the release gate fails"
    CRITICAL = "critical", "a critical app regresses"
    ASSIGNED = "assigned", "something is assigned to you"
    DIGEST = "digest", "a week is over (the digest)"


class Event(models.Model):
    """Something to tell, written in the transaction of what it tells of. ``key`` says that it is told once.

    ``kinds`` are all that happened with it: who wants two of them is told once. ``facts`` are frozen with it.
    ``person`` is the only one whom it is for, None for everybody who wants such. ``told_at`` is when its
    deliveries were made.
    """

    key = models.CharField(max_length=120, unique=True)
    kinds = models.JSONField(default=list, help_text="A list of notices")
    comparison = models.ForeignKey(
        Comparison, on_delete=models.CASCADE, null=True, blank=True, related_name="events"
    )
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    facts = models.JSONField(default=dict)
    made_at = models.DateTimeField(auto_now_add=True)
    told_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["comparison", "-id"], name="event_last_of_comparison"),
            models.Index(fields=["id"], condition=Q(told_at=None), name="event_not_told"),  # looked for each minute
        ]

    def __str__(self) -> str:
        return self.key


class Preference(models.Model):
    """Whether somebody wants one kind of notice, where they said so."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=16)
    wanted = models.BooleanField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "kind"], name="preference_is_said_once")]

    def __str__(self) -> str:
        return f"{self.user}: {self.kind} {'on' if self.wanted else 'off'}"


class WebhookForm(models.TextChoices):
    """In which form a webhook takes what it is told."""

    JSON = "json", "JSON, signed"
    SLACK = "slack", "Slack"
    MATTERMOST = "mattermost", "Mattermost"
    TEAMS = "teams", "Microsoft Teams"


class Webhook(models.Model):
    """A service that is told by HTTP. ``nonce`` is what its secret is made of, together with the server's own."""

    name = models.CharField(max_length=80, unique=True, validators=[name_validator])
    url = models.CharField(max_length=500, help_text="Often a secret itself: shown by its host alone")
    form = models.CharField(max_length=12, choices=WebhookForm)
    kinds = models.JSONField(default=list, help_text="A list of notices")
    active = models.BooleanField(default=True)
    nonce = models.UUIDField(default=uuid.uuid4, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(condition=Q(form__in=WebhookForm.values), name="webhook_form_is_known")
        ]

    def __str__(self) -> str:
        return f"webhook {self.name}"

    @property
    def host(self) -> str:
        """Where it leads, without what nobody needs to see."""
        return urlsplit(self.url).netloc


class DeliveryStatus(models.TextChoices):
    """Where a delivery is on its way."""

    WAITING = "waiting"
    RUNNING = "running", "on its way"
    SENT = "sent"
    FAILED = "failed", "given up"
    DROPPED = "dropped", "not wanted any more"


class Delivery(Claimed):
    """One event on its way to one receiver: there is one at most. ``uid`` names it to whoever gets it twice.

    The receiver is a person or a webhook. ``body`` is what a webhook is sent, the same at each try.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="deliveries")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, null=True, blank=True, related_name="deliveries")
    body = models.TextField(blank=True)
    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    status = models.CharField(max_length=8, choices=DeliveryStatus, default=DeliveryStatus.WAITING)
    due_at = models.DateTimeField()
    tries = models.PositiveSmallIntegerField(default=0)
    answer = models.CharField(max_length=300, blank=True, help_text="What the other side said to the last try")
    made_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "deliveries"
        indexes = [
            models.Index(
                fields=["due_at"], condition=Q(status__in=["waiting", "running"]), name="delivery_not_ended"
            )
        ]
        constraints = [
            models.UniqueConstraint(fields=["event", "user"], name="event_goes_to_a_person_once"),
            models.UniqueConstraint(fields=["event", "webhook"], name="event_goes_to_a_webhook_once"),
            models.CheckConstraint(
                condition=Q(user=None, webhook__isnull=False) | Q(user__isnull=False, webhook=None),
                name="delivery_has_one_receiver",
            ),
            models.CheckConstraint(condition=Q(status__in=DeliveryStatus.values), name="delivery_status_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.status}"
