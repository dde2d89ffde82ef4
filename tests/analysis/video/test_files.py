"""Files as recorders and transfers leave them: every container and codec, and every kind of damage."""

from fractions import Fraction

import av
import numpy as np
import pytest

from analysis.measure import measure_screencast
from analysis.options import MeasureOptions
from tests.analysis.scenes import box
from tests.synthetic import Clip, Screen, every, film, write

MILLISECONDS = Fraction(1, 1000)
SCREEN = Screen(176, 320)
FILES = {
    "h264.mp4": Clip(every(60, 1)),
    "h264.mkv": Clip(every(60, 1), time_base=MILLISECONDS),
    "b_frames.mp4": Clip(every(60, 1), b_frames=3),
    "odd.mp4": Clip(every(60, 1), pixel_format="yuv444p"),
    "full_range.mp4": Clip(every(60, 1), pixel_format="yuvj420p"),
    "hevc.mp4": Clip(every(60, 1), "libx265", {"x265-params": "log-level=none", "preset": "ultrafast"}),
    "hevc10.mkv": Clip(
        every(60, 1), "libx265", {"x265-params": "log-level=none", "preset": "ultrafast"}, "yuv420p10le"
    ),
    "vp9.webm": Clip(every(60, 1), "libvpx-vp9", {"deadline": "realtime", "cpu-used": "8"}, time_base=MILLISECONDS),
    "av1.mkv": Clip(
        every(60, 1), "libsvtav1", {"preset": "11", "svtav1-params": "pred-struct=1"}, time_base=MILLISECONDS
    ),
    "lossless.mkv": Clip(every(60, 1), "ffv1", {}, "bgr0", MILLISECONDS),
}


def opens(picture, time):
    if time >= 300:
        box(picture, 0.2, 0.3, 0.7, 0.5, (170, 40, 40))
    if time >= 600:
        box(picture, 0.2, 0.6, 0.7, 0.8, (40, 40, 170))


def measure(path, action_ms=200.0):
    return measure_screencast(path, MeasureOptions(action_ms=action_ms))


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    return film(tmp_path_factory.mktemp("good") / "good.mp4", SCREEN, opens, Clip(every(60, 1), gop=20))


def remux(source, target, moved=lambda index, pts: pts, **options):
    """Copy the packets, each with the presentation time that `moved` gives it."""
    with av.open(str(source)) as read, av.open(str(target), "w", **options) as written:
        stream = written.add_stream_from_template(read.streams.video[0])
        packets = [packet for packet in read.demux(video=0) if packet.dts is not None]
        for index, packet in enumerate(packets):
            packet.stream = stream
            packet.pts = moved(index, packet.pts)
            if packet.pts < packet.dts or "mkv" in str(target):
                packet.dts = packet.pts
            written.mux(packet)
    return target


@pytest.mark.parametrize("name", FILES)
def test_every_container_and_codec_gives_the_same_times(name, tmp_path, capfd):
    screen = Screen(177, 321) if name == "odd.mp4" else SCREEN
    measured = measure(film(tmp_path / name, screen, opens, FILES[name]))
    assert measured.outcome == "ok", measured.message
    assert measured.metrics["response_time_ms"] == pytest.approx(100, abs=1)
    assert measured.metrics["finish_time_ms"] == pytest.approx(400, abs=18)
    assert (measured.info.width, measured.info.height) == (screen.width, screen.height)
    assert measured.info.frames == 60


@pytest.mark.parametrize(("turn", "rect"), [(90, (128, 80)), (180, (48, 160)), (270, (96, 48))])
def test_a_rotated_file_is_described_as_it_is_shown(turn, rect, tmp_path):
    clip = Clip(every(60, 1), rotation=turn, options={"crf": "10"})
    measured = measure(film(tmp_path / "turned.mp4", Screen(176, 320), opens, clip))
    assert measured.info.rotation == -turn % 360
    size = (176, 320) if turn == 180 else (320, 176)
    assert (measured.info.width, measured.info.height) == size
    x0, y0, x1, y1 = measured.evidence["response"]["changed_rect"]
    corners = {90: (96, 53), 180: (53, 160), 270: (160, 35)}[turn]  # the coded box (35, 96, 123, 160), turned
    assert abs(x0 - corners[0]) <= 8
    assert abs(y0 - corners[1]) <= 8
    assert (x1 > x0, y1 > y0) == (True, True)


