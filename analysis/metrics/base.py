"""What a metric is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from analysis.arrays import F64, I64
from analysis.options import INTERACTION_TYPES


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """What metrics are computed from.

    Attributes
    ----------
    time_ms : (n,) presentation time of every frame, ms after the first.
    moving : indices of the frames that show something new, from the response on, rising.
    response, finish : frame indices; None where there is none.
    action_ms, refresh_hz : as in MeasureOptions.

    """

    time_ms: F64
    moving: I64
    response: int | None
    finish: int | None
    action_ms: float
    refresh_hz: float


@dataclass(frozen=True, slots=True)
class Metric:
    """One registered metric. `compute` returns None where there is no answer, never 0 instead."""

    key: str
    label: str
    unit: str
    decimals: int
    compute: Callable[[Judged], float | None]
    types: tuple[str, ...] = INTERACTION_TYPES
    default: bool = True

    def applies_to(self, interaction_type: str) -> bool:
        """Return whether interactions of this type have this metric."""
        return interaction_type in self.types
