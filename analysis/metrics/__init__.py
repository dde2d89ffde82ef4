from analysis.metrics.base import Judged, Metric
from analysis.metrics.registry import EVERY_METRIC, METRICS, compute_metrics

__all__ = ["EVERY_METRIC", "METRICS", "Judged", "Metric", "compute_metrics"]
