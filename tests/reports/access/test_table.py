from itertools import pairwise

import pytest
from django.contrib.auth.models import AnonymousUser
from django.template import Context, Template
from django.test import RequestFactory

from reports.access import table
from reports.access.document import FILE, access_markdown
from reports.access.pages import rights
from reports.access.roles import may, refusal, role_of
from reports.access.services import set_role
from reports.access.table import CAPABILITIES, methods_of
from reports.checks import check_every_address_has_its_role
from reports.models import Role, RoleGrant

CURE = "run `python manage.py access_table` and commit docs/access.md"


def test_the_page_of_the_help_is_made_of_the_table():
    assert FILE.read_text() == access_markdown(), CURE


def test_every_capability_is_taken_by_an_address():
    taken = {capability for methods in table.ADDRESSES.values() for capability in methods.values()}

    assert taken - {table.PUBLIC} == set(CAPABILITIES)


def test_an_address_that_was_forgotten_is_named_by_the_check_and_open_to_nobody(monkeypatch, admin_client):
    monkeypatch.setattr(table, "ADDRESSES", {name: row for name, row in table.ADDRESSES.items() if name != "runs"})

    assert ["runs" in error.msg for error in check_every_address_has_its_role()] == [True]
    answer = admin_client.get("/runs/")
    assert (answer.status_code, "open to nobody" in answer.content.decode()) == (403, True)


def test_a_name_in_the_table_that_leads_nowhere_is_named_by_the_check(monkeypatch):
    monkeypatch.setitem(table.ADDRESSES, "gone", {"GET": "read"})

    assert ["gone" in error.msg for error in check_every_address_has_its_role()] == [True]


def test_a_namespace_is_named_as_a_whole():
    assert methods_of("admin:reports_app_change") == {"GET": "administration", "POST": "administration"}
    assert methods_of("oidc:callback") == {}


@pytest.mark.django_db
def test_each_role_may_what_those_before_it_may(django_user_model):
    person = django_user_model.objects.create_user(username="ada")
    found = []
    for role in Role:
        set_role(person=person, role=role, by=None)
        person = django_user_model.objects.get(pk=person.pk)
        found.append({name for name in CAPABILITIES if may(person, name)})

    assert all(less < more for less, more in pairwise(found))
    assert found[-1] == set(CAPABILITIES)


@pytest.mark.django_db
def test_who_has_no_role_is_a_viewer_and_who_is_locked_out_or_nobody_has_none(django_user_model):
    person = django_user_model.objects.create_user(username="ada")

    assert role_of(person) == Role.VIEWER
    person.is_active = False
    assert (role_of(person), may(person, "read")) == (None, False)
    assert (role_of(AnonymousUser()), may(AnonymousUser(), "read"), may(None, "read")) == (None, False, False)


@pytest.mark.django_db
def test_a_superuser_is_an_administrator_whatever_was_granted(django_user_model):
    boss = django_user_model.objects.create_superuser(username="boss")
    RoleGrant.objects.create(user=boss, role=Role.VIEWER)

    assert role_of(django_user_model.objects.get(pk=boss.pk)) == Role.ADMINISTRATOR


def test_a_template_that_asks_for_an_unknown_capability_fails():
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    context = Context(rights(request))

    assert Template("{% if may.triage %}yes{% else %}no{% endif %}").render(context) == "no"
    with pytest.raises(LookupError, match="no capability 'tirage'"):
        Template("{% if may.tirage %}yes{% endif %}").render(context)


def test_a_refusal_says_who_may():
    assert refusal("gate") == "Policy owners and administrators may record decisions of the release gate."
    assert refusal("people").startswith("Administrators may ")
    assert refusal("triage").startswith("Triagers, policy owners and administrators may ")


@pytest.mark.django_db
def test_who_is_refused_reads_what_it_takes_who_one_is_and_whom_to_ask(client, django_user_model):
    django_user_model.objects.create_superuser(username="boss", first_name="Grace", last_name="Hopper")
    client.force_login(django_user_model.objects.create_user(username="ada"))

    answer = client.post("/gate/decide/")

    page = answer.content.decode()
    assert (answer.status_code, answer["X-Refused"]) == (403, "gate")
    assert "Policy owners and administrators may record decisions of the release gate." in page
    assert "You are a viewer." in page
    assert "ask Grace Hopper" in page
    for headers in ({"x-requested-with": "fetch"}, {"accept": "application/json"}):
        told = client.post("/gate/decide/", headers=headers)
        assert (told.status_code, told.json()["refused"], told["X-Refused"]) == (403, "gate", "gate")
        assert told.json()["message"].startswith("Policy owners")


def test_the_role_costs_a_page_no_query_of_its_own(signed_in, django_assert_num_queries):
    with django_assert_num_queries(2):  # the session, the person with the role
        signed_in.put("/runs/")
