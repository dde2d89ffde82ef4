"""Levels and steps as they are stored: each version against the one before it in its line."""

import pytest
from django.utils import timezone

from reports.catalogue.services import pin_version
from reports.history.line import behind
from reports.history.services import compute_history, queue_what_is_behind
from reports.measuring.services import exclude_runs
from reports.models import AppLevel, Course, Level, OsVersion, Run, VersionHistory
from reports.models.catalogue import version_sort_key
from reports.queue.leases import TAKEN
from tests import factories
from tests.reports.history.lines import before, bring_up_to_date, film, line, marks

pytestmark = pytest.mark.django_db


def test_every_version_is_set_against_the_one_before_it():
    versions = line(200.0, 200.0, 300.0, 200.0)

    assert bring_up_to_date() == 4

    assert marks(versions) == ["", "same", "up", "down"]
    assert before(versions) == [None, "14.0.0", "14.0.1", "14.0.2"]
    level = Level.objects.get(version=versions[2])
    assert (level.n, level.p50, level.delta, level.felt) == (8, 300.0, 100.0, True)
    assert (level.verdict, level.times) == ("regression", pytest.approx(2.0))  # θ of a response is 50 ms


def test_versions_stand_in_the_order_of_their_numbers_and_not_of_their_coming():
    for name, middle in (("14.10", 300.0), ("14.9", 200.0), ("14.2", 200.0)):
        film(factories.os_version(name), middle)
    bring_up_to_date()

    versions = [OsVersion.objects.get(name=name) for name in ("14.2", "14.9", "14.10")]
    assert before(versions) == [None, "14.2", "14.9"]
    assert marks(versions) == ["", "same", "up"]


def test_version_of_which_nothing_was_recorded_alike_before_stands_by_itself():
    versions = [factories.os_version(name) for name in ("14.0", "14.1", "14.2")]
    for version, app_version, middle in zip(versions, ("6.1", "7.0", "7.0"), (200.0, 300.0, 300.0), strict=True):
        film(version, middle, app_version=app_version)

    bring_up_to_date()

    assert before(versions) == [None, None, "14.1"]
    assert marks(versions) == ["", "", "same"]


def test_nothing_is_computed_twice_and_what_changed_is():
    versions = line(200.0, 200.0, 200.0)
    bring_up_to_date()
    assert bring_up_to_date() == 0
    assert compute_history(version_id=versions[1].pk) == "up to date"

    slow = film(versions[2], 400.0, runs=20)

    assert bring_up_to_date() == 1
    assert marks(versions) == ["", "same", "up"]
    exclude_runs(run_ids=[run.pk for run in slow], reason="it was hot", user=None)
    bring_up_to_date()
    assert marks(versions) == ["", "same", "same"]


def test_the_steps_after_a_version_follow_when_its_runs_change(django_capture_on_commit_callbacks):
    versions = line(200.0, 200.0, 200.0)
    film(versions[1], 400.0, runs=30)
    bring_up_to_date()
    assert marks(versions) == ["", "up", "down"]

    slow = Run.objects.filter(os_version=versions[1], measurements__value__gt=300.0)
    with django_capture_on_commit_callbacks(execute=True):
        exclude_runs(run_ids=[run.pk for run in slow], reason="a call came in", user=None)

    assert [row.version_id for row in behind()] == [versions[1].pk]
    bring_up_to_date()
    assert marks(versions) == ["", "same", "same"]


def test_a_version_that_comes_late_parts_a_step_in_two():
    first, last = line(200.0, 300.0, names="14.{}0")
    bring_up_to_date()
    between = factories.os_version("14.5")
    film(between, 300.0)

    bring_up_to_date()

    versions = [first, between, last]
    assert (marks(versions), before(versions)) == (["", "up", "same"], [None, "14.00", "14.5"])


def test_an_interaction_that_was_left_out_is_set_against_the_last_that_has_it():
    other = factories.interaction("search")
    versions = line(200.0, None, 300.0)
    line(100.0, 100.0, 100.0, of=other)

    bring_up_to_date()

    mail = factories.interaction()
    assert marks(versions, interaction=mail) == ["", None, "up"]
    assert before(versions, interaction=mail) == [None, None, "14.0.0"]
    assert before(versions, interaction=other) == [None, "14.0.0", "14.0.1"]


