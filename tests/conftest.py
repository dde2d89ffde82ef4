"""Fixtures for every test."""

from importlib import import_module
from pathlib import Path

import hypothesis
import pytest
from django.conf import settings as project_settings
from django.core.management.sql import sql_flush

from analysis.kernels.loading import load
from reports.models import Role, RoleGrant
from tests.objectstore import away, bucket, store_address

hypothesis.settings.register_profile("steady", derandomize=True)  # the same examples everywhere and always
hypothesis.settings.load_profile("steady")
FIXTURES = {"db", "transactional_db"}
__all__ = ["away", "bucket", "store_address"]


def pytest_addoption(parser):
    parser.addoption("--database-only", action="store_true", help="leave out what asks no database")


def pytest_collection_modifyitems(config, items):
    """Leave out what asks no database, where it alone is another one: see tests/on_postgresql.py."""
    if config.getoption("--database-only"):
        asks = [item for item in items if item.get_closest_marker("django_db") or FIXTURES & set(item.fixturenames)]
        config.hook.pytest_deselected(items=[item for item in items if item not in set(asks)])
        items[:] = asks


@pytest.fixture(scope="session", autouse=True)
def _static_root():
    """Make the folder of collected static files: WhiteNoise warns of a missing one, and warnings are errors."""
    Path(project_settings.STATIC_ROOT).mkdir(parents=True, exist_ok=True)


@pytest.fixture(scope="session", autouse=True)
def _audit_log_can_be_emptied():
    """Let the emptying between tests with real transactions take the audit log along: nobody else can."""
    guards = import_module("reports.migrations.0016_audit_append_only")

    def unguarded(style, connection, *args, **kwargs):
        statements = sql_flush(style, connection, *args, **kwargs)
        return [*guards.UNPROTECT[connection.vendor], *statements, *guards.PROTECT[connection.vendor]]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.core.management.commands.flush.sql_flush", unguarded)
        yield


@pytest.fixture(scope="session")
def kernels():
    """Compile the kernels, or load them: no test of what measures must wait for that."""
    load()


@pytest.fixture(autouse=True)
def _own_storage(settings, tmp_path):
    """Keep files of a test in its own folder, serve static files without hashing them, log in quickly."""
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.QUEUE_ANSWER_KEPT_S = 0.0  # a test looks at once at what it has changed
    settings.MEDIA_CACHE = tmp_path / "media-cache"
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # no second for each log-in
    settings.WHITENOISE_AUTOREFRESH = True  # else each test's client reads the folder of static files
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}


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
