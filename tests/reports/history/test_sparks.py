"""The small pictures of courses on other pages: where they stand, what they say, when there is none."""

import re

import pytest
from django.urls import reverse

from reports.history.sparks import CourseKey, load_sparks
from reports.models import OsVersion
from tests import factories
from tests.repeated import made_once
from tests.reports.comparing.pairs import compare
from tests.reports.history.lines import bring_up_to_date, line

pytestmark = pytest.mark.django_db
MAIL = "org.example.mail"


@pytest.fixture
def versions():
    """Four versions, the last two compared: Mail got slower at the second, and once more at the last."""
    made_once(_compared)
    return list(OsVersion.objects.order_by("name"))


def _compared():
    made = line(200.0, 300.0, 300.0, 400.0)
    bring_up_to_date()
    compare(made[2:])


def page(name, *pair):
    addresses = {
        "ranking": reverse("ranking", args=pair),
        "app": reverse("app", args=[MAIL]),
        "home": reverse("home"),
        "drilldown": reverse("drilldown", args=[*pair, MAIL, "open inbox"]),
    }
    return addresses[name]


def sparks(client, address):
    """Return (address, words) of each link to the history of a course."""
    html = client.get(address).content.decode().replace("\N{NO-BREAK SPACE}", " ")
    found = re.findall(r'<a (?:class="spark" )?href="(/history/\d+/[^"]+)" title="([^"]+)">', html)
    return [(link.replace("&amp;", "&"), words) for link, words in found]


@pytest.mark.parametrize("name", ["ranking", "app", "home", "drilldown"])
def test_the_course_stands_where_its_last_step_is_looked_at(signed_in, versions, name):
    interaction, device = factories.interaction(), factories.device()
    address = f"/history/{interaction.pk}/?metric=response_time_ms&device={device.pk}"

    shown = sparks(signed_in, page(name, "14.0.2", "14.0.3"))
    assert shown == [(address, "Medians of the last 4 versions: 200 to 400 ms")]
    assert signed_in.get(address).status_code == 200


@pytest.mark.parametrize("name", ["ranking", "app", "home", "drilldown"])
def test_two_versions_are_no_course(signed_in, name):
    compare(line(200.0, 300.0))
    bring_up_to_date()

    assert sparks(signed_in, page(name, "14.0.0", "14.0.1")) == []


def told(versions, at):
    key = CourseKey(factories.interaction().pk, factories.device().pk, "response_time_ms")
    found = load_sparks(versions[at].pk, [key])[key]
    return found.kind, found.when


def test_what_became_of_it_is_said_where_the_page_does_not_say_it_already():
    versions = line(200.0, 200.0, 200.0, 300.0, 300.0, 300.0)
    bring_up_to_date()

    assert told(versions, at=3) == ("", "")  # a comparison with that version says it
    assert told(versions, at=5) == ("regression", "since 14.0.3")


def test_a_course_of_another_line_is_not_shown():
    line(200.0, 200.0, 200.0, names="beta.{}", channel="beta")
    versions = line(200.0, 200.0)
    bring_up_to_date()
    key = CourseKey(factories.interaction().pk, factories.device().pk, "response_time_ms")

    assert load_sparks(versions[1].pk, [key]) == {}
