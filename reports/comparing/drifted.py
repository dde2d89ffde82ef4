"""What has regressed against the pinned version though the step at hand was not felt: drift, row by row."""

from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import urlencode

from django.db.models import Exists, OuterRef, QuerySet
from django.urls import reverse

from analysis.gate.drift import COUNTED
from analysis.verdicts.sentences import metric_label, metric_unit
from analysis.verdicts.text import signed_text
from analysis.verdicts.words import REGRESSION
from reports.comparing.pinned import PinnedPair, pinned_pairs
from reports.models import Comparison, Result

Cell = tuple[int, int]  # interaction, device


@dataclass(frozen=True)
class DriftMark:
    """The worst that regressed of an interaction on a device against the pinned version, while its step did not."""

    pinned: str
    metric: str
    moved: str  # "+180 ms"
    address: str  # of its course, where the history has computed it

    @property
    def words(self) -> str:
        """Say it in full."""
        moved = f"{metric_label(self.metric)} {self.moved}"
        return f"{moved} since the pinned {self.pinned}, though this step was not felt"


def drifted_results(comparison: Comparison, pair: PinnedPair) -> QuerySet[Result]:
    """Return the regressions against the pinned version of interactions of which nothing regressed here.

    None are known unless the comparison with that version is up to date.
    """
    if pair.state != COUNTED:
        return Result.objects.none()
    cell = {"interaction": OuterRef("interaction"), "device": OuterRef("device")}
    felt = Result.objects.filter(comparison=comparison, verdict=REGRESSION, **cell)
    return Result.objects.filter(~Exists(felt), comparison=pair.comparison, verdict=REGRESSION)


def drift_marks(comparison: Comparison, interactions: Collection[int]) -> dict[Cell, DriftMark]:
    """Return what of these interactions has drifted, by interaction and device: three queries at most."""
    pair = pinned_pairs([comparison])[comparison.pk]
    if pair.state != COUNTED:
        return {}
    rows = drifted_results(comparison, pair).filter(interaction__in=interactions).order_by("times_threshold", "-pk")
    fields = ("interaction", "device", "metric", "delta")
    return {
        (interaction, device): _mark(pair, interaction, device, metric, delta)
        for interaction, device, metric, delta in rows.values_list(*fields)  # the worst of a cell comes last
    }


def _mark(pair: PinnedPair, interaction: int, device: int, metric: str, delta: float) -> DriftMark:
    unit, decimals = metric_unit(metric)
    query = urlencode({"metric": metric, "device": device})
    return DriftMark(
        pinned=str(pair.pinned),
        metric=metric,
        moved=f"{signed_text(delta, decimals)} {unit}".strip(),
        address=f"{reverse('history-course', args=[interaction])}?{query}",
    )
