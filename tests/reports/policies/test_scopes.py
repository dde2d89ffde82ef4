import pytest

from reports.comparing.services import compute_comparison, open_comparison
from reports.models import Scope
from reports.policies.selectors import find_part
from reports.policies.services import ScopeError, delete_scope, save_scope
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def queued(monkeypatch):
    ids = []
    monkeypatch.setattr("reports.queue.services.async_task", lambda *args, **kwargs: ids.append(args[1]))
    return ids


def test_a_scope_is_saved_by_name_and_changed_by_saving_it_again():
    save_scope(name="launches", interaction_types=["launch"])
    save_scope(name="launches", interaction_types=["launch", "tap"], apps=[factories.app()])

    part = find_part("launches")

    assert Scope.objects.count() == 1
    assert part.interaction_types == {"launch", "tap"}
    assert part.result_filter() == {
        "interaction__app__package__in": ["org.example.mail"],
        "interaction__type__in": ["launch", "tap"],
    }


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"name": " ", "interaction_types": ["tap"]}, "name: is empty"),
        ({"name": "x", "interaction_types": ["pinch"]}, "there is no 'pinch'; known: tap"),
        ({"name": "x"}, "both are empty"),
    ],
)
def test_a_scope_that_makes_no_sense_is_refused(values, message):
    with pytest.raises(ScopeError, match=message):
        save_scope(**values)


def test_comparisons_get_the_counts_of_a_new_scope(queued, django_capture_on_commit_callbacks):
    for version in ("13.0.12", "13.0.13"):
        factories.runs([200.0 + step for step in range(8)], version=factories.os_version(version))
    base, new = factories.os_version("13.0.12"), factories.os_version("13.0.13")
    comparison = compute_comparison(comparison_id=open_comparison(base=base, new=new).pk)
    assert comparison.summary["scopes"] == {}

    with django_capture_on_commit_callbacks(execute=True):
        save_scope(name="taps", interaction_types=["tap"])
    again = compute_comparison(comparison_id=comparison.pk)

    assert queued == [comparison.pk]
    assert again.summary["scopes"]["taps"]["decided"] == 1
    with django_capture_on_commit_callbacks(execute=True):
        assert delete_scope(name="taps")
    assert compute_comparison(comparison_id=comparison.pk).summary["scopes"] == {}
    assert not delete_scope(name="taps")
