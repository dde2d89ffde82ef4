"""θ: how far a median must move before people notice it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.policy.checks import ABSOLUTE, RELATIVE, PolicyError, need_text

ANY_METRIC = "*"  # stands for every metric that a policy does not name
REASON_LENGTH = 300  # characters: it stands in one line beside the threshold
KEY_LENGTH = 200  # of an app's package in the catalogue, which is the longest key


@dataclass(frozen=True)
class Threshold:
    """The larger of ``absolute`` (the metric's unit) and ``relative_pct`` of the baseline median."""

    absolute: float
    relative_pct: float
    reason: str = ""

    def __post_init__(self) -> None:
        ABSOLUTE.check("absolute", self.absolute)
        RELATIVE.check("relative_pct", self.relative_pct)
        need_text("reason", self.reason, most=REASON_LENGTH)
        if self.absolute == 0 and self.relative_pct == 0:
            raise PolicyError("absolute and relative part are both 0: every change would count; raise one of them")

    def at(self, median_base: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return θ for each baseline median, shape (n,); the absolute part alone where the median is missing."""
        relative = self.relative_pct / 100.0 * np.abs(np.nan_to_num(median_base, nan=0.0))
        return np.maximum(self.absolute, relative)


@dataclass(frozen=True)
class Override:
    """Another θ for one metric of an app (its package), an interaction type, or both together."""

    metric: str
    threshold: Threshold
    app: str | None = None
    interaction_type: str | None = None

    def __post_init__(self) -> None:
        if not self.metric:
            raise PolicyError("overrides: metric is empty; name the metric, or * for all")
        for part in self.place:
            if part is not None:
                need_text("overrides", part, most=KEY_LENGTH)
        if not self.app and not self.interaction_type:
            raise PolicyError(
                "overrides: names neither an app nor an interaction type; name one, or change the threshold itself"
            )

    @property
    def place(self) -> tuple[str | None, str | None, str]:
        """Where this override applies: app, interaction type, metric."""
        return self.app, self.interaction_type, self.metric

    def fits(self, *, app: str, interaction_type: str, metric: str) -> bool:
        """Tell whether this override speaks about such a result."""
        return (
            self.app in (None, app)
            and self.interaction_type in (None, interaction_type)
            and self.metric in (ANY_METRIC, metric)
        )

    @property
    def precedence(self) -> tuple[bool, bool, bool]:
        """Order of overrides: an app's beats a type's, a named metric's beats one for all."""
        return self.app is not None, self.interaction_type is not None, self.metric != ANY_METRIC
