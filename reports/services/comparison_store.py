"""Write result rows, and what follows from all of them together."""

from collections.abc import Collection

import pandas as pd
from django.db import connection

from analysis.statistics.effects import q_of_one_sided
from analysis.verdicts.words import MORE_RUNS_NEEDED
from reports.models import Comparison, Result

_NAMES = ("comparison", "interaction", "device", "metric")
_VALUES = [
    field.name for field in Result._meta.concrete_fields if not field.primary_key and field.name not in _NAMES
]
_BATCH = 500


def stored_fingerprints(comparison: Comparison) -> dict[tuple[int, int], str]:
    """Return the fingerprint of every stored cell."""
    rows = comparison.results.values_list("interaction_id", "device_id", "fingerprint")
    return {(interaction, device): fingerprint for interaction, device, fingerprint in rows}


def store_rows(comparison: Comparison, rows: Collection[Result], *, vanished: Collection[tuple[int, int]]) -> None:
    """Upsert ``rows``; delete what their cells, or ``vanished`` cells, had besides."""
    Result.objects.filter(pk__in=_outdated(comparison, rows, vanished)).delete()
    Result.objects.bulk_create(
        rows, batch_size=_BATCH, update_conflicts=True, unique_fields=_NAMES, update_fields=_VALUES
    )


def refresh_q_values(comparison: Comparison) -> None:
    """Compute the q-values over all rows of the comparison and write those that moved."""
    fields = ["id", "p_value", "q_value", "verdict"]
    rows = pd.DataFrame.from_records(list(comparison.results.values_list(*fields)), columns=fields)
    tested = rows[(rows["verdict"] != MORE_RUNS_NEEDED) & rows["p_value"].notna()]
    q = q_of_one_sided(tested["p_value"])
    moved = ~((tested["q_value"].astype(float) - q).abs() < 1e-9)
    updates = list(zip(q[moved.to_numpy()].tolist(), tested.loc[moved, "id"].tolist(), strict=True))
    with connection.cursor() as cursor:  # one prepared statement; a CASE over thousands of rows takes seconds
        cursor.executemany(f"UPDATE {Result._meta.db_table} SET q_value = %s WHERE id = %s", updates)


def _outdated(comparison: Comparison, rows: Collection[Result], vanished: Collection[tuple[int, int]]) -> list[int]:
    kept = {(row.interaction_id, row.device_id, row.metric) for row in rows}
    touched = {key[:2] for key in kept} | set(vanished)
    known = comparison.results.values_list("id", "interaction_id", "device_id", "metric")
    return [
        id_
        for id_, interaction, device, metric in known
        if (interaction, device) in touched and (interaction, device, metric) not in kept
    ]
