"""What may be opened as a recording: by its first bytes, and nothing that it names."""

import os
import threading

import av
import cv2
import numpy as np
import pytest

from analysis.measure import measure_screencast
from analysis.options import MeasureOptions
from analysis.video.opening import UnreadableVideoError, check_kind, open_container
from tests.intake import render_tap

SDP = "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=video 8719 RTP/AVP 96\r\n"
PLAYLISTS = {
    "list.m3u8": "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1.0,\n{other}\n#EXT-X-ENDLIST\n",
    "hls.mp4": "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1.0,\n{other}\n#EXT-X-ENDLIST\n",
    "concat.mp4": "ffconcat version 1.0\nfile {other}\n",
    "marked.mp4": "\ufeffffconcat version 1.0\nfile {other}\n",
    "sdp.mp4": SDP,
    "dash.mp4": "<?xml version='1.0'?><MPD xmlns='urn:mpeg:dash:schema:mpd:2011'><BaseURL>{other}</BaseURL></MPD>",
}


class Trap:
    """A named pipe that gives a real video to whoever opens it, and knows that somebody did."""

    def __init__(self, folder, video):
        self.path, self.opened = folder / "other.ts", threading.Event()
        os.mkfifo(self.path)
        self._data = video.read_bytes()
        self._thread = threading.Thread(target=self._give, daemon=True)
        self._thread.start()

    def _give(self):
        with self.path.open("wb", buffering=0) as pipe:  # waits for a reader
            self.opened.set()
            try:
                pipe.write(self._data)
            except BrokenPipeError:
                return

    def close(self):
        with os.fdopen(os.open(self.path, os.O_RDONLY | os.O_NONBLOCK), "rb"):
            self._thread.join(5)


@pytest.fixture
def trap(tmp_path):
    with av.open(str(render_tap(tmp_path / "tap.mp4"))) as read, av.open(str(tmp_path / "tap.ts"), "w") as written:
        stream = written.add_stream_from_template(read.streams.video[0])
        for packet in read.demux(video=0):
            if packet.dts is not None:
                packet.stream = stream
                written.mux(packet)
    trap = Trap(tmp_path, tmp_path / "tap.ts")
    yield trap
    trap.close()


@pytest.mark.parametrize("name", PLAYLISTS)
def test_a_playlist_is_refused_and_what_it_names_is_never_opened(trap, tmp_path, name):
    (tmp_path / name).write_text(PLAYLISTS[name].format(other=trap.path.name))

    measured = measure_screencast(tmp_path / name, MeasureOptions())

    assert not trap.opened.is_set()
    assert (measured.outcome, measured.info) == ("unreadable", None)
    assert "a playlist that points to other files" in measured.message


@pytest.mark.parametrize("name", ["frame%d.png", "frame1.png", "concat:a.mp4", "subfile,,start,0,end,9,,:a.mp4"])
def test_a_name_is_never_read_as_a_pattern_or_an_address(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    render_tap(tmp_path / "a.mp4")
    picture = cv2.imencode(".png", np.zeros((64, 64, 3), np.uint8))[1].tobytes()
    for number in (1, 2):
        (tmp_path / f"frame{number}.png").write_bytes(picture)

    with pytest.raises(UnreadableVideoError, match=r"no such file|does not begin like"):
        open_container(name)


@pytest.mark.parametrize("suffix", ["mp4", "mov", "mkv", "webm", "avi"])
def test_a_recording_is_known_by_its_first_bytes_not_by_its_name(tmp_path, suffix):
    codec = {"webm": "libvpx", "avi": "mpeg4"}.get(suffix, "libx264")
    path = render_tap(tmp_path / f"tap.{suffix}", codec=codec).rename(tmp_path / "picture.jpg")
    with open_container(path) as container:
        assert container.format.name == {"mp4": "mov", "mov": "mov", "avi": "avi"}.get(suffix, "matroska")
        assert sum(1 for _ in container.decode(video=0)) == 60


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"\x47" * 188, "does not begin like a video in MP4, MOV, Matroska, WebM or AVI"),
        (b"RIFF\0\0\0\0WAVEfmt ", "does not begin like"),
        (b"\0\0\0", "does not begin like"),
        (b"\0\0\0\x18ftypmp42" + bytes(500), "not a complete video"),
    ],
)
def test_what_is_refused_is_named_with_the_cure(tmp_path, content, words):
    (tmp_path / "a.mp4").write_bytes(content)
    with pytest.raises(UnreadableVideoError, match=words):
        open_container(tmp_path / "a.mp4")


def test_a_pipe_a_folder_and_a_name_that_cannot_be_are_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe.mp4")
    for name in ("pipe.mp4", ".", "a\0b", "tap.mp4/x"):
        with pytest.raises(UnreadableVideoError, match="no such file"):
            check_kind(tmp_path / name)
