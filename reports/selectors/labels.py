"""Corrections as labels: what people say the truth is, for ``benchmarks.accuracy``."""

import csv
from collections import defaultdict
from collections.abc import Iterator
from io import StringIO

from reports.models import Correction

COLUMNS = (
    "video",
    "response_ms",
    "finish_ms",
    "os_version",
    "app",
    "interaction",
    "repetition",
    "said_by",
    "said_at",
)


def label_lines() -> Iterator[str]:
    """Yield a CSV with a header: one line per corrected screencast; a moment nobody corrected is empty."""
    yield _line(COLUMNS)
    corrections = Correction.objects.filter(withdrawn_at=None).order_by("run_id")
    by_run: dict[int, list[Correction]] = defaultdict(list)
    for correction in corrections.select_related("run__interaction__app", "run__os_version", "made_by"):
        by_run[correction.run_id].append(correction)
    for found in by_run.values():
        yield _line(_row(found))


def _row(found: list[Correction]) -> tuple[object, ...]:
    run, said = found[0].run, {correction.moment: correction.value_ms for correction in found}
    last = max(found, key=lambda correction: correction.made_at)
    return (
        run.original_name, said.get("response", ""), said.get("finish", ""), run.os_version.name,
        run.interaction.app.package, run.interaction.name, run.repetition, last.made_by.get_username(),
        f"{last.made_at:%Y-%m-%dT%H:%M:%SZ}",
    )  # fmt: skip


def _line(values: tuple[object, ...]) -> str:
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerow(values)
    return out.getvalue()
