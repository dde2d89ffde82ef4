import pytest
from django.utils import timezone

from reports.models import Comparison, ComparisonStatus, Result
from reports.services.comparison_problems import NothingToCompareError, find_version
from reports.services.comparisons import (
    compute_comparison,
    compute_in_queue,
    open_comparison,
    queue_stale_comparisons,
    request_comparison,
)
from tests import factories

pytestmark = pytest.mark.django_db

FAST = [200.0, 201, 202, 203, 204, 205, 206, 207]
SLOW = [value + 120 for value in FAST]


@pytest.fixture
def versions():
    return factories.os_version("13.0.12"), factories.os_version("13.0.13")


def fill(versions, base=FAST, new=SLOW, **kwargs):
    """Make one run per value on each version; return them (base, new)."""
    return tuple(
        factories.runs(values, version=version, **kwargs)
        for version, values in zip(versions, (base, new), strict=True)
    )


def compare(versions, **kwargs):
    comparison = open_comparison(base=versions[0], new=versions[1], **kwargs)
    return compute_comparison(comparison_id=comparison.pk)


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
    assert summary["gate"] == "fail"
    assert summary["gaps"] == {
        "counts": {"only_base": 1},
        "interactions": [["org.example.mail", "gone", "only_base", "tap"]],
    }
    assert [(app["name"], app["regressed"], app["severity"]) for app in summary["apps"]] == [
        ("Mail", 1, "Noticeable"),
        ("Maps", 0, ""),
    ]
    assert summary["apps"][0]["severities"] == {"Minor": 0, "Noticeable": 1, "Severe": 0}


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


def test_repeating_an_unchanged_comparison_writes_no_result(versions, django_assert_num_queries):
    fill(versions)
    first = compare(versions)

    with django_assert_num_queries(7):  # claim, read it and its policy, three reads for the plan, end
        second = compute_comparison(comparison_id=first.pk)

    assert second.computed_at == first.computed_at


def test_one_new_run_recomputes_only_its_interaction(versions):
    fill(versions)
    fill(versions, of=factories.interaction("pan", of=factories.app("Maps")))
    comparison = compare(versions)
    untouched = comparison.results.get(interaction__name="open inbox")
    Result.objects.filter(pk=untouched.pk).update(median_base=-1.0)  # would be repaired if it were recomputed
    factories.runs([400.0], version=versions[1], of=factories.interaction("pan", of=factories.app("Maps")))

    compare(versions)

    assert comparison.results.get(interaction__name="pan").n_new == 9
    assert comparison.results.get(interaction__name="open inbox").median_base == -1.0
    assert comparison.results.get(pk=untouched.pk)


def test_an_excluded_run_changes_the_result_in_place(versions):
    _, new = fill(versions)
    comparison = compare(versions)
    before = comparison.results.get()
    new[0].excluded, new[0].excluded_reason = True, "the phone rang"
    new[0].save()

    compare(versions)

    after = comparison.results.get()
    assert (after.pk, after.n_new) == (before.pk, 7)


def test_results_that_no_longer_have_runs_go_away(versions):
    fill(versions)
    _, new = fill(versions, of=factories.interaction("pan"))
    comparison = compare(versions)
    for run in new:
        run.delete()

    compare(versions)

    assert [row.interaction.name for row in comparison.results.all()] == ["open inbox"]


def test_q_values_span_the_whole_comparison(versions):
    fill(versions)
    comparison = compare(versions)
    alone = comparison.results.get().q_value
    for number in range(4):
        fill(versions, new=FAST, of=factories.interaction(f"still {number}"))

    compare(versions)

    assert comparison.results.get(interaction__name="open inbox").q_value == pytest.approx(5 * alone)


def test_a_comparison_that_another_process_computes_is_left_alone(versions):
    fill(versions)
    comparison = compare(versions)
    Comparison.objects.filter(pk=comparison.pk).update(status=ComparisonStatus.RUNNING, claimed_at=timezone.now())

    assert compute_comparison(comparison_id=comparison.pk) is None


def test_a_run_that_changes_during_the_computation_leaves_the_comparison_stale(versions, monkeypatch):
    fill(versions)

    def meanwhile(*args):
        Comparison.objects.update(stale=True)

    monkeypatch.setattr("reports.services.comparisons.refresh_q_values", meanwhile)
    comparison = compare(versions)
    comparison.refresh_from_db()

    assert (comparison.status, comparison.stale) == (ComparisonStatus.DONE, True)


