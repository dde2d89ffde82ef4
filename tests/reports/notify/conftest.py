"""A mail server, people with addresses, and a worker that does what is queued."""

from ipaddress import ip_network

import pytest
from django_q.models import OrmQ

from reports import tasks
from tests.reports.notify.listener import listening


@pytest.fixture
def server(settings):
    settings.EMAIL_HOST, settings.DEFAULT_FROM_EMAIL = "mail.example", "upreg@lab.example"
    settings.SITE_URL = "https://upreg.lab.example"


@pytest.fixture
def ann(django_user_model, server):
    return django_user_model.objects.create_user(username="ann", email="ann@lab.example", password="only-for-tests")


@pytest.fixture
def ben(django_user_model, server):
    return django_user_model.objects.create_user(username="ben", email="ben@lab.example", password="only-for-tests")


def work():
    """Do what a worker does with what is queued about notices; return what the tasks said."""
    said = []
    for row in OrmQ.objects.all():
        name = row.task["func"].rpartition(".")[2]
        if name in ("tell_event", "deliver_notice"):
            row.delete()
            said.append(getattr(tasks, name)(*row.task["args"]))
    return said


@pytest.fixture
def tell(django_capture_on_commit_callbacks):
    """Return how to do something and have told what follows from it."""

    def _tell(act):
        with django_capture_on_commit_callbacks(execute=True):
            done = act()
        said = []
        while True:
            with django_capture_on_commit_callbacks(execute=True):
                more = work()
            if not more:
                return done, said
            said += more

    return _tell


@pytest.fixture
def listener():
    """Return a web server of this machine that notes what it is sent."""
    with listening() as server:
        yield server


@pytest.fixture
def allowed(settings):
    """Let webhooks reach this machine."""
    settings.WEBHOOK_LOCAL = [ip_network("127.0.0.0/8")]
