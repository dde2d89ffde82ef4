import cv2
import numpy as np
import pytest
from django.core.files.storage import default_storage

from analysis.series import FrameSeries
from reports.media.pictures import pictures_of
from reports.media.proxies import make_proxy
from reports.media.stills import NoSuchFrameError, frame_picture
from reports.models import FrameSeriesRecord, Proxy
from tests import factories
from tests.numbered import read_number, render_numbered

TIMES_MS = [0, 20, 40, 500, 520, 1500]


@pytest.fixture
def run(db, settings, tmp_path):
    (tmp_path / "media" / "screencasts").mkdir(parents=True)
    render_numbered(tmp_path / "media" / "screencasts" / "a.mp4", TIMES_MS, g=3)
    return factories.run(file_name="screencasts/a.mp4")


def _decoded(picture):
    return cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)


@pytest.mark.parametrize(
    ("time_ms", "number"), [(0, 0), (20, 1), (39, 1), (40, 2), (499, 2), (500, 3), (1500, 5), (9999, 5)]
)
def test_frame_is_the_one_on_the_screen_at_that_time(run, time_ms, number):
    assert read_number(_decoded(frame_picture(run, time_ms=time_ms))) == number


def test_picture_is_made_once_and_then_kept(run):
    made = frame_picture(run, time_ms=500, height_px=96)
    default_storage.delete(run.file_name)

    assert frame_picture(run, time_ms=500, height_px=96) == made
    assert _decoded(made).shape[0] == 96


def test_one_picture_is_kept_for_a_frame_whatever_instant_of_it_is_asked_for(run):
    zeros = np.zeros(len(TIMES_MS), np.float32)
    series = FrameSeries(np.array(TIMES_MS, float), zeros, zeros, zeros)
    FrameSeriesRecord.objects.create(run=run, data=series.pack())

    shown = {frame_picture(run, time_ms=time_ms, height_px=96) for time_ms in (40, 41.5, 300, 499)}

    assert len(default_storage.listdir(pictures_of(run.sha256))[1]) == 1
    assert read_number(_decoded(shown.pop())) == 2


def test_small_pictures_come_from_the_proxy_and_show_the_same_frame(run):
    proxy = Proxy.objects.create(sha256=run.sha256, source_name=run.file_name)
    make_proxy(proxy_id=proxy.pk)
    default_storage.delete(run.file_name)

    assert read_number(_decoded(frame_picture(run, time_ms=500, height_px=96))) == 3


def test_frame_of_a_missing_screencast_says_so(run):
    default_storage.delete(run.file_name)

    with pytest.raises(NoSuchFrameError, match="storage"):
        frame_picture(run, time_ms=0)
