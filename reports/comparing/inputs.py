"""Read what a comparison is computed from, as DataFrames."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import pandas as pd
from django.db.models import Count, F, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from analysis.metrics import BENCHMARK, METRICS, is_judged
from analysis.policy.policy import Policy
from analysis.verdicts.cells import BASE, NEW
from analysis.verdicts.strata import CELL, STRATUM
from reports.models import Comparison, Confidence, Interaction, Measurement, Run

_GROUP = [
    *("interaction", "device", "os_version", "app_version", "capture", "status", "outcome", "excluded", "revision"),
]
_FEW = 400  # interactions that are worth a filter; more are read whole and picked in memory


@dataclass(frozen=True)
class PairIds:
    """Two versions, on one device or (None) on all. Ids."""

    base: int
    new: int
    device: int | None = None

    @classmethod
    def of(cls, comparison: Comparison) -> "PairIds":
        """Return what a comparison compares."""
        return cls(comparison.base_id, comparison.new_id, comparison.device_id)

    def runs(self) -> QuerySet[Run]:
        """Return all runs of both versions, whatever their state."""
        runs = Run.objects.filter(os_version_id__in=[self.base, self.new]).order_by()
        return runs.filter(device_id=self.device) if self.device else runs

    def measurements(self) -> QuerySet[Measurement]:
        """Return the measurements of these runs."""
        found = Measurement.objects.filter(run__os_version_id__in=[self.base, self.new]).order_by()
        return found.filter(run__device_id=self.device) if self.device else found


def run_groups(pair: PairIds) -> pd.DataFrame:
    """Count the runs that are alike: interaction, device, side, app_version … revision, runs, sum of ids."""
    rows = pair.runs().values_list(*_GROUP).annotate(runs=Count("id"), ids=Sum("id"))
    table = pd.DataFrame.from_records(list(rows), columns=[*_GROUP, "runs", "ids"])
    return _with_side(table, pair)


def measurement_sums(pair: PairIds) -> pd.DataFrame:
    """Return per interaction, device and side sums that change with any value, or with what is doubtful.

    Count, total, weighted by run; how many are doubtful, and of which runs.
    """
    cell = ["run__interaction", "run__device", "run__os_version"]
    doubtful = Q(confidence=Confidence.DOUBTFUL)
    sums = {
        "count": Count("id"), "total": Sum("value"), "weighted": Sum(F("value") * F("run_id")),
        "doubtful": Count("id", filter=doubtful), "doubted": Coalesce(Sum("run_id", filter=doubtful), 0),
    }  # fmt: skip
    rows = pair.measurements().values_list(*cell).annotate(**sums)
    table = pd.DataFrame.from_records(list(rows), columns=["interaction", "device", "os_version", *sums])
    return _with_side(table, pair)


def interaction_facts() -> pd.DataFrame:
    """Return every interaction with its app: interaction is the id, app the package."""
    fields = ["id", "app__package", "app__name", "name", "type", "app__critical", "app__category"]
    columns = ["interaction", "app", "app_name", "name", "interaction_type", "critical", "category"]
    return pd.DataFrame.from_records(list(Interaction.objects.order_by().values_list(*fields)), columns=columns)


def usable_runs(pair: PairIds, interactions: Collection[int]) -> pd.DataFrame:
    """Return the measured, not excluded runs: run, interaction, device, side, app_version, capture, outcome."""
    fields = ["id", "interaction", "device", "os_version", "app_version", "capture", "outcome"]
    runs = pair.runs().usable()  # type: ignore[attr-defined]
    if len(interactions) <= _FEW:
        runs = runs.filter(interaction_id__in=interactions)
    table = pd.DataFrame.from_records(list(runs.values_list(*fields)), columns=["run", *fields[1:]])
    return _with_side(table[table["interaction"].isin(list(interactions))], pair)


def run_values(pair: PairIds, interactions: Collection[int]) -> pd.DataFrame:
    """Return the measurements: run, metric, value, confidence."""
    values = pair.measurements()
    if len(interactions) <= _FEW:
        values = values.filter(run__interaction_id__in=interactions)
    rows = list(values.values_list("run_id", "metric", "value", "confidence"))
    table = pd.DataFrame.from_records(rows, columns=["run", "metric", "value", "confidence"])
    return table.astype({"value": float})  # numbers, even where there is none


def runs_alike(pair: PairIds, cells: pd.DataFrame) -> pd.DataFrame:
    """Return the usable runs of these cells in their strata, with the cells' app and interaction_type."""
    runs = usable_runs(pair, cells["interaction"].unique().tolist())
    return runs.merge(cells[[*CELL, *STRATUM, "app", "interaction_type"]], on=CELL + STRATUM)


def samples_of(pair: PairIds, runs: pd.DataFrame) -> pd.DataFrame:
    """Return one row per run and metric that applies to its interaction's type: ``runs``, value, confidence."""
    return applying(runs.merge(run_values(pair, runs["interaction"].unique().tolist()), on="run"))


def counted(samples: pd.DataFrame, policy: Policy) -> pd.DataFrame:
    """Return the samples that a policy lets count: it may leave out what is doubtful."""
    return samples[samples["confidence"] != Confidence.DOUBTFUL] if policy.measuring.leaves_out else samples


def applying(samples: pd.DataFrame) -> pd.DataFrame:
    """Return the rows whose metric applies to their interaction_type; of benchmarks those that have a direction."""
    pairs = list(zip(samples["metric"].tolist(), samples["interaction_type"].tolist(), strict=True))
    fitting = {pair for pair in set(pairs) if _applies(*pair)}
    return samples[np.fromiter((pair in fitting for pair in pairs), dtype=bool, count=len(pairs))]


def _applies(metric: str, interaction_type: str) -> bool:
    if interaction_type == BENCHMARK and is_judged(metric):
        return True
    return metric in METRICS and interaction_type in METRICS[metric].types


def _with_side(table: pd.DataFrame, pair: PairIds) -> pd.DataFrame:
    return table.assign(side=table.pop("os_version").map({pair.base: BASE, pair.new: NEW}))
