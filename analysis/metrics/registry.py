"""The list of metrics, and the times from the action to what a person sees.

Adding one is one function, one line here, one test, one paragraph in docs/metrics.md.
"""

from __future__ import annotations

from analysis.metrics.base import Judged, Metric
from analysis.metrics.smoothness import dropped_frames, dropped_frames_paper, longest_freeze_ms
from analysis.options import INTERACTION_TYPES


def response_time_ms(judged: Judged) -> float | None:
    """Return ms from the action to the first visible change."""
    return _since_action(judged, judged.response)


def finish_time_ms(judged: Judged) -> float | None:
    """Return ms from the action to the last visible change."""
    return _since_action(judged, judged.finish)


def _since_action(judged: Judged, frame: int | None) -> float | None:
    return None if frame is None else float(judged.time_ms[frame]) - judged.action_ms


NOT_LAUNCH = tuple(name for name in INTERACTION_TYPES if name != "launch")

_ALL = (
    Metric("response_time_ms", "Response time", "ms", 0, response_time_ms),
    Metric("finish_time_ms", "Finish time", "ms", 0, finish_time_ms, types=NOT_LAUNCH),
    Metric("launch_time_ms", "Launch time", "ms", 0, finish_time_ms, types=("launch",)),
    Metric("dropped_frames", "Dropped frames", "frames", 1, dropped_frames),
    Metric("longest_freeze_ms", "Longest freeze", "ms", 0, longest_freeze_ms, default=False),
    Metric("dropped_frames_paper", "Dropped frames (paper)", "frames", 1, dropped_frames_paper, default=False),
)

EVERY_METRIC: dict[str, Metric] = {metric.key: metric for metric in _ALL}
METRICS: dict[str, Metric] = {metric.key: metric for metric in _ALL if metric.default}


def compute_metrics(judged: Judged, interaction_type: str, metrics: dict[str, Metric]) -> dict[str, float | None]:
    """Return each metric's value; None where it does not apply or has no answer."""
    return {
        key: metric.compute(judged) if metric.applies_to(interaction_type) else None
        for key, metric in metrics.items()
    }
