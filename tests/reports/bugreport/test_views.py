import zipfile
from io import BytesIO

import pytest
from django.urls import reverse

from tests import factories
from tests.reports.bugreport.scene import NAMES, bug_scene

ADDRESS = reverse("bug-report", args=NAMES)


@pytest.fixture
def runs(db):
    return bug_scene()


def test_one_click_downloads_the_zip(runs, signed_in):
    response = signed_in.get(ADDRESS)
    opened = zipfile.ZipFile(BytesIO(b"".join(response)))

    assert response["Content-Type"] == "application/zip"
    assert 'filename="bug-report-13.0.12-13.0.13-Mail-open-inbox.zip"' in response["Content-Disposition"]
    assert "no-store" in response["Cache-Control"]
    assert opened.testzip() is None
    assert {"report.html", "report.md", "data.json", "plots.svg", "base.mp4", "new.mp4"} < set(opened.namelist())


def test_report_links_back_to_the_page_with_the_same_runs(runs, signed_in):
    response = signed_in.get(ADDRESS, {"base_run": runs[0].pk})
    text = zipfile.ZipFile(BytesIO(b"".join(response))).read("report.md").decode()

    assert f"<http://testserver{reverse('drilldown', args=NAMES)}?base_run={runs[0].pk}>" in text


def test_address_chooses_the_runs(runs, signed_in):
    other = factories.run(version=runs[1].os_version)

    response = signed_in.get(ADDRESS, {"new_run": other.pk})
    html = zipfile.ZipFile(BytesIO(b"".join(response))).read("report.html").decode()

    assert f"run {other.repetition}" in html


def test_unknown_interaction_is_not_found_and_the_known_are_named(runs, signed_in):
    response = signed_in.get(reverse("bug-report", args=[*NAMES[:3], "close inbox"]))

    assert response.status_code == 404
    assert b"open inbox" in response.content


def test_nobody_reads_it_without_a_login(runs, client):
    assert client.get(ADDRESS).status_code == 302


def test_only_reading_is_allowed(runs, signed_in):
    assert signed_in.post(ADDRESS).status_code == 405


def test_query_count_does_not_grow_with_runs(runs, signed_in, django_assert_num_queries):
    b"".join(signed_in.get(ADDRESS))
    for version in (run.os_version for run in runs):
        factories.runs([100.0] * 5, version=version)

    with django_assert_num_queries(23):
        b"".join(signed_in.get(ADDRESS))
