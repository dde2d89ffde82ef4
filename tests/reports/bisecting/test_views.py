"""The pages of bisections: start one, what it asks for, skip, finish, what stands there at the end."""

import csv
import io
import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from reports.bisecting.services import Search, finish_bisection, look_again, skip_build, start_bisection
from reports.models import AuditEntry, Bisection, OsVersion, PolicyVersion, Run
from reports.models.catalogue import version_sort_key
from tests import factories
from tests.reports.history.lines import film, line

pytestmark = pytest.mark.django_db
SENT = {
    "app": "org.example.mail",
    "interaction": "open inbox",
    "metric": "response_time_ms",
    "good": "14.0.0",
    "bad": "14.0.8",
}


@pytest.fixture
def ends():
    """Nine versions with runs of the first and the last alone: 200 and 300 ms. θ of a response is 50 ms."""
    versions = line(200.0, *[None] * 7, 300.0)
    for version, middle in ((versions[0], 200.0), (versions[-1], 300.0)):
        film(version, middle, runs=12)
    return versions


@pytest.fixture
def searched(ends):
    row, _ = start_bisection(Search(**SENT))
    look_again(bisection_id=row.pk)
    return Bisection.objects.get()


def page(client, row, **query):
    html = client.get(reverse("bisection", args=[row.pk]), query).content.decode()
    return html.replace("\N{NO-BREAK SPACE}", " ")


def states(html):
    """Return version → state of the table."""
    body = html.partition("<tbody>")[2].partition("</tbody>")[0]
    cells = re.findall(r'<th scope="row">.*?title="([^"]+)".*?bisect-state is-[\w-]+">([^<]+)<', body, re.S)
    return dict(cells)


def answered(row, versions, culprit):
    """Do what is asked for, until nothing is."""
    for _ in range(9):
        look_again(bisection_id=row.pk)
        row.refresh_from_db()
        for asked in row.told["measure"]:
            version = OsVersion.objects.get(name=asked["version"])
            film(version, 300.0 if versions.index(version) >= culprit else 200.0, runs=asked["runs"])
    return row


def test_a_start_leads_to_the_page_of_it_and_a_second_to_the_same(signed_in, ends, engineer):
    first = signed_in.post(reverse("bisections"), SENT)
    again = signed_in.post(reverse("bisections"), SENT, follow=True)

    row = Bisection.objects.get()
    assert first.url == reverse("bisection", args=[row.pk])
    assert "Just this is searched for already" in again.content.decode()
    assert (row.started_by, row.began_with[4], row.policy_number) == (engineer, "14.0.4", 0)


def test_the_page_says_what_to_do_next_with_command_and_manifest(signed_in, searched):
    html = page(signed_in, searched)

    assert "7 builds between the last good 14.0.0 and the first bad 14.0.8." in html
    assert "14.0.4: 5 more runs (nearest to the middle of what is left)" in html
    assert f"python manage.py bisect next --id {searched.pk} --run" in html
    found = states(html)
    assert (found["14.0.0"], found["14.0.4"], found["14.0.8"]) == ("good", "not recorded", "bad")
    assert "200 ms" in html


def test_the_manifest_has_a_line_for_each_run_that_is_asked_for(signed_in, searched, ends):
    factories.run(version=ends[4], of=factories.interaction(), repetition=7, status="failed")

    answer = signed_in.get(reverse("bisection-manifest", args=[searched.pk]))

    rows = list(csv.DictReader(io.StringIO(b"".join(answer).decode())))
    assert [(row["os_version"], row["repetition"]) for row in rows] == [("14.0.4", f"{n}") for n in range(8, 13)]
    assert {(row["package"], row["interaction"], row["device"], row["refresh_hz"]) for row in rows} == {
        ("org.example.mail", "open inbox", "phone", "60")
    }
    assert AuditEntry.objects.first().action == "exported"


def test_the_states_of_versions_follow_the_runs(signed_in, searched, ends):
    film(ends[4], 200.0, runs=6)
    film(ends[6], 300.0, runs=6)
    film(ends[5], 300.0, runs=2)
    skip_build(searched, version="14.0.7", reason="does not boot")
    look_again(bisection_id=searched.pk)

    html = page(signed_in, searched)

    found = states(html)
    assert [found[f"14.0.{n}"] for n in (3, 4, 5, 6, 7)] == ["not recorded", "good", "doubtful", "bad", "skipped"]
    assert "does not boot" in html
    link = reverse("drilldown", args=["14.0.0", "14.0.4", "org.example.mail", "open inbox"])
    assert f'href="{link}?metric=response_time_ms"' in html
    assert signed_in.get(link).status_code == 200


