"""Each adapter against exchanges that were written down from the documentation of its tracker."""

from datetime import UTC, datetime

import pytest

from reports.models import Tracker
from reports.trackers.adapters import Draft, Made, TrackerError, adapter_of
from tests.reports.trackers.exchanges import (
    GITHUB,
    GITHUB_PATH,
    GITLAB,
    GITLAB_PATH,
    JIRA_CLOUD,
    JIRA_CREATED,
    JIRA_SERVER,
    MARKER,
    Exchange,
    github_issue,
    gitlab_issue,
    jira_issue,
)

SINCE = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
BODY = f"**Slower**\n\nSee <https://upreg.example/x>.\n\n`{MARKER}`\n"
DRAFT = Draft("Mail · open inbox: 250 ms later", BODY, MARKER)
CLOUD = {"account": "a@lab.example", "issue_type": "Defect"}


def test_github_makes_an_issue_and_says_how_it_stands(serving):
    sent = {"title": DRAFT.title, "body": BODY}
    made = Exchange(f"POST {GITHUB_PATH}", github_issue(), 201, sent=sent, headers=GITHUB)
    states = [
        Exchange(f"GET {GITHUB_PATH}/1347", github_issue(state="closed"), headers=GITHUB),
        Exchange(f"GET {GITHUB_PATH}/1347", {"message": "This issue was deleted"}, 410),
    ]

    with serving("github", made, *states) as tracker:
        adapter = adapter_of(tracker)
        assert adapter.create(DRAFT) == Made("1347", "https://github.com/octocat/Hello-World/issues/1347", "open")
        assert [adapter.state("1347") for _ in states] == ["closed", "gone"]


def test_github_finds_an_issue_by_its_marker_on_a_later_page_and_takes_no_pull_request_for_it(serving):
    query = {"state": "all", "since": "2026-11-20T11:00:00Z", "per_page": "100"}
    pull = github_issue(
        2000, body=BODY, pull_request={"url": "https://api.github.com/repos/octocat/Hello-World/pulls/2000"}
    )
    first = [pull, *(github_issue(number, body=None) for number in range(1999, 1900, -1))]
    pages = [
        Exchange(f"GET {GITHUB_PATH}", first, query=query | {"page": "1"}, headers=GITHUB),
        Exchange(f"GET {GITHUB_PATH}", [github_issue(7, body=BODY)], query=query | {"page": "2"}),
    ]

    with serving("github", *pages) as tracker:
        assert adapter_of(tracker).find(MARKER, SINCE).number == "7"


def test_gitlab_makes_finds_and_looks_at_an_issue(serving):
    sent = {"title": DRAFT.title, "description": BODY}
    query = {"search": MARKER, "in": "description", "state": "all"}
    others = [gitlab_issue(13, description="another"), gitlab_issue(14, state="closed", description=BODY)]
    exchanges = [
        Exchange(f"POST {GITLAB_PATH}", gitlab_issue(), 201, sent=sent, headers=GITLAB),
        Exchange(f"GET {GITLAB_PATH}", others, query=query, headers=GITLAB),
        Exchange(f"GET {GITLAB_PATH}", [], query=query),
        Exchange(f"GET {GITLAB_PATH}/14", gitlab_issue(state="closed"), headers=GITLAB),
        Exchange(f"GET {GITLAB_PATH}/14", {"message": "404 Not found"}, 404),
    ]
    page = "http://gitlab.example.com/my-group/my-project/issues/14"

    with serving("gitlab", *exchanges) as tracker:
        adapter = adapter_of(tracker)
        assert adapter.create(DRAFT) == Made("14", page, "open")
        assert adapter.find(MARKER, SINCE) == Made("14", page, "closed")
        assert adapter.find(MARKER, SINCE) is None
        assert [adapter.state("14") for _ in range(2)] == ["closed", "gone"]


