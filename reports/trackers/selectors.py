"""Trackers that findings are offered, and the issue of a finding as UPReg writes it."""

from django.db.models import QuerySet

from reports.bugreport.facts import facts
from reports.bugreport.selectors import Finding
from reports.bugreport.texts import issue_markdown, report_title
from reports.drilldown.selectors import Drilldown
from reports.models import Issue, Tracker

LONGEST_TITLE: int = Issue._meta.get_field("title").max_length or 0


def active_trackers() -> QuerySet[Tracker]:
    """Return the trackers that were not removed."""
    return Tracker.objects.filter(active=True)


def free_tracker(page: Drilldown) -> Tracker | None:
    """Return the first tracker that has no issue of a finding yet; one query."""
    taken = Issue.objects.filter(interaction=page.interaction, base=page.base_version, new=page.new_version)
    return active_trackers().exclude(pk__in=taken.values("tracker")).first()


def written(finding: Finding, address: str) -> dict[str, str]:
    """Return title and body of the issue; ``address`` leads back to the finding."""
    return {
        "title": report_title(finding)[:LONGEST_TITLE],
        "body": issue_markdown(finding, facts(finding), address),
    }


def issues() -> QuerySet[Issue]:
    """Return all issues with what they are about, the newest first."""
    return Issue.objects.select_related("tracker", "base", "new", "interaction__app", "asked_by")
