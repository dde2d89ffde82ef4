"""Fixtures for every test."""

import pytest


@pytest.fixture(autouse=True)
def _own_storage(settings, tmp_path):
    """Keep files of a test in its own folder, and serve static files without hashing them first."""
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STATIC_ROOT.mkdir()
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}


@pytest.fixture
def engineer(django_user_model):
    """Return a signed-up test engineer without admin rights."""
    return django_user_model.objects.create_user(username="engineer", password="only-for-tests")


@pytest.fixture
def signed_in(client, engineer):
    """Return a test client that is logged in."""
    client.force_login(engineer)
    return client
