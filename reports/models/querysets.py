"""Reads that return their own model's QuerySet. No model is imported here."""

from datetime import timedelta
from typing import Any, Self

from django.apps import apps
from django.db import models
from django.db.models import Count, F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone


class OsVersionQuerySet(models.QuerySet):
    """Reads of OS versions."""

    def pinned(self) -> Self:
        """Keep the versions that are pinned as baselines: one or none of each line."""
        return self.filter(pinned=True)

    def baselines(self, channel: Any) -> Self:
        """Keep the pinned version of a line: one or none. ``channel`` may be an expression."""
        return self.filter(pinned=True, channel=channel)

    def without_open_runs(self) -> Self:
        """Keep the versions of which no run is on its way; the last of such runs queues the others."""
        return self.exclude(runs__status__in=["pending", "running"])

    def with_runs(self) -> Self:
        """Keep the versions that have at least one run, in order, with ``run_count`` and ``done_count``."""
        done = Count("runs", filter=Q(runs__status="done"))
        counted = self.annotate(run_count=Count("runs"), done_count=done).filter(run_count__gt=0)
        return counted.order_by("sort_key", "name")  # a grouped query does not take the model's own order


class RunQuerySet(models.QuerySet):
    """Reads of runs."""

    def usable(self) -> Self:
        """Keep the runs that may enter a comparison: measured and not excluded."""
        return self.filter(status="done", excluded=False)

    def filmed(self) -> Self:
        """Keep the runs that have, or had, a screencast: only these can be measured again."""
        return self.exclude(file_name="")

    def without_answer(self) -> Self:
        """Keep the runs that were judged and have no time: they failed, or nothing could be found on them."""
        return self.filter(Q(status="failed") | Q(status="done") & ~Q(outcome="ok"))

    def needing_action(self) -> Self:
        """Keep the runs of which nobody said when the user acts, and whose recording could not tell alone."""
        return self.filter(status="failed", outcome="no_action", excluded=False)

    def for_list(self) -> Self:
        """Load runs with all that a row of the list shows, in one query."""
        return self.select_related("interaction__app", "os_version", "device", "batch", "excluded_by")


class BatchQuerySet(models.QuerySet):
    """Reads of batches."""

    def for_pages(self) -> Self:
        """Load batches with all that a row shows, newest first, in one query."""
        found = self.select_related("os_version", "comparison__base", "comparison__new", "comparison__device")
        return found.order_by("-pk")

    def with_baseline(self) -> Self:
        """Tell as ``baseline_id`` what each batch is held against, which may be its own version; None for nothing.

        That is the pinned version of its line. Where none is pinned, it is the nearest version before its own of
        which it holds runs, else the nearest after.
        """
        versions: OsVersionQuerySet = OsVersionQuerySet(apps.get_model("reports", "OsVersion"))
        pinned = versions.baselines(OuterRef("os_version__channel"))
        held = versions.filter(runs__batch=OuterRef("pk"))
        key, name = OuterRef("os_version__sort_key"), OuterRef("os_version__name")
        before = held.filter(Q(sort_key__lt=key) | Q(sort_key=key, name__lt=name)).order_by("-sort_key", "-name")
        after = held.filter(Q(sort_key__gt=key) | Q(sort_key=key, name__gt=name)).order_by("sort_key", "name")
        nearest = (Subquery(found.values("pk")[:1]) for found in (pinned, before, after))
        return self.annotate(baseline_id=Coalesce(*nearest))

    def baseline_ids(self) -> models.QuerySet:
        """Return the keys of the versions that these batches are held against, for another query."""
        return self.with_baseline().values("baseline_id")

    def with_another_baseline(self) -> Self:
        """Keep the batches that are held against another version than their own."""
        return self.with_baseline().filter(baseline_id__isnull=False).exclude(baseline_id=F("os_version"))


class ComparisonQuerySet(models.QuerySet):
    """Reads of comparisons."""

    def for_home(self) -> Self:
        """List recent comparisons, newest first, with their versions, in one query."""
        return self.select_related("base", "new", "device").order_by("-computed_at", "-id")

    def of_other_rules(self, rules: str) -> Self:
        """Keep the computed comparisons that an earlier release decided by other rules."""
        other = ~Q(summary__rules=rules) | Q(summary__rules__isnull=True)
        return self.filter(other, status="done").exclude(summary={})

    def of_versions(self, *version_ids: int) -> Self:
        """Keep the comparisons that one of these versions takes part in."""
        return self.filter(Q(base_id__in=version_ids) | Q(new_id__in=version_ids))

    def without_open_runs(self) -> Self:
        """Keep the comparisons of which no run is on its way; the last of such runs queues the others."""
        return self.exclude(base__runs__status__in=["pending", "running"]).exclude(
            new__runs__status__in=["pending", "running"]
        )


class WorkerHeartbeatQuerySet(models.QuerySet):
    """Reads of the workers' signs of life."""

    def living(self) -> Self:
        """Keep the workers seen lately: four beats, as a database that was locked for a while is no death.

        One that is not at work yet gives no beats meanwhile: it has as long as compiling takes on a slow machine.
        """
        now = timezone.now()
        beating = Q(seen_at__gte=now - timedelta(seconds=20))
        known = self.filter(seen_at__lte=now + timedelta(minutes=2))  # later: the clock was set back since
        return known.filter(beating | ~Q(state="working") & Q(seen_at__gte=now - timedelta(minutes=3)))
