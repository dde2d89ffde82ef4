"""Every operation of the API is tried by schemathesis with what its description allows and forbids.

No answer is an error of the server, and none is other than described: status, content type, headers and body. Each
operation is asked once in each way that its description can be kept to or broken, and a few times at random: the
same cases everywhere and always. ``python -m benchmarks.api`` tries many more against a running server.
"""

from datetime import date

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, connection, transaction

from reports.bisecting.services import Search, start_bisection
from reports.models import Course, Device, Interaction, Run, Tracker, Waiver
from reports.tokens.services import make_token
from tests import factories
from tests.reports.batches.scene import NIGHT, night
from tests.reports.history.lines import bring_up_to_date

# What is there: most cases ask about it, the others about what schemathesis makes up.
THERE = {
    "base": ["13.0.9"],
    "new": ["13.0.13"],
    "package": ["org.example.mail", "org.example.feed"],
    "app": ["org.example.mail"],
    "interaction": ["open inbox", "like"],
    "name": ["default", "13.0.9", NIGHT],
    "scope": [""],  # everything
    "tracker": ["Bugs"],
    "cursor": [""],  # the first page
}
NUMBERED = {"id": [Run, Device, Interaction, Waiver, Course], "device": [Device]}  # the number of one of each
PARTS = {"a": "[a-c]", "d": "[d-o]", "p": "[p-s]", "t": "[t-z]"}  # what addresses begin with: processes share them


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
    of = {"app": "org.example.mail", "interaction": "open inbox", "metric": "response_time_ms"}
    start_bisection(Search(good="13.0.9", bad="13.0.13", builds=["13.0.10"], **of))
    bring_up_to_date()
    Tracker.objects.create(name="Bugs", kind="gitlab", address="https://gitlab.example", project="lab/bugs")
    _, text = make_token(user=admin_user, name="farm", scopes=["upload", "triage", "admin"], days=1)
    return {"Authorization": f"Bearer {text}"}


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
@pytest.mark.django_db
@pytest.mark.long
def test_nothing_is_answered_that_is_not_described(part, login, subtests):
    # Two seconds of imports that only this test must wait.
    from tests.reports.api.describing import CHECKS, ask_all, operations

    def ask(case):
        with transaction.atomic():
            case.call_and_validate(headers=login, checks=CHECKS)
            transaction.set_rollback(True)  # what is there is there for every case

    numbers = {name: [model.objects.first().pk for model in models] for name, models in NUMBERED.items()}
    for operation in operations(part, THERE | numbers):
        # What is read is asked with nasty values on each database by tests/reports/web/test_nasty_values.py.
        if connection.vendor == "sqlite" or operation.method != "get":
            with subtests.test(operation.label):
                ask_all(operation, ask)
