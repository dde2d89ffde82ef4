"""Every address and method, as each role and as nobody. What is expected is written here by hand."""

import logging
import re

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse
from django.test import Client
from django.urls import URLResolver, get_resolver

from reports.access.services import set_role
from reports.models import Role

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
ROLES = ("viewer", "triager", "policy owner", "administrator")  # each may do what those before it may
NOBODY = "nobody"
EVERYBODY, V, T, P, A = (NOBODY, *ROLES)

# name: (least role that may GET, least role that may POST); None: the address does not answer that.
EXPECTED = {
    "login": (EVERYBODY, EVERYBODY),
    "favicon": (EVERYBODY, None),
    "logout": (None, V),
    "home": (V, None),
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
    "notices-off": (EVERYBODY, EVERYBODY),
    "account-password": (V, V),
    "account-mail": (V, V),
    "account-sign-on": (V, V),
    "account-sign-on-end": (None, V),
    "forgotten": (EVERYBODY, EVERYBODY),
    "account-session-end": (None, V),
    "account-sessions-end": (None, V),
    "account-reset": (EVERYBODY, EVERYBODY),
    "ranking": (V, None),
    "ranking-plan": (V, None),
    "ranking-plan-csv": (V, None),
    "ranking-state": (V, None),
    "ranking-csv": (V, None),
    "ranking-json": (V, None),
    "gate": (V, None),
    "gate-pair": (V, None),
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
    "runs-retry": (None, T),
    "runs-retry-revisions": (None, T),
    "batches": (V, None),
    "batch": (V, None),
    "batch-state": (V, None),
    "batch-complete": (None, T),
    "batch-retry": (None, T),
    "run-detail": (V, None),
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
        if hasattr(view, "cls"):  # the API asks its permission class inside the view
            allowed = all(each().has_permission(_Asked(request), view) for each in view.cls.permission_classes)
            return HttpResponse() if allowed else HttpResponse(status=403 if request.user.is_authenticated else 401)
        return HttpResponse()


class _Asked:
    """A request of the API with the login that it would have found itself."""

    def __init__(self, request):
        self._request, self.method = request, request.method
        self.user = request.user if request.user.is_authenticated else AnonymousUser()


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
    get, post = (A, A) if name.startswith(ADMIN) else EXPECTED[name]
    return {"GET": get, "HEAD": get, "POST": post}.get(method)


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


def test_each_role_reaches_exactly_what_it_may(visitors, settings, caplog):
    caplog.set_level(logging.CRITICAL, logger="django.request")  # thousands are refused
    guards = [row for row in settings.MIDDLEWARE if "sessions" in row or "auth" in row or "access" in row]
    settings.MIDDLEWARE = [*guards, f"{__name__}._Stub"]

    wrong = [
        (who, method, name, found)
        for name, address in addresses()
        for method in METHODS
        for who, visitor in visitors.items()
        if (found := outcome(visitor, method, address)) not in expected(name, method, who)
    ]

    assert wrong == []
