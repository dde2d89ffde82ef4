import pytest

from reports.launch.samples import ensure_samples
from reports.models import Comparison, OsVersion, Run, RunStatus
from tests import factories
from tests.intake import fake_video, write_manifest

pytestmark = pytest.mark.django_db


@pytest.fixture
def manifest(tmp_path):
    fake_video(tmp_path)
    rows = [{"os_version": version, "repetition": str(number)} for version in ("1.10", "1.9") for number in (1, 2)]
    return write_manifest(tmp_path, rows)


def test_samples_come_once_with_the_comparison_of_their_versions_in_order(manifest):
    assert ensure_samples(manifest)[manifest].new == 4
    assert ensure_samples(manifest)[manifest].unchanged == 4
    comparison = Comparison.objects.get()
    assert (comparison.base.name, comparison.new.name) == ("1.9", "1.10")


def test_an_import_that_was_interrupted_is_finished(manifest):
    ensure_samples(manifest)
    Run.objects.first().delete()
    assert ensure_samples(manifest)[manifest].new == 1


def test_a_history_comes_after_the_pair_and_brings_no_comparison_of_its_own(tmp_path, manifest):
    rows = [{"os_version": f"build-{number}", "channel": "builds"} for number in (1, 2, 3)]
    history = write_manifest(tmp_path, rows, name="history.csv")
    made = ensure_samples(manifest, history)
    assert [(path.name, summary.new) for path, summary in made.items()] == [("runs.csv", 4), ("history.csv", 3)]
    assert OsVersion.objects.filter(channel="builds").count() == 3
    assert Comparison.objects.count() == 1


def test_a_history_that_was_not_begun_is_imported_with_the_next_start(tmp_path, manifest):
    ensure_samples(manifest)
    history = write_manifest(tmp_path, [{"os_version": "build-1"}], name="history.csv")
    assert ensure_samples(manifest, history)[history].new == 1


def test_samples_that_a_person_took_away_stay_away(manifest):
    factories.run(version=factories.os_version("13.0.1"))
    assert ensure_samples(manifest) == {}
    assert Run.objects.count() == 1


def test_a_checkout_without_samples_starts_without_them(tmp_path):
    assert ensure_samples(tmp_path / "runs.csv") == {}


def test_a_comparison_is_asked_for_at_once_when_all_runs_are_measured(manifest, django_capture_on_commit_callbacks):
    ensure_samples(manifest)
    Comparison.objects.all().delete()
    Run.objects.update(status=RunStatus.DONE, outcome="ok")
    with django_capture_on_commit_callbacks() as callbacks:
        ensure_samples(manifest)
    assert len(callbacks) >= 1
    assert OsVersion.objects.count() == 2
