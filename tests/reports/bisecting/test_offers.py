"""Where a bisection is offered, filled in; and when the queue looks at one again."""

import re
from html import unescape
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.urls import reverse
from django_q.models import OrmQ

from reports.bisecting.services import Search, look_again, queue_what_is_open, start_bisection
from reports.catalogue.services import pin_version
from reports.measuring.services import exclude_runs
from reports.models import Bisection, Run
from reports.queue.services import BISECTION, runs_changed
from tests import factories
from tests.reports.history.lines import bring_up_to_date, film, line

pytestmark = pytest.mark.django_db
OF = {"app": "org.example.mail", "interaction": "open inbox", "metric": "response_time_ms"}


def offers(client, address):
    """Return what each link to the start form fills in."""
    html = client.get(address).content.decode()
    links = [urlsplit(unescape(link)) for link in re.findall(r'href="([^"]*/history/bisections/\?[^"]*)"', html)]
    return [dict(parse_qsl(link.query)) for link in links]


def test_the_matrix_and_the_course_offer_the_step_that_people_feel(signed_in):
    line(200.0, 200.0, 200.0, 300.0, 300.0, 300.0)
    bring_up_to_date()
    step = OF | {"device": str(factories.device().pk), "good": "14.0.2", "bad": "14.0.3"}

    assert offers(signed_in, reverse("history")) == [step]
    assert offers(signed_in, reverse("history-course", args=[factories.interaction().pk])) == [step]


def test_the_matrix_offers_a_drift_from_the_pinned_version_on(signed_in, engineer):
    versions = line(*[200.0] * 4, *[240.0] * 4, *[280.0] * 4)  # no step is felt: θ is 50 ms
    pin_version(version=versions[1], reason="shipped", user=engineer)
    bring_up_to_date()

    [offer] = offers(signed_in, reverse("history"))

    assert (offer["good"], offer["bad"]) == ("14.0.1", "14.0.11")


def test_the_drill_down_of_a_regression_offers_it(signed_in, compared):
    address = reverse("drilldown", args=["13.0.9", "13.0.13", "org.example.mail", "open inbox"])
    quiet = reverse("drilldown", args=["13.0.9", "13.0.13", "org.example.feed", "like"])

    [offer] = offers(signed_in, address)

    assert offer == OF | {"device": str(factories.device().pk), "good": "13.0.9", "bad": "13.0.13"}
    assert offers(signed_in, quiet) == []
    filled = signed_in.get(reverse("bisections"), offer).content.decode()
    assert 'value="13.0.13"' in filled


def test_viewers_are_offered_nothing(client, django_user_model, compared):
    client.force_login(django_user_model.objects.create_user("viewer"))
    address = reverse("drilldown", args=["13.0.9", "13.0.13", "org.example.mail", "open inbox"])

    assert offers(client, address) == []


@pytest.fixture
def searched(django_capture_on_commit_callbacks):
    """A bisection that waits for runs of 14.0.1."""
    versions = line(200.0, None, 300.0)
    for version, middle in ((versions[0], 200.0), (versions[-1], 300.0)):
        film(version, middle, runs=12)
    row, _ = start_bisection(Search(good="14.0.0", bad="14.0.2", **OF))
    look_again(bisection_id=row.pk)
    return Bisection.objects.get()


def queued():
    return [entry.task["args"] for entry in OrmQ.objects.all() if entry.task["func"] == BISECTION]


def changed(version, capture, **values):
    with capture(execute=True):
        runs_changed(version_ids=[version.pk], **values)
    return queued()


def test_it_is_looked_at_when_the_last_run_of_it_is_measured(searched, django_capture_on_commit_callbacks):
    version = factories.os_version("14.0.1")
    measured_at = searched.computed_at.replace(year=searched.computed_at.year + 1)
    other = factories.interaction("search")
    factories.runs([1.0], version=version, of=other, measured_at=measured_at)
    assert changed(version, django_capture_on_commit_callbacks) == []  # nothing of it

    film(version, 200.0, runs=4, measured_at=measured_at)
    [last] = factories.runs([200.0], version=version, status="pending")
    assert changed(version, django_capture_on_commit_callbacks) == []  # one more is on its way
    Run.objects.filter(pk=last.pk).update(status="done", measured_at=measured_at)

    assert changed(version, django_capture_on_commit_callbacks) == [(searched.pk,)]
    assert look_again(bisection_id=searched.pk) == "open"
    assert look_again(bisection_id=searched.pk) == "up to date"


def test_it_is_looked_at_when_somebody_excludes_a_run(searched, engineer, django_capture_on_commit_callbacks):
    run = Run.objects.filter(os_version=searched.good).first()

    with django_capture_on_commit_callbacks(execute=True):
        exclude_runs(run_ids=[run.pk], reason="a call came in", user=engineer)

    assert queued() == [(searched.pk,)]
    assert look_again(bisection_id=searched.pk) == "open"


def test_the_regular_look_finds_what_nobody_told_of(searched, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        assert queue_what_is_open() == 1

    assert queued() == [(searched.pk,)]
