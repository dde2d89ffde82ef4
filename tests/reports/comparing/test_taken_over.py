"""A worker past its lease whose comparison another process took up writes nothing of its own."""

from datetime import timedelta

import pytest
from django.utils import timezone

from reports.comparing import services
from reports.comparing.services import NothingToCompareError, compute_comparison, compute_in_queue, open_comparison
from reports.models import Comparison, ComparisonStatus, Result, Run
from tests import factories
from tests.reports.comparing.pairs import compare, fill, two_versions

pytestmark = pytest.mark.django_db


@pytest.fixture
def versions():
    return two_versions()


@pytest.fixture
def comparison(versions):
    fill(versions)
    return open_comparison(base=versions[0], new=versions[1])


def stored():
    return list(Comparison.objects.values()), list(Result.objects.order_by("id").values())


@pytest.fixture
def late(monkeypatch, versions):
    """Let the next computation outlive its lease and another process compute meanwhile; then run its own end."""
    seen = []

    def _late(end, *, at="compute_rows"):
        real = getattr(services, at)

        def slow(*args):
            found = real(*args)
            monkeypatch.setattr(services, at, real)
            Comparison.objects.update(claimed_at=timezone.now() - timedelta(days=1))
            factories.runs([900.0], version=versions[1])  # what the other process sees and this one does not
            compute_comparison(comparison_id=Comparison.objects.get().pk)
            seen.append(stored())
            return end(found)

        monkeypatch.setattr(services, at, slow)
        return seen

    return _late


def test_a_late_worker_writes_neither_rows_nor_summary_nor_status(comparison, late):
    seen = late(lambda rows: rows)

    assert compute_comparison(comparison_id=comparison.pk) is None

    assert Result.objects.get().n_new == 9
    assert stored() == seen[0]


def test_a_late_worker_says_that_another_got_there_first(comparison, late):
    late(lambda rows: rows)

    assert compute_in_queue(comparison_id=comparison.pk) == "another process got there first"


def test_a_late_worker_that_breaks_does_not_fail_what_another_has_done(comparison, late):
    seen = late(lambda rows: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        compute_comparison(comparison_id=comparison.pk)

    assert stored() == seen[0]


def test_a_late_worker_that_is_stopped_does_not_let_it_wait_again(comparison, late):
    def stop(rows):
        raise SystemExit

    seen = late(stop)

    with pytest.raises(SystemExit):
        compute_comparison(comparison_id=comparison.pk)

    assert stored() == seen[0]


def test_a_late_worker_that_found_nothing_to_compare_deletes_nothing(comparison, late, versions):
    def nothing(plan):
        raise NothingToCompareError("they share no interaction")

    seen = late(nothing, at="make_plan")

    assert compute_comparison(comparison_id=comparison.pk) is None
    assert stored() == seen[0]


def test_a_late_worker_that_found_nothing_changed_does_not_end_the_work_of_another(
    comparison, versions, monkeypatch
):
    compare(versions)
    real = services.make_plan

    def slow(*args):
        plan = real(*args)
        now = timezone.now()  # another process has it since, and is not done
        Comparison.objects.update(claim="0" * 32, claimed_at=now)
        return plan

    monkeypatch.setattr(services, "make_plan", slow)

    assert compute_comparison(comparison_id=comparison.pk) is None
    assert Comparison.objects.get().status == ComparisonStatus.RUNNING


def test_a_summary_is_never_stored_without_its_rows(comparison, monkeypatch):
    monkeypatch.setattr(services, "summary_json", lambda *args: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        compute_comparison(comparison_id=comparison.pk)

    assert not Result.objects.exists()
    assert Run.objects.exists()
    assert Comparison.objects.get().status == ComparisonStatus.FAILED