def test_an_interaction_that_appears_late_begins_there():
    line(100.0, 100.0, 100.0, of=factories.interaction("search"))
    versions = line(None, 200.0, 300.0)
    bring_up_to_date()

    assert marks(versions, interaction=factories.interaction()) == [None, "", "up"]


def test_one_that_is_taken_out_of_the_middle_joins_its_neighbours():
    versions = line(200.0, 300.0, 300.0)
    bring_up_to_date()
    wrong = Run.objects.filter(os_version=versions[1]).values_list("pk", flat=True)
    exclude_runs(run_ids=list(wrong), reason="the wrong build", user=None)

    bring_up_to_date()

    assert marks(versions) == ["", None, "up"]
    assert before(versions) == [None, None, "14.0.0"]
    assert behind() == []


def test_lines_are_not_set_against_one_another():
    stable = line(200.0, 200.0)
    beta = line(400.0, 400.0, channel="beta", names="14.0.{}-beta")
    bring_up_to_date()

    assert marks([*stable, *beta]) == ["", "same", "", "same"]
    assert sorted(Course.objects.values_list("channel", "medians")) == [
        ("", [200.0, 200.0]),
        ("beta", [400.0, 400.0]),
    ]


def test_a_version_that_changes_its_line_leaves_nothing_behind():
    versions = line(200.0, 200.0, 300.0)
    bring_up_to_date()
    OsVersion.objects.filter(pk=versions[2].pk).update(channel="beta")

    bring_up_to_date()

    assert marks(versions) == ["", "same", ""]
    assert dict(Course.objects.values_list("channel", "worst")) == {"": 0.0, "beta": 0.0}


def test_another_order_is_noticed():
    versions = line(200.0, 300.0, 200.0)
    bring_up_to_date()
    OsVersion.objects.filter(pk=versions[1].pk).update(sort_key=version_sort_key("15"))

    assert queue_what_is_behind() == 2  # the one that moved, and the one that came after it
    bring_up_to_date()

    assert marks([versions[0], versions[2], versions[1]]) == ["", "same", "up"]


def test_courses_and_apps_say_what_the_steps_say():
    versions = line(200.0, 300.0, 300.0)
    line(100.0, 100.0, 100.0, of=factories.interaction("search"))
    bring_up_to_date()

    mail, search = (Course.objects.get(interaction__name=name) for name in ("open inbox", "search"))
    assert (mail.worst, mail.latest, mail.medians) == (pytest.approx(2.0), 0.0, [200.0, 300.0, 300.0])
    assert (search.worst, search.latest) == (0.0, 0.0)
    rows = dict(AppLevel.objects.values_list("version__name", "worse"))
    assert rows == {"14.0.1": 1, "14.0.2": 0}
    assert AppLevel.objects.get(version=versions[1]).interactions == 2


def test_too_few_runs_are_a_level_without_a_mark_of_its_own():
    versions = line(200.0, 200.0)
    late = factories.os_version("14.0.9")
    film(late, 500.0, runs=2)
    bring_up_to_date()

    assert marks([*versions, late]) == ["", "same", "missing"]
    assert Level.objects.get(version=late).low is None


def test_one_version_alone_and_none_at_all_are_no_error():
    assert bring_up_to_date() == 0
    assert queue_what_is_behind() == 0
    [alone] = line(200.0)

    bring_up_to_date()

    assert marks([alone]) == [""]


def test_of_two_workers_one_computes(monkeypatch):
    [version] = line(200.0)
    VersionHistory.objects.create(version=version, status="running", claimed_at=None)
    first = compute_history(version_id=version.pk)  # its worker was lost: nobody holds it
    assert first == "1 levels"

    VersionHistory.objects.update(status="running", claimed_at=timezone.now(), stale=True)
    assert compute_history(version_id=version.pk) == TAKEN


