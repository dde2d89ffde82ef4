"""A stored run is measured as its manifest, its catalogue and its recorder say."""

from pathlib import Path

import pytest

from analysis.batch import read_jobs
from analysis.measure import measure_screencast
from reports.media.options import measure_options
from tests import factories

pytestmark = pytest.mark.django_db
SAMPLES = Path(__file__).resolve().parents[3] / "samples" / "runs.csv"


@pytest.mark.parametrize("capture", ["", "vfr", "cfr", "cfr60"])
def test_the_declared_capture_is_what_the_recording_is_measured_as(capture):
    assert measure_options(factories.run(capture=capture)).capture == capture


def test_drops_of_a_sparse_recording_that_was_declared_variable_are_counted():
    # In the 50 ms gap two slots show nothing new. Undeclared, so sparse a recording passes for a constant-rate one.
    [job] = [job for job in read_jobs(SAMPLES) if job.name.endswith("launch/sample-1.1_03.mp4")]
    launch = factories.interaction("launch", type="launch")
    run = factories.run(of=launch, capture=job.options.capture, action_ms=job.options.action_ms)
    assert run.capture == "vfr"
    assert measure_screencast(job.path, measure_options(run)).metrics["dropped_frames"] == 2
    run.capture = ""
    assert measure_screencast(job.path, measure_options(run)).metrics["dropped_frames"] == 0
