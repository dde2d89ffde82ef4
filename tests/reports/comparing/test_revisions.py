import pytest

from analysis import revision
from analysis.revision import REVISION
from reports.comparing.inputs import PairIds
from reports.comparing.revisions import revisions_of, runs_to_measure_again
from reports.models import Run, RunStatus
from tests import factories
from tests.reports.comparing.pairs import compare, fill, two_versions

pytestmark = pytest.mark.django_db


@pytest.fixture
def versions():
    return two_versions()


@pytest.fixture
def pair(versions):
    return PairIds(versions[0].pk, versions[1].pk)


def age(runs, by=1):
    """Say that these runs were measured by an earlier revision."""
    Run.objects.filter(pk__in=[run.pk for run in runs]).update(revision=REVISION - by)


def note(pair, interaction=None):
    return revisions_of(pair, interaction).note


def test_nothing_is_said_where_all_were_measured_by_the_running_code(versions, pair):
    fill(versions)
    factories.run(version=versions[0], status=RunStatus.FAILED)
    factories.run(version=versions[0], status=RunStatus.PENDING)

    assert note(pair) == ""
    assert runs_to_measure_again(pair) == []


def test_mixed_revisions_are_said_with_their_share(versions, pair, django_assert_num_queries):
    base, _ = fill(versions)
    age(base[:3])

    with django_assert_num_queries(2):  # one more asks which of them have a recording left
        found = revisions_of(pair)

    assert found.note == (
        "3 of 16 runs were measured by an earlier revision of the measuring code: "
        "their numbers may differ for that reason alone."
    )
    assert found.button == "Measure 3 runs again"
    assert found.as_json() == {
        "running": REVISION,
        "measured": {str(REVISION - 1): 3, str(REVISION): 13},
        "failed": {},
        "measured_by_another": 3,
        "note": found.note,
    }


def test_one_run_is_one_run(versions, pair):
    base, _ = fill(versions)
    age(base[:1])

    assert note(pair).startswith("1 of 16 runs was measured by")
    assert revisions_of(pair).button == "Measure 1 run again"


def test_runs_that_are_alike_but_old_compare_and_may_give_other_numbers(versions, pair):
    base, new = fill(versions)
    age([*base, *new])

    assert note(pair) == (
        "All 16 runs were measured by an earlier revision of the measuring code: they compare alike, "
        "but may give other numbers when they are measured again."
    )


def test_runs_of_several_old_revisions_do_not_compare_alike(versions, pair):
    base, new = fill(versions)
    age(base)
    age(new, by=2)

    assert note(pair).startswith("All 16 runs were")
    assert note(pair).endswith("may differ for that reason alone.")


def test_a_revision_after_the_running_one_is_not_called_earlier(versions, pair, monkeypatch):
    fill(versions)
    monkeypatch.setattr(revision, "REVISION", REVISION - 1)

    assert "by another revision" in note(pair)


def test_runs_that_failed_under_an_earlier_revision_are_offered_too(versions, pair):
    base, _ = fill(versions)
    failed = [factories.run(version=versions[1], status=RunStatus.FAILED) for _ in range(2)]
    age(failed)

    assert note(pair) == (
        "2 runs failed under an earlier revision of the measuring code and may be measurable now."
    )
    age(base[:1])
    assert note(pair).endswith("2 more failed under such a revision.")
    assert sorted(runs_to_measure_again(pair)) == sorted(run.pk for run in (base[0], *failed))


def test_excluded_waiting_and_foreign_runs_do_not_count(versions, pair):
    base, _ = fill(versions)
    age(base[:1])
    Run.objects.filter(pk=base[0].pk).update(excluded=True, excluded_reason="a call came in")
    waiting = factories.run(version=versions[0], status=RunStatus.PENDING)
    foreign = factories.run(version=factories.os_version("9"))
    age([waiting, foreign])

    assert note(pair) == ""


def test_an_interaction_and_a_device_have_counts_of_their_own(versions, pair):
    base, _ = fill(versions)
    fill(versions, of=factories.interaction("pan"))
    age(base[:2])
    elsewhere = PairIds(pair.base, pair.new, factories.device("tablet").pk)

    assert note(pair, base[0].interaction_id).startswith("2 of 16 runs of this interaction were measured by")
    assert note(pair, factories.interaction("pan").pk) == ""
    assert note(elsewhere) == ""


def test_measuring_again_under_another_revision_is_computed_again_though_no_value_moved(versions):
    base, _ = fill(versions)
    comparison = compare(versions)
    before = comparison.results.get().fingerprint
    age(base[:1])

    again = compare(versions)

    assert again.results.get().fingerprint != before
    assert again.computed_at > comparison.computed_at


def test_runs_of_several_revisions_are_pooled(versions):
    base, _ = fill(versions)
    age(base[:4])

    result = compare(versions).results.get()

    assert (result.n_base, result.n_new, result.left_out) == (8, 8, {})
