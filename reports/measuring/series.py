"""The frame series of one chosen run on the page's clock: zero is the user's action."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import Prefetch, QuerySet
from numpy.typing import NDArray

from analysis.metrics.smoothness import lost_slots
from analysis.series import FrameSeries
from reports.models import Correction, FrameSeriesRecord, Run

NEAR_MS = 0.06  # addresses keep tenths of a ms: nearer times are the same instant, as the players have it


@dataclass(frozen=True)
class RunSeries:
    """A run with its frame series, ms. ``clock_ms`` counts from the action, ``series.time_ms`` from frame 0."""

    run: Run
    series: FrameSeries
    evidence: dict[str, Any]
    refresh_hz: float
    corrections: dict[str, Correction]

    @property
    def clock_ms(self) -> NDArray[np.float64]:
        """Time of every frame after the action, (n,)."""
        return self.series.time_ms - self.run.action_ms

    def frame_at(self, after_action_ms: float) -> int:
        """Return the frame on the screen at this time after the action."""
        return max(0, int(np.searchsorted(self.clock_ms, after_action_ms + NEAR_MS, side="right")) - 1)

    @property
    def response_ms(self) -> float | None:
        """The first visible change after the action; a person's word where there is one."""
        return self._moment("response")

    @property
    def finish_ms(self) -> float | None:
        """The last visible change; a person's word where there is one."""
        return self._moment("finish")

    @property
    def changed(self) -> NDArray[np.int64]:
        """Indices of the frames that show something new."""
        return np.flatnonzero(self.series.changed_pct > 0)

    @property
    def moving(self) -> NDArray[np.int64]:
        """Frames from response to finish that show something new, as they were counted for dropped frames."""
        if "moving" in self.evidence:
            return np.array(self.evidence["moving"], np.int64)
        ends = self.evidence.get("response"), self.evidence.get("finish")
        if not all(ends):
            return np.array([], np.int64)
        first, last = (int(end["frame"]) for end in ends if end)
        return self.changed[(self.changed >= first) & (self.changed <= last)]

    @property
    def dropped(self) -> list[dict[str, float]]:
        """Gaps in a moving screen that lost refresh slots: from_ms, to_ms (after the action) and frames lost."""
        at = self.clock_ms[self.moving]
        lost = lost_slots(np.diff(at), float(self.evidence.get("slots_hz") or self.refresh_hz))
        return [
            {"from_ms": float(at[i]), "to_ms": float(at[i + 1]), "frames": int(lost[i])}
            for i in np.flatnonzero(lost > 0)
        ]

    @property
    def longest_drop(self) -> dict[str, float] | None:
        """The gap that lost most refresh slots, the first of them; None where none did."""
        return max(self.dropped, key=lambda gap: gap["frames"], default=None)

    def _moment(self, name: str) -> float | None:
        if name in self.corrections:
            return self.corrections[name].value_ms
        found = self.evidence.get(name) or {}
        return found.get("after_action_ms")


def load_series(*run_ids: int) -> dict[int, RunSeries]:
    """Load the series of these runs, two queries; a run without one (failed, not measured) is missing."""
    records = FrameSeriesRecord.objects.filter(pk__in=run_ids).select_related("run__device", "run__os_version")
    said: dict[int, list[Correction]] = {}
    for row in _in_force().filter(run__in=run_ids):
        said.setdefault(row.run_id, []).append(row)
    return {record.pk: _unpacked(record.run, record, said.get(record.pk, [])) for record in records}


def with_series(runs: QuerySet[Run]) -> QuerySet[Run]:
    """Load runs with all that ``series_of`` needs: one query more, for the corrections."""
    return runs.select_related("frame_series", "device").prefetch_related(Prefetch("corrections", _in_force()))


def series_of(run: Run) -> RunSeries | None:
    """Return the series of a run that was loaded ``with_series``; None if it has none."""
    record = getattr(run, "frame_series", None)
    return _unpacked(run, record, run.corrections.all()) if record else None


def series_json(found: RunSeries) -> dict[str, Any]:
    """Return a series ready for JSON: times in ms after the first frame, ``action_ms`` on the same clock."""
    series = found.series
    return {
        "run": found.run.pk,
        "action_ms": found.run.action_ms,
        "refresh_hz": found.refresh_hz,
        "time_ms": series.time_ms.round(3).tolist(),
        "ssim_mean": series.ssim_mean.round(5).tolist(),
        "ssim_worst": series.ssim_worst.round(5).tolist(),
        "changed_pct": series.changed_pct.round(3).tolist(),
        "response_ms": found.response_ms,
        "finish_ms": found.finish_ms,
        "outcome": found.run.outcome,
        "dropped": found.dropped,
        "masks": found.evidence.get("masks", []),
        "ignored": found.evidence.get("ignored", []),
    }


def _unpacked(run: Run, record: FrameSeriesRecord, said: Iterable[Correction]) -> RunSeries:
    series = FrameSeries.unpack(bytes(record.data))
    return RunSeries(run, series, record.evidence, run.device.refresh_hz, {row.moment: row for row in said})


def _in_force() -> QuerySet[Correction]:
    return Correction.objects.filter(withdrawn_at=None).select_related("made_by")
