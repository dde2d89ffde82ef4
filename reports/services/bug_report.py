"""One finding as a zip that opens without the server: a page, both screencasts, pictures, text for a tracker."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
from django.core.files.storage import default_storage
from django.template.loader import render_to_string

from reports.charts_svg import draw_pair
from reports.models import Proxy, ProxyStatus, Run
from reports.selectors.drilldown import Drilldown
from reports.selectors.drilldown_runs import Side
from reports.selectors.drilldown_series import RunSeries, load_series
from reports.services.proxies_index import read_index
from reports.services.screencasts import ScreencastMissingError, local_path
from reports.services.stills import NoSuchFrameError
from reports.services.stills_many import frame_webps

FILM_FRAMES, FILM_PX, FRAME_PX = 12, 160, 480
LOG_LINES = 200


@dataclass(frozen=True)
class ReportSide:
    """One side in the report. ``film`` and ``frames`` are (file in the zip, caption)."""

    side: Side
    run: Run
    video: str
    film: tuple[tuple[str, str], ...]
    frames: tuple[tuple[str, str], ...]
    log: str
    missing: str


def write_bug_report(found: Drilldown, sentence: str, file: IO[bytes], *, address: str = "") -> None:
    """Write the zip. What a recording cannot give (it is lost, it failed) is named in the report."""
    series = load_series(*(side.chosen.id for side in found.sides if side.chosen))
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as out:
        sides = [_side(out, side, series.get(side.chosen.id)) for side in found.sides if side.chosen]
        context = {
            "page": found,
            "sentence": sentence,
            "sides": sides,
            "picture": draw_pair(*(series.get(side.chosen.id) if side.chosen else None for side in found.sides)),
            "address": address,
        }
        for name in ("report.html", "report.md"):
            out.writestr(name, render_to_string(f"reports/bug_report/{name}", context))


def _side(out: zipfile.ZipFile, side: Side, series: RunSeries | None) -> ReportSide:
    chosen = side.chosen
    if chosen is None:
        raise ValueError("a side without a run has no part in a report")
    parts: dict[str, Any] = {"video": "", "film": (), "frames": (), "missing": ""}
    try:
        parts["video"] = _add_video(out, side.key, chosen.run)
        if series is not None:
            parts["film"] = tuple(_add_pictures(out, f"{side.key}-film", chosen.run, _film(series), FILM_PX))
            parts["frames"] = tuple(_add_pictures(out, f"{side.key}-frame", chosen.run, _moments(series), FRAME_PX))
    except (ScreencastMissingError, NoSuchFrameError) as error:
        parts["missing"] = str(error)
    return ReportSide(side=side, run=chosen.run, log=_log(chosen.run), **parts)


def _add_video(out: zipfile.ZipFile, key: str, run: Run) -> str:
    """Add the screencast, or the proxy of one that browsers do not play; return its name in the zip."""
    with local_path(_playable(run)) as path:
        name = f"{key}{path.suffix}"
        out.write(path, name)
    return name


def _playable(run: Run) -> str:
    with local_path(run.file_name) as path:
        if read_index(path) is not None:
            return run.file_name
    proxy = Proxy.objects.filter(sha256=run.sha256, status=ProxyStatus.DONE).first()
    return proxy.file_name if proxy and default_storage.exists(proxy.file_name) else run.file_name


def _add_pictures(
    out: zipfile.ZipFile, stem: str, run: Run, wanted: list[tuple[float, str]], height_px: int
) -> Iterator[tuple[str, str]]:
    """Add frames, given as (ms after the first frame, caption), rising; yield (name in the zip, caption)."""
    pictures = frame_webps(run, [time_ms for time_ms, _ in wanted], height_px=height_px)
    for place, (picture, (_, caption)) in enumerate(zip(pictures, wanted, strict=False)):
        out.writestr(f"{stem}-{place:02d}.webp", picture)
        yield f"{stem}-{place:02d}.webp", caption


def _film(series: RunSeries) -> list[tuple[float, str]]:
    """Return up to ``FILM_FRAMES`` changed frames after the action, evenly chosen."""
    changed = series.changed[series.clock_ms[series.changed] >= 0]
    if not len(changed):
        return []
    chosen = np.unique(changed[np.linspace(0, len(changed) - 1, FILM_FRAMES).round().astype(int)])
    return [(float(series.series.time_ms[i]), f"{series.clock_ms[i]:+.0f} ms") for i in chosen]


def _moments(series: RunSeries) -> list[tuple[float, str]]:
    wanted = []
    for label, at in (("response", series.response_ms), ("finish", series.finish_ms)):
        if at is not None:
            frame = series.frame_at(at)
            before = float(series.series.time_ms[max(frame - 1, 0)])
            wanted += [(before, f"before {label}"), (float(series.series.time_ms[frame]), f"{label} {at:+.0f} ms")]
    return sorted(wanted)


def _log(run: Run) -> str:
    if not run.log_name or not default_storage.exists(run.log_name):
        return ""
    with default_storage.open(run.log_name) as stream:
        text = stream.read().decode("utf-8", errors="replace")
    return "\n".join(text.splitlines()[-LOG_LINES:])
