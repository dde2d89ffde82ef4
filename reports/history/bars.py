"""Draw how an app goes over the versions, as SVG: the share that got slower as bars, its risk as a line.

Numbers only; the template writes them. A bar is a link to the comparison of its pair of versions.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from analysis.verdicts.text import count_text, number_text, share_text
from analysis.verdicts.words import severity_kind
from reports.history.chart import LEFT, RIGHT, WIDTH, Tick
from reports.history.figure import MOST_LABELS
from reports.history.releases import Release
from reports.models import App

TOP, FLOOR = 24.0, 176.0  # where 100 % and 0 % lie: below a word for the pin, above the names of the versions
WIDEST = 40.0
PERCENT = (0, 50, 100)


@dataclass(frozen=True)
class Bar:
    """A version. ``kind`` is that of the worst severity, empty where nothing got slower and the bar is flat."""

    x: float
    left: float
    width: float
    top: float
    height: float
    kind: str
    words: str
    address: str


@dataclass(frozen=True)
class Bars:
    """All that the template draws."""

    ticks: Sequence[Tick]
    bars: Sequence[Bar]
    risk: str
    names: Sequence[Tick]
    pin_x: float | None


def draw_bars(releases: Sequence[Release], app: App) -> Bars:
    """Place the versions of an app, which come newest first, in a box of 1200 × 280, the oldest at the left."""
    rows = releases[::-1]
    step = (WIDTH - LEFT - RIGHT) / max(len(rows), 1)
    width = min(WIDEST, 0.7 * step)
    middles = [LEFT + step * (number + 0.5) for number in range(len(rows))]
    every = math.ceil(len(rows) / MOST_LABELS) or 1
    query = urlencode({"app": app.package})

    def bar(row: Release, x: float) -> Bar:
        top = _height(row.share_pct or 0.0)
        pair = [row.before.name, row.version.name] if row.before else []
        return Bar(
            x=round(x, 1),
            left=round(x - width / 2, 1),
            width=round(width, 1),
            top=top,
            height=round(FLOOR - top, 1),
            kind=severity_kind(row.severity) if row.severity else "",
            words=_words(row),
            address=f"{reverse('ranking', args=pair)}?{query}" if pair else "",
        )

    risks = [(x, row.risk) for x, row in zip(middles, rows, strict=True) if row.risk is not None]
    return Bars(
        ticks=[Tick(_height(float(pct)), str(pct)) for pct in PERCENT],
        bars=[bar(row, x) for row, x in zip(rows, middles, strict=True)],
        risk="M" + " L".join(f"{x:.1f} {_height(risk)}" for x, risk in risks) if len(risks) > 1 else "",
        names=[Tick(round(middles[at], 1), rows[at].version.name) for at in range(0, len(rows), every)],
        pin_x=next((round(x, 1) for x, row in zip(middles, rows, strict=True) if row.version.pinned), None),
    )


def _height(percent: float) -> float:
    return round(FLOOR - (FLOOR - TOP) * percent / 100.0, 1)


def _words(row: Release) -> str:
    if row.before is None:
        return f"{row.version.name}: the first of its line"
    of = count_text(row.interactions, "interaction")
    words = f"{row.before.name} → {row.version.name}: {row.worse} of {of} slower"
    if row.worse and row.share_pct is not None:
        words += f" ({share_text(row.share_pct)}), {row.severity} at worst"
    return words + (f", risk {number_text(row.risk)} of 100" if row.risk is not None else ", risk undecided")
