"""Read the JSON in which AndroidX Macrobenchmark and Microbenchmark write what they measured, strictly.

A file holds a ``context`` (the device and its build) and ``benchmarks``; each has ``metrics``, one value an
iteration, and ``sampledMetrics``, many values an iteration. What is wrong is told with benchmark, field and cure.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from analysis.metrics.benchmarks import LONGEST_KEY, PERCENTILES, RENAMED, key_of, may_be_negative
from analysis.metrics.registry import EVERY_METRIC
from analysis.names import fault_of_name, tidy_name

MOST_BYTES = 64 << 20  # a benchmark of an hour at 120 Hz; what real ones write is a megabyte
MOST_BENCHMARKS, MOST_ITERATIONS, MOST_METRICS = 1_000, 10_000, 100
MOST_PROBLEMS = 20  # of a file, told one by one
LARGEST = 1e15
LONGEST_TEXT = 300
WHAT = "choose the file that ends in -benchmarkData.json, which the test wrote beside its traces"
_TAKEN = {*EVERY_METRIC, "outcome"}  # what our own metrics are called


class BenchmarkFileError(ValueError):
    """A file that cannot be taken; ``problems`` say what is wrong with it and the cure, each in a line."""

    def __init__(self, name: str, problems: list[str]) -> None:
        super().__init__("\n".join(f"{name}: {problem}" for problem in problems))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Sampled:
    """A metric with many values in each iteration: ``iterations`` hold them, ms or the metric's own unit."""

    name: str
    iterations: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One benchmark as its file has it. ``single``: values by metric, one an iteration; 0 ns: it says no time."""

    class_name: str
    name: str
    single: Mapping[str, tuple[float, ...]]
    sampled: tuple[Sampled, ...]
    facts: Mapping[str, str]
    run_time_ns: int = 0

    @property
    def title(self) -> str:
        """The class without its package, and the name: ``StartupBenchmark.coldStart``."""
        return f"{self.class_name.rpartition('.')[2]}.{self.name}"

    @property
    def package(self) -> str:
        """The package of the class."""
        return self.class_name.rpartition(".")[0]

    @property
    def is_micro(self) -> bool:
        """Whether a call was measured in the process of the test itself."""
        return "timeNs" in self.single


@dataclass(frozen=True, slots=True)
class BenchmarkFile:
    """What a file says. ``device`` is the model, ``facts`` and ``compilation_mode`` are of the whole file."""

    name: str
    sha256: str
    size_bytes: int
    device: str
    facts: Mapping[str, str]
    compilation_mode: str
    benchmarks: tuple[Benchmark, ...]
    notes: tuple[str, ...]


@dataclass(slots=True)
class _Problems:
    """Collects what is wrong with a file; as many as a person reads."""

    told: list[str] = field(default_factory=list)

    def add(self, where: str, message: str) -> None:
        self.told.append(f"{where}: {message}")

    def texts(self) -> list[str]:
        more = len(self.told) - MOST_PROBLEMS
        return [*self.told[:MOST_PROBLEMS], *([f"and {more:,} more like these"] if more > 0 else [])]


def read_benchmark_file(path: Path) -> BenchmarkFile:
    """Read and check a file; raises BenchmarkFileError with every problem of it."""
    raw = _bytes_of(path)
    data = _parsed(path.name, raw)
    problems, notes = _Problems(), list[str]()
    context = _context(data, problems)
    benchmarks = tuple(_benchmarks(data, problems, notes))
    for title, times in Counter((each.package, each.title) for each in benchmarks).items():
        if times > 1:
            problems.add(title[1], "stands in the file more than once: keep one of them")
    if not problems.told and not benchmarks:
        problems.add("benchmarks", f"none of them measured anything; {WHAT}")
    if problems.told:
        raise BenchmarkFileError(path.name, problems.texts())
    digest = hashlib.sha256(raw).hexdigest()
    return BenchmarkFile(path.name, digest, len(raw), *context, benchmarks, tuple(notes))


def _bytes_of(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            raw = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise BenchmarkFileError(path.name, [f"{error.strerror}: check the name"]) from error
    if len(raw) > MOST_BYTES:
        raise BenchmarkFileError(
            path.name, [f"is larger than {MOST_BYTES >> 20} MB, as no file of results is; {WHAT}"]
        )
    return raw


def _parsed(name: str, raw: bytes) -> dict[str, Any]:
    try:
        data = json.loads(raw.decode("utf-8-sig"), parse_constant=_no_number, object_pairs_hook=_without_twins)
    except UnicodeDecodeError:
        raise BenchmarkFileError(name, [f"is no text in UTF-8; {WHAT}"]) from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, character {error.colno}"
        raise BenchmarkFileError(
            name, [f"is no whole JSON ({where}): pull it from the device again; {WHAT}"]
        ) from None
    except (ValueError, RecursionError) as error:
        why = str(error) if isinstance(error, _JSONError) else "has numbers or nesting that no benchmark writes"
        raise BenchmarkFileError(name, [f"{why}; {WHAT}"]) from None
    if not isinstance(data, dict) or not {"context", "benchmarks"} <= data.keys():
        raise BenchmarkFileError(name, [f"is JSON, but has no context and benchmarks: {WHAT}"])
    return data


class _JSONError(ValueError):
    """JSON that says something no benchmark does."""


def _no_number(text: str) -> Any:
    raise _JSONError(f"holds {text}, which is no measurement: run the benchmark again")


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twin = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise _JSONError(f"names {_shown(twin)} twice in one place: keep one of them")
    return found


def _context(data: dict[str, Any], problems: _Problems) -> tuple[str, dict[str, str], str]:
    """Return the model, what is known of the device and its build, and how the code was compiled."""
    context = _mapping(data["context"], "context", problems)
    build = _mapping(context.get("build", {}), "context.build", problems)
    version = _mapping(build.get("version", {}), "context.build.version", problems)
    texts = {name: _text(build.get(name, ""), f"context.build.{name}", problems) for name in _BUILD}
    mode = _text(context.get("compilationMode", ""), "context.compilationMode", problems)
    told = {
        "OS build": texts["fingerprint"],
        "SDK": str(version.get("sdk", ""))[:LONGEST_TEXT],
        "Maker and model": f"{texts['brand']} {texts['model']}".strip(),
        "Clocks locked": {"True": "yes", "False": "no"}.get(str(context.get("cpuLocked")), ""),
        "Compilation mode of the test": mode,
    }
    return texts["model"], {name: text for name, text in told.items() if text}, mode


_BUILD = ("brand", "model", "fingerprint")


def _benchmarks(data: dict[str, Any], problems: _Problems, notes: list[str]) -> Iterator[Benchmark]:
    rows = data["benchmarks"]
    if not isinstance(rows, list) or not rows:
        problems.add("benchmarks", f"is no list of benchmarks; {WHAT}")
        return
    if len(rows) > MOST_BENCHMARKS:
        problems.add("benchmarks", f"has {len(rows):,} entries: split the file, {MOST_BENCHMARKS:,} at most")
        return
    for place, row in enumerate(rows):
        found = _benchmark(row, f"benchmark {place + 1}", problems, notes)
        if found is not None:
            yield found


def _benchmark(row: Any, where: str, problems: _Problems, notes: list[str]) -> Benchmark | None:
    row = _mapping(row, where, problems)
    name, class_name = (_name(row, key, where, problems) for key in ("name", "className"))
    if not name or not class_name:
        return None
    name = _with_params(name, _mapping(row.get("params", {}), f"{where}, params", problems))
    where = f"{class_name.rpartition('.')[2]}.{name}"
    single = _single(_mapping(row.get("metrics", {}), f"{where}, metrics", problems), where, problems)
    sampled = _sampled(
        _mapping(row.get("sampledMetrics", {}), f"{where}, sampledMetrics", problems), where, problems
    )
    _check_keys([*single, *(each.name for each in sampled)], where, problems)
    if not any(single.values()) and not any(map(len, (frames for each in sampled for frames in each.iterations))):
        notes.append(f"{where} measured nothing: it is left out")
        return None
    return Benchmark(class_name, name, single, sampled, dict(_facts(row)), _whole(row.get("totalRunTimeNs")))


def _with_params(name: str, params: Mapping[str, Any]) -> str:
    """Return the name with its parameters, which the library itself writes into it where a test has any."""
    if not params or "[" in name:
        return name
    told = ",".join(f"{key}={value}" for key, value in params.items())
    return f"{name}[{told}]"[:LONGEST_TEXT]


def _facts(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    told = {"Iterations asked for": "repeatIterations", "Warm-up iterations": "warmupIterations",
            "Seconds of cooling": "thermalThrottleSleepSeconds"}  # fmt: skip
    for words, key in told.items():
        if value := _whole(row.get(key)):
            yield words, f"{value:,}"


def _whole(value: Any) -> int:
    """Return a whole number from 0 that decides nothing; 0 for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST else 0