def test_an_answer_that_is_finished_stays_with_who_did_what(signed_in, engineer, searched, ends):
    answered(searched, ends, culprit=3)
    assert "First bad version: 14.0.3" in page(signed_in, searched)

    signed_in.post(reverse("bisection-finish", args=[searched.pk]))

    html = page(signed_in, searched)
    assert "Ended: 14.0.3 is the first bad version" in html
    assert "Response time 200 → 300 ms" in html
    assert "Finished with 14.0.3" in html
    assert 'action="' + reverse("bisection-finish", args=[searched.pk]) not in html
    assert "Ended: 14.0.3" in signed_in.get(reverse("bisections"), {"state": "ended"}).content.decode()
    assert "No bisection is under way" in signed_in.get(reverse("bisections"), {"state": "open"}).content.decode()


def test_an_honest_range_is_what_stands_there(signed_in, searched, ends):
    skip_build(searched, version="14.0.4", reason="does not boot")
    skip_build(searched, version="14.0.5", reason="does not boot")
    answered(searched, ends, culprit=5)

    html = page(signed_in, searched)

    assert "The first bad version is one of 3: 14.0.4, 14.0.5, 14.0.6" in html
    assert "Up to 14.0.3 it is good, 14.0.6 is bad." in html


def test_a_version_is_skipped_with_a_reason_or_not_at_all(signed_in, searched):
    skip = reverse("bisection-skip", args=[searched.pk])

    without = signed_in.post(skip, {"version": "14.0.4", "reason": ""}, follow=True).content.decode()
    end = signed_in.post(skip, {"version": "14.0.8", "reason": "x"}, follow=True).content.decode()
    done = signed_in.post(skip, {"version": "14.0.4", "reason": "does not boot"}, follow=True).content.decode()

    assert "Say why it cannot be tested." in without
    assert "14.0.8 is an end of the bisection; finish it and start one with another." in end
    assert "Skipped 14.0.4: does not boot" in done
    assert list(searched.skipped.values_list("name", flat=True)) == ["14.0.4"]


def test_a_finish_waits_for_the_look_at_what_came_in(signed_in, searched, ends):
    film(ends[4], 200.0, runs=5)

    html = signed_in.post(reverse("bisection-finish", args=[searched.pk]), follow=True).content.decode()

    assert "is being computed, as runs or rules have changed; finish it then." in html
    assert Bisection.objects.get().finished_at is None
    look_again(bisection_id=searched.pk)
    signed_in.post(reverse("bisection-finish", args=[searched.pk]))
    assert Bisection.objects.get().finished_at is not None


def test_a_page_that_waits_is_told_when_there_is_news(signed_in, searched, ends):
    state = reverse("bisection-state", args=[searched.pk])
    seen = {"seen": searched.basis}
    assert signed_in.get(state, seen).json()["sentence"] == "It waits for runs."

    factories.runs([200.0], version=ends[4], status="pending")
    assert "1 run of what is asked for" in signed_in.get(state, seen).json()["sentence"]
    film(ends[4], 200.0, runs=5)
    told = signed_in.get(state, seen).json()
    assert ("is being computed" in told["sentence"], told["stale"]) == (True, True)
    look_again(bisection_id=searched.pk)

    assert signed_in.get(state, seen).json()["stale"] is False


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"bad": "14.0.0"}, "14.0.0 is the good version as well; name a later one."),
        ({"good": "14.0.8", "bad": "14.0.0"}, "14.0.8 comes after 14.0.0; exchange them"),
        ({"bad": "15-beta1"}, "15-beta1 is in the line beta, 14.0.0 in the main line"),
        ({"bad": "14.0.1"}, "No version lies between 14.0.0 and 14.0.1, so 14.0.1 is the one; to search further"),
        ({"good": "9"}, "No OS version is called &#x27;9&#x27;; known are: 14.0.0, 14.0.8."),
        ({"app": "org.example.nothing"}, "known are: org.example.mail."),
        ({"metric": "launch_time_ms"}, "Mail · open inbox has no"),
        ({"metric": ""}, "Choose the metric that got worse."),
        ({"builds": "14.9"}, "14.9 does not lie between 14.0.0 and 14.0.8; give its place"),
        ({"builds": "a/b"}, "leave out / "),
        ({"builds": "\n".join(f"14.0.0.{n}" for n in range(1001))}, "Name 1,000 at most"),
    ],
)
def test_what_cannot_be_searched_is_refused_in_words_with_the_cure(signed_in, ends, sent, words):
    factories.os_version("15-beta1", channel="beta")

    answer = signed_in.post(reverse("bisections"), {**SENT, **sent})

    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not Bisection.objects.exists()
    assert not OsVersion.objects.filter(name__in=["14.9", "14.0.0.1"]).exists()


