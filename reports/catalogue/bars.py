"""The bars of a device's system, as its own recordings show them: an offer not to judge them."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.events.rules import REASONS
from reports.measuring.areas import Area
from reports.models import Device, FrameSeriesRecord, Run, RunStatus

MOST_RECORDINGS = 40  # the newest: what a device's bars are, they show; a page reads no more
WHOLE_PCT = 99.5  # of the screen's width: an area that leaves the bar out already
US_PER_MS = 1000
UPPER, LOWER = "status bar", "navigation bar"


@dataclass(frozen=True)
class Bar:
    """A bar that may be left out: ``top`` and ``height`` in percent of the screen, and its pixels.

    ``recordings`` is in how many something little changed there alone, ``run_id`` the newest, ``time_us`` when.
    """

    name: str
    top: float
    height: float
    from_px: int
    until_px: int
    screen_px: int
    recordings: int
    run_id: int
    time_us: int


@dataclass(frozen=True)
class Offer:
    """Bars that are not left out yet, as ``looked_at`` recordings show them, and the size of a picture."""

    bars: tuple[Bar, ...]
    looked_at: int
    width_px: int
    height_px: int

    @property
    def shown(self) -> Bar:
        """The bar whose recording is shown."""
        return self.bars[0]


def bars_of(device: Device, areas: Sequence[Area]) -> Offer | None:
    """Return the bars of a device that its areas do not cover, None where no recording shows any; one query."""
    measured = FrameSeriesRecord.objects.filter(run__device=device, run__status=RunStatus.DONE)
    rows = measured.select_related("run").only(
        "evidence", "run__action_ms", "run__width_px", "run__height_px"
    )  # fmt: skip
    newest = list(rows.order_by("-run_id")[:MOST_RECORDINGS])
    seen = [(row.run, edge) for row in newest for edge in _at_edges(row.evidence)]
    found = (_bar(name, [(run, edge) for run, edge in seen if edge.name == name]) for name in (UPPER, LOWER))
    bars = tuple(bar for bar in found if bar and not _covered(bar, areas))
    if not bars:
        return None
    shown = next(run for run, _ in seen if run.pk == bars[0].run_id)
    return Offer(bars, len(newest), shown.width_px or 9, shown.height_px or 19)


@dataclass(frozen=True)
class _Edge:
    """Something little that changed alone in a bar: how far in from the screen's edge, a share of its height."""

    name: str
    reach: float
    start_ms: float


def _at_edges(evidence: Mapping[str, Any]) -> Iterable[_Edge]:
    height = (evidence.get("video") or {}).get("height")
    for event in evidence.get("events") or ():
        if not height or REASONS["edge"] not in event["left_out"].values() or not event["rect"]:
            continue
        _, y0, _, y1 = event["rect"]
        upper = y0 + y1 < height
        reach = (y1 if upper else height - y0) / height
        yield _Edge(UPPER if upper else LOWER, reach, float(event["start_ms"]))


def _bar(name: str, seen: Sequence[tuple[Run, _Edge]]) -> Bar | None:
    """Return the bar that reaches as far in as anything in it did; None where nothing was seen."""
    if not seen:
        return None
    run, edge = seen[0]
    share = math.ceil(1000 * max(edge.reach for _, edge in seen)) / 10
    height_px = run.height_px or 0
    deep_px = math.ceil(share * height_px / 100)
    upper = name == UPPER
    return Bar(
        name=name,
        top=0.0 if upper else round(100 - share, 1),
        height=share,
        from_px=0 if upper else height_px - deep_px,
        until_px=deep_px if upper else height_px,
        screen_px=height_px,
        recordings=len({run.pk for run, _ in seen}),
        run_id=run.pk,
        time_us=round(max(0.0, run.action_ms + edge.start_ms) * US_PER_MS),
    )


def _covered(bar: Bar, areas: Sequence[Area]) -> bool:
    """Return whether an area of the device leaves a bar out already, as far as a person wanted it to."""
    middle = bar.top + bar.height / 2
    boxes = [area.box for area in areas if area.box]
    return any(box.width >= WHOLE_PCT and box.top <= middle <= box.top + box.height for box in boxes)
