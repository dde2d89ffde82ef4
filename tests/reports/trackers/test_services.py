"""One issue for a finding and a tracker, whatever gets lost on the way."""

from datetime import timedelta

import pytest
from django.utils import timezone

from reports.models import AuditEntry, Issue, IssueStatus, Tracker, TriageEntry
from reports.queue.leases import TAKEN
from reports.trackers.services import (
    MOST_LOOKED_AT,
    PAUSES,
    ask_again,
    ask_issue,
    issue_text,
    look_after_issues,
    marker_of,
    remove_tracker,
    send_issue,
)
from reports.triage.services import Decision, triage, undo_triage
from tests import factories
from tests.reports.trackers.exchanges import GITHUB_PATH, Exchange, github_issue

pytestmark = pytest.mark.django_db


@pytest.fixture
def finding(engineer):
    base, new = factories.os_version("1"), factories.os_version("2")
    return {"base": base, "new": new, "interaction": factories.interaction(), "user": engineer}


@pytest.fixture
def ask(finding, tracker):
    """Return a function that asks for the issue, of the tracker given or one that nobody listens for."""

    def make(of=None, **more):
        values = finding | {"title": "Slower", "body": "250 ms\r\nlater"} | more
        return ask_issue(tracker=of or tracker(), **values)[0]

    return make


def _listed(issue):
    return [github_issue(7, body=issue_text(issue)), github_issue(6)]


def _made_long_ago(issue, **values):
    long_ago = {"checked_at": timezone.now() - timedelta(days=2), "status": IssueStatus.MADE, "state": "open"}
    Issue.objects.filter(pk=issue.pk).update(**{"number": "7"} | long_ago | values)


def test_issue_is_made_with_its_marker_and_kept_with_number_and_address(serving, ask):
    exchange = Exchange(f"POST {GITHUB_PATH}", github_issue(), 201, sent={"title": "Slower"})
    with serving("github", exchange) as tracker:
        issue = ask(tracker)
        exchange.sent["body"] = issue_text(issue)

        assert send_issue(issue_id=issue.pk) == "made 1347"

    issue.refresh_from_db()
    assert issue.marker in issue_text(issue)
    assert issue_text(issue).startswith("250 ms\nlater\n\n---\n")
    assert (issue.status, issue.state, issue.number) == ("made", "open", "1347")
    assert issue.url == "https://github.com/octocat/Hello-World/issues/1347"
    assert send_issue(issue_id=issue.pk) == TAKEN


def decide(finding, **values):
    """Decide about the finding; returns the newest decision."""
    pair = {"base": finding["base"], "new": finding["new"]}
    decision = Decision(**{"state": "investigating"} | values)
    triage(**pair, interaction_ids=[finding["interaction"].pk], decision=decision, user=finding["user"])
    return TriageEntry.objects.first()


def made(serving, ask):
    """Have the issue made; returns its address."""
    with serving("github", Exchange(f"POST {GITHUB_PATH}", github_issue(), 201)) as tracker:
        issue = ask(tracker)
        send_issue(issue_id=issue.pk)
    issue.refresh_from_db()
    return issue.url


@pytest.mark.parametrize(("before", "after"), [("", None), ("https://bugs.example/1", "https://bugs.example/1")])
def test_issue_fills_the_bug_link_of_the_decision_and_overwrites_none(serving, ask, finding, before, after):
    decide(finding, bug_url="https://bugs.example/old")
    entry = decide(finding, bug_url=before)

    url = made(serving, ask)

    entry.refresh_from_db()
    assert entry.bug_url == (after or url)
    assert [row.bug_url for row in TriageEntry.objects.all()][1:] == ["https://bugs.example/old"]


def test_decision_about_what_has_an_issue_leads_there_unless_it_leads_elsewhere(serving, ask, finding):
    url = made(serving, ask)
    assert not TriageEntry.objects.exists()  # an issue decides nothing

    assert decide(finding).bug_url == url
    assert decide(finding, bug_url="https://bugs.example/1").bug_url == "https://bugs.example/1"
    assert decide(finding, keeps=True).bug_url == "https://bugs.example/1"
    entry = decide(finding)  # a form that was loaded before the issue was there sends an empty field
    assert entry.bug_url == url
    Issue.objects.update(state="gone")
    assert decide(finding).bug_url == ""


