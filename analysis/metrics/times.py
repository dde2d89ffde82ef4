"""Times from the action to what a person sees."""

from __future__ import annotations

from analysis.metrics.base import Judged


def response_time_ms(judged: Judged) -> float | None:
    """Return ms from the action to the first visible change."""
    return _since_action(judged, judged.response)


def finish_time_ms(judged: Judged) -> float | None:
    """Return ms from the action to the last visible change."""
    return _since_action(judged, judged.finish)


def _since_action(judged: Judged, frame: int | None) -> float | None:
    return None if frame is None else float(judged.time_ms[frame]) - judged.action_ms
