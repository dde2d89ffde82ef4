"""Issues of findings through the API: asked for here, made by the queue."""

import pytest

from reports.models import Issue, IssueStatus, Tracker
from reports.trackers.services import remove_tracker

pytestmark = pytest.mark.django_db
ISSUES = "/api/v1/issues/"
FINDING = {"base": "13.0.9", "new": "13.0.13", "package": "org.example.mail", "interaction": "open inbox"}


@pytest.fixture
def bugs(compared):
    return Tracker.objects.create(name="Bugs", kind="gitlab", address="https://gitlab.example", project="lab/bugs")


def post(client, address=ISSUES, **sent):
    return client.post(address, sent, content_type="application/json")


def test_a_finding_has_one_issue_in_a_tracker(signed_in, bugs):
    first, again = (post(signed_in, **FINDING, tracker="Bugs") for _ in range(2))

    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    found = first.json()
    assert {name: found[name] for name in FINDING} == FINDING
    assert (found["status"], found["state"], found["url"], found["asked_by"]) == ("waiting", "", "", "engineer")
    issue = Issue.objects.get()
    page = signed_in.get("/compare/13.0.9/13.0.13/org.example.mail/open inbox/issue/").context["form"].initial
    assert (issue.title, issue.body) == (page["title"], page["body"].rstrip())


def test_its_state_is_told_and_a_failure_tried_again(signed_in, bugs):
    number = post(signed_in, **FINDING, tracker="Bugs", title="Slow", body="Look.").json()["id"]
    Issue.objects.update(status=IssueStatus.FAILED, error="The token was refused.")

    [failed] = signed_in.get(f"{ISSUES}?status=failed&tracker=Bugs").json()["results"]
    assert (failed["id"], failed["title"], failed["error"]) == (number, "Slow", "The token was refused.")
    assert post(signed_in, f"{ISSUES}{number}/again/").json()["status"] == "waiting"

    Issue.objects.update(status=IssueStatus.MADE, number="7", url="https://gitlab.example/7", state="closed")
    found = post(signed_in, f"{ISSUES}{number}/again/").json()
    assert (found["status"], found["number"], found["state"]) == ("made", "7", "closed")
    assert signed_in.get(f"{ISSUES}{number + 1}/").status_code == 404


@pytest.mark.parametrize(
    ("field", "sent"),
    [
        ("tracker", {"tracker": "Others"}),
        ("base", {"base": "1"}),
        ("new", {"new": "1"}),
        ("interaction", {"interaction": "none"}),
        ("title", {"title": "x" * 251}),
        ("text", {"text": "x"}),
    ],
)
def test_what_is_wrong_is_named_by_its_field(signed_in, bugs, field, sent):
    answer = post(signed_in, **{**FINDING, "tracker": "Bugs"} | sent)

    assert (answer.status_code, [row["field"] for row in answer.json()["errors"]]) == (422, [field])
    assert not Issue.objects.exists()


def test_trackers_are_told_without_their_tokens_while_they_are_offered(signed_in, bugs, engineer):
    found = signed_in.get("/api/v1/trackers/").json()["results"]
    remove_tracker(tracker=bugs, user=engineer)

    assert found == [{"name": "Bugs", "kind": "gitlab", "project": "lab/bugs"}]
    assert signed_in.get("/api/v1/trackers/").json()["results"] == []
