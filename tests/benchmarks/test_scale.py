import pytest

from benchmarks.scale_data import REGRESSED_SHARE, fill
from reports.comparing.services import compute_comparison, find_version, open_comparison
from reports.models import App, Measurement, Run


@pytest.mark.django_db
def test_generated_night_is_compared_like_any_other(tmp_path):
    made = fill(tmp_path, apps=4, interactions=40, runs=6)

    comparison = open_comparison(base=find_version("13.0.12"), new=find_version("13.0.13"))
    summary = compute_comparison(comparison_id=comparison.pk).summary

    assert made == Run.objects.count() == 40 * 2 * 6
    assert Measurement.objects.count() == 3 * made
    assert App.objects.count() == 4
    assert summary["decided"] == 40
    assert summary["regressed"] >= round(REGRESSED_SHARE * 40)
