"""Import results of AndroidX Macrobenchmark or Microbenchmark: one run an iteration, without a screencast.

Rows of the catalogue are made as a manifest makes them. A benchmark that was imported before, in whatever file, is
known by its values: it stays as it is. Another one of the same version adds its iterations to those that are there.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from analysis.macrobenchmark.iterations import HOW, Iteration, iterations_of
from analysis.macrobenchmark.reader import Benchmark, BenchmarkFile, BenchmarkFileError, read_benchmark_file
from analysis.manifest.columns import COLUMNS, identifier
from analysis.manifest.rows import ManifestRow
from analysis.metrics import BENCHMARK, is_judged
from analysis.verdicts.sentences import metric_label
from analysis.verdicts.text import count_text
from reports.audit.services import record
from reports.importing.catalogue import Catalogue, save_catalogue
from reports.importing.log import logged
from reports.importing.summary import ImportSummary
from reports.models import Action, App, Device, Measurement, Run, RunStatus, Subject
from reports.models.runs import NOT_MEASURED
from reports.queue.services import runs_changed

REFRESH_HZ = 60.0  # of a device that nobody has told of; no value of a benchmark depends on it
FINGERPRINT = "Fingerprint"  # of the values of a benchmark, in the metadata of its runs
_REPLACED = str.maketrans(dict.fromkeys("/\\?#", "_"))  # what no name on a page may hold, and parameters do
_TRIES = 3


@dataclass(frozen=True, slots=True)
class Said:
    """What a file does not tell, or somebody wants otherwise; empty: as the file has it."""

    version: str
    device: str = ""
    refresh_hz: float | None = None
    app: str = ""


@dataclass(slots=True)
class _Planned:
    """A benchmark with its row of the catalogue; ``known`` says that its values are stored already."""

    row: ManifestRow
    benchmark: Benchmark
    iterations: list[Iteration]
    fingerprint: str
    known: bool = False


@dataclass(slots=True)
class _Plan:
    file: BenchmarkFile
    catalogue: Catalogue
    new_device: bool
    benchmarks: list[_Planned] = field(default_factory=list)

    def counts(self) -> tuple[int, int]:
        """Return how many runs are new and how many unchanged."""
        found = Counter[bool]()
        for each in self.benchmarks:
            found[each.known] += len(each.iterations)
        return found[False], found[True]


def import_benchmark_file(*, path: Path, said: Said, dry_run: bool = False) -> ImportSummary:
    """Import all of a file, or nothing of it, and write that down in the import log; a dry run leaves no trace.

    Raises BenchmarkFileError with every problem of the file and its cure.
    """
    summary = ImportSummary(dry_run)
    with logged(summary, source=path.name, columns=(), unless_nothing=False):
        file = read_benchmark_file(path)
        rows = _rows(file, said)
        plan = _made_plan(file, rows) if dry_run else _stored(file, rows)
        summary.new, summary.unchanged = plan.counts()
        summary.notes = list(_notes(plan, said))
    return summary


def _stored(file: BenchmarkFile, rows: list[ManifestRow]) -> _Plan:
    """Write the runs of a file; another import that adds to the same benchmark meanwhile does no harm."""
    for remaining in reversed(range(_TRIES)):
        plan = _made_plan(file, rows)
        save_catalogue(plan.catalogue, rows)
        try:
            _write(plan)
            break
        except IntegrityError:  # another process has taken the same numbers: look again
            if not remaining:
                raise
    return plan


def _rows(file: BenchmarkFile, said: Said) -> list[ManifestRow]:
    """Return a row of the catalogue for each benchmark; raises BenchmarkFileError for names that cannot be."""
    problems: list[str] = []

    def parsed(column: str, text: str, where: str, cure: str) -> str:
        try:
            return COLUMNS[column].parse(text)
        except ValueError as error:
            problems.append(f"{where}: {error}{cure}")
            return "-"

    version = parsed("os_version", said.version, "--version", "")
    device = said.device or file.device
    device = parsed("device", device, "context.build.model", ": name the device with --device")
    hz = _refresh_hz(device, said, problems)
    rows = []
    for number, each in enumerate(file.benchmarks, start=1):
        app, package = _app(each, said)
        package = parsed("package", package or "-", f"{each.title}, className", ": name the app with --app")
        app = parsed("app", app, f"{each.title}, className", ": name the app with --app")
        name = parsed("interaction", each.title.translate(_REPLACED), each.title, "")
        rows.append(_row(number, version, device, hz, app, package, name, file, each))
    twins = Counter((row.package, row.interaction) for row in rows)
    problems += [
        f"{name}: stands in the file more than once under one app: import its parts with different --app"
        for (_, name), times in twins.items()
        if times > 1
    ]
    catalogue = Catalogue()
    catalogue.load(rows)
    problems += [f"{row.interaction}: {found.message}" for row in rows if (found := catalogue.conflict(row))]
    if problems:
        raise BenchmarkFileError(file.name, list(dict.fromkeys(problems)))
    return rows


def _row(
    number: int, version: str, device: str, hz: float, app: str, package: str, name: str, file: BenchmarkFile,
    benchmark: Benchmark,
) -> ManifestRow:  # fmt: skip
    """Return the row. How the code of a microbenchmark was compiled keeps its runs apart, as a capture does."""
    capture = file.compilation_mode[:16] if benchmark.is_micro else ""
    return ManifestRow(
        line=number, os_version=version, channel="", released_on=None, device=device, refresh_hz=hz, app=app,
        package=package, category="", app_version="", interaction=name, interaction_type=BENCHMARK, scenario="",
        repetition=0, capture=capture, recorded_at=None, video=file.name, log="", trace="", batch="", action_ms=0.0,
        action_from="", x=None, y=None, show_touches=False,
    )  # fmt: skip


def _refresh_hz(device: str, said: Said, problems: list[str]) -> float:
    """Return the refresh rate of the device that is meant: a stored one of this name, if there is just one."""
    if said.refresh_hz is not None:
        return said.refresh_hz
    known = list(Device.objects.filter(name=device).values_list("refresh_hz", flat=True))
    if len(known) > 1:
        rates = ", ".join(f"{hz:g}" for hz in sorted(known))
        problems.append(f"--device: {device} is known at {rates} Hz: say which with --refresh-hz")
    return known[0] if known else REFRESH_HZ


def _app(benchmark: Benchmark, said: Said) -> tuple[str, str]:
    """Return name and package of the app: the one that is said, by either, else the package of the test."""
    if said.app:
        stored = App.objects.filter(package=said.app).first() or App.objects.filter(name=said.app).first()
        return (stored.name, stored.package) if stored else (said.app, identifier(said.app) or said.app)
    package = benchmark.package or benchmark.class_name
    stored = App.objects.filter(package=package).first()
    return (stored.name if stored else package), package


def _made_plan(file: BenchmarkFile, rows: list[ManifestRow]) -> _Plan:
    catalogue = Catalogue()
    catalogue.load(rows)
    plan = _Plan(file, catalogue, catalogue.ids(rows[0]).device_id is None)
    known = _known(rows, catalogue)
    for row, benchmark in zip(rows, file.benchmarks, strict=True):
        fingerprint = fingerprint_of(benchmark)
        stored = (*catalogue.ids(row), fingerprint) in known
        plan.benchmarks.append(_Planned(row, benchmark, iterations_of(benchmark), fingerprint, stored))
    return plan


def fingerprint_of(benchmark: Benchmark) -> str:
    """Return what a benchmark is known by: all values of all its metrics, and how long it ran."""
    sampled = {each.name: each.iterations for each in benchmark.sampled}
    values = [benchmark.title, benchmark.run_time_ns, dict(benchmark.single), sampled]
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:16]


def _known(rows: list[ManifestRow], catalogue: Catalogue) -> set[tuple[Any, ...]]:
    """Return (interaction, version, device, fingerprint) of what is stored of these benchmarks; one query."""
    ids = [catalogue.ids(row) for row in rows]
    found = Run.objects.filter(
        interaction_id__in={each.interaction_id for each in ids if each.interaction_id},
        os_version_id__in={each.os_version_id for each in ids if each.os_version_id},
        device_id__in={each.device_id for each in ids if each.device_id},
    )
    fields = ("interaction_id", "os_version_id", "device_id", "metadata")
    return {(*key, metadata.get(FINGERPRINT)) for *key, metadata in found.values_list(*fields)}


@transaction.atomic
def _write(plan: _Plan) -> None:
    runs, values = [], []
    for each in plan.benchmarks:
        if each.known:
            continue
        first = _last_repetition(each, plan.catalogue) + 1
        for place, iteration in enumerate(each.iterations):
            runs.append(_run(plan, each, iteration, first + place))
            values.append(iteration.values)
    made = Run.objects.bulk_create(runs)
    Measurement.objects.bulk_create(
        Measurement(run=run, metric=key, value=value)
        for run, metrics in zip(made, values, strict=True)
        for key, value in metrics.items()
    )
    runs_changed(version_ids={run.os_version_id for run in made})
    if made:
        new, _ = plan.counts()
        record(Action.IMPORTED, kind=Subject.FILE, subject=plan.file.name, note=f"{new} new, 0 updated", runs=new)


def _last_repetition(each: _Planned, catalogue: Catalogue) -> int:
    ids = catalogue.ids(each.row)._asdict()
    found = Run.objects.filter(**ids, app_version="", capture=each.row.capture).aggregate(last=Max("repetition"))
    return found["last"] or 0


def _run(plan: _Plan, each: _Planned, iteration: Iteration, repetition: int) -> Run:
    ids: dict[str, Any] = plan.catalogue.ids(each.row)._asdict()
    return Run(
        **ids,
        capture=each.row.capture,
        repetition=repetition,
        sha256=plan.file.sha256,
        file_name="",
        original_name=plan.file.name,
        file_bytes=plan.file.size_bytes,
        action_ms=0.0,
        status=RunStatus.DONE,
        outcome="ok",
        revision=NOT_MEASURED,
        measured_at=timezone.now(),
        metadata=_metadata(plan.file, each, iteration),
    )


def _metadata(file: BenchmarkFile, each: _Planned, iteration: Iteration) -> dict[str, str]:
    """Return where the values of a run came from, in words."""
    samples = {metric_label(key): f"{count:,}" for key, count in iteration.samples.items()}
    return {
        "Class": each.benchmark.class_name,
        "Iteration": f"{iteration.number} of {len(each.iterations)} in this file",
        **{f"Samples of {label}": count for label, count in samples.items()},
        **({"P50 … P99": HOW} if samples else {}),
        **each.benchmark.facts,
        **file.facts,
        FINGERPRINT: each.fingerprint,
    }


def _notes(plan: _Plan, said: Said) -> Iterator[str]:
    yield from plan.file.notes
    known = [each for each in plan.benchmarks if each.known]
    if known:
        verb = "is" if len(known) == 1 else "are"
        yield f"{count_text(len(known), 'benchmark')} {verb} stored already, with the very same values"
    yield from _not_judged(plan)
    for each in plan.benchmarks:
        if len(each.iterations) == 1:
            yield f"{each.row.interaction}: one iteration, which no test can say anything about; import more files"
    yield from _shared(plan, said)
    if plan.new_device:
        row = plan.benchmarks[0].row
        yield f"{row.device} is a new device; a file says no refresh rate: it has {row.refresh_hz:g} Hz"


def _not_judged(plan: _Plan) -> Iterator[str]:
    keys = {key for each in plan.benchmarks for iteration in each.iterations for key in iteration.values}
    shown = sorted(metric_label(key) for key in keys if not is_judged(key))
    if shown:
        verb = "is" if len(shown) == 1 else "are"
        yield f"{', '.join(shown)} {verb} kept and shown, not judged: whether less of it is better is not known"


def _shared(plan: _Plan, said: Said) -> Iterator[str]:
    """Tell that the same file was imported as another version, which would be compared with itself."""
    others = Run.objects.filter(sha256=plan.file.sha256).exclude(os_version__name=said.version).order_by()
    names = sorted(set(others.values_list("os_version__name", flat=True)))
    if names:
        yield f"the same file was imported as {', '.join(names)} as well: compared with that, nothing differs"


def summary_of(
    found: Mapping[str, ImportSummary], refused: Mapping[str, list[str]], *, dry_run: bool
) -> dict[str, Any]:
    """Return what became of several files, ready for JSON."""
    counts = {name: sum(getattr(each, name) for each in found.values()) for name in ("new", "unchanged")}
    files = [
        {"file": name, "new": each.new, "unchanged": each.unchanged, "notes": each.notes}
        for name, each in found.items()
    ]
    wrong = [{"file": name, "problems": problems} for name, problems in refused.items()]
    return {**counts, "files": files, "refused": wrong, "dry_run": dry_run}
