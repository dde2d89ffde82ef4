import re

import pytest
from django.test import Client
from django.urls import reverse

from reports.access.services import LastAdministratorError, OwnRoleError, set_active, set_role
from reports.models import AuditEntry, Role

pytestmark = pytest.mark.django_db
QUERIES = 9
NEW = {
    "username": "ada",
    "first_name": "Ada",
    "role": "triager",
    "password1": "gentle-otter-42",
    "password2": "gentle-otter-42",
}


@pytest.fixture
def boss(django_user_model):
    """Return an administrator."""
    return django_user_model.objects.create_superuser(username="boss", password="only-for-tests")


def test_others_see_names_only(signed_in, boss):
    page = signed_in.get(reverse("people")).content.decode()

    assert "boss" in page
    assert "Your role: policy owner." in page
    for word in (">administrator<", "Last here", "New password", "Lock out", "Add a person", "Changed by hand"):
        assert word not in page


def test_administrators_see_roles_and_change_all_but_their_own(keeper, engineer, django_user_model):
    me = django_user_model.objects.get(username="keeper")

    page = keeper.get(reverse("people")).content.decode()

    assert "<td>administrator</td>" in page
    assert "<td>policy owner</td>" in page
    assert reverse("person-role", args=[engineer.pk]) in page
    for name in ("person-role", "person-active"):
        assert reverse(name, args=[me.pk]) not in page


def test_a_person_is_added_by_djangos_rules(keeper, django_user_model):
    weak = keeper.post(reverse("person-add"), NEW | {"password1": "password", "password2": "password"})
    assert (weak.status_code, "too common" in weak.content.decode()) == (422, True)
    assert 'value="ada"' in weak.content.decode()

    page = keeper.post(reverse("person-add"), NEW, follow=True).content.decode()

    ada = django_user_model.objects.get(username="ada")
    assert ada.check_password("gentle-otter-42")
    assert (ada.is_staff, ada.is_superuser, ada.is_active, ada.grant.role) == (False, False, True, "triager")
    assert "ada: added" in page
    assert "ada: role changed from “viewer” to “triager”" in page


def test_who_is_new_is_a_viewer_unless_another_role_is_chosen(keeper):
    page = keeper.get(reverse("person-add")).content.decode()

    assert re.findall(r'value="(\w+)"[^>]* checked', page) == ["viewer"]


def test_a_role_is_given_and_kept_with_who_gave_it(keeper, engineer):
    address = reverse("person-role", args=[engineer.pk])
    assert re.findall(r'value="(\w+)"[^>]* checked', keeper.get(address).content.decode()) == ["policy_owner"]

    page = keeper.post(address, {"role": "administrator"}, follow=True).content.decode()

    engineer.refresh_from_db()
    assert (engineer.is_superuser, engineer.is_staff) == (True, True)
    assert "engineer is now an administrator." in page
    assert "engineer: role changed from “policy owner” to “administrator”" in page
    keeper.post(address, {"role": "viewer"})
    engineer.refresh_from_db()
    assert (engineer.is_superuser, engineer.is_staff, engineer.grant.role) == (False, False, "viewer")
    kept = AuditEntry.objects.filter(field="role").values_list("before", "after", "who")
    assert list(kept) == [
        ("administrator", "viewer", "keeper"),
        ("policy owner", "administrator", "keeper"),
    ]
    assert keeper.post(address, {"role": "emperor"}).status_code == 422
    assert "was already a viewer" in keeper.post(address, {"role": "viewer"}, follow=True).content.decode()


def test_another_role_counts_from_the_next_request_on(keeper, engineer):
    theirs = Client()
    theirs.force_login(engineer)
    assert theirs.post(reverse("scope-delete")).status_code == 302

    keeper.post(reverse("person-role", args=[engineer.pk]), {"role": "triager"})

    assert theirs.post(reverse("scope-delete")).status_code == 403


def test_nobody_changes_the_own_role(client, boss):
    client.force_login(boss)

    answer = client.post(reverse("person-role", args=[boss.pk]), {"role": "viewer"})

    assert (answer.status_code, "Nobody changes the own role" in answer.content.decode()) == (422, True)
    with pytest.raises(OwnRoleError):
        set_role(person=boss, role=Role.VIEWER, by=boss)
    boss.refresh_from_db()
    assert boss.is_superuser


