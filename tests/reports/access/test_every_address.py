"""Every address and method, as each role and as nobody. What is expected is in expected.py."""

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
from tests.reports.access.expected import (
    ADMIN,
    EXPECTED,
    NO_SUCH_METHOD,
    NOBODY,
    PASSED,
    REFUSED,
    ROLES,
    SCOPES,
    TO_LOGIN,
    expected,
    of_token,
)

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
VALUES = {"int": "1", "uuid": "00000000-0000-0000-0000-000000000001"}
CONVERTER = re.compile(r"<(?:(\w+):)?\w+>")


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
