"""A stored run is measured as its manifest, its catalogue and its recorder say."""

from pathlib import Path

import pytest

from analysis.batch import read_jobs
from analysis.measure import measure_screencast
from reports.measuring.extraction import extract_run
from reports.media.options import WrongMaskError, measure_options
from reports.media.screencasts import fingerprint, keep
from reports.media.stills import NoSuchFrameError, change_map
from reports.models import RunStatus
from tests import factories
from tests.intake import fake_video

pytestmark = pytest.mark.django_db
SAMPLES = Path(__file__).resolve().parents[3] / "samples" / "runs.csv"
BAR = {"name": "status bar", "x0": 0, "y0": 0, "x1": 1, "y1": 0.04}


@pytest.mark.parametrize("capture", ["", "vfr", "cfr", "cfr60"])
def test_the_declared_capture_is_what_the_recording_is_measured_as(capture):
    assert measure_options(factories.run(capture=capture)).capture == capture


def test_a_recording_is_measured_as_what_it_was_declared():
    # In the 63 ms gap three slots show nothing new. A constant-rate recorder would have written what they showed.
    [job] = [job for job in read_jobs(SAMPLES) if job.name.endswith("launch/sample-1.1_05.mp4")]
    launch = factories.interaction("launch", type="launch")
    run = factories.run(of=launch, capture=job.options.capture, action_ms=job.options.action_ms)
    assert run.capture == "vfr"
    assert measure_screencast(job.path, measure_options(run)).metrics["dropped_frames"] == 3
    run.capture = "cfr60"
    assert measure_screencast(job.path, measure_options(run)).metrics["dropped_frames"] == 0


@pytest.mark.parametrize(
    ("masks", "words"),
    [
        (["status bar"], "mask 1 is 'status bar'"),
        ([BAR, {"x0": 0}], "mask 2 lacks name, y0, x1, y1"),
        ([BAR | {"colour": "red"}], "mask 1 ('status bar') has 'colour'"),
        ([BAR | {"x1": "1"}], "mask 1 ('status bar'): x1 is '1'"),
        ([BAR | {"x1": True}], "mask 1 ('status bar'): x1 is True"),
        ([BAR | {"x1": 10**400, "unit": "px"}], "mask 1 ('status bar'): x1"),
        ([BAR | {"name": 7}], "mask 1: name is 7"),
        ([BAR | {"x0": 1, "x1": 0}], "x0 < x1"),
        ([BAR | {"unit": "cm"}], "use fraction or px"),
        ([BAR | {"y1": 200}], "did you mean unit px?"),
        (BAR, "masks are no list"),
        ("status bar", "masks are no list"),
        (None, "masks are no list"),
    ],
)
@pytest.mark.parametrize("owner", ["device", "app", "interaction"])
def test_a_wrong_mask_names_its_owner_itself_and_the_cure(owner, masks, words):
    run = factories.run()
    found = {"device": run.device, "app": run.interaction.app, "interaction": run.interaction}[owner]
    found.masks = masks
    with pytest.raises(WrongMaskError) as caught:
        measure_options(run)
    assert f"of {found} " in str(caught.value)
    assert words in str(caught.value)
    assert str(caught.value).endswith(f"correct the masks of this {owner} in the catalogue, then measure again")


def test_a_wrong_mask_ends_the_run_as_a_named_failure(tmp_path):
    video = fake_video(tmp_path)
    found = fingerprint(video)
    keep(video, found)
    on = factories.device("Pixel 9", 120.0)
    run = factories.run(on=on, status=RunStatus.PENDING, file_name=found.name)
    run.device.masks = [{"name": "status bar", "x0": 0.5, "y0": 0, "x1": 0.5, "y1": 1}]
    run.device.save()
    extract_run(run_id=run.pk)
    run.refresh_from_db()
    assert run.status == RunStatus.FAILED
    assert run.error == (
        "a mask of Pixel 9 (120 Hz) is wrong: mask 'status bar': x0 < x1 and y0 < y1 must hold, got "
        "(0.5, 0, 0.5, 1): correct the masks of this device in the catalogue, then measure again"
    )


def test_a_wrong_mask_leaves_the_change_map_out_with_the_reason():
    run = factories.run()
    run.device.masks = ["status bar"]
    with pytest.raises(NoSuchFrameError, match="mask 1 is 'status bar'"):
        change_map(run)
