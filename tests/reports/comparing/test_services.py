import pytest

from reports.models import ComparisonStatus
from tests import factories
from tests.reports.comparing.pairs import FAST, SLOW, compare, fill, two_versions

pytestmark = pytest.mark.django_db


@pytest.fixture
def versions():
    return two_versions()


def test_a_slower_interaction_is_stored_as_a_regression(versions):
    base, new = fill(versions)

    comparison = compare(versions)

    result = comparison.results.get()
    assert (result.metric, result.n_base, result.n_new) == ("response_time_ms", 8, 8)
    assert (result.median_base, result.median_new, result.delta) == (203.5, 323.5, 120.0)
    assert (result.verdict, result.severity, result.place, result.worst) == ("regression", "Noticeable", 0, True)
    assert result.points["base"] == [[run.pk, value] for run, value in zip(base, FAST, strict=True)]
    assert [point[0] for point in result.points["new"]] == [run.pk for run in new]
    assert (comparison.status, comparison.stale, comparison.error) == (ComparisonStatus.DONE, False, "")
    assert comparison.policy["alpha"] == 0.05


def test_summary_counts_what_the_pages_show(versions):
    fill(versions, of=factories.interaction("inbox", of=factories.app("Mail", critical=True)))
    fill(versions, new=FAST, of=factories.interaction("pan", of=factories.app("Maps")))
    factories.runs(FAST, version=versions[0], of=factories.interaction("gone"))

    summary = compare(versions).summary

    assert (summary["compared"], summary["decided"], summary["regressed"]) == (2, 2, 1)
    assert summary["critical_apps"] == ["Mail"]
    assert summary["gaps"] == {
        "counts": {"only_base": 1},
        "interactions": [["org.example.mail", "gone", "only_base", "tap"]],
    }
    assert [(app["name"], app["regressed"], app["severity"]) for app in summary["apps"]] == [
        ("Mail", 1, "Noticeable"),
        ("Maps", 0, ""),
    ]
    assert summary["apps"][0]["severities"] == {"Minor": 0, "Noticeable": 1, "Severe": 0}


def test_runs_by_the_hundred_are_compared_and_shown(versions, signed_in):
    for version, middle in zip(versions, (200.0, 320.0), strict=True):
        factories.runs([middle + step / 10 for step in range(520)], version=version)

    result = compare(versions).results.get()

    assert (result.n_base, result.n_new, result.verdict) == (520, 520, "regression")
    assert (result.delta, result.cliffs_delta) == (pytest.approx(120.0), 1.0)
    page = signed_in.get(f"/compare/{versions[0]}/{versions[1]}/")
    assert page.status_code == 200
    assert "520 baseline runs from 200 to 252" in page.content.decode()


def test_devices_are_never_pooled(versions):
    for hz in (60.0, 120.0):
        fill(versions, on=factories.device("phone", hz))

    results = compare(versions).results.all()

    assert sorted((row.device.refresh_hz, row.n_base) for row in results) == [(60.0, 8), (120.0, 8)]


def test_one_device_alone_can_be_compared(versions):
    phone, tablet = factories.device("phone"), factories.device("tablet")
    fill(versions, on=phone)
    fill(versions, on=tablet)

    assert {row.device for row in compare(versions, device=tablet).results.all()} == {tablet}


def test_captures_are_never_pooled_and_vfr_is_preferred(versions):
    fill(versions, capture="cfr60")
    fill(versions, capture="vfr")

    result = compare(versions).results.get()

    assert (result.capture, result.n_base) == ("vfr", 8)
    assert result.left_out == {"other": {"base": 8, "new": 8}}


def test_app_versions_are_never_pooled_and_the_fuller_one_is_compared(versions):
    fill(versions, FAST[:4], SLOW[:4], app_version="2.0")
    fill(versions, app_version="1.9")

    result = compare(versions).results.get()

    assert (result.app_version, result.n_base) == ("1.9", 8)


def test_failed_excluded_and_waiting_runs_are_counted_not_compared(versions):
    fill(versions)
    factories.run(version=versions[1], status="failed", metrics={})
    factories.run(version=versions[1], status="pending")
    factories.run(version=versions[0], excluded=True, excluded_reason="dog", metrics={"response_time_ms": 9e3})

    result = compare(versions).results.get()

    assert (result.n_base, result.n_new) == (8, 8)
    assert result.left_out == {
        "failed": {"base": 0, "new": 1},
        "waiting": {"base": 0, "new": 1},
        "excluded": {"base": 1, "new": 0},
    }


def test_runs_without_an_answer_that_become_frequent_are_a_result_of_their_own(versions):
    fill(versions, new=FAST)
    lost = [factories.run(version=versions[1], outcome="no_response") for _ in range(8)]

    results = {row.metric: row for row in compare(versions).results.all()}

    assert (results["outcome"].verdict, results["outcome"].delta) == ("regression", 50.0)
    assert results["response_time_ms"].left_out == {"censored": {"base": 0, "new": 8}}
    assert [lost[0].pk, 100.0] in results["outcome"].points["new"]
    assert (results["outcome"].worst, results["response_time_ms"].worst) == (True, False)


def test_a_metric_without_values_on_one_side_needs_more_runs(versions):
    fill(versions, base=FAST, new=[])
    for _ in range(3):
        factories.run(version=versions[1], outcome="ok", metrics={"dropped_frames": 1.0})

    results = {row.metric: row for row in compare(versions).results.all()}

    assert (results["response_time_ms"].verdict, results["response_time_ms"].n_new) == ("more_runs_needed", 0)
    assert results["response_time_ms"].median_new is None


def test_runs_that_never_settle_on_both_sides_are_a_gap_and_not_a_row(versions):
    fill(versions)
    feed = factories.interaction("feed")
    for version in versions:
        for _ in range(4):
            factories.run(version=version, of=feed, outcome="never_settles")

    comparison = compare(versions)

    assert not comparison.results.filter(interaction=feed).exists()
    assert comparison.summary["gaps"]["counts"] == {"no_answer": 1}


def test_metrics_that_do_not_apply_to_the_type_have_no_row(versions):
    launch = factories.interaction("start", type="launch")
    for metric in ("finish_time_ms", "launch_time_ms", "longest_freeze_ms"):
        fill(versions, metric=metric, of=launch)

    assert [row.metric for row in compare(versions).results.all()] == ["launch_time_ms"]
