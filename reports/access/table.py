"""Who may do what: the one table that addresses, pages, templates and the API read (docs/access.md is made of it).

A capability is something that people do, with the least role that may do it. Each address names the methods that it
answers and the capability that each of them takes; an address that is not named here is open to nobody. A token
does what its scopes name, as far as the role of its owner may.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from reports.models import Role, TokenScope

PUBLIC = "public"  # for whoever reaches the server, without a login
NAMESPACE = "*"  # ends the name of a whole namespace


@dataclass(frozen=True)
class Capability:
    """Something that people do. ``words`` go on after "may", ``role`` is the least that may."""

    name: str
    role: Role
    words: str


CAPABILITIES: Mapping[str, Capability] = {
    row.name: row
    for row in (
        Capability(
            "read", Role.VIEWER, "read every page, number and recording, and try a policy without saving it"
        ),
        Capability("export", Role.VIEWER, "take away CSV, JSON, bug reports, release reports and labels"),
        Capability("account", Role.VIEWER, "look after their own account"),
        Capability("compare", Role.TRIAGER, "have two versions compared, or compared again"),
        Capability(
            "triage",
            Role.TRIAGER,
            "decide about findings: state, assignee, date, note, issues, and take it back; put notes on versions",
        ),
        Capability(
            "bisect",
            Role.TRIAGER,
            "search for the version that made an interaction slower: start a bisection, skip versions, finish it",
        ),
        Capability("correct", Role.TRIAGER, "correct what was measured on a run: action, response, finish"),
        Capability("exclude", Role.TRIAGER, "keep runs out of comparisons, and let them in again"),
        Capability("retry", Role.TRIAGER, "have runs measured again"),
        Capability("import", Role.TRIAGER, "bring in recordings"),
        Capability("policy", Role.POLICY_OWNER, "save thresholds and the rules of the gate"),
        Capability("scope", Role.POLICY_OWNER, "save and delete scopes"),
        Capability("waiver", Role.POLICY_OWNER, "waive regressions, second, refuse and withdraw waivers"),
        Capability("gate", Role.POLICY_OWNER, "record decisions of the release gate"),
        Capability("pin", Role.POLICY_OWNER, "pin a version as the baseline"),
        Capability("catalogue", Role.ADMINISTRATOR, "change versions, apps, devices, interactions and their areas"),
        Capability("trackers", Role.ADMINISTRATOR, "set up issue trackers and their tokens"),
        Capability("people", Role.ADMINISTRATOR, "let people in and out, and give them roles and passwords"),
        Capability(
            "webhooks",
            Role.ADMINISTRATOR,
            "have other services told of what happens (webhooks), see what was sent, and send it again",
        ),
        Capability("audit", Role.ADMINISTRATOR, "read the audit log, and take it away as CSV"),
        Capability("administration", Role.ADMINISTRATOR, "look into what is stored, under /admin/"),
    )
}

_READING = frozenset({"read", "export"})  # each scope includes it
# scope of a token → the capabilities that it has, where the role of its owner has them as well
SCOPES: Mapping[TokenScope, frozenset[str]] = {
    TokenScope.READ: _READING,
    TokenScope.UPLOAD: _READING | {"import"},
    TokenScope.TRIAGE: _READING | {"compare", "triage", "bisect", "correct", "exclude", "retry"},
    TokenScope.ADMIN: _READING | {"policy", "scope", "waiver", "gate", "pin", "catalogue", "import"},
}

# capability → methods → names of addresses. GET stands for HEAD, too; the API's are those of "api".
_ADDRESSES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    PUBLIC: {
        "GET": (
            "favicon",
            "sign-on",
            "sign-on-back",
            "admin:login",  # leads to our own login
        ),
        # by a link that was handed over or sent
        "GET POST": ("login", "forgotten", "account-reset", "notices-off"),
    },
    "read": {
        "GET": (
            "home",
            "assigned",  # to whoever looks
            "versions",
            "version",
            "apps",
            "devices",
            "interactions",
            "app",
            "app-edit",
            "catalogue-device",
            "catalogue-interaction",
            "people",
            "ranking",
            "ranking-plan",
            "ranking-state",
            "gate-pair",
            "history",
            "history-app",
            "history-course",
            "history-releases",
            "history-state",
            "bisections",
            "bisection",
            "bisection-state",
            "gate",
            "gate-record",
            "waivers",
            "policy",
            "scopes",
            "runs",
            "doubtful",
            "runs-actions",
            "batches",
            "batch",
            "batch-state",
            "run-detail",
            "import-log",
            "import-record",
            "run-video",
            "run-frame",
            "run-changes",
            "run-proxy",
            "drilldown",
            "api-run-series",
            "api-run-playback",
            "api-pair-plots",
            "queue",
            "search",
            "search-live",
            "help",
            "help-image",
            "help-page",
            "api:docs",
            "api:schema",
            "api:versions-list",
            "api:versions-detail",
            "api:apps-list",
            "api:apps-detail",
            "api:devices-list",
            "api:devices-detail",
            "api:interactions-list",
            "api:interactions-detail",
            "api:runs-list",
            "api:runs-detail",
            "api:runs-series",
            "api:runs-actions",
            "api:comparisons-list",
            "api:comparisons-detail",
            "api:comparisons-results",
            "api:comparisons-gate",
            "api:policies-list",
            "api:policies-detail",
            "api:waivers-list",
            "api:waivers-detail",
            "api:scopes-list",
            "api:scopes-detail",
            "api:decisions-list",
            "api:decisions-detail",
            "api:trackers-list",
            "api:issues-list",
            "api:issues-detail",
            "api:triage-list",
            "api:history-list",
            "api:history-detail",
            "api:history-releases",
            "api:batches-list",
            "api:batches-detail",
            "api:bisections-list",
            "api:bisections-detail",
            "api:uploads-detail",  # of whoever began it
        ),
        "GET POST": ("api-run-proxy",),  # asks for a copy of the recording that can be stepped through
        "POST": ("policy-preview", "api:policies-preview"),
    },
    "export": {
        "GET": (
            "ranking-plan-csv",
            "history-csv",
            "history-releases-csv",
            "bisection-manifest",
            "history-releases-report",
            "ranking-csv",
            "ranking-json",
            "gate-file",
            "labels",
            "import-refused",
            "bug-report",
            "release-report",
            "recorded-report",
            "api:comparisons-report",
            "api:comparisons-bug-report",
        ),
    },
    "account": {
        "GET": ("account", "account-notice"),
        "GET POST": ("account-notices", "account-password", "account-mail", "account-sign-on", "tokens"),
        "POST": ("logout", "account-session-end", "account-sessions-end", "account-sign-on-end", "token-revoke"),
    },
    "import": {
        "GET POST": ("imports", "import-staged-action"),
        "GET": ("import-staged", "import-staged-state", "import-staged-frame"),
        "POST": (
            "batches",
            "batch-complete",
            "batch-reopen",
            "batch-note",
            "api:batches-list",
            "api:batches-complete",
            "api:batches-reopen",
            "imports-sent",
            "import-staged-say",
            "import-staged-start",
            "import-staged-drop",
            "api:runs-list",
        ),
        "OPTIONS POST": ("api:uploads-list",),
        "PATCH": ("api:batches-detail",),
        "PATCH DELETE": ("api:uploads-detail",),
    },
    "compare": {"POST": ("compare-start", "api:comparisons-list")},
    "triage": {
        "GET POST": ("issue-new",),
        "POST": (
            "triage",
            "triage-undo",
            "history-note-add",
            "history-note-hide",
            "issue-again",
            "api:triage-list",
            "api:triage-undo",
            "api:history-notes",
            "api:issues-list",
            "api:issues-again",
        ),
        "DELETE": ("api:history-note",),
    },
    "bisect": {
        "POST": (
            *("bisections", "bisection-skip", "bisection-finish"),
            *("api:bisections-list", "api:bisections-skip", "api:bisections-finish"),
        )
    },
    "correct": {
        "POST": (
            *("run-action", "run-action-undo", "runs-actions-confirm", "run-correct", "run-correct-undo"),
            "api:runs-correct",
        )
    },
    "exclude": {
        "GET POST": ("triage-exclude",),
        "POST": ("triage-include", "run-exclude", "run-include", "api:runs-exclude", "api:runs-include"),
    },
    "retry": {
        "POST": (
            "run-retry",
            "runs-retry",
            "runs-retry-revisions",
            "batch-retry",
            "api:runs-retry",
            "api:batches-retry",
        )
    },
    "policy": {"POST": ("policy-save", "api:policies-detail")},
    "scope": {"POST": ("scope-save", "scope-delete"), "PUT DELETE": ("api:scopes-detail",)},
    "waiver": {
        "POST": (
            "waiver-add",
            "waiver-second",
            "waiver-refuse",
            "waiver-withdraw",
            "api:waivers-list",
            "api:waivers-approve",
            "api:waivers-refuse",
            "api:waivers-withdraw",
        ),
    },
    "gate": {"POST": ("gate-decide", "api:comparisons-gate")},
    "pin": {"POST": ("version-pin", "version-unpin", "api:versions-pin", "api:versions-unpin")},
    "catalogue": {
        "POST": (
            "version-save",
            "app-save",
            "app-critical",
            "interaction-save",
            "catalogue-area-add",
            "catalogue-area-remove",
            "catalogue-again",
            "run-type",
            "run-area-add",
            "run-area-remove",
            "api:apps-areas",
            "api:apps-areas-remove",
            "api:apps-again",
            "api:devices-areas",
            "api:devices-areas-remove",
            "api:devices-again",
            "api:interactions-areas",
            "api:interactions-areas-remove",
            "api:interactions-again",
        ),
        "PATCH": ("api:versions-detail", "api:apps-detail", "api:interactions-detail"),
    },
    "trackers": {
        "GET": ("trackers",),
        "GET POST": ("tracker-add", "tracker-edit"),
        "POST": ("tracker-remove",),
    },
    "people": {
        "GET POST": ("person-add", "person-mail", "person-password", "person-role"),
        "POST": ("person-active", "person-link", "person-sessions-end", "lockout-lift"),
    },
    "webhooks": {
        "GET": ("webhooks", "deliveries"),
        "GET POST": ("webhook", "webhook-add"),
        "POST": ("webhook-test", "webhook-secret", "webhook-delete", "delivery-again"),
    },
    "audit": {"GET": ("audit", "audit-csv")},
    "administration": {"GET POST": ("admin:*",)},
}


def _rows() -> Iterator[tuple[str, str, str]]:
    for capability, by_methods in _ADDRESSES.items():
        for methods, names in by_methods.items():
            yield from ((name, method, capability) for name in names for method in methods.split())


def _by_address() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for name, method, capability in _rows():
        if method in found.setdefault(name, {}):
            raise ValueError(f"the table names {method} of {name!r} twice")
        if capability != PUBLIC and capability not in CAPABILITIES:
            raise ValueError(f"the table gives {name!r} the capability {capability!r}, which is not described")
        found[name][method] = capability
    return found


ADDRESSES: Mapping[str, Mapping[str, str]] = _by_address()


def methods_of(address: str) -> Mapping[str, str]:
    """Return method → capability of an address by its URL name; nothing for one that the table does not name."""
    if address in ADDRESSES:
        return ADDRESSES[address]
    namespace, found, _ = address.partition(":")
    return ADDRESSES.get(f"{namespace}:{NAMESPACE}", {}) if found else {}


def capability_for(address: str, method: str) -> str | None:
    """Return what a request takes: a capability, PUBLIC, or None if the address does not answer that method."""
    return methods_of(address).get("GET" if method == "HEAD" else method)
