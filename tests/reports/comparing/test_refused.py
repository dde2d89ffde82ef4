import pytest

from reports.comparing.services import NothingToCompareError, find_version, open_comparison
from reports.models import Comparison, ComparisonStatus
from tests import factories
from tests.reports.comparing.pairs import compare, fill, two_versions

pytestmark = pytest.mark.django_db


@pytest.fixture
def versions():
    return two_versions()


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
