"""The weekly digest: written once, on Monday morning, with the words and numbers of the pages."""

from datetime import datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

import pytest
from django.core import mail
from django.utils import timezone

from reports.comparing.services import compute_comparison, open_comparison
from reports.comparing.standing import standing
from reports.models import Comparison, Event, TriageEntry
from reports.notify import digest
from reports.triage.services import Decision, triage
from tests import factories

pytestmark = pytest.mark.django_db
MONDAY = datetime(2026, 11, 23, 7, 5, tzinfo=ZoneInfo("Europe/Helsinki"))
SLOW, FAST = [350.0 + step for step in range(8)], [100.0 + step for step in range(8)]


@pytest.fixture
def week(compared, settings):
    """Let the comparison be of last week, in a place with a time of its own."""
    settings.TIME_ZONE = "Europe/Helsinki"
    with timezone.override("Europe/Helsinki"):
        Comparison.objects.update(computed_at=MONDAY - timedelta(days=2))
        Event.objects.all().delete()
        compared.refresh_from_db()
        yield compared


def lines(message):
    return {section.heading: section.lines for section in message.sections}


def decide(comparison, name, state, *, user, days, **more):
    """Decide about an interaction of a comparison some days before Monday."""
    found = comparison.results.filter(interaction__name=name).values_list("interaction_id", flat=True)[:1]
    decision = Decision(state=state, **more)
    batch = triage(
        base=comparison.base, new=comparison.new, interaction_ids=list(found), decision=decision, user=user
    )
    TriageEntry.objects.filter(batch=batch).update(made_at=MONDAY - timedelta(days=days))


@pytest.mark.parametrize(
    ("moment", "said"),
    [
        (MONDAY - timedelta(hours=1), "not due"),
        (MONDAY - timedelta(days=1), "not due"),
        (MONDAY + timedelta(days=1), "not due"),
        (MONDAY, "written"),
        (MONDAY.astimezone(ZoneInfo("UTC")), "written"),
    ],
)
def test_digest_is_written_on_monday_from_seven_in_the_time_of_the_place(week, moment, said):
    assert digest.write_weekly(moment) == said


def test_digest_is_written_and_sent_once_a_week(week, ann, tell):
    times = [MONDAY + timedelta(minutes=step) for step in (0, 30, 600)]
    said = [tell(partial(digest.write_weekly, at))[0] for at in times]
    assert said == ["written", "written before", "written before"]
    assert [letter.subject for letter in mail.outbox] == ["Week of 16 November: NO-GO 13.0.9 → 13.0.13"]
    assert Event.objects.get().key == "digest:2026-W47"

    Comparison.objects.update(computed_at=MONDAY)  # what is told does not change while it is sent
    assert tell(lambda: digest.write_weekly(MONDAY + timedelta(days=7)))[0] == "written"


def test_digest_says_what_the_pages_say(week, engineer):
    message = digest.digest(MONDAY)

    sentence, found = standing(week).sentence, lines(message)
    assert message.lead == f"1 comparison this week. The last, 13.0.9 → 13.0.13: {sentence}"
    assert [(line.title, line.note) for line in found["Compared this week"]] == [("13.0.9 → 13.0.13", "NO-GO")]
    assert [line.title for line in found["Top regressions of 13.0.9 → 13.0.13"]] == ["Mail · open inbox"]
    assert [(line.words, line.bar) for line in found["Share of interactions that regressed"]] == [("33.3 %", None)]
    assert [(line.title, line.words) for line in found["Open triage by age"]] == [
        ("1 regression of 13.0.9 → 13.0.13 that nobody looked at", "computed 2 days ago")
    ]


