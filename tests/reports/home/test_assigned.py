"""All that is assigned to somebody, of every comparison, page by page."""

from datetime import timedelta

from django.urls import reverse
from django.utils import timezone

from reports.home.waiting import MOST_ASSIGNED
from reports.triage.services import Decision, triage
from tests import factories

PAGE = reverse("assigned")


def assign(user, names, *, pair=("13.0.9", "13.0.13"), due=None, state="investigating", to=None):
    base, new = (factories.os_version(name) for name in pair)
    ids = [factories.interaction(name).pk for name in names]
    decision = Decision(state=state, assignee=(to or user).username, due=due)
    triage(base=base, new=new, interaction_ids=ids, decision=decision, user=user)


def rows(client, **query):
    page = client.get(PAGE, query)
    assert page.status_code == 200
    return [(entry.interaction.name, str(entry.base)) for entry in page.context["page"].object_list]


def test_all_of_every_comparison_is_there_the_first_due_on_top(signed_in, engineer, compared, django_user_model):
    today = timezone.localdate()
    assign(engineer, ["like"], due=today + timedelta(days=30))
    assign(engineer, ["fling"], pair=("1", "2"), due=today - timedelta(days=2))
    assign(engineer, ["open inbox"])
    assign(engineer, ["swipe"], state="invalid")
    assign(engineer, ["scroll"], to=django_user_model.objects.create_user(username="bob"))

    assert rows(signed_in) == [("fling", "1"), ("like", "13.0.9"), ("open inbox", "13.0.9")]
    page = " ".join(signed_in.get(PAGE).content.decode().split())
    assert '3 findings, <b class="worse">1 overdue</b>' in page
    assert page.count("overdue since") == 1
    assert "Severe" in page  # of the one that was compared


def test_list_goes_on_over_pages_in_the_same_few_queries(signed_in, engineer, db, django_assert_num_queries):
    def asked():
        with django_assert_num_queries(6):
            return len(rows(signed_in, per_page=50))

    assign(engineer, ["tap"])
    assert asked() == 1
    assign(engineer, [f"swipe {number}" for number in range(60)])
    assert asked() == 50
    assert len(rows(signed_in, per_page=50, page=2)) == 11


def test_home_leads_to_all_of_it_by_their_number(signed_in, engineer, db):
    assign(engineer, [f"swipe {number}" for number in range(MOST_ASSIGNED + 5)])

    assert f'<a href="{PAGE}">All {MOST_ASSIGNED + 5}<' in signed_in.get("/").content.decode()


def test_page_with_nothing_says_how_something_comes_there(signed_in, db):
    assert "waits here until it is closed" in signed_in.get(PAGE).content.decode()