def test_triage_taken_back_keeps_the_issue(serving, ask, finding):
    entry = decide(finding)
    url = made(serving, ask)

    assert undo_triage(batch=entry.batch, user=finding["user"]) == 1

    assert (TriageEntry.objects.first().state, TriageEntry.objects.first().bug_url) == ("untriaged", url)


def test_second_request_for_a_finding_has_the_first_ones_issue(finding, tracker):
    asked = {**finding, "tracker": tracker(), "title": "Slower", "body": "later"}

    first, again = ask_issue(**asked), ask_issue(**asked | {"title": "Another"})
    elsewhere = ask_issue(**asked | {"tracker": tracker(name="Others")})

    assert (first[1], again[1], again[0]) == (True, False, first[0])
    assert elsewhere[1]
    assert elsewhere[0].marker != first[0].marker
    assert AuditEntry.objects.filter(action="issue_asked").count() == 2


def test_issue_whose_answer_was_lost_is_found_again_and_not_made_twice(serving, ask):
    lost = Exchange(f"POST {GITHUB_PATH}", cut=True)
    found = Exchange(f"GET {GITHUB_PATH}")
    with serving("github", lost, found) as tracker:
        issue = ask(tracker)
        found.answer = _listed(issue)

        assert "Tried again later." in send_issue(issue_id=issue.pk)
        assert send_issue(issue_id=issue.pk) == "made 7"

    issue.refresh_from_db()
    assert (issue.status, issue.number, issue.error, issue.tracker.error) == ("made", "7", "", "")


def test_issue_of_a_worker_that_died_is_looked_for_before_it_is_made(serving, ask):
    found = Exchange(f"GET {GITHUB_PATH}")
    with serving("github", found) as tracker:
        issue = ask(tracker)
        found.answer = _listed(issue)
        dead = timezone.now() - timedelta(days=1)
        Issue.objects.filter(pk=issue.pk).update(status="running", claimed_at=dead, tries=1)

        assert send_issue(issue_id=issue.pk) == "made 7"


def test_what_fails_for_now_is_tried_again_for_a_day_and_then_given_up(ask, tracker):
    issue = ask(tracker(address="http://127.0.0.1:9"))  # nobody listens there
    pauses = []

    for _ in range(len(PAUSES) + 1):
        before = timezone.now()
        send_issue(issue_id=issue.pk)
        issue.refresh_from_db()
        pauses.append(round((issue.due_at - before).total_seconds() / 60))

    assert pauses[: len(PAUSES)] == [1, 5, 15, 60, 240, 480, 720]
    assert (issue.status, issue.tries) == ("failed", len(PAUSES) + 1)
    assert issue.error.startswith("The server could not be reached")
    assert Tracker.objects.get().error == issue.error


def test_tracker_that_asks_for_a_pause_is_left_alone_for_it(serving, ask):
    tired = Exchange(f"POST {GITHUB_PATH}", {"message": "slow down"}, 429, answered={"Retry-After": "900"})
    with serving("github", tired) as tracker:
        issue, before = ask(tracker), timezone.now()
        send_issue(issue_id=issue.pk)

    issue.refresh_from_db()
    assert issue.status == "waiting"
    assert issue.due_at - before >= timedelta(seconds=900)


def test_what_cannot_work_stops_at_once_and_is_tried_anew_on_request(serving, ask, engineer):
    refused = Exchange(f"POST {GITHUB_PATH}", {"message": "Bad credentials"}, 401)
    looked = [Exchange(f"GET {GITHUB_PATH}", []), Exchange(f"POST {GITHUB_PATH}", github_issue(), 201)]
    with serving("github", refused, *looked) as tracker:
        issue = ask(tracker)
        assert "Given up." in send_issue(issue_id=issue.pk)
        issue.refresh_from_db()
        assert issue.status == "failed"
        assert "enter a new one" in issue.error

        assert ask_again(issue=issue, user=engineer)
        assert not ask_again(issue=issue, user=engineer)
        assert send_issue(issue_id=issue.pk) == "made 1347"


