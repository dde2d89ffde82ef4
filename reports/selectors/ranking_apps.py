"""The apps of a comparison, ranked by risk when it was computed."""

from dataclasses import dataclass, fields
from typing import Any

from reports.models import Comparison

FROM_WORST = ("Severe", "Noticeable", "Minor")  # the default ladder; words of another one follow as they come


@dataclass(frozen=True)
class Share:
    """How many interactions of an app have a severity, and what percent of the decided ones that is."""

    severity: str
    count: int
    pct: float


@dataclass(frozen=True)
class AppRow:
    """One app as the ranking shows it. ``regressed_pct`` and ``risk`` are None where nothing could be decided."""

    package: str
    name: str
    category: str
    critical: bool
    interactions: int
    decided: int
    regressed: int
    improved: int
    regressed_pct: float | None
    severity: str
    risk: float | None
    shares: tuple[Share, ...]

    @property
    def undecided(self) -> int:
        """Interactions that need more runs."""
        return self.interactions - self.decided


def ranked_apps(comparison: Comparison) -> list[AppRow]:
    """Return the apps in their stored order, worst first; no query."""
    return [_app_row(row) for row in comparison.summary.get("apps", [])]


def _app_row(row: dict[str, Any]) -> AppRow:
    kept = {field.name: row[field.name] for field in fields(AppRow) if field.name in row}
    return AppRow(**kept, package=row["app"], shares=_shares(row["severities"], row["decided"]))


def _shares(counts: dict[str, int], decided: int) -> tuple[Share, ...]:
    words = [word for word in FROM_WORST if word in counts] + [word for word in counts if word not in FROM_WORST]
    return tuple(Share(word, counts[word], 100.0 * counts[word] / decided) for word in words if counts[word])