def test_ends_that_are_alike_are_told_with_the_numbers_once_looked_at(signed_in):
    versions = line(200.0, None, 210.0)
    for version, middle in ((versions[0], 200.0), (versions[-1], 210.0)):
        film(version, middle, runs=12)
    row, _ = start_bisection(Search(**SENT | {"bad": "14.0.2"}))
    look_again(bisection_id=row.pk)

    html = page(signed_in, row)

    assert (
        "It cannot go on: from 14.0.0 to 14.0.2 there is no regression that people feel: Response time 200" in html
    )
    assert "name an earlier good or a later bad version" in html


def test_an_order_that_is_mended_under_it_is_told(signed_in, searched):
    OsVersion.objects.filter(name="14.0.0").update(sorts_as="15", sort_key=version_sort_key("15"))
    assert "is being computed" in page(signed_in, searched)
    look_again(bisection_id=searched.pk)

    assert "It cannot go on: 14.0.0 comes after 14.0.8; exchange them" in page(signed_in, searched)
    assert signed_in.post(reverse("bisection-finish", args=[searched.pk])).status_code == 302
    assert Bisection.objects.get().suspects == []


def test_a_version_that_goes_and_thresholds_that_change_under_it_are_told(signed_in, searched):
    OsVersion.objects.get(name="14.0.3").delete()
    PolicyVersion.objects.create(name="default", number=1, rules={})

    html = page(signed_in, searched)

    assert "14.0.3: no longer between the two, as it was deleted, renamed or given another place." in html
    assert "The thresholds were changed since it began" in html


def test_a_build_that_never_comes_is_told_with_the_way_on(signed_in, searched):
    assert "Nothing has come in for" not in page(signed_in, searched)
    long_ago = timezone.now() - timedelta(days=3, hours=1)
    Bisection.objects.update(started_at=long_ago)
    Run.objects.update(created_at=long_ago)

    assert "Nothing has come in for 3 days, and 14.0.4 is waited for: record it, or skip it" in page(
        signed_in, searched
    )


def test_the_start_form_is_filled_in_by_a_link(signed_in, ends):
    html = signed_in.get(reverse("bisections"), SENT).content.decode()

    assert 'value="14.0.8"' in html
    assert 'value="response_time_ms" selected' in html


def test_viewers_read_and_are_told_who_may(client, django_user_model, searched):
    client.force_login(django_user_model.objects.create_user("viewer"))

    assert "Triagers can skip a version, or finish it." in page(client, searched)
    assert "Triagers can start one." in client.get(reverse("bisections")).content.decode()
    assert client.post(reverse("bisection-finish", args=[searched.pk])).status_code == 403


def test_an_unknown_number_is_not_there(signed_in, db):
    assert signed_in.get(reverse("bisection", args=[7])).status_code == 404
    assert signed_in.post(reverse("bisection-skip", args=[7]), {"version": "1", "reason": "x"}).status_code == 404


def test_the_number_of_queries_does_not_grow(signed_in, searched, ends, django_assert_max_num_queries):
    for version in ends[1:-1]:
        film(version, 200.0, runs=5)
    look_again(bisection_id=searched.pk)
    with django_assert_max_num_queries(18):
        page(signed_in, searched)
    for number in range(2, 8):
        start_bisection(Search(**SENT | {"bad": f"14.0.{number}"}))
    with django_assert_max_num_queries(9):
        signed_in.get(reverse("bisections"))


def test_a_finished_one_is_looked_at_no_more(searched, ends):
    finish_bisection(searched)
    film(ends[4], 200.0, runs=5)

    assert look_again(bisection_id=searched.pk) == "finished"
    assert finish_bisection(searched).finished_at == Bisection.objects.get().finished_at


def test_of_two_that_start_at_once_the_second_gets_the_first(monkeypatch, searched):
    looked = iter([None, searched])  # what is there when it looks first, and after the database refused
    monkeypatch.setattr("reports.bisecting.services._running", lambda same: next(looked))

    assert start_bisection(Search(**SENT)) == (searched, False)
    assert Bisection.objects.count() == 1
