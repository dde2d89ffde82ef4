import pytest
from django.urls import reverse

from reports.models import TriageEntry
from reports.triage.services import Decision, triage
from tests import factories
from tests.reports.drilldown.rows import compared

PAIR = ["13.0.12", "13.0.13"]


@pytest.fixture
def bob(django_user_model):
    return django_user_model.objects.create_user(username="bob")


def page(name="open inbox"):
    return reverse("drilldown", args=[*PAIR, "org.example.mail", name])


def test_decision_is_shown_on_the_page_and_can_be_taken_back(db, signed_in, bob):
    compared()
    sent = {
        "interaction": factories.interaction().pk, "state": "investigating", "assignee": "Bob", "due": "2026-01-31",
        "note": "since the new scheduler", "bug_url": "https://bugs.example.org/1", "back": page(),
    }  # fmt: skip

    shown = signed_in.post(reverse("triage", args=PAIR), sent, follow=True).content.decode()

    assert (
        '<b>investigating</b> · <span class="triage-name">bob</span> · <span class="triage-still">overdue</span>'
        in shown
    )
    assert "assigned to bob, due 31 Jan 2026" in shown
    assert "since the new scheduler" in shown
    undo = reverse("triage-undo", args=[TriageEntry.objects.get().batch])
    assert "<b>untriaged</b>" in signed_in.post(undo, {"back": page()}, follow=True).content.decode()


def test_many_at_once_answer_with_the_batch_for_scripts(db, signed_in):
    compared()
    compared(of=factories.interaction("send mail"))
    ids = [factories.interaction(name).pk for name in ("open inbox", "send mail")]

    answer = signed_in.post(
        reverse("triage", args=PAIR),
        {"interaction": ids, "state": "acknowledged"},
        headers={"Accept": "application/json"},
    )

    assert answer.json()["count"] == 2
    undone = signed_in.post(
        reverse("triage-undo", args=[answer.json()["batch"]]), headers={"Accept": "application/json"}
    )
    assert undone.json()["count"] == 2


def test_wrong_decisions_are_refused_with_words(db, signed_in):
    compared()

    answer = signed_in.post(
        reverse("triage", args=PAIR), {"state": "fixed"}, headers={"Accept": "application/json"}
    )

    assert answer.status_code == 400
    assert "Choose at least one interaction" in answer.json()["message"]


def test_addresses_elsewhere_are_no_way_back(db, signed_in):
    sent = {"interaction": factories.interaction().pk, "state": "wontfix", "back": "https://evil.example/"}
    compared()

    assert signed_in.post(reverse("triage", args=PAIR), sent).url == reverse("home")


def _decided_by_another(bob):
    """Let two people load the page of a finding, and the other one decide first; returns what was sent."""
    sides = compared()
    mail = factories.interaction()
    base, new = (factories.os_version(name) for name in PAIR)
    seen = {"seen": "0", "interaction": mail.pk, "state": "invalid", "note": "the clock", "back": page()}
    decision = Decision(state="investigating", note="since the new scheduler")
    triage(base=base, new=new, interaction_ids=[mail.pk], decision=decision, user=bob)
    return sides, seen


def test_a_decision_of_somebody_else_since_the_page_was_loaded_is_shown_and_asked_about(db, signed_in, bob):
    _, sent = _decided_by_another(bob)

    answer = signed_in.post(reverse("triage", args=PAIR), sent)

    shown = answer.content.decode()
    assert answer.status_code == 409
    assert "<b>investigating</b>, by bob" in shown
    assert "since the new scheduler" in shown
    assert "the clock</textarea>" in shown
    assert [entry.state for entry in TriageEntry.objects.all()] == ["investigating"]

    again = {**sent, "seen": answer.context["form"]["seen"].value()}
    assert signed_in.post(reverse("triage", args=PAIR), again).status_code == 302
    assert [entry.state for entry in TriageEntry.objects.all()] == ["invalid", "investigating"]


def test_many_at_once_are_asked_about_as_a_whole(db, signed_in, bob):
    compared(of=factories.interaction("send mail"))
    _, sent = _decided_by_another(bob)
    sent["interaction"] = [factories.interaction(name).pk for name in ("open inbox", "send mail")]
    headers = {"Accept": "application/json"}

    answer = signed_in.post(reverse("triage", args=PAIR), sent, headers=headers)

    assert answer.status_code == 409
    assert "bob decided that Mail · open inbox is investigating" in answer.json()["message"]
    assert TriageEntry.objects.count() == 1
    again = signed_in.post(reverse("triage", args=PAIR), {**sent, "seen": answer.json()["seen"]}, headers=headers)
    assert again.json()["count"] == 2


def test_what_one_decided_oneself_is_no_conflict_and_pages_carry_what_they_have_seen(db, signed_in, bob):
    _decided_by_another(bob)
    newest = TriageEntry.objects.get().pk

    shown = signed_in.get(page()).content.decode()
    assert f'name="seen" value="{newest}"' in shown
    sent = {"seen": newest, "interaction": factories.interaction().pk, "back": page()}
    for state in ("acknowledged", "wontfix"):
        assert signed_in.post(reverse("triage", args=PAIR), {**sent, "state": state}).status_code == 302


def test_assignee_is_chosen_of_active_people_also_without_scripts(db, signed_in, bob, django_user_model):
    compared()
    ada = {"username": "ada", "first_name": "Ada", "last_name": "Lovelace"}
    django_user_model.objects.create_user(**ada)
    django_user_model.objects.create_user(username="gone", is_active=False)

    shown = signed_in.get(page()).content.decode()

    offered = shown[shown.index('<datalist id="people">') : shown.index("</datalist>")]
    assert '<option value="ada">Ada Lovelace</option>' in offered
    assert '<option value="bob">' in offered
    assert "gone" not in offered


@pytest.mark.parametrize(("sent", "words"), [
    ({"assignee": "core team"}, "nobody who can log in here is called core team"),
    ({"due": "soon"}, "This is no date"),
])  # fmt: skip
def test_assignee_who_is_nobody_and_a_date_that_is_none_are_refused_at_their_field(db, signed_in, sent, words):
    compared()
    decided = {"interaction": factories.interaction().pk, "state": "investigating", **sent}

    answer = signed_in.post(reverse("triage", args=PAIR), decided)
    said = signed_in.post(reverse("triage", args=PAIR), decided, headers={"Accept": "application/json"})

    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert words in said.json()["message"]
    assert not TriageEntry.objects.exists()


def test_text_of_before_assignees_were_people_is_shown_harmlessly_and_may_stay(db, signed_in, engineer):
    compared()
    values = {"interaction": factories.interaction(), "state": "investigating", "made_by": engineer}
    base, new = (factories.os_version(name) for name in PAIR)
    text, batch = "<b>core team</b>", "00000000-0000-0000-0000-000000000001"
    TriageEntry.objects.create(base=base, new=new, assignee=text, batch=batch, **values)

    shown = signed_in.get(page()).content.decode()
    assert "“&lt;b&gt;core team&lt;/b&gt;” is nobody with an account here" in shown
    sent = {"interaction": values["interaction"].pk, "state": "acknowledged", "assignee": text, "back": page()}
    assert signed_in.post(reverse("triage", args=PAIR), sent).status_code == 302

    entry = TriageEntry.objects.first()
    assert (entry.state, entry.assignee, entry.assigned_to) == ("acknowledged", text, None)