def test_open_findings_are_counted_by_when_somebody_first_decided(week, engineer, ann, ben):
    decide(week, "open inbox", "investigating", user=engineer, days=40, assignee="ann")
    decide(week, "open inbox", "acknowledged", user=engineer, days=1, assignee="ben")
    decide(week, "like", "investigating", user=engineer, days=8)
    decide(week, "fling", "wontfix", user=engineer, days=30)

    told = [(line.title, line.words) for line in lines(digest.digest(MONDAY))["Open triage by age"]]
    assert told == [
        (
            "1 finding, over four weeks",
            "the oldest: Mail · open inbox, acknowledged, since 14 October, ben",
        ),
        ("1 finding, one to two weeks", "the oldest: Feed · like, investigating, since 15 November, nobody's"),
    ]


def test_what_is_overdue_is_told_first_then_what_is_due_within_a_week(week, engineer, ann):
    day = MONDAY.date()
    for name, days, more in [
        ("open inbox", 7, {}), ("like", -2, {"assignee": "ann"}), ("fling", 8, {}),
    ]:  # fmt: skip
        decide(week, name, "investigating", user=engineer, days=1, due=day + timedelta(days=days), **more)

    told = [(line.title, line.note, line.words) for line in lines(digest.digest(MONDAY))["Due"]]

    assert told == [
        ("Feed · like", "overdue since 21 November", "13.0.9 → 13.0.13, investigating, ann"),
        ("Mail · open inbox", "due 30 November", "13.0.9 → 13.0.13, investigating, nobody's"),
    ]
    decide(week, "like", "wontfix", user=engineer, days=0, due=day - timedelta(days=2))
    assert [line.title for line in lines(digest.digest(MONDAY))["Due"]] == ["Mail · open inbox"]


def test_more_than_ten_that_are_due_are_counted(week, engineer):
    names = [f"swipe {number}" for number in range(12)]
    ids = [factories.interaction(name).pk for name in names]
    decision = Decision(state="investigating", due=MONDAY.date())
    triage(base=week.base, new=week.new, interaction_ids=ids, decision=decision, user=engineer)

    [section] = [each for each in digest.digest(MONDAY).sections if each.heading == "Due"]
    assert ({line.note for line in section.lines}, len(section.lines), section.more) == (
        {"due today"},
        10,
        "and 2 more",
    )


def test_what_was_marked_fixed_is_told_with_whether_it_is(week, engineer):
    third = factories.os_version("13.0.14")
    for name, app, kind, after in (("open inbox", "Mail", "tap", FAST), ("fling", "Feed", "scroll", SLOW)):
        factories.runs(after, version=third, of=factories.interaction(name, type=kind, of=factories.app(app)))
    decide(week, "open inbox", "fixed", user=engineer, days=3, fixed_in="13.0.14")
    compute_comparison(comparison_id=open_comparison(base=week.base, new=third).pk)
    Comparison.objects.filter(new=third).update(computed_at=MONDAY - timedelta(days=1))

    message = digest.digest(MONDAY)
    assert [(line.title, line.words, line.note) for line in lines(message)["Fixed?"]] == [
        ("Mail · open inbox", "marked fixed in 13.0.14 by engineer", "confirmed")
    ]
    shares = lines(message)["Share of interactions that regressed"]
    assert [line.title for line in shares] == ["13.0.9 → 13.0.13", "13.0.9 → 13.0.14"]


def test_nothing_is_written_before_anything_was_compared(db):
    assert digest.write_weekly(MONDAY.astimezone(timezone.get_current_timezone())) in ("nothing to tell", "not due")
    assert digest.digest(MONDAY) is None


def test_week_without_a_comparison_says_how_things_stand(week):
    Comparison.objects.update(computed_at=MONDAY - timedelta(days=20))

    message = digest.digest(MONDAY)
    assert message.lead.startswith("No comparison this week. As before, 13.0.9 → 13.0.13: ")
    assert "Compared this week" not in lines(message)


def test_digest_costs_no_query_more_for_more_findings(week, engineer, django_assert_max_num_queries):
    with django_assert_max_num_queries(22):
        digest.digest(MONDAY)
