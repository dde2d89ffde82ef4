"""Who may change the catalogue."""

import pytest
from django.contrib.auth.models import Permission

RIGHTS = ["change_osversion", "change_app", "change_device", "change_interaction", "change_user", "add_user"]


@pytest.fixture
def keeper(client, django_user_model):
    """Return a client logged in as staff with the right to change the catalogue and people, no administrator."""
    user = django_user_model.objects.create_user(username="keeper", password="only-for-tests", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=RIGHTS))
    client.force_login(user)
    return client