@pytest.mark.parametrize(("values", "headers", "search"), [
    (CLOUD, JIRA_CLOUD, "/rest/api/2/search/jql"),
    ({}, JIRA_SERVER, "/rest/api/2/search"),
])  # fmt: skip
def test_jira_makes_finds_and_looks_at_an_issue_in_the_cloud_and_elsewhere(serving, values, headers, search):
    fields = {
        "project": {"key": "ED"}, "issuetype": {"name": values.get("issue_type", "Bug")}, "summary": DRAFT.title,
        "description": "*Slower*\n\nSee [https://upreg.example/x].\n\n"
        f"{{{{{MARKER}}}}}\n", "labels": [MARKER],
    }  # fmt: skip
    jql = f'project = "ED" AND labels = "{MARKER}"'
    exchanges = [
        Exchange("POST /rest/api/2/issue", JIRA_CREATED, 201, sent={"fields": fields}, headers=headers),
        Exchange(f"GET {search}", {"issues": [jira_issue(category="done")]}, query={"jql": jql}, headers=headers),
        Exchange(f"GET {search}", {"issues": []}, query={"jql": jql}),
        Exchange("GET /rest/api/2/issue/ED-24", jira_issue(category="indeterminate"), query={"fields": "status"}),
        Exchange("GET /rest/api/2/issue/ED-24", jira_issue(category="done")),
        Exchange("GET /rest/api/2/issue/ED-24", {"errorMessages": ["Issue does not exist"], "errors": {}}, 404),
    ]

    with serving("jira", *exchanges, **values) as tracker:
        adapter, page = adapter_of(tracker), f"{tracker.address}/browse/ED-24"
        assert adapter.create(DRAFT) == Made("ED-24", page, "open")
        assert adapter.find(MARKER, SINCE) == Made("ED-24", page, "closed")
        assert adapter.find(MARKER, SINCE) is None
        assert [adapter.state("ED-24") for _ in range(3)] == ["open", "closed", "gone"]


TIRED = {"X-RateLimit-Remaining": "0", "Retry-After": "120"}
UNPROCESSABLE = {"message": "Validation Failed", "errors": [{"message": "body is too long"}]}


@pytest.mark.parametrize(("status", "answer", "answered", "words", "again"), [
    (401, {"message": "Bad credentials"}, {}, "does not take the token any more: enter a new one", False),
    (403, {"message": "Resource not accessible"}, {}, "give it the right to write issues. It says: Resource",
    False),
    (403, {"message": "API rate limit exceeded"}, TIRED, "asks to wait", True),
    (404, {"message": "Not Found"}, {}, "no project octocat/Hello-World that takes issues", False),
    (410, {"message": "Issues are disabled"}, {}, "It says: Issues are disabled", False),
    (422, UNPROCESSABLE, {}, "refused it (422). It says: Validation Failed; body is too long", False),
    (429, {}, {"Retry-After": "120"}, "asks to wait", True),
    (503, {"message": "Unavailable"}, {}, "had an error (503)", True),
    (301, {}, {"Location": "http://127.0.0.1:1/"}, "does not answer as the API of GitHub does", False),
    (200, b"<html>log in</html>", {}, "does not answer as the API of GitHub does", False),
    (200, [], {}, "does not answer as the API of GitHub does", False),
    (201, {"html_url": "https://x/1"}, {}, "names no issue", True),
])  # fmt: skip
def test_refusal_tells_why_the_cure_and_whether_it_is_worth_another_try(
    serving, status, answer, answered, words, again
):
    exchange = Exchange(f"POST {GITHUB_PATH}", answer, status, answered=answered)

    with serving("github", exchange) as tracker, pytest.raises(TrackerError) as refused:
        adapter_of(tracker).create(DRAFT)

    assert words in str(refused.value)
    assert refused.value.again is again
    assert refused.value.pause.total_seconds() == (120 if answered.get("Retry-After") else 0)


def test_jira_says_which_field_it_refuses(serving):
    refused = {"errorMessages": [], "errors": {"issuetype": "Specify a valid issue type"}}
    exchange = Exchange("POST /rest/api/2/issue", refused, 400)

    with (
        serving("jira", exchange) as tracker,
        pytest.raises(TrackerError, match="It says: Specify a valid issue type"),
    ):
        adapter_of(tracker).create(DRAFT)


@pytest.mark.parametrize("address", ["javascript:alert(1)", "data:text/html,x", "", None, "https://x/" + "x" * 600])
def test_address_that_no_page_may_lead_to_is_none(serving, address):
    exchange = Exchange(f"POST {GITHUB_PATH}", github_issue(html_url=address), 201)

    with serving("github", exchange) as tracker:
        assert adapter_of(tracker).create(DRAFT).url == ""


def test_token_sealed_under_another_key_says_to_enter_it_again(tracker, settings):
    made = tracker()
    settings.SECRET_KEY = "another" * 9

    with pytest.raises(TrackerError, match="UPREG_SECRET_KEY was changed: enter it again") as refused:
        adapter_of(Tracker.objects.get(pk=made.pk)).create(DRAFT)

    assert not refused.value.again
