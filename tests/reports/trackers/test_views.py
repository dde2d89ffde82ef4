import pytest
from django.urls import reverse

from reports.models import AuditEntry, Issue, Tracker
from reports.web.sealed import unseal
from tests import factories
from tests.reports.trackers.exchanges import TOKEN

BASE, NEW = "13.0.9", "13.0.13"
NAMES = [BASE, NEW, "org.example.mail", "open inbox"]
DRILLDOWN = reverse("drilldown", args=NAMES)
ADDRESS = reverse("issue-new", args=NAMES)
TYPED = {
    "name": "Bugs", "kind": "github", "address": "https://api.github.com", "project": "octocat/Hello-World",
    "account": "", "issue_type": "", "token": TOKEN,
}  # fmt: skip
pytestmark = pytest.mark.django_db
TRACKERS_QUERIES, DRILLDOWN_QUERIES, ISSUE_QUERIES = 4, 29, 28


def _errors(answer):
    return {name: list(texts) for name, texts in answer.context["form"].errors.items()}


def test_tracker_is_kept_with_its_token_sealed_and_never_shown(admin_client):
    assert admin_client.post(reverse("tracker-add"), TYPED).url == reverse("trackers")

    tracker = Tracker.objects.get()
    assert TOKEN not in tracker.token
    assert unseal(tracker.token) == TOKEN
    pages = [reverse("trackers"), reverse("tracker-edit", args=[tracker.pk])]
    assert not any(TOKEN in admin_client.get(page).content.decode() for page in pages)
    assert not any(TOKEN in f"{entry.before}{entry.after}{entry.note}" for entry in AuditEntry.objects.all())


def test_change_keeps_the_token_where_it_is_sent_to_the_same_place(admin_client, tracker):
    row = tracker(address="https://api.github.com")
    sealed = row.token
    typed = TYPED | {"token": "", "project": "octocat/Other"}

    assert admin_client.post(reverse("tracker-edit", args=[row.pk]), typed).status_code == 302

    row.refresh_from_db()
    assert (row.project, row.token) == ("octocat/Other", sealed)
    moved = admin_client.post(reverse("tracker-edit", args=[row.pk]), typed | {"address": "https://evil.example"})
    assert "it is sent to no other address" in _errors(moved)["token"][0]
    assert Tracker.objects.get().address == "https://api.github.com"


@pytest.mark.parametrize(("field", "value", "words"), [
    ("project", "no-owner", "give owner/repository"),
    ("address", "ftp://api.github.com", "without name, password or query"),
    ("address", "https://me:secret@api.github.com", "without name, password or query"),
    ("kind", "trac", "not one of the available choices"),
    ("token", "", "Enter the token"),
    ("name", "", "required"),
    ("name", "Others", "Another tracker has this name"),
])  # fmt: skip
def test_what_cannot_be_is_refused_at_its_field(admin_client, tracker, field, value, words):
    tracker(name="Others")

    answer = admin_client.post(reverse("tracker-add"), TYPED | {field: value})

    assert answer.status_code == 422
    assert words in _errors(answer)[field][0]
    assert Tracker.objects.count() == 1


def test_removed_tracker_is_offered_no_more_and_its_name_is_free_again(admin_client, tracker, compared):
    row = tracker()
    assert admin_client.post(reverse("tracker-remove", args=[row.pk])).status_code == 302

    assert "No issue tracker yet" in admin_client.get(reverse("trackers")).content.decode()
    assert "Set up an issue tracker" in admin_client.get(DRILLDOWN).content.decode()
    assert "No issue tracker is set up" in admin_client.get(ADDRESS).content.decode()
    assert admin_client.post(reverse("tracker-add"), TYPED).status_code == 302


def test_issue_is_shown_before_it_is_made_and_sent_as_it_was_changed(signed_in, compared, tracker):
    row = tracker()
    assert "Make an issue…" in signed_in.get(DRILLDOWN).content.decode()

    form = signed_in.get(ADDRESS).context["form"]

    body = form["body"].value()
    assert "open inbox" in form["title"].value()
    assert f"<http://testserver{DRILLDOWN}>" in body
    assert "| Metric | Baseline | Updated |" in body
    sent = {"tracker": row.pk, "title": "Shorter", "body": "As I say it"}
    assert signed_in.post(ADDRESS, sent).url == DRILLDOWN
    issue = Issue.objects.get()
    assert (issue.title, issue.body, issue.asked_by.username) == ("Shorter", "As I say it", "engineer")
    shown = signed_in.get(DRILLDOWN).content.decode()
    assert "on its way" in shown
    assert "Make an issue…" not in shown
    again = signed_in.post(ADDRESS, sent, follow=True).content.decode()
    assert "has an issue of this finding already" in again


def test_box_says_how_an_issue_stands_and_offers_another_try_to_who_may(
    client, signed_in, compared, tracker, django_user_model
):
    made = {"base": compared.base, "new": compared.new, "interaction": factories.interaction(), "title": "x"}
    values = made | {"body": "x", "due_at": compared.computed_at, "tracker": tracker()}
    url = "https://github.com/octocat/Hello-World/issues/7"
    issue = Issue.objects.create(
        **values, marker="a", status="made", number="7", url=url, state="closed", checked_at=compared.computed_at
    )
    shown = signed_in.get(DRILLDOWN).content.decode()
    assert f'<a href="{url}" rel="noopener noreferrer">Bugs 7</a>' in shown
    assert "<b>closed</b>" in shown
    assert f'name="bug_url" maxlength="500" value="{url}"' in shown  # one and the same link

    Issue.objects.update(status="failed", error="<i>no</i> token", url="", number="7")

    shown = signed_in.get(DRILLDOWN).content.decode()
    assert "could not be made" in shown
    assert "&lt;i&gt;no&lt;/i&gt; token" in shown
    again = reverse("issue-again", args=[issue.pk])
    assert again in shown
    assert signed_in.post(again, {"back": DRILLDOWN}).url == DRILLDOWN
    assert Issue.objects.get().status == "waiting"
    client.force_login(django_user_model.objects.create_user(username="viewer"))
    Issue.objects.update(status="failed")
    assert again not in client.get(DRILLDOWN).content.decode()


def test_pages_ask_the_same_number_of_questions_however_many_there_are(
    admin_client, tracker, compared, django_assert_num_queries
):
    def ask(page, count):
        with django_assert_num_queries(count):
            admin_client.get(page)

    for name in ("one", "two"):
        row = tracker(name=name)
        values = {"base": compared.base, "new": compared.new, "title": "x", "body": "x"}
        values |= {"due_at": compared.computed_at, "interaction": factories.interaction(), "marker": name}
        Issue.objects.create(tracker=row, **values)
        ask(reverse("trackers"), TRACKERS_QUERIES)
        ask(DRILLDOWN, DRILLDOWN_QUERIES)
        ask(ADDRESS, ISSUE_QUERIES)


def test_issue_of_what_is_not_there_is_not_found(signed_in, compared):
    assert signed_in.get(reverse("issue-new", args=[*NAMES[:3], "nothing"])).status_code == 404
