"""The diagnosis that is kept with a comparison: matrix cells per metric and the patterns that stand out."""

from dataclasses import asdict
from typing import Any

import pandas as pd

from analysis.verdicts.patterns import find_patterns, regression_matrix

ALL_METRICS = ""
_COUNTS = ("apps", "regressed_apps", "interactions", "decided", "regressed")
_NUMBERS = ("regressed_pct", "median_delta", "median_delta_pct")


def diagnosis_json(table: pd.DataFrame) -> dict[str, Any]:
    """Return {"matrix": {metric, "" for all: [cells]}, "patterns": [with their sentence]} of a result table."""
    metrics = [ALL_METRICS, *sorted(table["metric"].unique())]
    return {
        "matrix": {metric: _cells(regression_matrix(table, metric=metric or None)) for metric in metrics},
        "patterns": [{**asdict(pattern), "sentence": pattern.sentence} for pattern in find_patterns(table)],
    }


def _cells(cells: pd.DataFrame) -> list[dict[str, Any]]:
    return [
        {
            "category": row["category"],
            "interaction_type": row["interaction_type"],
            **{name: int(row[name]) for name in _COUNTS},
            **{name: None if pd.isna(row[name]) else round(float(row[name]), 3) for name in _NUMBERS},
        }
        for row in cells.to_dict("records")
    ]
