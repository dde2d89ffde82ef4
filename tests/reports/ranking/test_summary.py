import pytest

from reports.comparing.services import compute_comparison, open_comparison
from reports.models import Comparison
from reports.ranking.summary import load_diagnosis
from tests import factories
from tests.repeated import made_once

pytestmark = pytest.mark.django_db


@pytest.fixture
def comparison():
    """Scrolling became slower in all of six apps, tapping in none."""
    made_once(_compare)
    return Comparison.objects.get()


def _compare():
    versions = factories.os_version("13.0.12"), factories.os_version("13.0.13")
    for number in range(6):
        app = factories.app(f"App {number}", category="games" if number < 4 else "office")
        for kind, shift in (("scroll", 120), ("tap", 0)):
            of = factories.interaction(kind, type=kind, of=app)
            factories.runs([200.0 + step for step in range(6)], version=versions[0], of=of)
            factories.runs([200.0 + step + shift for step in range(6)], version=versions[1], of=of)
    compute_comparison(comparison_id=open_comparison(base=versions[0], new=versions[1]).pk)


def test_matrix_has_a_row_per_category_and_a_cell_per_type(comparison):
    found = load_diagnosis(comparison)

    assert found.types == ("scroll", "tap")
    assert [row.category for row in found.rows] == ["games", "office"]
    scroll, tap = found.rows[0].cells
    assert (scroll.regressed, scroll.decided, scroll.regressed_pct) == (4, 4, 100.0)
    assert (tap.regressed, scroll.query) == (0, {"category": "games", "type": "scroll"})


def test_matrix_of_a_metric_has_medians_in_its_unit(comparison):
    assert load_diagnosis(comparison, "response_time_ms").rows[0].cells[0].median_delta == 120.0
    assert load_diagnosis(comparison, "dropped_frames").rows == ()
    assert load_diagnosis(comparison).metrics == ("response_time_ms",)


def test_the_pattern_is_told(comparison):
    (pattern,) = load_diagnosis(comparison).patterns

    assert pattern["sentence"].startswith("Scrolling is slower in 6 of 6 apps")


def test_nothing_is_told_before_the_first_computation(comparison):
    comparison.summary = {}

    assert load_diagnosis(comparison) is None
