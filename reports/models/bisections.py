"""Bisections: the search for the build between a good and a bad one that made an interaction slower."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from analysis.metrics.benchmarks import LONGEST_KEY
from reports.models.catalogue import Device, Interaction, OsVersion


class Bisection(models.Model):
    """What is searched for and between which versions. Where it stands follows from the runs, each time anew.

    ``told`` keeps that for pages (reports/bisecting/reports.py), with what it was computed from as ``basis``.
    ``began_with`` names the versions from the good to the bad one when it began, ``policy_number`` the policy then,
    0 for the built-in one. ``skipped`` are the versions that cannot be tested. A finished one keeps in ``suspects``
    the names of the versions of which one is to blame, a single one where it is found; none where it ended without
    an answer. ``author`` is whose change that one brings, ``triaged`` says what became of the finding by that.
    """

    good = models.ForeignKey(OsVersion, on_delete=models.PROTECT, related_name="+")
    bad = models.ForeignKey(OsVersion, on_delete=models.PROTECT, related_name="+")
    interaction = models.ForeignKey(Interaction, on_delete=models.CASCADE, related_name="+")
    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="+")
    metric = models.CharField(max_length=LONGEST_KEY)
    skipped = models.ManyToManyField(OsVersion, related_name="+", blank=True)
    started_at = models.DateTimeField(auto_now_add=True)
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    started_as = models.CharField(max_length=200, help_text="Who started it, as the audit log names them")
    finished_at = models.DateTimeField(null=True, blank=True)
    finished_as = models.CharField(max_length=200, blank=True)
    began_with = models.JSONField(default=list, blank=True)
    policy_number = models.PositiveIntegerField(default=0)
    told = models.JSONField(default=dict, blank=True)
    basis = models.CharField(max_length=64, blank=True)
    computed_at = models.DateTimeField(null=True, blank=True)
    author = models.CharField(max_length=150, blank=True)
    triaged = models.CharField(max_length=500, blank=True)
    suspects = models.JSONField(default=list, blank=True, help_text="Names of the versions, in their order")

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["good", "bad", "interaction", "device", "metric"],
                condition=Q(finished_at=None),
                name="bisection_runs_once_at_a_time",
            ),
            models.CheckConstraint(condition=~Q(good=models.F("bad")), name="bisection_has_two_ends"),
        ]

    def __str__(self) -> str:
        return f"bisection of {self.interaction}, {self.good} to {self.bad}"
