from datetime import timedelta

import pytest
from django.utils import timezone

from reports.home.waiting import MOST_ASSIGNED, waiting_for
from reports.models import TriageState
from reports.triage.selectors import triage_counts
from reports.triage.services import Decision, triage
from tests import factories


@pytest.fixture
def bob(django_user_model):
    return django_user_model.objects.create_user(username="bob")


def _decide(comparison, user, *, state="investigating", assignee="", due=None, names=("open inbox",)):
    ids = [factories.interaction(name).pk for name in names]
    fixed_in = "13.0.14" if state == "fixed" else ""
    decision = Decision(state=state, assignee=assignee, due=due, fixed_in=fixed_in)
    triage(base=comparison.base, new=comparison.new, interaction_ids=ids, decision=decision, user=user)


def _waive(days, name="open inbox"):
    inbox = factories.interaction(name)
    facts = {
        "reason": "known",
        "approver": "release manager",
        "expires": timezone.localdate() + timedelta(days=days),
    }
    return factories.accepted_waiver(app=inbox.app, interaction=inbox, **facts)


def _page(client):
    return " ".join(client.get("/").content.decode().split())


def test_waiting_lists_what_is_assigned_to_this_person_with_its_severity(compared, engineer, bob):
    _decide(compared, engineer, assignee="Engineer")

    (entry,) = waiting_for(engineer, [compared]).assigned

    assert (entry.interaction.name, entry.severity) == ("open inbox", "Severe")
    assert waiting_for(bob, [compared]).assigned == []


@pytest.mark.parametrize("state", ["invalid", "infra", "fixed", "wontfix"])
def test_waiting_leaves_out_what_was_closed(compared, engineer, state):
    _decide(compared, engineer, assignee="engineer")
    _decide(compared, engineer, assignee="engineer", state=state)

    assert waiting_for(engineer, [compared]).assigned == []


def test_waiting_leaves_out_what_was_handed_to_another(compared, engineer, bob):
    _decide(compared, engineer, assignee="engineer")
    _decide(compared, engineer, assignee="bob")

    assert waiting_for(engineer, [compared]).assigned == []


def test_waiting_begins_with_what_is_due_first(compared, engineer):
    today = timezone.localdate()
    for name, due in (("open inbox", None), ("like", today + timedelta(days=3)), ("fling", today)):
        _decide(compared, engineer, assignee="engineer", due=due, names=(name,))

    found = waiting_for(engineer, [compared]).assigned

    assert [entry.interaction.name for entry in found] == ["fling", "like", "open inbox"]


def test_home_says_what_is_due_and_what_is_overdue(signed_in, compared, engineer):
    today = timezone.localdate()
    _decide(compared, engineer, assignee="engineer", due=today)
    assert f"due {today:%-d %b %Y}" in _page(signed_in)
    assert "overdue" not in _page(signed_in)

    _decide(compared, engineer, assignee="engineer", due=today - timedelta(days=1))

    assert "overdue since" in _page(signed_in)


def test_waiting_for_more_than_a_list_holds_says_so(compared, engineer):
    names = [f"swipe {number}" for number in range(MOST_ASSIGNED + 1)]
    _decide(compared, engineer, assignee="engineer", names=names)

    waiting = waiting_for(engineer, [compared])

    assert len(waiting.assigned) == MOST_ASSIGNED
    assert waiting.assigned_count == MOST_ASSIGNED + 1


def test_waiting_counts_regressions_that_nobody_looked_at_as_the_ranking_does(compared, engineer):
    (untriaged,) = waiting_for(engineer, [compared]).untriaged

    assert untriaged.count == dict(triage_counts(compared))[TriageState.UNTRIAGED] == 1
    _decide(compared, engineer)
    assert waiting_for(engineer, [compared]).untriaged == []


def test_waiting_names_waivers_that_end_within_a_week(compared, engineer):
    soon = _waive(7)
    _waive(8, name="like")

    assert [row.waiver for row in waiting_for(engineer, [compared]).waivers] == [soon]


def test_home_shows_all_that_waits_with_links(signed_in, compared, engineer):
    _decide(compared, engineer, assignee="engineer")
    _waive(0)

    page = _page(signed_in)

    assert '<a href="/compare/13.0.9/13.0.13/org.example.mail/open%20inbox/">' in page
    assert "investigating" in page
    assert "Every regression of the latest comparisons has been looked at." in page
    assert "ends today" in page


def test_home_with_nothing_waiting_says_how_something_would(signed_in, versions):
    page = _page(signed_in)

    assert "A finding that is assigned to engineer waits here" in page
    assert "Regressions that nobody has decided about are counted here" in page
    assert "When one ends, what it accepted counts at the" in page


def test_home_leads_to_regressions_that_nobody_looked_at(signed_in, compared):
    assert "/compare/13.0.9/13.0.13/?verdict=regression&amp;state=untriaged" in _page(signed_in)
