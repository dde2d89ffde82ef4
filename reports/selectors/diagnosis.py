"""The diagnosis of a comparison as its page reads it."""

from dataclasses import dataclass
from typing import Any

from reports.models import Comparison


@dataclass(frozen=True)
class Cell:
    """One app category × interaction type. Missing values are None: nothing was decided there."""

    category: str
    interaction_type: str
    apps: int
    regressed_apps: int
    interactions: int
    decided: int
    regressed: int
    regressed_pct: float | None
    median_delta: float | None  # in the metric's unit; None over several metrics
    median_delta_pct: float | None

    @property
    def query(self) -> dict[str, str]:
        """Return the ranking's filter for what this cell counts."""
        return {"category": self.category, "type": self.interaction_type}


@dataclass(frozen=True)
class MatrixRow:
    """One category; ``cells`` stand under the diagnosis' types, None where there is nothing."""

    category: str
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True)
class Diagnosis:
    """The matrix of one metric ("" for all together) and the patterns over all of them."""

    metric: str
    metrics: tuple[str, ...]
    types: tuple[str, ...]
    rows: tuple[MatrixRow, ...]
    patterns: tuple[dict[str, Any], ...]  # category, interaction_type, metric, inside, outside, q_value, sentence


def load_diagnosis(comparison: Comparison, metric: str = "") -> Diagnosis | None:
    """Return what was stored with the results; None before that, an empty matrix for a metric without results."""
    stored = comparison.summary
    if "matrix" not in stored:
        return None
    cells = [Cell(**cell) for cell in stored["matrix"].get(metric, [])]
    types = tuple(sorted({cell.interaction_type for cell in cells}))
    places = {(cell.category, cell.interaction_type): cell for cell in cells}
    categories = sorted({cell.category for cell in cells})
    return Diagnosis(
        metric=metric,
        metrics=tuple(key for key in stored["matrix"] if key),
        types=types,
        rows=tuple(MatrixRow(name, tuple(places.get((name, kind)) for kind in types)) for name in categories),
        patterns=tuple(stored["patterns"]),
    )
