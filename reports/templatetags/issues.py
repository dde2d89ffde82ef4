"""The issues of a finding in its triage box."""

from dataclasses import dataclass

from django import template

from reports.drilldown.selectors import Drilldown
from reports.models import Issue, Tracker

register = template.Library()
MOST = 20


@dataclass(frozen=True)
class Tracked:
    """The issues of a finding, the last asked for first, and how many trackers have none of it."""

    issues: list[Issue]
    free: int
    trackers: int


@register.simple_tag
def issues_of(page: Drilldown) -> Tracked:
    """Return what was asked for about a finding, and whether more can be: two queries."""
    found = Issue.objects.filter(interaction=page.interaction, base=page.base_version, new=page.new_version)
    issues = list(found.select_related("tracker", "asked_by")[:MOST])
    trackers = set(Tracker.objects.filter(active=True).values_list("pk", flat=True))
    return Tracked(issues, len(trackers - {issue.tracker_id for issue in issues}), len(trackers))