def _single(found: Mapping[str, Any], where: str, problems: _Problems) -> dict[str, tuple[float, ...]]:
    values = {}
    for name, metric in found.items():
        here = f"{where}, metrics.{_shown(name)}"
        runs = _list(_mapping(metric, here, problems).get("runs"), f"{here}.runs", problems)
        values[name] = _numbers(runs, name, f"{here}.runs", problems)
    return values


def _sampled(found: Mapping[str, Any], where: str, problems: _Problems) -> tuple[Sampled, ...]:
    rows = []
    for name, metric in found.items():
        here = f"{where}, sampledMetrics.{_shown(name)}.runs"
        runs = _list(_mapping(metric, here, problems).get("runs"), here, problems)
        lists = [
            _numbers(_list(run, f"{here}[{place}]", problems), name, f"{here}[{place}]", problems)
            for place, run in enumerate(runs)
        ]
        rows.append(Sampled(name, tuple(lists)))
    return tuple(rows)


def _check_keys(names: list[str], where: str, problems: _Problems) -> None:
    """Refuse metrics that could not be told apart, or from ours."""
    if len(names) > MOST_METRICS:
        problems.add(where, f"has {len(names)} metrics: {MOST_METRICS} at most")
    for key, times in Counter(map(key_of, names)).items():
        alike = [name for name in names if key_of(name) == key]
        if times > 1:
            old = f"; {alike[0]} is the earlier name of {RENAMED[alike[0]]}" if alike[0] in RENAMED else ""
            problems.add(where, f"has {' and '.join(map(_shown, alike))}, which are one metric{old}: keep one")
        if not key or key in _TAKEN:
            problems.add(where, f"the metric {_shown(alike[0])} cannot be called so: give it another name")
        if len(key) > LONGEST_KEY - len("_P99"):
            problems.add(where, f"the metric {_shown(alike[0])} has a name of {len(key)} letters: shorten it")


