"""Many releases of a phone maker: the same interactions on each of them, some of which drift or step."""

import numpy as np
from django.db import connection, transaction
from numpy.typing import NDArray

from benchmarks.scale_data import measured_run
from reports.models import App, Device, Interaction, Measurement, OsVersion, Run
from reports.models.catalogue import version_sort_key

METRIC = "response_time_ms"
MIDDLE_MS, SPREAD = 150.0, 0.07
STEP_SHARE, STEP_MS = 0.002, 120.0  # of the interactions step at each version, up or down
_BATCH = 5000


def fill(*, apps: int, interactions: int, versions: int, runs: int, seed: int = 6) -> int:
    """Write versions, apps and measured runs as a queue would have left them; return how many runs there are.

    The runs of the first version are written through their model, those of the others are copies of them with
    values of their own: millions of rows in minutes.
    """
    rng = np.random.default_rng(seed)
    rows = _interactions(apps, interactions)
    first = _version(0)
    _film(first, rows, runs)
    middles = MIDDLE_MS * rng.uniform(0.5, 1.5, len(rows))
    for number in range(versions):
        if number:
            _copy(first, _version(number))
        _measure(np.repeat(middles, runs), rng)
        moved = rng.random(len(rows)) < STEP_SHARE
        middles += np.where(moved, STEP_MS * np.where(middles > 2 * MIDDLE_MS, -1.0, 1.0), 0.0)
    return len(rows) * versions * runs


def _version(number: int) -> OsVersion:
    name = f"14.{number // 10}.{number % 10}"
    return OsVersion.objects.create(name=name, sort_key=version_sort_key(name))


def _interactions(apps: int, interactions: int) -> list[Interaction]:
    made = App.objects.bulk_create([App(name=f"App {n:03}", package=f"org.example.app{n:03}") for n in range(apps)])
    rows = [Interaction(app=app, name=f"tap {step:02}", type="tap") for app in made for step in range(interactions)]
    return Interaction.objects.bulk_create(rows, batch_size=_BATCH)


def _film(version: OsVersion, rows: list[Interaction], runs: int) -> None:
    device = Device.objects.create(name="phone", refresh_hz=60.0)
    made = (measured_run(row, version, device, number) for row in rows for number in range(1, runs + 1))
    Run.objects.bulk_create(made, batch_size=_BATCH)


def _copy(first: OsVersion, version: OsVersion) -> None:
    """Copy the runs of the first version, in their order."""
    names = [field.column for field in Run._meta.concrete_fields if not field.primary_key]
    columns = ", ".join(names)
    values = columns.replace("os_version_id", str(version.pk))
    table = Run._meta.db_table
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({columns}) SELECT {values} FROM {table} WHERE os_version_id = %s ORDER BY id",
            [first.pk],
        )


def _measure(middles: NDArray[np.float64], rng: np.random.Generator) -> None:
    """Write a value for each run of the newest version; ``middles`` has one for each, in their order."""
    newest = OsVersion.objects.order_by("-pk").values_list("pk", flat=True)[0]
    ids = Run.objects.filter(os_version=newest).order_by("pk").values_list("pk", flat=True)
    values = middles * rng.lognormal(0.0, SPREAD, len(middles))
    statement = f"INSERT INTO {Measurement._meta.db_table} (run_id, metric, value) VALUES (%s, %s, %s)"
    with transaction.atomic(), connection.cursor() as cursor:
        rows = zip(ids.iterator(), [METRIC] * len(middles), values.tolist(), strict=True)
        cursor.executemany(statement, list(rows))
