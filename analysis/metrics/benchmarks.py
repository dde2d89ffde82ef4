"""Metrics that no recording gives: what AndroidX Macrobenchmark and Microbenchmark measure, and traces of an app.

An app may add metrics of any name, so there is no list of them: what is known of one follows from its name, which
by the library's convention ends in its unit. A key is that name; of a metric with many samples in an iteration (one
a frame) it is the name with the percentile of that iteration, as ``frameDurationCpuMs_P90``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

BENCHMARK = "benchmark"  # the type of interactions that were not filmed
PERCENTILES = (50, 90, 95, 99)  # those that the library prints
LONGEST_KEY = 80  # characters: as a policy names a metric
RENAMED = {  # by later releases of the library; the same measurement under one name
    "frameCpuTimeMs": "frameDurationCpuMs",
    "startupMs": "timeToInitialDisplayMs",
    "fullyDrawnMs": "timeToFullDisplayMs",
}
_UNITS = (  # ending of a name: unit, decimals. All of these cost something: less of it is better
    ("Ms", "ms", 1), ("Us", "µs", 1), ("Ns", "ns", 1), ("Kb", "KB", 0), ("Mb", "MB", 1), ("Bytes", "bytes", 0),
    ("Uws", "µWs", 0), ("Uw", "µW", 0), ("Uah", "µAh", 0),
)  # fmt: skip
_LABELS = {
    "frameDurationCpuMs": "CPU frame time",
    "frameOverrunMs": "Frame overrun",
    "timeToInitialDisplayMs": "Time to initial display",
    "timeToFullDisplayMs": "Time to full display",
    "timeNs": "Time of one call",
    "allocationCount": "Allocations of one call",
}
_DECIMALS = {"frameDurationCpuMs": 2, "frameOverrunMs": 2, "allocationCount": 1}
_SPOKEN = {"rss": "RSS", "cpu": "CPU", "gpu": "GPU", "gc": "GC"}  # words that are written in capitals
_COUNTS_THAT_COST = ("allocationCount",)
FROM_DEADLINE = "frameOverrunMs"  # negative: before the deadline; without a natural zero, no percentage
_SAMPLED = re.compile(r"(?P<name>.+)_P(?P<percentile>\d\d)")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_STRANGE = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True, slots=True)
class BenchmarkMetric:
    """What is known of one. ``judged``: less of it is better, so that a change has a direction."""

    key: str
    label: str
    unit: str
    decimals: int
    judged: bool


def benchmark_metric(key: str) -> BenchmarkMetric:
    """Return what the key of a benchmark's metric says of it."""
    name, _, percentile = _split(key)
    unit, decimals = next(((unit, decimals) for end, unit, decimals in _UNITS if _ends(name, end)), ("", 1))
    label = _LABELS.get(name) or _in_words(name, unit)
    return BenchmarkMetric(
        key=key,
        label=f"{label}, P{percentile}" if percentile else label,
        unit=unit,
        decimals=_DECIMALS.get(name, decimals),
        judged=bool(unit) or name in _COUNTS_THAT_COST,
    )


def key_of(name: str, percentile: int | None = None) -> str:
    """Return the key of a metric by its name in a file, under the name that it has now."""
    plain = _STRANGE.sub("_", RENAMED.get(name, name)).strip("_")
    return plain if percentile is None else f"{plain}_P{percentile}"


def is_judged(key: str) -> bool:
    """Tell whether a benchmark's metric of this name is compared: less of it is better."""
    return len(key) <= LONGEST_KEY and key == key_of(key) and benchmark_metric(key).judged


def may_be_negative(key: str) -> bool:
    """Tell whether values of a metric below 0 mean something: a frame that was ready before its deadline."""
    return key.startswith(FROM_DEADLINE)


def _split(key: str) -> tuple[str, str, str]:
    found = _SAMPLED.fullmatch(key)
    return (found["name"], "_P", found["percentile"]) if found else (key, "", "")


def _ends(name: str, end: str) -> bool:
    return name.endswith(end) and len(name) > len(end) and not name[-len(end) - 1].isupper()


def _in_words(name: str, unit: str) -> str:
    """Return ``Memory heap size max`` for memoryHeapSizeMaxKb, and jitter as it is."""
    bare = name[: -len(next(end for end, known, _ in _UNITS if known == unit))] if unit else name
    if bare.islower():
        return name  # somebody's own name, not put together as the library does
    words = _WORD.findall(bare)
    spoken = (word if word.isupper() and len(word) > 1 else word.lower() for word in words)
    told = " ".join(_SPOKEN.get(word, word) for word in spoken) or name
    return told[:1].upper() + told[1:]
