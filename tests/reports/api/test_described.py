"""Every operation of the API is tried by schemathesis with what its description allows and forbids.

No answer is an error of the server, and none is other than described: status, content type, headers and body. The
cases are the same everywhere and always. ``python -m benchmarks.api`` tries many more against a running server.
"""

from datetime import date
from functools import cache

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, connection
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from reports.api.docs import description
from reports.models import Tracker
from reports.tokens.services import make_token
from tests import factories
from tests.reports.batches.scene import NIGHT, night

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
# What is there: most cases ask about it, the others about what schemathesis makes up.
THERE = {
    "base": ["13.0.9"],
    "new": ["13.0.13"],
    "package": ["org.example.mail", "org.example.feed"],
    "app": ["org.example.mail"],
    "interaction": ["open inbox", "like"],
    "name": ["default", "13.0.9", NIGHT],
    "id": [1, 2],
    "device": [1],
    "scope": [""],  # everything
    "tracker": ["Bugs"],
    "cursor": [""],  # the first page
}
CONFIG = schemathesis.Config.from_dict(
    {
        "suppress-health-check": ["all"],
        "dictionaries": {name: {"values": values} for name, values in THERE.items()},
        "parameters": {
            f"{place}.{name}": {"dictionary": name, "probability": 0.8}
            for name in THERE
            for place in ("path", "query", "body")
        },
        "generation": {"max-examples": 5, "deterministic": True, "database": "none", "no-shrink": True},
        "phases": {"examples": {"enabled": False}, "coverage": {"unexpected-methods": []}},
    }
)
schemathesis.serializer.alias("application/offset+octet-stream", "application/octet-stream")
schema = schemathesis.openapi.from_dict(description()[0], config=CONFIG)
if connection.vendor != "sqlite":
    # What is read is asked with nasty paths and queries by tests/reports/web/test_nasty_values.py on each database.
    schema = schema.exclude(method="GET")
application = cache(get_wsgi_application)  # made in a test: what tests set has to hold


def app(environ, start_response):
    """Answer at once and as a whole, as the client of schemathesis leaves files open."""
    answer = application()(environ, start_response)
    try:
        return [b"".join(answer)]
    finally:
        answer.close()


schema.app = app


@pytest.fixture
def _one_connection():
    """Keep the connection of the test open between requests, as Django's own test client does."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def login(_one_connection, compared, admin_user, settings):
    """Return the header of a token that may do everything; there is something to do it to."""
    settings.API_PER_MINUTE = settings.UPLOADS_PER_MINUTE = 1_000_000
    factories.accepted_waiver(app=factories.app(), expires=date(2999, 1, 1), reason="known", approver="QA")
    night(waiting=1, failed=2)
    Tracker.objects.create(name="Bugs", kind="gitlab", address="https://gitlab.example", project="lab/bugs")
    _, text = make_token(user=admin_user, name="farm", scopes=["upload", "triage", "admin"], days=1)
    return {"Authorization": f"Bearer {text}"}


@schema.parametrize()
@pytest.mark.django_db
def test_nothing_is_answered_that_is_not_described(case, login):
    case.call_and_validate(headers=login, checks=CHECKS)