def test_a_policy_that_is_changed_is_noticed(monkeypatch):
    versions = line(200.0, 300.0)
    bring_up_to_date()
    monkeypatch.setattr("reports.history.line.verdict_fingerprint", lambda _: "another")

    assert len(behind()) == len(versions)


def test_metrics_that_do_not_apply_have_no_level():
    factories.runs([1.0] * 8, metric="launch_time_ms", version=factories.os_version("14.0.0"))  # of a tap
    bring_up_to_date()

    assert not Level.objects.exists()


def test_a_course_says_what_became_of_it():
    line(*[200.0] * 5, *[300.0] * 4)
    line(*[100.0] * 4, *[180.0] * 2, *[100.0] * 3, of=factories.interaction("search"))
    line(*[300.0] * 4, *[150.0] * 5, of=factories.interaction("send"))
    line(*[100.0] * 9, of=factories.interaction("scroll"))
    line(*[100.0] * 7, None, None, of=factories.interaction("old"))
    line(*[None] * 8, 100.0, of=factories.interaction("young"))
    bring_up_to_date()

    told = {
        row.interaction.name: (row.kind, str(row.since or ""), str(row.back or "")) for row in Course.objects.all()
    }
    assert told == {
        "open inbox": ("regression", "14.0.5", ""),
        "search": ("digression", "14.0.4", "14.0.6"),
        "send": ("improvement", "14.0.4", ""),
        "scroll": ("", "", ""),
        "old": ("gone", "14.0.7", ""),
        "young": ("new", "14.0.8", ""),
    }


def test_what_the_newest_version_brought_is_told_before_another_confirms_it():
    line(200.0, 300.0)
    line(300.0, 200.0, of=factories.interaction("send"))
    line(200.0, 240.0, of=factories.interaction("search"))  # nobody feels 40 ms
    bring_up_to_date()

    def told():
        rows = Course.objects.select_related("interaction", "since")
        return {row.interaction.name: (row.kind, str(row.since or "")) for row in rows}

    expected = {"open inbox": ("regression", "14.0.1"), "send": ("improvement", "14.0.1"), "search": ("", "")}
    assert told() == expected
    mail = Course.objects.get(interaction__name="open inbox")
    assert (mail.delta, mail.times, mail.worst) == (pytest.approx(100.0), pytest.approx(2.0), pytest.approx(2.0))

    film(factories.os_version("14.0.2"), 200.0)
    bring_up_to_date()
    mail.refresh_from_db()
    assert (mail.kind, str(mail.since), str(mail.back)) == ("digression", "14.0.1", "14.0.2")

    film(factories.os_version("14.0.3"), 100.0)
    bring_up_to_date()
    assert told()["open inbox"] == ("improvement", "14.0.3")


def test_a_course_drifts_where_no_step_is_felt_and_their_sum_since_the_pin_is(engineer):
    versions = line(*[200.0] * 4, *[240.0] * 4, *[280.0] * 4)
    bring_up_to_date()
    assert Course.objects.get().kind == ""

    pin_version(version=versions[5], reason="it shipped", user=engineer)
    bring_up_to_date()
    assert Course.objects.get().kind == ""  # 40 ms since then

    pin_version(version=versions[1], reason="the one before", user=engineer)
    assert bring_up_to_date() == 1

    course = Course.objects.get()
    assert (course.kind, course.since, course.delta) == ("drift", versions[1], pytest.approx(80.0))
    assert course.times == course.worst == pytest.approx(1.6)


def test_a_version_whose_only_one_before_has_lost_its_runs_becomes_the_first():
    versions = line(200.0, 300.0)
    bring_up_to_date()
    wrong = Run.objects.filter(os_version=versions[0]).values_list("pk", flat=True)

    exclude_runs(run_ids=list(wrong), reason="the wrong build", user=None)
    bring_up_to_date()

    assert (marks(versions), before(versions)) == ([None, ""], [None, None])
    later = Level.objects.get(version=versions[1])
    assert (later.delta, later.felt, later.verdict) == (None, False, "")
    assert list(AppLevel.objects.values_list("worse", flat=True)) == []
