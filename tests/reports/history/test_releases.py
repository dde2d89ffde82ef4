"""Release over release: the table, its file, and where else it is told."""

import csv
import io
import re
from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from analysis.policy.policy import DEFAULT_POLICY
from analysis.verdicts.judging import severity_of
from reports.catalogue.services import pin_version
from reports.history.releases import days_ago
from reports.models import AppLevel, OsVersion
from reports.ranking.summary import ranked_apps
from reports.triage.services import Decision, triage
from tests import factories
from tests.repeated import made_once
from tests.reports.comparing.pairs import compare
from tests.reports.history.lines import bring_up_to_date, line

pytestmark = pytest.mark.django_db
ADDRESS = "/history/releases/"
APP_QUERIES = 13


@pytest.fixture
def versions():
    """Four versions: at the third Mail gets 100 ms slower (2 θ) and Maps faster; Clock moves by less than θ."""
    made_once(_three_apps)
    OsVersion.objects.filter(name="14.0.2").update(released_on=timezone.localdate() - timedelta(days=12))
    return list(OsVersion.objects.order_by("name"))


def _three_apps():
    line(300.0, 300.0, 200.0, 200.0, of=factories.interaction("pan", of=factories.app("Maps")))
    line(200.0, 200.0, 230.0, 230.0, of=factories.interaction("wind", of=factories.app("Clock")))
    line(200.0, 200.0, 310.0, 310.0)
    bring_up_to_date()


def text(client, address):
    html = client.get(address).content.decode().replace("\N{NO-BREAK SPACE}", " ")
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html))


def table(client, **query):
    answer = client.get(reverse("history-releases-csv"), query)
    return list(csv.DictReader(io.StringIO(b"".join(answer).decode())))


def test_each_version_has_a_line_with_what_moved(signed_in, versions):
    rows = table(signed_in)

    assert [row["version"] for row in rows] == ["14.0.3", "14.0.2", "14.0.1", "14.0.0"]
    numbers = [[int(row[name]) for name in ("interactions", "worse", "better", "apps_worse")] for row in rows]
    assert numbers == [[3, 0, 0, 0], [3, 1, 1, 1], [3, 0, 0, 0], [0, 0, 0, 0]]
    assert [row["severity"] for row in rows] == ["", severity_of(110 / 50, DEFAULT_POLICY), "", ""]
    assert rows[1]["before"] == "14.0.1"


def test_the_page_says_how_long_ago_the_last_regression_came(signed_in, versions):
    words = text(signed_in, ADDRESS)

    assert "4 versions of the main line" in words
    assert re.search(r"The last regression came with 14\.0\.2 ?, 12 days ago: 1 interaction of 3 slower", words)


def test_the_page_names_the_apps_that_are_slower_for_good(signed_in, versions):
    words = text(signed_in, ADDRESS)

    assert "Slower than they were Mail Noticeable ▲▲ 1 interaction, the last since 14.0.2 What moved" in words


def test_a_line_leads_to_its_comparison(signed_in, versions):
    compare(versions[1:3])

    html = signed_in.get(ADDRESS).content.decode()

    pairs = re.findall(r'<a href="(/compare/[^"]+)">(Compar\w+)', html)
    assert pairs == [
        ("/compare/14.0.2/14.0.3/", "Compare"),
        ("/compare/14.0.1/14.0.2/", "Comparison"),
        ("/compare/14.0.0/14.0.1/", "Compare"),
    ]


def test_little_and_nothing_are_told_as_what_they_are(signed_in):
    assert "No version has measured runs yet" in text(signed_in, ADDRESS)
    line(200.0)
    assert "One version alone has no history" in text(signed_in, ADDRESS)
    line(200.0, 200.0)
    bring_up_to_date()
    assert "No version of this line made anything slower" in text(signed_in, ADDRESS)
    assert signed_in.get(ADDRESS, {"channel": "nightly"}).status_code == 404
    assert signed_in.get(reverse("history-releases-csv"), {"channel": "nightly"}).status_code == 404


def test_rows_of_apps_say_when_each_last_got_slower(signed_in, versions):
    html = signed_in.get("/history/?by=apps").content.decode().replace("\N{NO-BREAK SPACE}", " ")

    told = re.findall(r'<b class="is-slower">slower</b><small class="soft">([^<]+)', html)
    assert told == ["on 14.0.2, 12 days ago"]


def test_the_page_of_an_app_has_its_own_part_and_what_is_open(signed_in, engineer, versions):
    compare(versions[1:3])
    decision = Decision(state="investigating", assignee=engineer.username)
    mail = factories.interaction()
    triage(base=versions[1], new=versions[2], interaction_ids=[mail.pk], decision=decision, user=engineer)

    words = text(signed_in, "/apps/org.example.mail/")
    of_maps = text(signed_in, "/apps/org.example.maps/")

    assert re.search(r"The last regression came with 14\.0\.2 ?, 12 days ago", words)
    assert re.search(r"open inbox , investigating, \w+ first looked at today", words)
    assert "made anything in Maps slower" in of_maps
    assert "first looked at" not in of_maps


