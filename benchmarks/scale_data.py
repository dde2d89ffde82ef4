"""A night of a phone maker: apps with interactions on two OS versions, imported as any manifest is."""

import csv
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
from django.utils import timezone

from analysis.metrics import METRICS
from analysis.revision import REVISION
from reports.importing.services import import_manifest
from reports.models import App, Device, Interaction, Measurement, OsVersion, Run, RunStatus
from reports.models.catalogue import version_sort_key

VERSIONS = ("13.0.12", "13.0.13")
CROWD_VERSIONS = ("14.0.1", "14.0.2")
TYPES = ("tap", "tap", "tap", "scroll", "scroll", "swipe", "swipe", "type", "draw", "launch")
CATEGORIES = ("communication", "maps", "games", "media", "office", "shopping", "social", "tools")
COLUMNS = (
    *("os_version", "app", "package", "category", "interaction", "interaction_type"),
    *("repetition", "device", "video", "action_ms"),
)
REGRESSED_SHARE = 0.03
CRITICAL_APPS = 10
MIDDLES = {"response_time_ms": 150.0, "finish_time_ms": 700.0, "launch_time_ms": 900.0, "dropped_frames": 3.0}
SHIFTS = {"response_time_ms": 140.0, "finish_time_ms": 260.0, "launch_time_ms": 400.0, "dropped_frames": 8.0}
FRAME_MS = 1000.0 / 60.0
_BATCH = 5000


def fill(folder: Path, *, apps: int, interactions: int, runs: int, seed: int = 4) -> int:
    """Import all runs through the manifest, then write what a queue would have measured; return their number."""
    manifest = _write_manifest(folder, apps, interactions, runs)
    summary = import_manifest(path=manifest, queue=False)
    if summary.lines:
        raise RuntimeError(f"the generated manifest was refused: {summary.lines[0]}")
    App.objects.filter(pk__in=list(App.objects.values_list("pk", flat=True)[:CRITICAL_APPS])).update(critical=True)
    _measure(np.random.default_rng(seed))
    return summary.new


def fill_crowd(*, runs: int, seed: int = 5) -> Interaction:
    """Write one interaction with so many runs on each of two versions of its own; return it."""
    app, _ = App.objects.get_or_create(package="org.example.crowd", defaults={"name": "Crowd"})
    of, new = Interaction.objects.get_or_create(app=app, name="open list", defaults={"type": "tap"})
    if not new:
        return of
    rng = np.random.default_rng(seed)
    on, _ = Device.objects.get_or_create(name="phone", refresh_hz=60.0)
    for name, longer in zip(CROWD_VERSIONS, (1.0, 1.4), strict=True):
        version = OsVersion.objects.create(name=name, sort_key=version_sort_key(name))
        made = Run.objects.bulk_create(
            [measured_run(of, version, on, number) for number in range(1, runs + 1)], batch_size=_BATCH
        )
        values = {metric: MIDDLES[metric] for metric in ("response_time_ms", "finish_time_ms")}
        for metric, middle in values.items():
            drawn = np.round(longer * middle * rng.lognormal(0.0, 0.2, runs), 1).tolist()
            Measurement.objects.bulk_create(
                [Measurement(run=run, metric=metric, value=value) for run, value in zip(made, drawn, strict=True)],
                batch_size=_BATCH,
            )
    return of


def measured_run(of: Interaction, version: OsVersion, on: Device, number: int) -> Run:
    """Return a run, not saved, as the queue would have left it; its measurements are written beside."""
    return Run(
        interaction=of,
        os_version=version,
        device=on,
        repetition=number,
        recorded_at=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=number),
        sha256="0" * 64,
        file_name="screencasts/none.mp4",
        original_name="none.mp4",
        file_bytes=1,
        action_ms=500.0,
        status=RunStatus.DONE,
        outcome="ok",
        settles=True,
        revision=REVISION,
        measured_at=timezone.now(),
    )


def _write_manifest(folder: Path, apps: int, interactions: int, runs: int) -> Path:
    # One file for all runs, which the storage keeps once: it begins as a video does, and nobody opens it.
    (folder / "clip.mp4").write_bytes(b"\0\0\0\x14ftypisom\0\0\2\0isom")
    path = folder / "runs.csv"
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(COLUMNS)
        writer.writerows(_rows(apps, interactions, runs))
    return path


def _rows(apps: int, interactions: int, runs: int) -> Iterator[tuple[object, ...]]:
    for version in VERSIONS:
        for number in range(interactions):
            app, step = number % apps, number // apps
            kind = TYPES[step % len(TYPES)]
            name = f"{kind} {step:02}"
            of = (f"App {app:03}", f"org.example.app{app:03}", CATEGORIES[app % len(CATEGORIES)])
            for repetition in range(1, runs + 1):
                yield (version, *of, name, kind, repetition, "phone", "clip.mp4", 500)


def _measure(rng: np.random.Generator) -> None:
    """Write the measurements in bulk, with the columns that extraction sets."""
    rows = list(Run.objects.order_by("interaction", "os_version", "id").values_list(*_FIELDS))
    slower = _slower({row[1] for row in rows}, rng)
    for start in range(0, len(rows), _BATCH):
        batch = rows[start : start + _BATCH]
        Measurement.objects.bulk_create(
            [part for row in batch for part in _measurements(row, slower, rng)], batch_size=_BATCH
        )
    Run.objects.update(status=RunStatus.DONE, outcome="ok", settles=True, measured_at=timezone.now())


_FIELDS = ("id", "interaction", "interaction__type", "os_version__name")


def _slower(interactions: set[int], rng: np.random.Generator) -> set[int]:
    wanted = round(REGRESSED_SHARE * len(interactions))
    return set(rng.choice(sorted(interactions), wanted, replace=False).tolist())


def _measurements(
    row: tuple[int, int, str, str], slower: set[int], rng: np.random.Generator
) -> Iterator[Measurement]:
    run, interaction, kind, version = row
    shifted = version == VERSIONS[1] and interaction in slower
    for metric, rule in METRICS.items():
        if rule.applies_to(kind):
            value = _value(metric, interaction, shifted, rng)
            yield Measurement(run_id=run, metric=metric, value=value)


def _value(metric: str, interaction: int, shifted: bool, rng: np.random.Generator) -> float:
    """Draw one value around the interaction's own middle; times lie on the frame grid, as recordings do."""
    middle = MIDDLES[metric] * (0.5 + interaction % 97 / 97)
    shift = SHIFTS[metric] if shifted else 0.0
    if metric == "dropped_frames":
        return float(rng.poisson(middle) + shift)
    time = middle * rng.lognormal(0.0, 0.07) + shift
    return float(np.ceil(time / FRAME_MS) * FRAME_MS)
