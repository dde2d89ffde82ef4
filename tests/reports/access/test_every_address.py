"""Every address and method, as each role and as nobody. What is expected is written here by hand."""

import logging
import re
from functools import lru_cache

import pytest
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.test import Client
from django.urls import URLResolver, get_resolver, resolve
from rest_framework.exceptions import MethodNotAllowed

from reports.access.guard import RoleBackend
from reports.access.services import set_role
from reports.models import Role
from reports.tokens import authentication
from reports.tokens.services import make_token

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
ROLES = ("viewer", "triager", "policy owner", "administrator")  # each may do what those before it may
NOBODY = "nobody"
EVERYBODY, V, T, P, A = (NOBODY, *ROLES)

# name: (least role that may GET, least role that may POST), or each method by its name; None: not answered.
EXPECTED = {
    "login": (EVERYBODY, EVERYBODY),
    "favicon": (EVERYBODY, None),
    "logout": (None, V),
    "home": (V, None),
    "assigned": (V, None),
    "compare-start": (None, T),
    "versions": (V, None),
    "version": (V, None),
    "version-save": (None, A),
    "version-pin": (None, P),
    "version-unpin": (None, P),
    "apps": (V, None),
    "devices": (V, None),
    "interactions": (V, None),
    "app": (V, None),
    "app-edit": (V, None),
    "app-save": (None, A),
    "app-critical": (None, A),
    "catalogue-device": (V, None),
    "catalogue-interaction": (V, None),
    "interaction-save": (None, A),
    "catalogue-area-add": (None, A),
    "catalogue-area-remove": (None, A),
    "catalogue-again": (None, A),
    "people": (V, None),
    "person-add": (A, A),
    "person-role": (A, A),
    "person-mail": (A, A),
    "person-password": (A, A),
    "person-active": (None, A),
    "lockout-lift": (None, A),
    "person-link": (None, A),
    "person-sessions-end": (None, A),
    "sign-on": (EVERYBODY, None),
    "sign-on-back": (EVERYBODY, None),
    "account": (V, None),
    "account-notices": (V, V),
    "account-notice": (V, None),
    "webhooks": (A, None),
    "webhook": (A, A),
    "webhook-add": (A, A),
    "webhook-test": (None, A),
    "webhook-secret": (None, A),
    "webhook-delete": (None, A),
    "deliveries": (A, None),
    "delivery-again": (None, A),
    "notices-off": (EVERYBODY, EVERYBODY),
    "account-password": (V, V),
    "account-mail": (V, V),
    "account-sign-on": (V, V),
    "account-sign-on-end": (None, V),
    "forgotten": (EVERYBODY, EVERYBODY),
    "account-session-end": (None, V),
    "account-sessions-end": (None, V),
    "account-reset": (EVERYBODY, EVERYBODY),
    "issue-new": (T, T),
    "issue-again": (None, T),
    "trackers": (A, None),
    "tracker-add": (A, A),
    "tracker-edit": (A, A),
    "tracker-remove": (None, A),
    "ranking": (V, None),
    "ranking-plan": (V, None),
    "ranking-plan-csv": (V, None),
    "ranking-state": (V, None),
    "ranking-csv": (V, None),
    "ranking-json": (V, None),
    "gate": (V, None),
    "gate-pair": (V, None),
    "history": (V, None),
    "history-app": (V, None),
    "history-course": (V, None),
    "history-csv": (V, None),
    "history-note-add": (None, T),
    "history-note-hide": (None, T),
    "history-releases": (V, None),
    "bisections": (V, T),
    "bisection": (V, None),
    "bisection-state": (V, None),
    "bisection-manifest": (V, None),
    "bisection-skip": (None, T),
    "bisection-finish": (None, T),
    "history-releases-csv": (V, None),
    "history-releases-report": (V, None),
    "history-state": (V, None),
    "gate-decide": (None, P),
    "gate-record": (V, None),
    "gate-file": (V, None),
    "waivers": (V, None),
    "waiver-add": (None, P),
    "waiver-withdraw": (None, P),
    "waiver-second": (None, P),
    "waiver-refuse": (None, P),
    "policy": (V, None),
    "policy-preview": (None, V),
    "policy-save": (None, P),
    "scopes": (V, None),
    "scope-save": (None, P),
    "scope-delete": (None, P),
    "runs": (V, None),
    "doubtful": (V, None),
    "runs-retry": (None, T),
    "runs-retry-revisions": (None, T),
    "batches": (V, T),
    "batch-reopen": (None, T),
    "batch-note": (None, T),
    "batch": (V, None),
    "batch-state": (V, None),
    "batch-complete": (None, T),
    "batch-retry": (None, T),
    "run-detail": (V, None),
    "runs-actions": (V, None),
    "runs-actions-confirm": (None, T),
    "run-action": (None, T),
    "run-action-undo": (None, T),
    "run-type": (None, A),
    "run-area-add": (None, A),
    "run-area-remove": (None, A),
    "run-retry": (None, T),
    "run-exclude": (None, T),
    "run-include": (None, T),
    "run-correct": (None, T),
    "run-correct-undo": (None, T),
    "labels": (V, None),
    "imports": (T, T),
    "imports-sent": (None, T),
    "import-staged": (T, None),
    "import-staged-state": (T, None),
    "import-staged-action": (T, T),
    "import-staged-frame": (T, None),
    "import-staged-say": (None, T),
    "import-staged-start": (None, T),
    "import-staged-drop": (None, T),
    "import-log": (V, None),
    "import-record": (V, None),
    "import-refused": (V, None),
    "run-video": (V, None),
    "run-frame": (V, None),
    "run-changes": (V, None),
    "run-proxy": (V, None),
    "drilldown": (V, None),
    "api-run-series": (V, None),
    "api-run-playback": (V, None),
    "api-run-proxy": (V, V),
    "api-pair-plots": (V, None),
    "triage": (None, T),
    "triage-exclude": (T, T),
    "triage-include": (None, T),
    "triage-undo": (None, T),
    "bug-report": (V, None),
    "release-report": (V, None),
    "recorded-report": (V, None),
    "audit": (A, None),
    "audit-csv": (A, None),
    "queue": (V, None),
    "search": (V, None),
    "search-live": (V, None),
    "help": (V, None),
    "help-image": (V, None),
    "help-page": (V, None),
    "tokens": (V, V),
    "token-revoke": (None, V),
    "api:docs": (V, None),
    "api:schema": (V, None),
    "api:versions-list": (V, None),
    "api:versions-detail": {"GET": V, "PATCH": A},
    "api:versions-pin": (None, P),
    "api:versions-unpin": (None, P),
    "api:apps-list": (V, None),
    "api:apps-detail": {"GET": V, "PATCH": A},
    "api:apps-areas": (None, A),
    "api:apps-areas-remove": (None, A),
    "api:apps-again": (None, A),
    "api:devices-list": (V, None),
    "api:devices-detail": (V, None),
    "api:devices-areas": (None, A),
    "api:devices-areas-remove": (None, A),
    "api:devices-again": (None, A),
    "api:interactions-list": (V, None),
    "api:interactions-detail": {"GET": V, "PATCH": A},
    "api:interactions-areas": (None, A),
    "api:interactions-areas-remove": (None, A),
    "api:interactions-again": (None, A),
    "api:runs-list": (V, T),
    "api:runs-detail": (V, None),
    "api:runs-series": (V, None),
    "api:runs-actions": (V, None),
    "api:comparisons-list": (V, T),
    "api:comparisons-detail": (V, None),
    "api:comparisons-results": (V, None),
    "api:comparisons-gate": (V, P),
    "api:comparisons-report": (V, None),
    "api:comparisons-bug-report": (V, None),
    "api:policies-list": (V, None),
    "api:policies-detail": (V, P),
    "api:policies-preview": (None, V),
    "api:waivers-list": (V, P),
    "api:waivers-detail": (V, None),
    "api:waivers-approve": (None, P),
    "api:waivers-refuse": (None, P),
    "api:waivers-withdraw": (None, P),
    "api:scopes-list": (V, None),
    "api:scopes-detail": {"GET": V, "PUT": P, "DELETE": P},
    "api:decisions-list": (V, None),
    "api:decisions-detail": (V, None),
    "api:trackers-list": (V, None),
    "api:issues-list": (V, T),
    "api:issues-detail": (V, None),
    "api:issues-again": (None, T),
    "api:history-list": (V, None),
    "api:history-detail": (V, None),
    "api:history-notes": (None, T),
    "api:history-note": {"DELETE": T},
    "api:history-releases": (V, None),
    "api:triage-list": (V, T),
    "api:triage-undo": (None, T),
    "api:runs-exclude": (None, T),
    "api:runs-include": (None, T),
    "api:runs-retry": (None, T),
    "api:runs-correct": (None, T),
    "api:batches-list": (V, T),
    "api:batches-detail": {"GET": V, "PATCH": T},
    "api:batches-reopen": (None, T),
    "api:batches-complete": (None, T),
    "api:batches-retry": (None, T),
    "api:bisections-list": (V, T),
    "api:bisections-detail": (V, None),
    "api:bisections-skip": (None, T),
    "api:bisections-finish": (None, T),
    "api:uploads-list": {"POST": T, "OPTIONS": T},
    "api:uploads-detail": {"GET": V, "PATCH": T, "DELETE": T},
}
# What the API does beside reading: the scopes of a token that may, if its owner may.
SCOPES = ("read", "upload", "triage", "admin")
BY_TOKEN = {
    "api-run-proxy": SCOPES,
    **dict.fromkeys(
        (
            *("api:versions-detail", "api:versions-pin", "api:versions-unpin"),
            *("api:apps-detail", "api:apps-areas", "api:apps-areas-remove", "api:apps-again"),
            *("api:devices-areas", "api:devices-areas-remove", "api:devices-again"),
            *("api:interactions-detail", "api:interactions-areas", "api:interactions-areas-remove"),
            "api:interactions-again",
        ),
        ("admin",),
    ),
    "api:comparisons-list": ("triage",),
    "api:comparisons-gate": ("admin",),
    "api:policies-detail": ("admin",),
    "api:policies-preview": SCOPES,
    "api:waivers-list": ("admin",),
    "api:waivers-approve": ("admin",),
    "api:waivers-refuse": ("admin",),
    "api:waivers-withdraw": ("admin",),
    "api:scopes-detail": ("admin",),
    "api:bisections-list": ("triage",),
    "api:bisections-skip": ("triage",),
    "api:bisections-finish": ("triage",),
    "api:issues-list": ("triage",),
    "api:issues-again": ("triage",),
    "api:history-notes": ("triage",),
    "api:history-note": ("triage",),
    "api:triage-list": ("triage",),
    "api:triage-undo": ("triage",),
    "api:runs-exclude": ("triage",),
    "api:runs-include": ("triage",),
    "api:runs-retry": ("triage",),
    "api:runs-correct": ("triage",),
    "api:batches-list": ("upload", "admin"),
    "api:batches-detail": ("upload", "admin"),
    "api:batches-complete": ("upload", "admin"),
    "api:batches-reopen": ("upload", "admin"),
    "api:batches-retry": ("triage",),
    "api:runs-list": ("upload", "admin"),
    "api:uploads-list": ("upload", "admin"),
    "api:uploads-detail": ("upload", "admin"),
}
LEADS_TO_THE_LOGIN = "admin:login"
ADMIN = "admin:"
VALUES = {"int": "1", "uuid": "00000000-0000-0000-0000-000000000001"}
CONVERTER = re.compile(r"<(?:(\w+):)?\w+>")
PASSED, REFUSED, TO_LOGIN, NO_SUCH_METHOD = "passed", "refused", "to the login", "no such method"


