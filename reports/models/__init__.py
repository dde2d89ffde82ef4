"""All tables, one module per subject."""

from reports.models.catalogue import App, Device, Interaction, InteractionType, OsVersion
from reports.models.comparisons import Comparison, ComparisonStatus, Result
from reports.models.measured import FrameSeriesRecord, Measurement
from reports.models.runs import Run, RunStatus
from reports.models.workers import WorkerHeartbeat

__all__ = [
    "App",
    "Comparison",
    "ComparisonStatus",
    "Device",
    "FrameSeriesRecord",
    "Interaction",
    "InteractionType",
    "Measurement",
    "OsVersion",
    "Result",
    "Run",
    "RunStatus",
    "WorkerHeartbeat",
]
