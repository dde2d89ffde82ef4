from analysis.metrics.base import Judged, Metric
from analysis.metrics.benchmarks import BENCHMARK, benchmark_metric, is_judged
from analysis.metrics.registry import EVERY_METRIC, METRICS, compute_metrics

__all__ = [
    "BENCHMARK", "EVERY_METRIC", "METRICS", "Judged", "Metric", "benchmark_metric", "compute_metrics", "is_judged",
]  # fmt: skip
