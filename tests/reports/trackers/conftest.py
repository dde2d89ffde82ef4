from contextlib import contextmanager
from ipaddress import ip_network

import pytest

from reports.models import Tracker
from reports.web.sealed import seal
from tests.reports.trackers.exchanges import TOKEN, served

PROJECTS = {"github": "octocat/Hello-World", "gitlab": "my-group/my-project", "jira": "ED"}


@pytest.fixture(autouse=True)
def _local(settings):
    settings.WEBHOOK_LOCAL = [ip_network("127.0.0.0/8")]


@pytest.fixture
def tracker(db):
    """Return a function that makes a tracker at an address."""

    def make(kind="github", address="http://127.0.0.1:9", **values):
        name = values.pop("name", "Bugs")
        return Tracker.objects.create(
            name=name, kind=kind, address=address, project=PROJECTS[kind], token=seal(TOKEN), **values
        )

    return make


@pytest.fixture
def serving(tracker):
    """Return a function that serves exchanges to a tracker of a kind: ``with serving("jira", …) as tracker``."""

    @contextmanager
    def serve(kind, *exchanges, **values):
        with served(exchanges) as address:
            yield tracker(kind, address, **values)

    return serve