def test_an_unexpected_error_leaves_the_reason_and_the_old_results(versions, monkeypatch):
    fill(versions)
    comparison = compare(versions)
    monkeypatch.setattr("reports.services.comparisons.make_plan", lambda *args: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        compute_comparison(comparison_id=comparison.pk)

    comparison.refresh_from_db()
    assert comparison.status == ComparisonStatus.FAILED
    assert "ZeroDivisionError" in comparison.error
    assert comparison.results.count() == 1


def test_a_request_queues_once_the_transaction_is_through(
    versions, monkeypatch, django_capture_on_commit_callbacks
):
    queued = []
    monkeypatch.setattr("reports.services.comparisons.async_task", lambda *args, **kwargs: queued.append(args))
    fill(versions)

    with django_capture_on_commit_callbacks(execute=True):
        comparison = request_comparison(base=versions[0], new=versions[1])
    compute_comparison(comparison_id=comparison.pk)
    with django_capture_on_commit_callbacks(execute=True):
        again = request_comparison(base=versions[0], new=versions[1])

    assert queued == [("reports.tasks.compute_comparison", comparison.pk)]
    assert again.status == ComparisonStatus.DONE


def test_a_version_is_not_compared_with_itself(versions):
    with pytest.raises(NothingToCompareError, match=r"13\.0\.12 cannot be compared with itself"):
        open_comparison(base=versions[0], new=versions[0])


def test_unknown_version_lists_the_known_ones(versions):
    fill(versions)

    with pytest.raises(NothingToCompareError, match=r"'14' ?; known are: 13\.0\.12, 13\.0\.13"):
        find_version("14")


@pytest.mark.parametrize(
    ("base", "new", "message"),
    [
        ({}, {"of": "other"}, "share no interaction"),
        ({}, {"status": "pending"}, "1 run waits"),
        ({}, {"status": "failed"}, "1 run failed"),
        ({"capture": "vfr"}, {"capture": "cfr60"}, "never recorded alike"),
    ],
)
def test_nothing_to_compare_says_why_and_stays_failed(versions, base, new, message):
    for version, values in zip(versions, (base, new), strict=True):
        factories.run(version=version, **{**values, "of": factories.interaction(values.get("of", "open inbox"))})

    with pytest.raises(NothingToCompareError, match=message):
        compare(versions)

    assert Comparison.objects.get().status == ComparisonStatus.FAILED
    assert message in Comparison.objects.get().error


def test_versions_without_any_run_share_nothing(versions):
    with pytest.raises(NothingToCompareError, match="share no interaction"):
        compare(versions)


def test_the_queue_gets_a_word_and_no_error_when_there_is_nothing_to_compare(versions):
    fill(versions)
    comparison = open_comparison(base=versions[0], new=versions[1])
    empty = open_comparison(base=versions[1], new=factories.os_version("14"))

    assert compute_in_queue(comparison_id=comparison.pk) == "done"
    assert "share no interaction" in compute_in_queue(comparison_id=empty.pk)
    Comparison.objects.filter(pk=comparison.pk).update(status=ComparisonStatus.RUNNING, claimed_at=timezone.now())
    assert compute_in_queue(comparison_id=comparison.pk) == "another process got there first"


def test_a_computation_that_is_stopped_waits_to_be_taken_up_again(versions, monkeypatch):
    fill(versions)
    comparison = compare(versions)

    def stop(*args):
        raise SystemExit

    monkeypatch.setattr("reports.services.comparisons.make_plan", stop)
    with pytest.raises(SystemExit):
        compute_comparison(comparison_id=comparison.pk)

    comparison.refresh_from_db()
    assert (comparison.status, comparison.stale) == (ComparisonStatus.PENDING, True)


def test_stale_comparisons_of_a_version_are_queued(versions, monkeypatch, django_capture_on_commit_callbacks):
    queued = []
    monkeypatch.setattr("reports.services.comparisons.async_task", lambda *args, **kwargs: queued.append(args[1]))
    fill(versions)
    comparison = compare(versions)

    with django_capture_on_commit_callbacks(execute=True):
        queue_stale_comparisons(version_ids=[versions[0].pk])
        Comparison.objects.update(stale=True)
        queue_stale_comparisons(version_ids=[versions[0].pk])

    comparison.refresh_from_db()
    assert (queued, comparison.status) == ([comparison.pk], ComparisonStatus.PENDING)


def test_a_policy_that_is_gone_falls_back_to_the_default(versions):
    fill(versions)
    comparison = open_comparison(base=versions[0], new=versions[1])
    Comparison.objects.filter(pk=comparison.pk).update(policy={"name": "nightly"})

    assert compute_comparison(comparison_id=comparison.pk).policy["name"] == "default"