def test_an_edit_list_that_cuts_the_start_moves_the_zero(good, tmp_path):
    cut = tmp_path / "cut.mp4"
    with av.open(str(good)) as read, av.open(str(cut), "w", options={"avoid_negative_ts": "disabled"}) as written:
        stream = written.add_stream_from_template(read.streams.video[0])
        for packet in read.demux(video=0):
            if packet.dts is not None:
                packet.stream = stream
                packet.pts -= round(0.1 / packet.time_base)
                packet.dts -= round(0.1 / packet.time_base)
                written.mux(packet)
    measured = measure(cut, action_ms=100.0)
    assert measured.info.frames == 54
    assert measured.metrics["response_time_ms"] == pytest.approx(100, abs=1)


def test_few_repeated_timestamps_are_noted_and_many_refused(good, tmp_path):
    step = 1500
    one = measure(remux(good, tmp_path / "one.mkv", lambda index, pts: pts - (step if index == 30 else 0)))
    assert one.outcome == "ok"
    assert one.evidence["notes"][0] == "1 frame repeats a timestamp, at 0.483 s: the later picture counts"
    many = measure(remux(good, tmp_path / "many.mkv", lambda index, pts: index // 3 * 3 * step))
    assert many.outcome == "unreadable"
    assert "40 of 60 frames repeat the timestamp of the frame before, from 0.000 to 0.950 s" in many.message
    assert "re-mux" in many.message


@pytest.fixture(scope="module")
def long(tmp_path_factory):
    return film(tmp_path_factory.mktemp("long") / "long.mp4", Screen(48, 96), opens, Clip(every(60, 4)))


def late(pts, index):
    """Return a time behind that of decoding, on no grid: the container's own tables then contradict nothing."""
    return pts + 30000 + 37 * index**2 % 400


@pytest.mark.parametrize("back", [0, 3])  # of 90,000 a second: nothing, or less than the message could show
def test_many_frames_at_one_time_are_said_to_repeat_it_and_not_to_go_back(long, back, tmp_path):
    def moved(index, pts):
        return late(pts, index) if not 180 <= index < 192 else late(180 * 1500, 180) - back * (index - 180)

    measured = measure(remux(long, tmp_path / "row.mp4", moved))
    assert measured.outcome == "unreadable"
    assert "11 of 240 frames repeat the timestamp of the frame before, all at 3.00" in measured.message
    assert "go back" not in measured.message


def test_a_time_that_goes_back_by_less_than_a_screen_can_show_is_a_repetition(long, tmp_path):
    def moved(index, pts):
        return late(99 * 1500, 99) - 3 if index == 100 else late(pts, index)

    one = measure(remux(long, tmp_path / "tick.mp4", moved))
    assert one.outcome == "ok"
    assert one.evidence["notes"][0].startswith("1 frame repeats a timestamp, at 1.6")


def test_timestamps_that_go_back_are_refused_with_the_frame(good, tmp_path):
    back = remux(
        good, tmp_path / "back.mp4", lambda index, pts: pts + 37 * index**2 % 400 + (9000 if index == 30 else 0)
    )
    measured = measure(back)
    assert measured.outcome == "unreadable"
    assert "go back at frame 31" in measured.message


@pytest.mark.parametrize(("share", "words"), [(0.6, "not a complete video"), (0.0, "the file is empty")])
def test_a_file_cut_off_before_its_index_is_refused(good, tmp_path, share, words):
    data = good.read_bytes()
    (tmp_path / "cut.mp4").write_bytes(data[: int(len(data) * share)])
    assert words in measure(tmp_path / "cut.mp4").message


def packets(pixels, start, count=5):
    """Encode pictures with the parameters of the codec in each key frame, as in a stream that may change them."""
    encoder = av.CodecContext.create("libx264", "w")
    encoder.width, encoder.height, encoder.pix_fmt, encoder.framerate = SCREEN.width, SCREEN.height, pixels, 60
    encoder.time_base, encoder.options = MILLISECONDS, {"preset": "ultrafast", "tune": "zerolatency"}
    for index in range(start, start + count):
        frame = av.VideoFrame.from_ndarray(SCREEN.page(), "rgb24").reformat(format=pixels)
        frame.pts, frame.time_base = 20 * index, MILLISECONDS
        yield from encoder.encode(frame)
    yield from encoder.encode()


@pytest.mark.parametrize(
    ("before", "after"), [("yuv444p", "yuv420p"), ("yuv420p", "yuv420p10le"), ("yuv420p10le", "yuv444p")]
)
def test_recordings_of_two_pixel_formats_put_together_are_refused(before, after, tmp_path):
    with av.open(str(tmp_path / "joined.mkv"), "w") as written:
        stream = written.add_stream("libx264", rate=60)
        stream.width, stream.height, stream.pix_fmt = SCREEN.width, SCREEN.height, before
        for packet in [*packets(before, 0), *packets(after, 5)]:
            packet.stream = stream
            written.mux(packet)
    measured = measure(tmp_path / "joined.mkv", action_ms=0.0)
    assert measured.outcome == "unreadable"
    assert "the pixel format changes at frame 5" in measured.message


@pytest.mark.parametrize("pixels", ["gray", "yuv420p", "yuv444p", "yuv420p10le"])
@pytest.mark.parametrize(("width", "height"), [(1, 1), (2, 2), (40, 1), (17, 33), (600, 16)])
def test_pictures_smaller_than_a_cell_or_a_block_are_measured(width, height, pixels, tmp_path):
    clip = Clip(every(60, 0.5), "ffv1", {}, pixels, MILLISECONDS)
    images = [np.full((height, width, 3), 200 if time < 300 else 40, np.uint8) for time in clip.times_ms]
    measured = measure(write(tmp_path / "small.mkv", images, clip))
    assert measured.outcome == "ok", measured.message
    assert measured.metrics["response_time_ms"] == measured.metrics["finish_time_ms"] == pytest.approx(100, abs=1)


def test_a_file_cut_off_after_its_index_names_the_frame_reached(good, tmp_path):
    whole = remux(good, tmp_path / "whole.mp4", options={"movflags": "faststart"})
    (tmp_path / "cut.mp4").write_bytes(whole.read_bytes()[:-2000])
    measured = measure(tmp_path / "cut.mp4")
    assert measured.outcome == "unreadable"
    assert "of its 60 frames" in measured.message
    assert set(measured.metrics.values()) == {None}


def test_a_damaged_file_yields_no_half_measurement(good, tmp_path):
    data = bytearray(good.read_bytes())
    start = len(data) // 3
    data[start : start + 1500] = bytes(byte ^ 0x5A for byte in data[start : start + 1500])
    (tmp_path / "damaged.mp4").write_bytes(data)
    measured = measure(tmp_path / "damaged.mp4")
    assert measured.outcome == "unreadable"
    assert "frame" in measured.message
    assert measured.series is None


def test_other_files_are_named_for_what_they_are(tmp_path):
    (tmp_path / "text.mp4").write_text("no video at all " * 50)
    with av.open(str(tmp_path / "sound.mp4"), "w") as container:
        stream = container.add_stream("aac", rate=44100)
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 4096), np.float32), "fltp", "mono")
        frame.rate, frame.pts = 44100, 0
        container.mux(stream.encode(frame))
        container.mux(stream.encode())
    assert "does not begin like a video" in measure(tmp_path / "text.mp4").message
    assert "no video stream" in measure(tmp_path / "sound.mp4").message
    assert "no such file" in measure(tmp_path / "missing.mp4").message


def test_one_frame_or_an_action_after_the_end_is_too_short(good, tmp_path):
    one = measure(film(tmp_path / "one.mp4", SCREEN, opens, Clip([0.0])), action_ms=0)
    late = measure(good, action_ms=5000)
    assert (one.outcome, late.outcome) == ("too_short", "too_short")
    assert "after the last frame" in late.message
    assert set(late.metrics.values()) == {None}


def test_evidence_is_small_and_lets_a_person_check(good):
    measured = measure(good)
    response = measured.evidence["response"]
    assert response["frame"] == response["frame_before"] + 1 == 18
    assert response["time_ms"] == pytest.approx(300, abs=0.1)
    assert response["ssim_worst"] < response["ssim_mean"] < 1
    x0, y0, x1, y1 = response["changed_rect"]
    assert (x0 <= 35 <= 123 <= x1, y0 <= 96 <= 160 <= y1) == (True, True)
    assert len(repr(measured.evidence)) < 10_000
    assert len(measured.series) == 60
    assert measured.series.changed_pct.argmax() in (18, 36)
