"""Files of results as AndroidX benchmarks write them, with invented numbers; what they print is computed here.

The percentiles are those of the format: over the samples of all iterations, at rank p (n − 1) / 100 with straight
lines between ranks, in plain Python and not by what is tested.
"""

import json
from statistics import median

CONTEXT = {
    "build": {
        "brand": "acme", "device": "anvil", "model": "Anvil 3", "version": {"sdk": 33},
        "fingerprint": "acme/anvil/anvil:13/TQ1A.1/100:user/release-keys",
    },
    "cpuCoreCount": 8, "cpuLocked": False, "cpuMaxFreqHz": 2000000000, "memTotalBytes": 4000000000,
    "sustainedPerformanceModeEnabled": False,
}  # fmt: skip
CLASS = "org.example.mail.benchmark.ScrollBenchmark"


def printed(samples):
    """Return P50, P90, P95 and P99 as a file prints them."""
    ordered = sorted(samples)

    def at(percent):
        rank = percent * (len(ordered) - 1) / 100
        below = int(rank)
        above = min(below + 1, len(ordered) - 1)
        return ordered[below] + (rank - below) * (ordered[above] - ordered[below])

    return {f"P{percent}": at(percent) for percent in (50, 90, 95, 99)}


def benchmark(name="scroll", *, metrics=None, sampled=None, **values):
    """Return one benchmark: values by metric, and lists of samples (one an iteration) by metric."""
    metrics, sampled = metrics or {}, sampled or {}
    lengths = [len(runs) for runs in (*metrics.values(), *sampled.values())]
    return {
        "name": name, "params": {}, "className": CLASS, "totalRunTimeNs": 5_000_000_000,
        "metrics": {
            key: {"minimum": min(runs), "maximum": max(runs), "median": median(runs), "runs": runs}
            for key, runs in metrics.items()
        },
        "sampledMetrics": {
            key: {**printed([value for run in runs for value in run]), "runs": runs}
            for key, runs in sampled.items()
        },
        "warmupIterations": 1, "repeatIterations": max(lengths, default=0), "thermalThrottleSleepSeconds": 0,
        **values,
    }  # fmt: skip


def results(*benchmarks, **context):
    return {"context": {**CONTEXT, **context}, "benchmarks": list(benchmarks)}


def written(folder, *benchmarks, name="mail-benchmarkData.json", **context):
    """Write a file of results and return its path."""
    path = folder / name
    path.write_text(json.dumps(results(*benchmarks, **context)))
    return path


def startup(values, *, name="startup", run_time_ns=1):
    """Return a benchmark of a cold start."""
    return benchmark(name, metrics={"timeToInitialDisplayMs": list(values)}, totalRunTimeNs=run_time_ns)
