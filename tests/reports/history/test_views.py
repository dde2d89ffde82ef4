"""The page of the history: rows, marks, where they lead, and what it says when there is little."""

import re

import pytest
from django.urls import reverse

from reports.models import OsVersion
from tests import factories
from tests.repeated import made_once
from tests.reports.comparing.pairs import compare
from tests.reports.history.lines import bring_up_to_date, film, line

pytestmark = pytest.mark.django_db


@pytest.fixture
def mail_and_maps():
    """Four versions: Mail gets 100 ms slower at the third, Maps stays."""
    made_once(_four_versions)
    return list(OsVersion.objects.order_by("name"))


def _four_versions():
    line(100.0, 100.0, 100.0, 100.0, of=factories.interaction("pan", of=factories.app("Maps")))
    line(200.0, 200.0, 300.0, 300.0)
    bring_up_to_date()


def page(client, **query):
    return client.get(reverse("history"), query).content.decode().replace("\N{NO-BREAK SPACE}", " ")


def names(html):
    return re.findall(r'<span class="row-app"><span[^>]*title="([^"]+)"', html)


def signs(html, app):
    """Return the signs in the cells of an app's row."""
    rows = [part.partition("</tr>")[0] for part in html.split("<tr>")]
    [row] = [part for part in rows if f'title="{app}"' in part and "</td>" in part]
    return re.findall(r">([▲▼■•□○])\d*<", row)


def test_the_worst_row_is_first_and_its_marks_say_when(signed_in, mail_and_maps):
    html = page(signed_in)

    assert names(html) == ["Mail", "Maps"]
    assert signs(html, "Mail") == ["○", "■", "▲", "■"]
    assert signs(html, "Maps") == ["○", "■", "■", "■"]
    assert "14.0.1 → 14.0.2: slower, +100 ms to 300 ms, 8 runs" in html
    assert "4 versions of the main line" in html


def test_a_mark_leads_to_the_comparison_with_its_screencasts_once_there_is_one(signed_in, mail_and_maps):
    pair = reverse("ranking", args=["14.0.1", "14.0.2"])
    assert f'href="{pair}?q=open+inbox"' in page(signed_in)

    compare(mail_and_maps[1:3])

    address = reverse("drilldown", args=["14.0.1", "14.0.2", "org.example.mail", "open inbox"])
    html = page(signed_in)
    assert f'href="{address}?metric=response_time_ms"' in html
    assert signed_in.get(address).status_code == 200


def test_what_nobody_can_feel_is_grey_and_says_so(signed_in):
    line(200.0, 230.0)  # θ of a response is 50 ms
    bring_up_to_date()

    html = page(signed_in)

    assert re.search(r'class="m-unfelt m-\d"', html)
    assert "slower, +30 ms to 230 ms, 8 runs, nobody can feel it" in html


def test_apps_can_be_rows(signed_in, mail_and_maps):
    html = page(signed_in, by="apps")

    assert names(html) == ["Mail", "Maps"]
    assert "14.0.1 → 14.0.2: of 1 interaction 1 slower, 0 faster, as people feel it" in html
    assert signs(html, "Maps") == ["■", "■", "■"]


def test_rows_are_found_filtered_and_sorted(signed_in, mail_and_maps):
    film(mail_and_maps[-1], 400.0, of=factories.interaction("pan", of=factories.app("Maps")), runs=30)
    bring_up_to_date()

    assert names(page(signed_in, sort="latest")) == ["Maps", "Mail"]
    assert names(page(signed_in, sort="name")) == ["Mail", "Maps"]
    assert names(page(signed_in, q="pan")) == ["Maps"]
    assert names(page(signed_in, app="org.example.mail")) == ["Mail"]
    assert names(page(signed_in, interaction=factories.interaction().pk)) == ["Mail"]
    assert names(page(signed_in, metric="dropped_frames")) == []
    assert "No row fits these filters" in page(signed_in, q="nothing like this")


def test_lines_are_chosen_and_an_unknown_one_is_not_there(signed_in, mail_and_maps):
    line(500.0, 500.0, channel="beta", names="15.{}-beta")
    bring_up_to_date()

    assert "2 versions of the line beta" in page(signed_in, channel="beta")
    assert "15.0-beta" not in page(signed_in)
    assert signed_in.get(reverse("history"), {"channel": "nightly"}).status_code == 404


def test_little_is_told_as_what_it_is(signed_in):
    assert "No version has measured runs yet" in page(signed_in)

    line(200.0)
    assert "One version alone has no history" in page(signed_in)

    line(200.0, 200.0)
    assert "is to be computed" in page(signed_in)


def test_names_with_markup_stay_names(signed_in):
    app = factories.app('<b onclick="x">&amp;')
    line(200.0, 300.0, of=factories.interaction('"><script>', of=app), names="14<{}")
    bring_up_to_date()

    html = page(signed_in)

    assert "<b onclick" not in html
    assert "<script>" not in html
    assert "14&lt;0 → 14&lt;1" in html


@pytest.mark.parametrize("by", ["interactions", "apps"])
def test_the_number_of_queries_does_not_grow(signed_in, by, django_assert_max_num_queries):
    for number in range(12):
        line(*[200.0] * 5, of=factories.interaction(f"step {number}", of=factories.app(f"App {number}")))
    bring_up_to_date()

    with django_assert_max_num_queries(11):
        page(signed_in, by=by)
