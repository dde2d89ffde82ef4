"""Pictures of several frames of one recording in one pass over it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analysis.arrays import AnyArray
from reports.models import Run
from reports.services.stills import HALF_MS, encode_webp, first_time_s, open_video, scaled, upright


def frame_webps(run: Run, times_ms: Sequence[float], *, height_px: int = 0) -> list[bytes]:
    """Return the frames shown at these times (ms after the first frame, rising) as WebP pictures."""
    return [encode_webp(scaled(picture, height_px)) for picture in _pictures(run, list(times_ms))]


def _pictures(run: Run, times_ms: list[float]) -> Iterator[AnyArray]:
    with open_video(run) as container:
        start_s = first_time_s(container)
        container.seek(0)
        shown, waiting = None, [start_s + time_ms / 1000 for time_ms in sorted(times_ms)]
        for frame in container.decode(container.streams.video[0]):
            while waiting and shown is not None and frame.time > waiting[0] + HALF_MS:
                waiting.pop(0)
                yield upright(shown)
            if not waiting:
                return
            shown = frame
        for _ in waiting:
            if shown is not None:
                yield upright(shown)
