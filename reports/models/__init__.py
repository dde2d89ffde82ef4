"""All tables, one module per subject."""

from reports.models.audit import Action, AuditEntry, Subject
from reports.models.batches import Batch
from reports.models.bisections import Bisection
from reports.models.catalogue import App, Device, Interaction, InteractionType, OsVersion
from reports.models.comparisons import Comparison, ComparisonStatus, Result
from reports.models.files import FileState, StoredFile
from reports.models.history import Annotation, AppLevel, Course, HistoryStatus, Level, VersionHistory
from reports.models.imports import ImportRecord, ImportState, RefusedLine
from reports.models.measured import Confidence, Correction, FrameSeriesRecord, Measurement, Moment
from reports.models.notifying import Delivery, DeliveryStatus, Event, Notice, Preference, Webhook, WebhookForm
from reports.models.people import LoginSession, Role, RoleGrant, SignOn
from reports.models.policy import GateRecord, PolicyVersion, Scope, Waiver
from reports.models.proxies import Proxy, ProxyStatus
from reports.models.runs import Run, RunStatus, WorkerHeartbeat, WorkerState
from reports.models.staged import StagedFile, StagedImport, StagedKind, StagedStatus
from reports.models.tokens import ApiToken, TokenScope
from reports.models.trackers import Issue, IssueState, IssueStatus, Tracker, TrackerKind
from reports.models.triage import OPEN_STATES, TriageEntry, TriageState
from reports.models.uploads import Upload, UploadPart

__all__ = [
    "OPEN_STATES",
    "Action",
    "Annotation",
    "ApiToken",
    "App",
    "AppLevel",
    "AuditEntry",
    "Batch",
    "Bisection",
    "Comparison",
    "ComparisonStatus",
    "Confidence",
    "Correction",
    "Course",
    "Delivery",
    "DeliveryStatus",
    "Device",
    "Event",
    "FileState",
    "FrameSeriesRecord",
    "GateRecord",
    "HistoryStatus",
    "ImportRecord",
    "ImportState",
    "Interaction",
    "InteractionType",
    "Issue",
    "IssueState",
    "IssueStatus",
    "Level",
    "LoginSession",
    "Measurement",
    "Moment",
    "Notice",
    "OsVersion",
    "PolicyVersion",
    "Preference",
    "Proxy",
    "ProxyStatus",
    "RefusedLine",
    "Result",
    "Role",
    "RoleGrant",
    "Run",
    "RunStatus",
    "Scope",
    "SignOn",
    "StagedFile",
    "StagedImport",
    "StagedKind",
    "StagedStatus",
    "StoredFile",
    "Subject",
    "TokenScope",
    "Tracker",
    "TrackerKind",
    "TriageEntry",
    "TriageState",
    "Upload",
    "UploadPart",
    "VersionHistory",
    "Waiver",
    "Webhook",
    "WebhookForm",
    "WorkerHeartbeat",
    "WorkerState",
]
