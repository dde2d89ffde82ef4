import pytest
from django.urls import reverse

pytestmark = pytest.mark.django_db
QUERIES = 8
NEW = {"username": "ada", "first_name": "Ada", "password1": "gentle-otter-42", "password2": "gentle-otter-42"}


@pytest.fixture
def boss(django_user_model):
    """Return an administrator."""
    return django_user_model.objects.create_superuser(username="boss", password="only-for-tests")


def test_others_see_names_only(signed_in, boss):
    page = signed_in.get(reverse("people")).content.decode()

    assert "boss" in page
    for word in ("administrator", "Last here", "New password", "Lock out", "Add a person", "Changed by hand"):
        assert word not in page


def test_staff_see_roles_and_what_they_may_change(keeper, boss, engineer):
    page = keeper.get(reverse("people")).content.decode()

    assert "administrator" in page
    assert "everyday work" in page
    assert reverse("person-password", args=[engineer.pk]) in page
    assert reverse("person-password", args=[boss.pk]) not in page


def test_a_person_is_added_by_djangos_rules(keeper, django_user_model):
    weak = keeper.post(reverse("person-add"), NEW | {"password1": "password", "password2": "password"})
    assert (weak.status_code, "too common" in weak.content.decode()) == (422, True)
    assert 'value="ada"' in weak.content.decode()

    page = keeper.post(reverse("person-add"), NEW, follow=True).content.decode()

    ada = django_user_model.objects.get(username="ada")
    assert ada.check_password("gentle-otter-42")
    assert (ada.is_staff, ada.is_superuser, ada.is_active) == (False, False, True)
    assert "ada: added" in page


def test_a_new_password_logs_the_person_out_and_never_shows(keeper, engineer, client):
    from django.test import Client

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
    from django.test import Client

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


def test_staff_cannot_touch_the_staff(keeper, boss, django_user_model):
    other = django_user_model.objects.create_user(username="other", password="only-for-tests", is_staff=True)
    for person in (boss, other):
        assert keeper.get(reverse("person-password", args=[person.pk])).status_code == 403
        assert keeper.post(reverse("person-active", args=[person.pk]), {"active": "0"}).status_code == 403


def test_others_can_change_nobody(signed_in, boss, engineer):
    for name in ("person-password", "person-active"):
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
