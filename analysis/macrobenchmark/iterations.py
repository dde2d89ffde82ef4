"""From a benchmark to one value of each metric an iteration: what a comparison takes for one run.

Frames of one iteration are not independent: they share the process, its caches, the temperature. A rank test over
frames would take thousands of them for as many runs and find every difference significant. So an iteration gives
each percentile of its own frames, each a metric of its own, and the iterations are what is compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.macrobenchmark.reader import Benchmark
from analysis.metrics.benchmarks import PERCENTILES, key_of

HOW = "a percentile of the frames of one iteration, straight lines between ranks"


@dataclass(frozen=True, slots=True)
class Iteration:
    """One iteration: ``number`` from 1, values by key, and of how many samples (frames) each sampled metric is."""

    number: int
    values: Mapping[str, float]
    samples: Mapping[str, int]


def iterations_of(benchmark: Benchmark) -> list[Iteration]:
    """Return the iterations in their order; a metric without a value in one (no frame was drawn) is missing there.

    A metric with fewer values than there are iterations stands in the first of them: the file does not say which
    were left out, and a comparison does not ask.
    """
    lengths = [len(values) for values in benchmark.single.values()]
    lengths += [len(each.iterations) for each in benchmark.sampled]
    found = [_iteration(benchmark, place) for place in range(max(lengths, default=0))]
    return [each for each in found if each.values]


def percentiles(samples: Sequence[float]) -> dict[int, float]:
    """Return P50, P90, P95 and P99 of the samples, at rank p · (n − 1) / 100 with linear interpolation.

    That is how the library computes those that it prints, over the samples of all iterations together.
    """
    return dict(zip(PERCENTILES, np.percentile(np.asarray(samples, float), PERCENTILES).tolist(), strict=True))


def _iteration(benchmark: Benchmark, place: int) -> Iteration:
    values = {key_of(name): runs[place] for name, runs in benchmark.single.items() if place < len(runs)}
    samples = {}
    for each in benchmark.sampled:
        frames = each.iterations[place] if place < len(each.iterations) else ()
        if frames:
            samples[key_of(each.name)] = len(frames)
            values |= {key_of(each.name, at): value for at, value in percentiles(frames).items()}
    return Iteration(place + 1, values, samples)
