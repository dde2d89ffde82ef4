import pytest
from django.urls import reverse

from reports.models import Comparison, Run, RunStatus
from tests import factories

RUNS_QUERIES = 12
DETAIL_QUERIES = 10


def _shown(client, query):
    return [run.pk for run in client.get(f"/runs/?{query}").context["runs"]]


@pytest.fixture
def failed(versions):
    """Return a run whose screencast could not be read."""
    return factories.run(version=versions[0], status=RunStatus.FAILED, outcome="unreadable")


@pytest.fixture
def measured(versions):
    """Return a measured run of another app and version."""
    interaction = factories.interaction("like", of=factories.app("Feed"))
    return factories.run(version=versions[1], of=interaction, metrics={"response_time_ms": 120.0})


def test_runs_without_any_says_how_to_import(signed_in):
    assert "manage.py import_runs" in signed_in.get("/runs/").content.decode()


def test_runs_shows_the_reason_of_a_failure(signed_in, failed):
    assert "unreadable: no video stream" in signed_in.get("/runs/").content.decode()


def test_runs_filters_by_the_address(signed_in, failed, measured):
    both = [measured.pk, failed.pk]
    measured.measurements.update(confidence="doubtful")
    expected = {
        "": both,
        "status=failed": [failed.pk],
        "outcome=ok": [measured.pk],
        "version=13.0.13": [measured.pk],
        "app=org.example.feed": [measured.pk],
        "interaction=open+inbox": [failed.pk],
        "q=mail": [failed.pk],
        "excluded=no": both,
        "excluded=yes": [],
        "confidence=doubtful": [measured.pk],
        "confidence=certain": [],
        "status=evil&device=x&page=abc": both,
        "version=no+such": [],
    }

    assert {query: _shown(signed_in, query) for query in expected} == expected


def test_runs_names_each_filter_in_use_with_the_way_to_take_it_away(signed_in, failed, measured):
    page = signed_in.get(
        "/runs/?q=x&status=failed&outcome=no_response&app=org.example.mail&excluded=no&page=2&per_page=100"
        "&confidence=likely"
    )

    assert [(each.key, each.name, each.value) for each in page.context["filters"]] == [
        ("status", "Status", "failed"),
        ("outcome", "Outcome", "no response"),
        ("app", "App", "Mail"),
        ("excluded", "Excluded runs", "left out"),
        ("confidence", "Confidence", "likely"),
    ]
    text = page.content.decode()
    assert "5\u00a0filters" in text
    assert (
        'href="/runs/?q=x&amp;outcome=no_response&amp;app=org.example.mail&amp;excluded=no&amp;per_page=100&amp;confidence=likely"'
        in text
    )
    assert 'href="/runs/?per_page=100">Clear all' in text


def test_runs_without_a_filter_show_none(signed_in, measured):
    page = signed_in.get("/runs/?q=like").content.decode()

    assert "filter-chip" not in page
    assert "Filters</summary>" in page


def test_runs_takes_a_constant_number_of_queries(signed_in, failed, django_assert_num_queries):
    with django_assert_num_queries(RUNS_QUERIES):
        signed_in.get("/runs/")
    factories.runs([1.0] * 7)
    with django_assert_num_queries(RUNS_QUERIES):
        signed_in.get("/runs/", {"q": "inbox", "status": "done"})


def test_run_retry_measures_a_failed_run_again_and_leads_back(signed_in, failed):
    answer = signed_in.post(reverse("run-retry", args=[failed.pk]), {"back": "/runs/?status=failed"})

    assert answer.url == "/runs/?status=failed"
    assert Run.objects.get().status == RunStatus.PENDING


def test_run_retry_never_leads_to_another_site(signed_in, failed):
    answer = signed_in.post(reverse("run-retry", args=[failed.pk]), {"back": "https://example.org/"})

    assert answer.url == "/runs/"


def test_runs_retry_measures_only_the_failed_runs_that_the_filters_show(signed_in, versions, failed):
    other = factories.run(version=versions[1], status=RunStatus.FAILED)

    signed_in.post(reverse("runs-retry") + "?version=13.0.9")

    assert Run.objects.get(pk=failed.pk).status == RunStatus.PENDING
    assert Run.objects.get(pk=other.pk).status == RunStatus.FAILED


def test_run_exclude_keeps_who_and_why_and_marks_comparisons_stale(signed_in, engineer, compared):
    run = Run.objects.first()

    signed_in.post(reverse("run-exclude", args=[run.pk]), {"reason": "a call came in"})

    run.refresh_from_db()
    assert (run.excluded, run.excluded_reason, run.excluded_by) == (True, "a call came in", engineer)
    assert Comparison.objects.get().stale


def test_run_exclude_without_a_reason_changes_nothing_and_says_so(signed_in, measured):
    answer = signed_in.post(reverse("run-exclude", args=[measured.pk]), {"reason": "  "}, follow=True)

    assert "Say why the run is excluded." in answer.content.decode()
    assert not Run.objects.get().excluded


def test_run_include_lets_the_run_take_part_again(signed_in, measured):
    Run.objects.update(excluded=True, excluded_reason="a call came in")

    signed_in.post(reverse("run-include", args=[measured.pk]))

    assert not Run.objects.get().excluded


@pytest.mark.parametrize("name", ["run-retry", "run-exclude", "run-include"])
def test_run_actions_need_a_post_and_a_run(signed_in, name):
    assert signed_in.get(reverse(name, args=[1])).status_code == 405
    assert signed_in.post(reverse(name, args=[999]), {"reason": "x"}).status_code == 404


def test_run_detail_shows_numbers_a_missing_metric_and_the_file(signed_in, measured):
    page = signed_in.get(reverse("run-detail", args=[measured.pk])).content.decode()

    assert "120\u00a0ms" in page
    assert "no answer" in page
    assert "Download the original" in page


def test_run_detail_of_an_unknown_run_is_not_found(signed_in):
    answer = signed_in.get(reverse("run-detail", args=[999]))

    assert answer.status_code == 404
    assert "There is no run 999." in answer.content.decode()


def test_run_detail_takes_a_constant_number_of_queries(signed_in, measured, django_assert_num_queries):
    with django_assert_num_queries(DETAIL_QUERIES):
        signed_in.get(reverse("run-detail", args=[measured.pk]))
