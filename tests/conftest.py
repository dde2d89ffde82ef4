"""Fixtures for every test."""

import gc
import os
import signal
import socket
import threading
from contextlib import suppress
from functools import lru_cache
from importlib import import_module
from pathlib import Path

import hypothesis
import pytest
from django.conf import settings as project_settings
from django.core.servers.basehttp import ThreadedWSGIServer
from django.test import override_settings
from django.urls import URLResolver

from analysis.kernels.loading import load
from reports.models import Role, RoleGrant
from tests.migrated import migrated_once
from tests.objectstore import away, bucket, store_address
from tests.scheduling import schedule, scheduling

hypothesis.settings.register_profile("steady", derandomize=True)  # the same examples everywhere and always
hypothesis.settings.load_profile("steady")
FRAME_SLOTS = 140_000  # of 8 bytes: more than half of the 2 MB that are taken for such a frame
AT_START = scheduling()
OF_MODELS = {"django_content_type", "auth_permission"}
FIXTURES = {"db", "transactional_db"}
__all__ = ["away", "bucket", "store_address"]


def pytest_addoption(parser):
    parser.addoption("--database-only", action="store_true", help="leave out what asks no database")


def pytest_configure():
    """Let tests be interrupted as they mean to be, also where all were started in the background of a shell."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config, items):
    """Leave out what asks no database, where it alone is another one: see tests/on_postgresql.py; long tests first.

    Two processes begin with a half each: so none of them has only a long test left in the end.
    """
    if config.getoption("--database-only"):
        asks = [item for item in items if item.get_closest_marker("django_db") or FIXTURES & set(item.fixturenames)]
        config.hook.pytest_deselected(items=[item for item in items if item not in set(asks)])
        items[:] = asks
    long, others = [], []
    for item in items:
        (long if item.get_closest_marker("long") else others).append(item)
    middle = len(others) // 2
    items[:] = [*long[::2], *others[:middle], *long[1::2], *others[middle:]]


def pytest_collection_finish():
    """Let the garbage collector look at what tests make alone: what was imported stays."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    """Run a test as pytest does, with one piece of memory for the frames of all that it calls.

    Python takes 16 KB for frames at a time, and gives them back as the first of them returns. What is called again
    and again at such a border asks the system each time: a quarter of the time of thousands of requests. The frame
    of this function is so large that a megabyte is left behind it, without a border.
    """
    return item.config.pluginmanager.get_plugin("runner").pytest_runtest_protocol(item=item, nextitem=nextitem)


pytest_runtest_protocol.__code__ = pytest_runtest_protocol.__code__.replace(co_stacksize=FRAME_SLOTS)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item):
    """Fail a test that leaves this process scheduled otherwise: a browser started next stops the machine."""
    try:
        return (yield)
    finally:
        left = scheduling()
        schedule(AT_START)
        assert left == AT_START, f"{item.name} left policy {left[0]}, priority {left[1]}: see tests/scheduling.py"


@pytest.fixture(scope="session", autouse=True)
def _static_root():
    """Make the folder of collected static files: WhiteNoise warns of a missing one, and warnings are errors."""
    Path(project_settings.STATIC_ROOT).mkdir(parents=True, exist_ok=True)


@pytest.fixture(scope="session", autouse=True)
def _database_is_emptied_quickly():
    """Leave what Django wrote of the models themselves when tests with real transactions empty the database.

    It would be written anew each time, and be the same. The audit log goes along: nobody else can empty it.
    """
    guards = import_module("reports.migrations.0016_audit_append_only")

    def emptying(style, connection, *, reset_sequences, allow_cascade):
        names = set(connection.introspection.django_table_names(only_existing=True, include_views=False))
        rest = sorted(names - OF_MODELS)
        how = {"reset_sequences": reset_sequences, "allow_cascade": allow_cascade}
        statements = connection.ops.sql_flush(style, rest, **how)
        return [*guards.UNPROTECT[connection.vendor], *statements, *guards.PROTECT[connection.vendor]]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.core.management.commands.flush.sql_flush", emptying)
        patch.setattr("django.core.management.commands.flush.emit_post_migrate_signal", lambda *_, **__: None)
        yield


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings, tmp_path_factory):
    """Have the database of each process copied from the first one's."""
    worker, count = os.environ.get("PYTEST_XDIST_WORKER", ""), int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    others = [name for name in (f"gw{number}" for number in range(count)) if name != worker]
    base = tmp_path_factory.getbasetemp()
    with migrated_once(base.parent if worker else base, [worker, *others] if worker else [""]):
        yield


@pytest.fixture(scope="session")
def kernels():
    """Compile the kernels, or load them: no test of what measures must wait for that."""
    load()


@pytest.fixture(scope="session", autouse=True)
def _addresses_are_resolved_once():
    """Remember which view answers which address: to find it takes a millisecond, and tests ask for few of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(URLResolver, "resolve", lru_cache(2000)(URLResolver.resolve))
        yield


@pytest.fixture(scope="session", autouse=True)
def _quick_settings():
    """Serve static files without hashing them, log in quickly, answer anew each time."""
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    with override_settings(
        QUEUE_ANSWER_KEPT_S=0.0,  # a test looks at once at what it has changed
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],  # no second for each log-in
        WHITENOISE_AUTOREFRESH=True,  # else each test's client reads the folder of static files
        STORAGES={**project_settings.STORAGES, "staticfiles": plain},
    ):
        yield


@pytest.fixture(scope="session")
def _answers_end_with_their_server():
    """Wait for threads that still answer when the live server stops, so that none logs after the tests."""
    answering = {}
    answer = ThreadedWSGIServer.process_request_thread

    def noting(server, connection, address):
        answering[threading.current_thread()] = connection
        try:
            answer(server, connection, address)
        finally:
            del answering[threading.current_thread()]

    noting.__code__ = noting.__code__.replace(co_stacksize=FRAME_SLOTS)  # as for pytest_runtest_protocol
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ThreadedWSGIServer, "process_request_thread", noting)
        yield
    for thread, connection in list(answering.items()):
        with suppress(OSError):  # it ended just now
            connection.shutdown(socket.SHUT_RDWR)  # else one that is kept open waits for its next request
        thread.join(30)


@pytest.fixture(scope="session")
def live_server(_answers_end_with_their_server, live_server):
    """Return pytest-django's server; nothing of it is left when it has stopped."""
    return live_server


@pytest.fixture(autouse=True)
def _own_storage(settings, tmp_path):
    """Keep files of a test in its own folder."""
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.MEDIA_CACHE = tmp_path / "media-cache"


@pytest.fixture
def engineer(django_user_model):
    """Return a signed-up test engineer: a policy owner, who does everyday work and is no administrator."""
    user = django_user_model.objects.create_user(username="engineer", password="only-for-tests")
    RoleGrant.objects.create(user=user, role=Role.POLICY_OWNER)
    return user


@pytest.fixture
def signed_in(client, engineer):
    """Return a test client that is logged in."""
    client.force_login(engineer)
    return client