def test_an_app_has_a_page_over_its_versions(signed_in, versions, engineer):
    decision = Decision(state="investigating")
    mail = factories.interaction()
    triage(base=versions[1], new=versions[2], interaction_ids=[mail.pk], decision=decision, user=engineer)

    html = signed_in.get(f"/history/apps/{mail.app_id}/").content.decode().replace("\N{NO-BREAK SPACE}", " ")

    bars = re.findall(r'<a href="([^"]+)" class="trend-bar([^"]*)"><title>([^<]+)', html)
    assert [kind for _, kind, _ in bars] == ["", " is-noticeable", ""]
    assert bars[1][0] == "/compare/14.0.1/14.0.2/?app=org.example.mail"
    assert bars[1][2] == "14.0.1 → 14.0.2: 1 of 1 interaction slower (100 %), Noticeable at worst, risk 50 of 100"
    words = re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html))
    assert "1 of 1 interaction is slower than it was, since 14.0.2" in words
    assert "1 finding open, the oldest first looked at today" in words
    assert re.search(r"open inbox Response time .*?regression since 14\.0\.2, \+110 ms", words)


def test_the_risk_of_a_step_is_that_of_its_comparison(versions):
    comparison = compare(versions[1:3])

    stored = {
        row.app.package: row.risk for row in AppLevel.objects.filter(version=versions[2]).select_related("app")
    }

    assert stored == {row.package: row.risk for row in ranked_apps(comparison)}
    assert stored["org.example.mail"] > 0


def test_a_page_of_an_app_says_what_is_missing(signed_in, versions):
    young = factories.interaction("open", of=factories.app("Young"))
    line(None, 200.0, of=young)
    bring_up_to_date()
    never = factories.app("Never filmed")

    assert "recorded on one version" in text(signed_in, f"/history/apps/{young.app_id}/")
    assert "has measured runs yet" in text(signed_in, f"/history/apps/{never.pk}/")
    assert signed_in.get("/history/apps/1000000/").status_code == 404
    assert signed_in.get(f"/history/apps/{young.app_id}/", {"channel": "beta"}).status_code == 404


def test_an_app_that_drifts_is_slower_since_the_pinned_version(signed_in, engineer):
    versions = line(*[200.0] * 4, *[240.0] * 4, *[280.0] * 4)
    pin_version(version=versions[1], reason="it shipped", user=engineer)
    bring_up_to_date()

    words = text(signed_in, f"/history/apps/{factories.app('Mail').pk}/")

    assert "1 of 1 interaction is slower than it was, since 14.0.1" in words
    assert "drift since the pinned 14.0.1, +80 ms" in words
    assert "No version of the main line made anything in Mail slower" in words


def test_a_page_of_an_app_takes_a_constant_number_of_queries(signed_in, versions, django_assert_num_queries):
    mail = factories.app("Mail")
    with django_assert_num_queries(APP_QUERIES):
        signed_in.get(f"/history/apps/{mail.pk}/")
    line(*[200.0] * 8, of=factories.interaction("search", of=mail))
    bring_up_to_date()
    with django_assert_num_queries(APP_QUERIES):
        signed_in.get(f"/history/apps/{mail.pk}/")


def test_cells_of_apps_are_coloured_by_the_worst_severity(signed_in, versions):
    html = signed_in.get("/history/?by=apps").content.decode()

    told = re.findall(r'<td class="m-1 severity-(\w+)"><a [^>]*title="([^"]+)"', html)
    assert [(kind, words.rpartition("; ")[2]) for kind, words in told] == [("noticeable", "Noticeable at worst")]


def test_the_first_page_has_a_line_of_it_from_the_third_version_on(signed_in, versions):
    words = text(signed_in, "/")
    said = r"Over the versions 14\.0\.3 ?: none slower, none faster of 3 interactions\. Last regression 12 days"
    assert re.search(said, words)

    OsVersion.objects.filter(name__in=["14.0.0", "14.0.1"]).update(channel="beta")
    assert "Over the versions" not in text(signed_in, "/")


def test_the_number_of_queries_does_not_grow(signed_in, versions, django_assert_num_queries):
    signed_in.get(ADDRESS)
    with django_assert_num_queries(11):
        signed_in.get(ADDRESS)
    line(*[200.0] * 8, of=factories.interaction("pan", of=factories.app("Feed")))
    bring_up_to_date()
    with django_assert_num_queries(11):
        signed_in.get(ADDRESS)


@pytest.mark.parametrize(("days", "words"), [(0, "today"), (1, "1 day ago"), (40, "40 days ago")])
def test_days_are_counted_from_the_day_it_came_out(days, words):
    today = date(2026, 3, 1)
    assert days_ago(today - timedelta(days=days), today).replace("\N{NO-BREAK SPACE}", " ") == words