def test_what_nobody_foresaw_costs_this_try_and_leaves_no_claim(ask, monkeypatch, caplog):
    issue = ask()
    monkeypatch.setattr("reports.trackers.services.adapter_of", lambda _: 1 / 0)

    assert "Tried again later" in send_issue(issue_id=issue.pk)

    issue.refresh_from_db()
    assert (issue.status, issue.claim) == ("waiting", None)
    assert "ZeroDivisionError" in caplog.text


def test_schedule_sends_what_is_due_or_was_lost_and_nothing_twice(
    ask, monkeypatch, django_capture_on_commit_callbacks
):
    issue, queued = ask(), []
    monkeypatch.setattr("reports.queue.services.async_task", lambda _, pk, **__: queued.append(pk))

    def look():
        with django_capture_on_commit_callbacks(execute=True):
            look_after_issues()
        return len(queued)

    assert look() == 0  # the queue has it
    Issue.objects.update(due_at=timezone.now() - timedelta(minutes=6))
    assert (look(), look()) == (1, 1)
    Issue.objects.update(error="no answer", due_at=timezone.now() - timedelta(seconds=1))
    assert look() == 2
    Issue.objects.update(status="running", claimed_at=timezone.now() - timedelta(days=1))
    assert look() == 3
    assert set(queued) == {issue.pk}


def test_state_is_asked_for_by_the_schedule_open_ones_often_and_others_seldom(serving, ask):
    exchange = Exchange(f"GET {GITHUB_PATH}/7", github_issue(7, state="closed"))
    with serving("github", exchange) as tracker:
        issue = ask(tracker)
        _made_long_ago(issue, checked_at=timezone.now() - timedelta(minutes=16))
        assert look_after_issues().endswith("1 looked at")
        issue.refresh_from_db()
        assert issue.state == "closed"
        Issue.objects.update(checked_at=timezone.now() - timedelta(minutes=16))
        assert look_after_issues().endswith("0 looked at")


def test_tracker_that_is_away_is_asked_once_and_the_other_all_the_same(serving, ask, tracker):
    away = tracker(name="Away")
    for number in range(3):
        interaction = factories.interaction(f"tap {number}")
        _made_long_ago(ask(away, interaction=interaction))
    with serving("github", Exchange(f"GET {GITHUB_PATH}/7", github_issue(7, state="closed"))) as there:
        _made_long_ago(ask(there))
        assert look_after_issues().endswith("1 looked at")

    away.refresh_from_db()
    assert away.error.startswith("The server could not be reached")
    assert {issue.state for issue in away.issues.all()} == {"open"}
    assert not Issue.objects.filter(checked_at__lt=timezone.now() - timedelta(hours=1)).exists()
    assert MOST_LOOKED_AT >= 4


def test_removed_tracker_forgets_its_token_and_keeps_its_issues(ask, tracker, engineer):
    mine = tracker()
    made = ask(mine)
    _made_long_ago(made)
    waiting = ask(mine, interaction=factories.interaction("like"))

    remove_tracker(tracker=mine, user=engineer)

    mine.refresh_from_db()
    waiting.refresh_from_db()
    assert (mine.active, mine.token) == (False, "")
    assert waiting.status == "failed"
    assert not ask_again(issue=waiting, user=engineer)
    assert look_after_issues() == "0 issues queued, 0 looked at"


def test_marker_is_the_same_for_a_finding_and_tells_nothing(ask, finding, tracker):
    mine = tracker()
    what = {name: finding[name] for name in ("base", "new", "interaction")}

    marker = marker_of(mine, **what)

    assert ask(mine).marker == marker == marker_of(mine, **what)
    assert marker != marker_of(mine, **what | {"base": finding["new"], "new": finding["base"]})
    assert "inbox" not in marker
