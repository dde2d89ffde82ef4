import av
import pytest
from django.conf import settings

from analysis.pictures.playindex import plays_everywhere
from reports.bugreport import video
from reports.media import frames
from reports.media.proxies import make_proxy
from reports.media.screencasts import local_file
from reports.models import Proxy
from tests.numbered import render_numbered
from tests.reports.bugreport.scene import CHANGED, TIMES_MS, bug_scene, number_in, render, stored, written


@pytest.fixture
def runs(db):
    runs = bug_scene()
    stored(runs[0]).unlink()
    render(runs[0], ".mkv")  # not every browser plays this container
    return runs


@pytest.mark.parametrize(
    ("name", "options", "plays"),
    [
        ("a.mp4", {}, True),
        ("b.mp4", {"bf": 3}, True),
        ("a.webm", {"codec": "libvpx-vp9"}, True),
        ("a.mkv", {}, False),
        ("c.mp4", {"codec": "libx265", "x265-params": "log-level=none"}, False),
    ],
)
def test_what_browsers_play(tmp_path, name, options, plays):
    assert plays_everywhere(render_numbered(tmp_path / name, TIMES_MS, **options)) is plays


def test_what_is_no_video_plays_nowhere(tmp_path):
    (tmp_path / "a.mp4").write_bytes(b"no video")

    assert not plays_everywhere(tmp_path / "a.mp4")


def test_recording_that_does_not_play_goes_in_as_it_is_and_says_so(runs):
    opened = written()

    assert opened.read("base.mkv") == stored(runs[0]).read_bytes()
    assert "not every browser plays it" in opened.read("report.html").decode()
    assert not Proxy.objects.exists(), "a click that reads writes nothing"


def test_command_makes_the_playable_copy(runs, tmp_path):
    opened = written(transcode=True)
    (tmp_path / "a.mp4").write_bytes(opened.read("base.mp4"))

    assert plays_everywhere(tmp_path / "a.mp4")
    with av.open(str(tmp_path / "a.mp4")) as video:
        assert [round(frame.time * 1000) for frame in video.decode(video=0)] == TIMES_MS
    assert "every frame at its own time" in opened.read("report.md").decode()


def test_proxy_that_is_there_is_taken_and_its_pictures_too(runs, monkeypatch):
    for run in runs:
        proxy = Proxy.objects.create(sha256=run.sha256, source_name=run.file_name)
        assert make_proxy(proxy_id=proxy.pk) == "done"
    opened_files = []
    monkeypatch.setattr(frames, "local_file", lambda name: (opened_files.append(name), local_file(name))[1])

    opened = written()

    assert all(name.startswith("proxies/") for name in opened_files)
    assert len(opened_files) == len(runs)
    assert "base.mp4" in opened.namelist()
    film = sorted(name for name in opened.namelist() if name.startswith("frames/base") and "-360" in name)
    assert [number_in(opened, name) for name in film] == [1, *CHANGED]


def test_huge_recording_stays_out_and_says_so(runs, monkeypatch):
    monkeypatch.setattr(video, "MAX_VIDEO_BYTES", 100)

    opened = written()

    assert not [name for name in opened.namelist() if name.startswith("new.")]
    assert "The screencast is left out" in opened.read("report.html").decode()


def test_pictures_are_bounded_in_a_long_recording(runs, monkeypatch):
    monkeypatch.setattr(frames, "MAX_DECODED", 3)

    html = written().read("report.html").decode()

    assert "Some frames lie too late in the recording" in html


def test_pictures_are_made_once(runs, monkeypatch):
    written()
    monkeypatch.setattr(frames, "stills_apart", None)

    assert written().testzip() is None
    assert (settings.MEDIA_ROOT / "stills").exists()
