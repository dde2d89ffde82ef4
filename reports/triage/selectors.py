"""Read what people decided."""

from collections.abc import Collection

from django.db.models import Count, Max, QuerySet

from analysis.verdicts.words import REGRESSION
from reports.models import Comparison, Result, TriageEntry, TriageState


def triage_history(*, base_id: int, new_id: int, interaction_id: int) -> list[TriageEntry]:
    """Return the decisions about one interaction, newest first, in one query."""
    rows = TriageEntry.objects.filter(base=base_id, new=new_id, interaction=interaction_id)
    return list(rows.select_related("made_by"))


def newest_entries(
    *, base_id: int, new_id: int, interaction_ids: Collection[int] | None = None
) -> QuerySet[TriageEntry]:
    """Return the newest decision of each interaction of a pair of versions (or of some of them), in one query."""
    rows = TriageEntry.objects.filter(base=base_id, new=new_id)
    if interaction_ids is not None:
        rows = rows.filter(interaction__in=interaction_ids)
    newest = rows.order_by().values("interaction").annotate(newest=Max("id")).values("newest")
    return TriageEntry.objects.filter(pk__in=newest)


def triage_states(*, base_id: int, new_id: int, interaction_ids: Collection[int]) -> dict[int, str]:
    """Return interaction id → state of those that anybody decided about; all others are untriaged."""
    found = newest_entries(base_id=base_id, new_id=new_id, interaction_ids=interaction_ids)
    return dict(found.values_list("interaction_id", "state"))


def state_of(history: list[TriageEntry]) -> str:
    """Return the state that a history ends in."""
    return history[0].state if history else TriageState.UNTRIAGED


def triage_counts(comparison: Comparison) -> list[tuple[str, int]]:
    """Return (state, regressed interactions in it), untriaged first, empty ones left out; one query."""
    worse = Result.objects.filter(comparison=comparison, worst=True, verdict=REGRESSION).values("interaction")
    entries = newest_entries(base_id=comparison.base_id, new_id=comparison.new_id)
    rows = entries.filter(interaction__in=worse).exclude(state=TriageState.UNTRIAGED).order_by()
    found = dict(rows.values_list("state").annotate(Count("id")))
    counts = {TriageState.UNTRIAGED.value: comparison.summary["regressed"] - sum(found.values()), **found}
    return [(state, counts[state]) for state in TriageState.values if counts.get(state, 0) > 0]