def _numbers(runs: list[Any], name: str, where: str, problems: _Problems) -> tuple[float, ...]:
    """Return the values of one metric, all of them finite; what is none is told once."""
    signed = may_be_negative(key_of(name))
    for place, value in enumerate(runs):
        if isinstance(value, bool) or not isinstance(value, int | float):
            problems.add(f"{where}[{place}]", f"{_shown(value)} is no number: run the benchmark again")
            return ()
        if not abs(value) <= LARGEST or not math.isfinite(value):
            problems.add(f"{where}[{place}]", f"{_shown(value)} is beyond all measure: run the benchmark again")
            return ()
        if value < 0 and not signed:
            problems.add(f"{where}[{place}]", f"{value:g} is below 0, which {_shown(name)} cannot be: run it again")
            return ()
    return tuple(map(float, runs))


def _list(value: Any, where: str, problems: _Problems) -> list[Any]:
    if isinstance(value, list):
        if len(value) > MOST_ITERATIONS * 1_000:
            problems.add(where, f"has {len(value):,} values: no benchmark writes so many")
            return []
        return value
    missing = "is missing" if value is None else f"{_shown(value)} is no list"
    problems.add(where, f"{missing}: the values of the iterations stand there; write the file anew")
    return []


def _mapping(value: Any, where: str, problems: _Problems) -> Mapping[str, Any]:
    if isinstance(value, dict):
        return value
    problems.add(where, f"{_shown(value)} is no object in braces: write the file anew; {WHAT}")
    return {}


def _name(row: Mapping[str, Any], key: str, where: str, problems: _Problems) -> str:
    text = _text(row.get(key, ""), f"{where}, {key}", problems)
    if not text:
        problems.add(f"{where}, {key}", "is missing: it names the benchmark; write the file anew")
    return text


def _text(value: Any, where: str, problems: _Problems) -> str:
    """Return a text that can be shown: one line without what hides or moves others."""
    if not isinstance(value, str):
        problems.add(where, f"{_shown(value)} is no text: write the file anew")
        return ""
    text = tidy_name(value)
    if len(text) > LONGEST_TEXT:
        problems.add(where, f"has {len(text):,} characters: shorten it to {LONGEST_TEXT}")
        return ""
    if fault := fault_of_name(text):
        problems.add(where, fault)
        return ""
    return text


def _shown(value: Any) -> str:
    """Return a value as a message names it: short, and in plain letters."""
    return ascii(value)[:60] if not isinstance(value, str) else ascii(value[:60]).strip("'\"")


__all__ = ["PERCENTILES", "Benchmark", "BenchmarkFile", "BenchmarkFileError", "Sampled", "read_benchmark_file"]