def test_the_last_administrator_stays_one(boss, django_user_model):
    """A log-in from outside may bring any role; the last who can log in keeps the role all the same."""
    out = django_user_model.objects.create_superuser(username="out", password="only-for-tests", is_active=False)

    for change in (
        lambda: set_role(person=boss, role=Role.VIEWER, by=None),
        lambda: set_active(person=boss, active=False, by=None),
    ):
        with pytest.raises(LastAdministratorError, match="boss is the last administrator"):
            change()
    assert set_role(person=out, role=Role.TRIAGER, by=boss)
    boss.refresh_from_db()
    assert (boss.is_superuser, boss.is_active) == (True, True)


def test_whoever_lost_the_role_meanwhile_gives_none(boss, engineer, django_user_model):
    """Two administrators demote each other at once: the second finds out that the role is gone."""
    other = django_user_model.objects.create_superuser(username="other", password="only-for-tests")
    set_role(person=other, role=Role.VIEWER, by=boss)

    with pytest.raises(OwnRoleError, match="no administrator any more"):
        set_role(person=boss, role=Role.VIEWER, by=other)
    with pytest.raises(OwnRoleError, match="no administrator any more"):
        set_role(person=engineer, role=Role.ADMINISTRATOR, by=engineer)


def test_a_new_password_logs_the_person_out_and_never_shows(keeper, engineer, client):
    theirs = Client()
    theirs.force_login(engineer)
    values = {"new_password1": "gentle-otter-42", "new_password2": "gentle-otter-42"}

    page = keeper.post(reverse("person-password", args=[engineer.pk]), values, follow=True).content.decode()

    engineer.refresh_from_db()
    assert engineer.check_password("gentle-otter-42")
    assert "engineer: password set anew" in page
    assert "gentle-otter-42" not in page
    assert theirs.get(reverse("people")).status_code == 302
    values["new_password2"] = "something else"
    assert keeper.post(reverse("person-password", args=[engineer.pk]), values).status_code == 422


def test_who_sets_the_own_password_stays_logged_in(client, boss):
    client.force_login(boss)
    values = {"new_password1": "gentle-otter-42", "new_password2": "gentle-otter-42"}

    client.post(reverse("person-password", args=[boss.pk]), values)

    assert client.get(reverse("people")).status_code == 200


def test_a_person_is_locked_out_at_once_and_let_in_again(keeper, engineer):
    theirs = Client()
    theirs.force_login(engineer)

    page = keeper.post(reverse("person-active", args=[engineer.pk]), {"active": "0"}, follow=True).content.decode()

    assert "engineer is locked out, at once." in page
    assert "engineer: deactivated" in page
    assert theirs.get(reverse("people")).status_code == 302
    keeper.post(reverse("person-active", args=[engineer.pk]), {"active": "1"})
    engineer.refresh_from_db()
    assert engineer.is_active


def test_nobody_locks_out_oneself(client, boss):
    client.force_login(boss)

    page = client.post(reverse("person-active", args=[boss.pk]), {"active": "0"}, follow=True).content.decode()

    assert "You cannot lock yourself out." in page
    boss.refresh_from_db()
    assert boss.is_active


def test_others_can_change_nobody(signed_in, boss, engineer):
    for name in ("person-password", "person-active", "person-role"):
        assert signed_in.post(reverse(name, args=[engineer.pk]), {"active": "0"}).status_code == 403
    assert signed_in.post(reverse("person-add"), NEW).status_code == 403


def test_people_are_found_and_take_a_constant_number_of_queries(
    keeper, django_user_model, django_assert_num_queries
):
    for number in range(4):
        django_user_model.objects.create_user(username=f"tester {number}", password="x")
    with django_assert_num_queries(QUERIES):
        page = keeper.get(reverse("people"), {"q": "tester 3"})
    assert [row.user.username for row in page.context["rows"]] == ["tester 3"]
    assert "Nobody is called so" in keeper.get(reverse("people"), {"q": "nobody"}).content.decode()
