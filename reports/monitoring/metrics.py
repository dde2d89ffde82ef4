"""Numbers for Prometheus: of the database, and of the requests to all page processes of this host."""

import os
import threading
import time
from collections.abc import Iterator

from django.db.models import Count, Q, Sum
from django.utils import timezone
from django_q.models import OrmQ
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from reports.models import Comparison, ComparisonStatus, Proxy, ProxyStatus, Run, RunStatus, WorkerHeartbeat

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4
KEPT_S = 5.0  # scraped more often, the last text is given: counting 100,000 runs takes a moment
EXTRACTION_S = (0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600)
REQUEST_S = (0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}


class StoredNumbers(Collector):
    """What the database knows, counted when it is asked for: true however many processes and hosts work."""

    def describe(self) -> list[Metric]:
        """Name nothing in advance: the database is not asked at start."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Yield each number."""
        yield _by("upreg_runs", "Runs by status", "status", _counted(Run, "status", RunStatus.values))
        failed = Run.objects.filter(status=RunStatus.FAILED).order_by().values_list("outcome").annotate(Count("pk"))
        causes = {outcome or "worker": count for outcome, count in failed}
        yield _by("upreg_failed_runs", "Failed runs by cause", "cause", causes)
        kinds = _counted(Comparison, "status", ComparisonStatus.values)
        yield _by("upreg_comparisons", "Comparisons by status", "status", kinds)
        proxies = _counted(Proxy, "status", ProxyStatus.values)
        yield _by("upreg_proxies", "Films for the players by status", "status", proxies)
        yield _by(
            "upreg_queue_tasks", "Tasks in the broker: due, or lying with a worker or put off", "state", _tasks()
        )
        living = WorkerHeartbeat.objects.living().order_by().values_list("state").annotate(Sum("processes"))
        yield _by("upreg_worker_processes", "Processes of living workers, by what they do", "state", dict(living))
        yield _extraction_seconds()


REGISTRY = CollectorRegistry()
REGISTRY.register(StoredNumbers())
# Several page processes count in files of one folder (reports/launch/page_processes.py), and each tells the sum.
_TOGETHER = None if "PROMETHEUS_MULTIPROC_DIR" in os.environ else REGISTRY
if _TOGETHER is None:
    MultiProcessCollector(REGISTRY)
_REQUESTS = Counter(
    "upreg_http_requests", "Requests answered by this host", ["route", "method", "status"], registry=_TOGETHER
)
_REQUEST_S = Histogram(
    "upreg_http_request_seconds", "Seconds until an answer began", ["route"], buckets=REQUEST_S, registry=_TOGETHER
)


def observe_request(*, route: str, method: str, status: int, took_s: float) -> None:
    """Count a request. Labels come from our own names alone, so that no client can make up a million of them."""
    _REQUESTS.labels(route, method if method in METHODS else "other", str(status)).inc()
    _REQUEST_S.labels(route).observe(took_s)


class _Text:
    """The last text, made by one request at a time."""

    def __init__(self) -> None:
        self.lock, self.text, self.until = threading.Lock(), b"", float("-inf")


_last = _Text()


def metrics_text() -> bytes:
    """Return all numbers in Prometheus' text format, at most five seconds old."""
    with _last.lock:
        if time.monotonic() >= _last.until:
            _last.text = generate_latest(REGISTRY)
            _last.until = time.monotonic() + KEPT_S
        return _last.text


def _by(name: str, words: str, label: str, values: dict[str, int]) -> Metric:
    family = GaugeMetricFamily(name, words, labels=[label])
    for value, count in sorted(values.items()):
        family.add_metric([value], count)
    return family


def _counted(model: type[Run] | type[Comparison] | type[Proxy], field: str, known: list[str]) -> dict[str, int]:
    """Count rows by a field; 0 for a known value that no row has, so that alerts see it fall to nothing."""
    rows = model._default_manager.order_by().values_list(field).annotate(Count("pk"))
    return dict.fromkeys(known, 0) | dict(rows)


def _tasks() -> dict[str, int]:
    """Count the broker's rows: one is locked until later while a worker has it, or when it is to be tried later."""
    total = OrmQ.objects.count()
    taken = OrmQ.objects.filter(lock__gt=timezone.now()).count()
    return {"waiting": total - taken, "taken": taken}


def _extraction_seconds() -> Metric:
    """Return how long the runs' last measurements took, from what is stored with each."""
    measured = Run.objects.filter(measuring_s__isnull=False).order_by()
    sums = {f"le_{at}": Count("pk", filter=Q(measuring_s__lte=at)) for at in EXTRACTION_S}
    sums = {name.replace(".", "_"): count for name, count in sums.items()}
    row = measured.aggregate(total=Sum("measuring_s"), count=Count("pk"), **sums)
    buckets = [(str(float(at)), row[f"le_{at}".replace(".", "_")]) for at in EXTRACTION_S]
    family = HistogramMetricFamily("upreg_extraction_seconds", "Seconds that the last measurement of each run took")
    family.add_metric([], [*buckets, ("+Inf", row["count"])], sum_value=row["total"] or 0.0)
    return family
