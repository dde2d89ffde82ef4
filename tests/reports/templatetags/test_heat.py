import pytest

from reports.templatetags.heat import heat


@pytest.mark.parametrize(
    ("share", "shade"), [(0.0, 0), (1.0, 10), (4.0, 20), (25.0, 50), (100.0, 100), (120.0, 100)]
)
def test_heat_grows_with_the_root_of_the_share(share, shade):
    assert heat(share) == shade
