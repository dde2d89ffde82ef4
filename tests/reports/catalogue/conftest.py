"""Who may change the catalogue."""

import pytest


@pytest.fixture
def keeper(client, django_user_model):
    """Return a client logged in as an administrator."""
    client.force_login(django_user_model.objects.create_superuser(username="keeper", password="only-for-tests"))
    return client
