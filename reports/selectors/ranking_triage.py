"""How far the regressions of a comparison are triaged."""

from django.db.models import Count

from analysis.verdicts.words import REGRESSION
from reports.models import Comparison, Result, TriageState
from reports.selectors.triage import newest_entries


def triage_counts(comparison: Comparison) -> list[tuple[str, int]]:
    """Return (state, regressed interactions in it), untriaged first, empty ones left out; one query."""
    worse = Result.objects.filter(comparison=comparison, worst=True, verdict=REGRESSION).values("interaction")
    entries = newest_entries(base_id=comparison.base_id, new_id=comparison.new_id)
    rows = entries.filter(interaction__in=worse).exclude(state=TriageState.UNTRIAGED).order_by()
    found = dict(rows.values_list("state").annotate(Count("id")))
    counts = {TriageState.UNTRIAGED.value: comparison.summary["regressed"] - sum(found.values()), **found}
    return [(state, counts[state]) for state in TriageState.values if counts.get(state, 0) > 0]
