import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.models import OsVersion
from reports.models.catalogue import version_sort_key
from tests.factories import os_version

IN_ORDER = [
    ["13.0.9", "13.0.13"],
    ["13-beta", "13-rc1", "13", "13.0.1", "13.0.1-hotfix"],
    ["13.0.13-beta2", "13.0.13-beta10", "13.0.13"],
    ["A1", "A2", "A10"],
    ["TQ1A.230105", "TQ1A.230205"],
    ["12", "13", "100"],
]


@pytest.mark.parametrize("names", IN_ORDER)
def test_sort_key_orders_as_people_count(names):
    assert sorted(sorted(names), key=version_sort_key) == names


@given(
    st.lists(st.integers(0, 10**9), min_size=1, max_size=5), st.lists(st.integers(0, 10**9), min_size=1, max_size=5)
)
def test_sort_key_of_dotted_numbers_is_the_order_of_their_tuples(first, second):
    keys = [version_sort_key(".".join(map(str, numbers))) for numbers in (first, second)]

    assert (keys[0] < keys[1]) == (tuple(first) < tuple(second))


def test_versions_come_from_the_database_in_that_order(db):
    for name in ["13.0.13", "13.0.9", "13.0.10"]:
        os_version(name)

    assert [version.name for version in OsVersion.objects.all()] == ["13.0.9", "13.0.10", "13.0.13"]
