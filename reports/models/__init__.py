"""All tables, one module per subject."""

from reports.models.catalogue import App, Device, Interaction, InteractionType, OsVersion
from reports.models.comparisons import Comparison, ComparisonStatus, Result
from reports.models.measured import FrameSeriesRecord, Measurement
from reports.models.policy import GateRecord, PolicyVersion, Scope, Waiver
from reports.models.proxies import Proxy, ProxyStatus
from reports.models.runs import Run, RunStatus
from reports.models.workers import WorkerHeartbeat

__all__ = [
    "App",
    "Comparison",
    "ComparisonStatus",
    "Device",
    "FrameSeriesRecord",
    "GateRecord",
    "Interaction",
    "InteractionType",
    "Measurement",
    "OsVersion",
    "PolicyVersion",
    "Proxy",
    "ProxyStatus",
    "Result",
    "Run",
    "RunStatus",
    "Scope",
    "Waiver",
    "WorkerHeartbeat",
]
