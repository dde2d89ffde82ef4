"""Read what levels and steps are computed from, as DataFrames."""

import pandas as pd

from analysis.verdicts.strata import CELL, PREFERRED_CAPTURE, STRATUM
from reports.comparing.inputs import applying, interaction_facts
from reports.models import Level, Measurement, OsVersion, Run

LEVEL = [*CELL, "metric"]


def samples_on(version: OsVersion) -> pd.DataFrame:
    """Return the values of one version, one row per run and metric: run, CELL, STRATUM, app, metric, value.

    Runs of one app version and capture for each interaction and device: most runs, vfr among equals, then the later
    app version by name. As a comparison chooses, but of one side alone.
    """
    names = (*CELL, *STRATUM)
    found = Measurement.objects.filter(run__in=Run.objects.usable().filter(os_version=version)).order_by()
    rows = found.values_list("run_id", "metric", "value", *(f"run__{name}" for name in names))
    table = pd.DataFrame.from_records(list(rows), columns=["run", "metric", "value", *names])
    table = table.merge(interaction_facts()[["interaction", "app", "interaction_type"]], on="interaction")
    return _one_stratum(applying(table))


def _one_stratum(samples: pd.DataFrame) -> pd.DataFrame:
    runs = samples.drop_duplicates("run").groupby(CELL + STRATUM).size().rename("runs").reset_index()
    runs["preferred"] = runs["capture"] == PREFERRED_CAPTURE
    order = ["runs", "preferred", "app_version", "capture"]
    chosen = runs.sort_values(order, ascending=False, kind="stable").drop_duplicates(CELL)
    return samples.merge(chosen[CELL + STRATUM], on=CELL + STRATUM)


def cells_on(version: OsVersion) -> pd.DataFrame:
    """Return the interactions and devices that have a level on a version: CELL; one query."""
    rows = Level.objects.filter(version=version).order_by().values_list(*CELL).distinct()
    return pd.DataFrame.from_records(list(rows), columns=CELL)
