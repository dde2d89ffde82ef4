import importlib

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, Permission

from reports.access.roles import stored_role
from reports.models import Role, RoleGrant

roles = importlib.import_module("reports.migrations.0014_roles")


@pytest.mark.django_db
def test_nobody_may_do_less_after_the_upgrade_than_before(django_user_model):
    people = django_user_model.objects
    catalogue = Permission.objects.get(codename="change_app")
    group = Group.objects.create(name="keepers")
    group.permissions.add(catalogue)
    people.create_superuser(username="boss")
    people.create_user(username="keeper", is_staff=True).user_permissions.add(catalogue)
    people.create_user(username="member", is_staff=True).groups.add(group)
    people.create_user(username="staff without a right", is_staff=True)
    people.create_user(username="right without the staff").user_permissions.add(catalogue)
    people.create_user(username="engineer")

    roles.give_roles(apps, None)

    administrators = {"boss", "keeper", "member"}
    for person in people.all():
        wanted = Role.ADMINISTRATOR if person.username in administrators else Role.POLICY_OWNER
        assert (person.username, stored_role(person)) == (person.username, wanted)
        assert person.is_staff == person.is_superuser
    assert RoleGrant.objects.count() == 3
