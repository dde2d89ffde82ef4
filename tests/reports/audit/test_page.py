"""The page of the log and its CSV: who may read, what is found, pages that never count."""

import csv
from datetime import UTC, datetime

import pytest
from django.urls import reverse

from analysis.policy.policy import DEFAULT_POLICY
from analysis.policy.policyjson import policy_to_json
from reports.audit.selectors import COLUMNS
from reports.audit.services import record
from reports.models import Action, AuditEntry, Subject
from reports.policies.services import save_policy

pytestmark = pytest.mark.django_db


def _entry(number, **values):
    facts = {"action": Action.EXPORTED, "kind": Subject.FILE, "who": "ann", "subject": f"file {number}"}
    return AuditEntry(**facts | values)


@pytest.fixture
def log(admin_client):
    """Fill the log: 120 exports by two people, one a day, after the login of whoever looks."""
    days = [datetime(2026, 1 + number // 28, 1 + number % 28, 12, tzinfo=UTC) for number in range(120)]
    AuditEntry.objects.bulk_create(
        _entry(number, made_at=day, who="ann" if number % 3 else "bob") for number, day in enumerate(days)
    )
    return admin_client


def _subjects(answer):
    return [line.subject for line in answer.context["log"].lines]


def test_only_administrators_read_the_log(signed_in):
    for name in ("audit", "audit-csv"):
        answer = signed_in.get(reverse(name))
        assert (answer.status_code, "Administrators may read the audit log" in answer.content.decode()) == (
            403,
            True,
        )
    assert "Audit log" not in signed_in.get("/").content.decode()


def test_pages_lead_to_the_oldest_entry_and_back(log, django_assert_num_queries):
    address, seen = reverse("audit"), []
    while address:
        answer = log.get(address)
        seen += _subjects(answer)
        older = answer.context["log"].older
        address = f"{reverse('audit')}?before={older}" if older else ""

    assert seen == [f"file {number}" for number in reversed(range(120))] + [""]
    newer = log.get(f"{reverse('audit')}?after={answer.context['log'].newer}")
    assert _subjects(newer) == [f"file {number}" for number in reversed(range(20, 70))]
    assert newer.context["log"].newer is not None


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("who=bob&per_page=200", [f"file {number}" for number in reversed(range(0, 120, 3))]),
        ("q=file+11", ["file 119", "file 118", "file 117", "file 116", "file 115", "file 114", "file 113",
                       "file 112", "file 111", "file 110", "file 11"]),
        ("since=2026-01-03&until=2026-01-05", ["file 4", "file 3", "file 2"]),
        ("until=2026-01-01", ["file 0"]),
        ("since=2999-01-01", []),
        ("action=logged_in", [""]),
        ("kind=person", [""]),
        ("kind=nonsense&before=x&since=yesterday&q=file+119", ["file 119"]),
    ],
)  # fmt: skip
def test_filters_find_what_they_say(log, query, expected):
    assert _subjects(log.get(f"{reverse('audit')}?{query}")) == expected


def test_page_costs_as_many_queries_for_many_entries(log, django_assert_max_num_queries):
    with django_assert_max_num_queries(12):
        log.get(f"{reverse('audit')}?since=2026-01-02&before=100&who=ann")


def test_csv_holds_every_entry_and_no_formula(log):
    record(Action.EXPORTED, who="=1+1", subject="@sum", kind=Subject.FILE)

    answer = log.get(reverse("audit-csv"))

    rows = list(csv.DictReader(b"".join(answer.streaming_content).decode().splitlines()))
    assert tuple(rows[0]) == COLUMNS
    assert rows[0]["subject"] == "audit.csv"  # that it was exported comes first
    assert (rows[1]["who"], rows[1]["subject"]) == ("'=1+1", "'@sum")
    assert len(rows) == AuditEntry.objects.count()


def test_change_of_a_policy_is_told_in_words(log, engineer):
    rules = policy_to_json(DEFAULT_POLICY)
    rules["thresholds"]["response_time_ms"]["absolute"] = 80.0
    save_policy(name="default", rules=rules, based_on=0, user=engineer, note="slow lab")

    line = log.get(reverse("audit")).context["log"].lines[0]

    assert (line.who, line.action, line.subject) == ("engineer", "saved policy", "default v1")
    assert line.detail == "Absolute threshold of response time: 50 → 80 ms; slow lab"


def test_login_logout_and_failure_are_written_down_with_the_address(client, engineer, caplog):
    client.post("/login/", {"username": "eve\nfake line", "password": "x"}, REMOTE_ADDR="192.0.2.7")
    client.post("/login/", {"username": "engineer", "password": "only-for-tests"}, REMOTE_ADDR="2001:db8::1")
    client.post("/logout/", REMOTE_ADDR="2001:db8::1")

    said = list(AuditEntry.objects.order_by("pk").values_list("action", "who", "user_id", "address"))
    assert said == [
        ("login_failed", "eve\nfake line", None, "192.0.2.7"),
        ("logged_in", "engineer", engineer.pk, "2001:db8::1"),
        ("logged_out", "engineer", engineer.pk, "2001:db8::1"),
    ]
    lines = [entry.getMessage() for entry in caplog.records if entry.name == "upreg.security"]
    assert lines[0] == r"'eve\nfake line' failed to log in, from 192.0.2.7"
