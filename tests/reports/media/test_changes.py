import cv2
import numpy as np
import pytest
from django.core.files.storage import default_storage

from reports.media.stills import NoSuchFrameError, change_map
from tests import factories
from tests.numbered import render_numbered


@pytest.fixture
def run(db, tmp_path):
    folder = tmp_path / "media" / "screencasts"
    folder.mkdir(parents=True)
    render_numbered(folder / "a.mp4", [i * 20 for i in range(40)], size=(320, 480))
    return factories.run(file_name="screencasts/a.mp4", action_ms=100)


def painted(run):
    """Return the opacity of the map: (rows, columns) of blocks."""
    return cv2.imdecode(np.frombuffer(change_map(run), np.uint8), cv2.IMREAD_UNCHANGED)[..., 3]


def test_map_shows_where_the_screen_changed_and_nothing_elsewhere(run):
    opacity = painted(run)

    rows = len(opacity)  # the number stands in the upper sixth of these clips
    assert opacity[: rows // 8].any()
    assert not opacity[rows // 4 :].any()


def test_masked_areas_are_shown_as_such(run):
    run.device.masks = [{"name": "bar", "x0": 0, "y0": 0.9, "x1": 1, "y1": 1, "unit": "fraction"}]
    run.device.save()

    assert painted(run)[-1].all()


def test_map_of_a_lost_screencast_says_so(run):
    default_storage.delete(run.file_name)

    with pytest.raises(NoSuchFrameError, match="storage"):
        change_map(run)
