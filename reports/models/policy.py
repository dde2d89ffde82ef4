"""What people decide about verdicts: policies, waivers, scopes, and the decisions of the release gate."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from reports.models.catalogue import App, Interaction, name_validator
from reports.models.comparisons import Comparison


class PolicyVersion(models.Model):
    """One saved state of a policy. The highest number of a name is in force; none is ever changed."""

    name = models.CharField(max_length=80, validators=[name_validator])
    number = models.PositiveIntegerField()
    rules = models.JSONField(help_text="As analysis.policy.policyjson writes it")
    note = models.TextField(blank=True, help_text="Why it was changed")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "-number"]
        constraints = [
            # Two people who save at once ask for the same number: one of them is told.
            models.UniqueConstraint(fields=["name", "number"], name="policy_version_is_unique"),
            models.CheckConstraint(condition=Q(number__gte=1), name="policy_version_counts_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.name} v{self.number}"


class Waiver(models.Model):
    """A regression that someone accepts: of one app or interaction, of some metrics or all, until a day.

    It is withdrawn or refused, never deleted: old decisions of the gate still name it. Whoever is logged in
    proposes it (``created_by``; ``approver`` is that name, or whoever was named before people approved by
    themselves). A regression that is serious, by the policy, is taken out only when somebody else has seconded it.
    ``seconded_at`` without ``seconded_by``: it stood before that was asked for, or that person has left.
    """

    app = models.ForeignKey(App, on_delete=models.PROTECT, related_name="waivers")
    interaction = models.ForeignKey(Interaction, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    ceilings = models.JSONField(
        default=dict,
        blank=True,
        help_text="{metric: largest accepted Δ in its unit, null for any}; empty: all of it",
    )
    expires = models.DateField(help_text="The last day on which it holds")
    reason = models.TextField()
    issue_url = models.URLField(max_length=500, blank=True)
    approver = models.CharField(max_length=150)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    seconded_at = models.DateTimeField(null=True, blank=True)
    seconded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    refused_at = models.DateTimeField(null=True, blank=True)
    refused_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["expires", "id"]
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="waiver_has_a_reason"),
            models.CheckConstraint(condition=~Q(approver=""), name="waiver_has_an_approver"),
            models.CheckConstraint(
                condition=Q(seconded_by=None) | Q(created_by=None) | ~Q(seconded_by=F("created_by")),
                name="waiver_is_seconded_by_another",
            ),
            models.CheckConstraint(
                condition=Q(seconded_at=None) | Q(refused_at=None), name="waiver_is_seconded_or_refused"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.app.name} · {self.interaction.name}" if self.interaction else self.app.name


class Scope(models.Model):
    """A part of all interactions, saved by name: apps, interaction types, or both; empty means all."""

    name = models.CharField(max_length=80, unique=True, validators=[name_validator])
    apps = models.ManyToManyField(App, blank=True, related_name="+")
    interaction_types = models.JSONField(default=list, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        constraints = [models.CheckConstraint(condition=~Q(name=""), name="scope_has_a_name")]

    def __str__(self) -> str:
        return self.name


class GateRecord(models.Model):
    """One decision of the release gate with everything it was made from, frozen."""

    comparison = models.ForeignKey(Comparison, on_delete=models.CASCADE, related_name="gate_records")
    scope = models.ForeignKey(Scope, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    decision = models.CharField(max_length=16)
    report = models.JSONField(help_text="Counts, reasons and regressions, as every face of the gate shows them")
    inputs = models.JSONField(help_text="Policy, waivers, critical apps, missing interactions")
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["comparison", "-id"], name="gate_record_latest")]

    def __str__(self) -> str:
        return f"{self.comparison}: {self.decision}"
