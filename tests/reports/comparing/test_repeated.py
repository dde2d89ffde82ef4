import pytest

from reports.comparing.services import compute_comparison, open_comparison
from reports.models import Comparison, Result
from tests import factories
from tests.reports.comparing.pairs import FAST, compare, fill, two_versions

pytestmark = pytest.mark.django_db


@pytest.fixture
def versions():
    return two_versions()


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


def test_a_policy_that_is_gone_falls_back_to_the_default(versions):
    fill(versions)
    comparison = open_comparison(base=versions[0], new=versions[1])
    Comparison.objects.filter(pk=comparison.pk).update(policy={"name": "nightly"})

    assert compute_comparison(comparison_id=comparison.pk).policy["name"] == "default"
