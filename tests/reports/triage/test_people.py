from datetime import date, timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.utils import timezone

from reports.models import AuditEntry, TriageEntry, TriageState
from reports.triage.people import NoSuchPersonError, person_called
from reports.triage.services import BadTriageError, Decision, triage, undo_triage
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def person(django_user_model):
    def make(username, full="", **values):
        first, _, last = full.partition(" ")
        return django_user_model.objects.create_user(username=username, first_name=first, last_name=last, **values)

    return make


@pytest.fixture
def decide(engineer):
    base, new = factories.os_version("1"), factories.os_version("2")

    def make(*names, **decision):
        ids = [factories.interaction(name).pk for name in names or ("open inbox",)]
        decided = Decision(**{"state": "investigating"} | decision)
        return triage(base=base, new=new, interaction_ids=ids, decision=decided, user=engineer)

    return make


@pytest.mark.parametrize("words", ["ada", "ADA", " ada ", "Ada Lovelace", "ada  lovelace"])
def test_person_is_found_by_user_name_or_full_name(person, words):
    ada = person("ada", "Ada Lovelace")
    person("adam", "Adam Lovelace")

    assert (person_called(words).name, person_called(words).person_id) == ("ada", ada.pk)


def test_user_name_comes_before_a_full_name_and_one_with_its_capitals_before_others(person):
    small, great = person("ada"), person("Ada")
    person("lovelace", "Ada ")

    assert person_called("ada").person_id == small.pk
    assert person_called("Ada").person_id == great.pk


@pytest.mark.parametrize(("words", "said"), [
    ("core team", "nobody who can log in here is called core team: choose"),
    ("gone", "nobody who can log in"),
    ("Ada Lovelace", "several people are called Ada Lovelace: give the user name"),
])  # fmt: skip
def test_name_of_nobody_or_of_several_is_refused_with_the_cure(person, words, said):
    person("gone", is_active=False)
    person("ada", "Ada Lovelace")
    person("countess", "Ada Lovelace")

    with pytest.raises(NoSuchPersonError, match=said):
        person_called(words)


def test_decision_points_to_the_person_and_keeps_the_name_when_the_account_goes(person, decide):
    ada = person("ada", "Ada Lovelace")
    decide(assignee="Ada Lovelace", due=date(2026, 12, 24))

    entry = TriageEntry.objects.get()
    assert (entry.assigned_to, entry.assignee, entry.due) == (ada, "ada", date(2026, 12, 24))
    assert AuditEntry.objects.get(action="triaged").note == "assigned to ada; due 2026-12-24"

    ada.delete()

    entry.refresh_from_db()
    assert (entry.assigned_to, entry.assignee) == (None, "ada")


def test_refused_assignee_names_its_field_and_decides_nothing(decide):
    with pytest.raises(BadTriageError) as refused:
        decide(assignee="nobody")

    assert refused.value.field == "assignee"
    assert not TriageEntry.objects.exists()


def test_finding_stays_with_somebody_who_can_no_longer_log_in(person, decide):
    ada = person("ada")
    decide(assignee="ada")
    ada.is_active = False
    ada.save()

    decide(assignee="ada", note="still")

    assert TriageEntry.objects.first().assigned_to == ada


def test_many_decided_at_once_keep_whom_they_have_and_when_they_are_due(person, decide):
    ada, bob, day = person("ada"), person("bob"), date(2026, 12, 24)
    decide("open inbox", assignee="ada", due=day, bug_url="https://bugs.example/1")
    decide("send mail", assignee="bob")

    decide("open inbox", "send mail", "search", state="acknowledged", keeps=True)

    found = {entry.interaction.name: entry for entry in TriageEntry.objects.filter(state="acknowledged")}
    assert {name: entry.assigned_to for name, entry in found.items()} == {
        "open inbox": ada, "send mail": bob, "search": None,
    }  # fmt: skip
    assert (found["open inbox"].due, found["open inbox"].bug_url) == (day, "https://bugs.example/1")
    decide()
    assert (TriageEntry.objects.first().assignee, TriageEntry.objects.first().due) == ("", None)


def test_undo_gives_a_finding_back_to_whom_it_was_before(person, decide, engineer):
    ada, day = person("ada"), date(2026, 12, 24)
    decide(assignee="ada", due=day)

    undo_triage(batch=decide(assignee="engineer"), user=engineer)

    newest = TriageEntry.objects.first()
    assert (newest.assigned_to, newest.assignee, newest.due) == (ada, "ada", day)


@pytest.mark.parametrize("state", TriageState.values)
def test_only_what_is_open_becomes_overdue_and_only_the_day_after(state):
    today = timezone.localdate()
    open_ones = {"untriaged", "investigating", "acknowledged"}

    entries = [TriageEntry(state=state, due=today - timedelta(days=days)) for days in (0, 1)]

    assert [entry.is_overdue for entry in entries] == [False, state in open_ones]
    assert not TriageEntry(state=state).is_overdue


def test_texts_of_before_are_mapped_to_the_people_whom_they_mean(person, decide):
    ada, gone = person("ada", "Ada Lovelace"), person("gone", is_active=False)
    person("two", "Same Name")
    person("one", "Same Name")
    texts = {
        "ada": ada, "ADA": ada, "ada lovelace": ada, "gone": gone, "Same Name": None, "core team": None, "": None,
    }  # fmt: skip
    for number, text in enumerate(texts):
        decide(f"tap {number}")
        TriageEntry.objects.filter(interaction__name=f"tap {number}").update(assignee=text)

    import_module("reports.migrations.0028_assignees").map_names(apps, None)

    found = {entry.assignee: entry.assigned_to for entry in TriageEntry.objects.all()}
    assert found == texts