def addresses():
    """Return [(name, address with made-up values)] of everything that the program answers."""
    found = []

    def walk(patterns, namespace, before):
        for pattern in patterns:
            text = before + CONVERTER.sub(lambda match: VALUES.get(match[1], "x"), _plain(pattern.pattern))
            if isinstance(pattern, URLResolver):
                walk(pattern.url_patterns, f"{pattern.namespace}:" if pattern.namespace else namespace, text)
            else:
                found.append((f"{namespace}{pattern.name or ''}", text))

    walk(get_resolver().url_patterns, "", "/")
    return found


def _plain(pattern):
    """Return a route as it is; of the admin's two regular expressions an address that fits."""
    text = str(pattern)
    return {r"^(?P<app_label>auth|django_q|reports)/$": "auth/", r"(?P<url>.*)$": "no-such-thing"}.get(text, text)


class _Stub:
    """Stand in for every view, behind everything that guards it."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        return self.get_response(request)

    def process_view(self, request, view, args, kwargs):
        return HttpResponse(status=_status(request, view) if hasattr(view, "cls") else 200)


def _status(request, view):
    """Ask the permission classes that an API view asks inside, with the login that it finds itself."""
    found = view.cls(**view.initkwargs)
    found.action_map = getattr(view, "actions", {})
    asked = found.initialize_request(request)
    try:
        allowed = all(each().has_permission(asked, view) for each in view.cls.permission_classes)
    except MethodNotAllowed:
        return 405
    except PermissionDenied:
        return 403
    return 200 if allowed else 403 if asked.user.is_authenticated else 401


@pytest.fixture
def visitors(db, django_user_model, settings):
    settings.SESSION_ENGINE = "django.contrib.sessions.backends.signed_cookies"  # thousands of requests
    found = {NOBODY: Client()}
    for role in ROLES:
        person = django_user_model.objects.create_user(username=role)
        set_role(person=person, role=Role(role.replace(" ", "_")), by=None)
        found[role] = Client()
        found[role].force_login(django_user_model.objects.get(pk=person.pk))
    return found


def outcome(visitor, method, address):
    answer = visitor.generic(method, address, headers={"accept": "application/json"})
    if answer.status_code == 302:
        assert answer.url.startswith(("/login/?next=", "/admin/login/?next="))
        return TO_LOGIN
    return {200: PASSED, 401: TO_LOGIN, 403: REFUSED, 405: NO_SUCH_METHOD}[answer.status_code]


def least(name, method):
    if name == LEADS_TO_THE_LOGIN:
        return EVERYBODY if method in ("GET", "HEAD") else None
    found = (A, A) if name.startswith(ADMIN) else EXPECTED[name]
    if not isinstance(found, dict):
        found = dict(zip(("GET", "POST"), found, strict=True))
    return found.get("GET" if method == "HEAD" else method)


def expected(name, method, who):
    wanted, everybody = least(name, method), EVERYBODY in (least(name, "GET"), least(name, "POST"))
    if wanted == EVERYBODY:
        return {PASSED}
    if who == NOBODY:
        return {TO_LOGIN, NO_SUCH_METHOD} if everybody else {TO_LOGIN}
    if wanted is None:
        return {NO_SUCH_METHOD}
    return {PASSED} if ROLES.index(who) >= ROLES.index(wanted) else {REFUSED}


def test_no_address_is_missing_and_none_is_made_up():
    named = {name for name, _ in addresses() if not name.startswith(ADMIN)}

    assert named == set(EXPECTED)


@pytest.fixture
def guards(settings, caplog, monkeypatch):
    caplog.set_level(logging.CRITICAL, logger="django.request")  # thousands are refused
    once = staticmethod(lru_cache(RoleBackend().get_user))  # nobody's role changes here, and no token
    monkeypatch.setattr(RoleBackend, "get_user", once)
    monkeypatch.setattr(authentication, "token_called", lru_cache(authentication.token_called))
    guards = [row for row in settings.MIDDLEWARE if "sessions" in row or "auth" in row or "access" in row]
    settings.MIDDLEWARE = [*guards, f"{__name__}._Stub"]


@pytest.mark.long
def test_each_role_reaches_exactly_what_it_may(visitors, guards):
    wrong = [
        (who, method, name, found)
        for name, address in addresses()
        for method in METHODS
        for who, visitor in visitors.items()
        if (found := outcome(visitor, method, address)) not in expected(name, method, who)
    ]

    assert wrong == []


def of_token(name, method, role, scope):
    wanted = least(name, method)
    if wanted is None:
        return NO_SUCH_METHOD
    may = method in ("GET", "HEAD") or scope in BY_TOKEN[name]
    return PASSED if may and ROLES.index(role) >= ROLES.index(wanted) else REFUSED


@pytest.mark.long
def test_a_token_reaches_what_both_its_scope_and_the_role_of_its_owner_may(visitors, guards, django_user_model):
    people = {role: django_user_model.objects.get(username=role) for role in ("viewer", "administrator")}
    made = {
        (role, scope): make_token(user=person, name=scope, scopes=[scope], days=1)[1]
        for role, person in people.items()
        for scope in SCOPES
    }
    scripts = {who: Client(headers={"authorization": f"Bearer {text}"}) for who, text in made.items()}
    api = [(name, address) for name, address in addresses() if hasattr(resolve(address).func, "cls")]

    wrong = [
        (who, method, name, found)
        for name, address in api
        for method in METHODS
        for who, script in scripts.items()
        if (found := outcome(script, method, address)) != of_token(name, method, *who)
    ]

    assert len(api) > 20
    assert wrong == []


def test_a_token_opens_no_page(visitors, guards, django_user_model):
    boss = django_user_model.objects.get(username="administrator")
    _, text = make_token(user=boss, name="all", scopes=list(SCOPES), days=1)
    script = Client(headers={"authorization": f"Bearer {text}"})

    assert {
        outcome(script, "GET", address) for address in ("/", "/runs/", "/account/tokens/", "/api/v1/docs/")
    } == {TO_LOGIN}
