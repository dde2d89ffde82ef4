"""What the list of runs is filtered by: all of it comes from the address."""

from dataclasses import dataclass

from django.db.models import Q

from reports.models import Run
from reports.models.querysets import RunQuerySet


@dataclass(frozen=True)
class RunsFilter:
    """One view of the list of runs. An empty value does not filter."""

    q: str = ""
    status: str = ""
    outcome: str = ""
    version: str = ""
    app: str = ""  # package
    interaction: str = ""
    device: int | None = None
    excluded: str = ""  # yes or no

    @property
    def narrowed(self) -> bool:
        """Tell whether anything is left out by a filter."""
        return self != RunsFilter()


def filtered_runs(wanted: RunsFilter) -> RunQuerySet:
    """Return the wanted runs, newest first."""
    conditions = {
        "status": wanted.status,
        "outcome": wanted.outcome,
        "os_version__name": wanted.version,
        "interaction__app__package": wanted.app,
        "interaction__name": wanted.interaction,
        "device": wanted.device,
    }
    rows = Run.objects.filter(**{key: value for key, value in conditions.items() if value})
    if wanted.excluded:
        rows = rows.filter(excluded=wanted.excluded == "yes")
    for word in wanted.q.split():
        rows = rows.filter(_named(word))
    return rows.order_by("-id")


def _named(word: str) -> Q:
    return (
        Q(interaction__name__icontains=word)
        | Q(interaction__app__name__icontains=word)
        | Q(interaction__app__package__icontains=word)
        | Q(original_name__icontains=word)
    )
