"""Files that contradict themselves are refused with the table that does; what real recorders write is not."""

import struct
from fractions import Fraction

import av
import numpy as np
import pytest

from analysis.batch import Job, measure_jobs
from analysis.measure import measure_screencast
from analysis.options import MeasureOptions
from analysis.video.opening import open_container
from benchmarks.mutations import CLIPS, OPTIONS, SCREEN, paint, render, same
from tests.synthetic import Clip, every, film


@pytest.fixture(scope="module")
def clips(tmp_path_factory):
    """Every clip of the mutations, undamaged: name → its bytes and what is measured on it."""
    return {original.name: original for original in render(tmp_path_factory.mktemp("clips"))}


@pytest.fixture
def measure(tmp_path):
    def measured(data, options=OPTIONS):
        (tmp_path / "clip").write_bytes(data)
        return measure_screencast(tmp_path / "clip", options, threads=1)

    return measured


def answer(measured):
    return {"outcome": measured.outcome, "metrics": measured.metrics, "settles": measured.settles}


def put(data, box, at, values, form=">I", nth=0):
    """Return the file with numbers written over those `at` bytes after the four letters of its nth such box."""
    data, start = bytearray(data), -1
    for _ in range(nth + 1):
        start = data.index(box, start + 1)
    for index, value in enumerate(values):
        struct.pack_into(form, data, start + at + index * struct.calcsize(form), value)
    return bytes(data)


def got(data, box, at, form=">I", nth=0):
    start = -1
    for _ in range(nth + 1):
        start = data.index(box, start + 1)
    return struct.unpack_from(form, data, start + at)[0]


def test_every_clip_is_measured_undamaged(clips):
    assert {name: clip.answer["outcome"] for name, clip in clips.items()} == dict.fromkeys(CLIPS, "ok")


# In a full box four bytes of version and flags follow the letters, in a table four of the number of entries.
MP4 = {
    "a duration that became longer by half a second": ("stts", 16, [45000], "stts"),
    "a number of durations that became smaller": ("stts", 8, [20], "stts"),
    "a count within the durations": ("stts", 12, [2], "stts"),
    "a number of sizes that became smaller": ("stsz", 12, [20], "lists 26 pictures"),
    "a size that reaches into the next picture": ("stsz", 20, [90000], "outside of the media data"),
    "a chunk that begins elsewhere": ("stco", 12, [7], "outside of the media data"),
    "a chunk that holds less": ("stsc", 16, [3], "chunks"),
    "a description that is not there": ("stsc", 20, [2], "names a format that is not described"),
    "a clock that ticks half as fast": ("mdhd", 16, [45000], "clocks tick"),
    "a clock that ticks twice as fast": ("mdhd", 16, [180000], "edit list"),
    "a clock that does not tick": ("mdhd", 16, [0], "timescale 0"),
    "a track that lasts longer": ("mdhd", 20, [99999], "the track (mdhd)"),
    "a film's clock that ticks faster": ("mvhd", 16, [1100], "clocks"),
    "an edit list that begins later": ("elst", 16, [40000], "edit list"),
    "an edit list that is shorter": ("elst", 12, [400], "edit list"),
    "a head that lasts shorter": ("tkhd", 24, [400], "edit list"),
    "a track that is none of pictures": ("hdlr", 12, [0x736F756E], "marked as something else"),
    "a box that is longer than what it lies in": ("stbl", -4, [9000], "longer than"),
    "a table of another name": ("stts", 0, [0x73747463], "in place of"),
}


@pytest.mark.parametrize("damage", MP4)
def test_an_mp4_file_that_contradicts_itself_is_refused(clips, measure, damage):
    box, at, values, words = MP4[damage]
    measured = measure(put(clips["h264-uneven.mp4"].data, box.encode(), at, values))
    assert measured.outcome == "unreadable"
    assert words in measured.message
    assert "copy it from the device again, or record again" in measured.message


@pytest.mark.parametrize(
    ("at", "value", "words"),
    [
        (8, 3, "lists"),  # fewer entries
        (16 + 8 * 13, 100, "breaks its order"),
        (16 + 8 * 13, 1 << 30, "moves a picture past more"),
        (0, 0x63757473, "in place of"),  # "cuts"
    ],
)
def test_presentation_times_that_break_their_order_are_refused(clips, measure, at, value, words):
    measured = measure(put(clips["h264-reordered.mp4"].data, b"ctts", at, [value]))
    assert measured.outcome == "unreadable"
    assert words in measured.message


@pytest.mark.parametrize(("damaged", "outcome"), [(False, "ok"), (True, "unreadable")])
def test_pictures_in_another_order_may_begin_unevenly(measure, tmp_path, damaged, outcome):
    """The first is shown for half as long as the others, as at the start of a recording at a variable rate."""
    times = [0.0, *(10.0 + 20 * at for at in range(60))]
    options = {"preset": "ultrafast", "x265-params": "log-level=none"}
    data = film(tmp_path / "clip.mp4", SCREEN, paint, Clip(times, "libx265", options, b_frames=4)).read_bytes()
    assert got(data, b"ctts", 8) > 1
    at = 16 + 8 * 13
    measured = measure(put(data, b"ctts", at, [got(data, b"ctts", at) + 100]) if damaged else data)
    assert measured.outcome == outcome


@pytest.mark.parametrize(
    ("box", "at", "value", "nth", "words"),
    [
        ("tfdt", 12, 99, 2, "begin (tfdt) elsewhere"),
        ("trun", 20, 100, 0, "begin (tfdt) elsewhere"),
        ("mfhd", 8, 9, 1, "are numbered 1, then 9"),
        ("moof", 0, 0x66726565, 1, "are numbered 1, then 3"),  # "free"
        ("trun", 8, 2, 1, "longer or shorter than it says"),
        ("mdhd", 16, 24464, 0, "ticks 24464 times"),
    ],
)
def test_fragments_that_contradict_each_other_are_refused(clips, measure, box, at, value, nth, words):
    measured = measure(put(clips["h264-fragments.mp4"].data, box.encode(), at, [value], nth=nth))
    assert measured.outcome == "unreadable"
    assert words in measured.message


def test_a_track_whose_pictures_lie_in_another_file_is_refused(clips, measure):
    data = clips["h264-uneven.mp4"].data
    entry = data.index(b"dref") + 12
    path = b"other.mp4\0\0\0"
    measured = measure(
        grown(data, entry + 12, path, ("moov", "trak", "mdia", "minf", "dinf", "dref", "url "), entry)
    )
    assert measured.outcome == "unreadable"
    assert "its pictures lie in another file" in measured.message


def grown(data, at, more, boxes, entry):
    """Insert bytes into an MP4 file whose moov lies last, and clear the flag that says "in this file"."""
    data = bytearray(data)
    for box in boxes:
        place = data.index(box.encode()) - 4
        struct.pack_into(">I", data, place, struct.unpack_from(">I", data, place)[0] + len(more))
    struct.pack_into(">I", data, entry + 8, 0)
    return bytes(data[:at] + more + data[at:])


def block(data, nth, *, moved_ms):
    """Return a WebM file whose nth block has another time; block heads are size, track, time, flags."""
    at = -1
    for _ in range(nth + 1):
        at = next(
            place
            for place in range(at + 1, len(data))
            if data[place : place + 1] == b"\xa3" and is_head(data, place)
        )
    time = at + 1 + (9 - data[at + 1].bit_length()) + 1
    return put_at(data, time, struct.pack(">h", struct.unpack_from(">h", data, time)[0] + moved_ms))


def is_head(data, at):
    length = 9 - data[at + 1].bit_length()
    return length < 9 and data[at + 1 + length] == 0x81 and data[at + 4 + length] in (0x80, 0x00)


def put_at(data, at, values):
    return data[:at] + values + data[at + len(values) :]


def of_element(data, kind, values):
    """Return a Matroska file with the contents of an element, named by its bytes and its size, written over."""
    return put_at(data, data.index(kind) + len(kind), values)


WEBM = {
    "a picture before the one before it": (
        lambda data: block(data, 12, moved_ms=-40),
        "before that of the picture before",
    ),
    "a picture that leaves the rate": (lambda data: block(data, 12, moved_ms=12), "does not keep the rate"),
    "a picture after the end": (lambda data: block(data, 44, moved_ms=6000), "lasts 0.750 s"),
    "another unit of time": (lambda data: of_element(data, b"\x2a\xd7\xb1\x83", b"\x0f\x42\x41"), "TimestampScale"),
    "bytes that are no element": (lambda data: of_element(data, b"\x1f\x43\xb6", b"\x00"), "no element"),
    "another size": (lambda data: data[:-9], "cut off"),
}


@pytest.mark.parametrize("damage", WEBM)
def test_a_webm_file_that_contradicts_itself_is_refused(clips, measure, damage):
    damaged, words = WEBM[damage]
    measured = measure(damaged(clips["vp9-60hz.webm"].data))
    assert measured.outcome == "unreadable", answer(measured)
    assert words in measured.message


@pytest.mark.parametrize("late_ms", [4, 8])
def test_a_picture_that_is_written_a_little_late_is_no_damage(clips, measure, late_ms):
    data = clips["vp9-60hz.webm"].data
    assert measure(block(data, 12, moved_ms=late_ms)).outcome == measure(data).outcome == "ok"


@pytest.mark.parametrize("nth", [0, 44], ids=["first", "last"])
def test_the_first_and_the_last_picture_may_leave_the_rate(clips, measure, nth):
    """Recorders write what is shown when they are started, and when they are stopped."""
    data = clips["vp9-60hz.webm"].data
    assert measure(block(data, nth, moved_ms=9)).outcome == measure(data).outcome == "ok"


@pytest.mark.parametrize("at", [762.0, 1709.0], ids=["before one", "between two"])
def test_what_comes_beside_a_pause_may_leave_the_rate(tmp_path, at):
    """Recorders at a variable rate write what changes when it does: a clock's minute, a second after all else."""
    times = [*every(60, 0.75), at, 2700.0]
    clip = film(tmp_path / "a.webm", SCREEN, paint, Clip(times, codec="libvpx-vp9", options={"crf": "30"}))
    assert measure_screencast(clip, OPTIONS).outcome == "ok"


VARIABLE = {
    "as it comes": np.cumsum(np.random.default_rng(5).uniform(9.0, 60.0, 40)),
    "ten a second": np.arange(40) * 100.0,
    "after a pause": np.array([0.0, *(1275.3 + np.array(every(60, 0.4)) + 7.4), 3227.0]),
}


@pytest.mark.parametrize("rate", VARIABLE)
@pytest.mark.parametrize("declared", [24, 25, 30, 60, 90])
def test_a_rate_that_a_recorder_declares_and_does_not_keep_is_no_damage(tmp_path, rate, declared):
    # What FFmpeg writes into Matroska as the usual duration is what its caller expected, not what came.
    path = tmp_path / "a.webm"
    with av.open(str(path), "w") as target:
        stream = target.add_stream("libvpx", rate=declared)
        stream.width, stream.height, stream.pix_fmt = 64, 64, "yuv420p"
        stream.codec_context.time_base = Fraction(1, 1000)
        for time in np.unique(VARIABLE[rate].round().astype(int)):
            picture = av.VideoFrame.from_ndarray(np.full((64, 64, 3), time % 200, np.uint8))
            picture.pts, picture.time_base = int(time), Fraction(1, 1000)
            target.mux(stream.encode(picture))
        target.mux(stream.encode())
    with open_container(path, checked=True) as container:
        assert container.streams.video


def test_a_file_that_was_cut_without_coding_it_anew_is_measured(tmp_path):
    """What would be decoded after the cut is missing, though pictures that are shown later are there."""
    whole = film(tmp_path / "whole.mp4", SCREEN, paint, Clip(every(60, 0.75), b_frames=3))
    with av.open(str(whole)) as source, av.open(str(tmp_path / "cut.mp4"), "w") as target:
        packets = [packet for packet in source.demux(video=0) if packet.dts is not None]
        last = next(n for n in range(40, 30, -1) if packets[n].pts < max(packet.pts for packet in packets[:n]))
        copy = target.add_stream_from_template(source.streams.video[0])
        shown = [packet.pts for packet in packets[:last]]
        for packet in packets[:last]:
            packet.stream = copy
            target.mux(packet)
    assert np.ptp(np.diff(sorted(shown))) > 0  # a picture is missing
    assert measure_screencast(tmp_path / "cut.mp4", OPTIONS).outcome == "ok"


def test_a_checksum_of_matroska_that_is_wrong_is_refused(clips, measure):
    clip = clips["h264-60hz.mkv"]
    at = clip.data.index(clip.pictures[20])
    measured = measure(put_at(clip.data, at - 2, b"\x4f"))  # the lower byte of its time
    assert measured.outcome == "unreadable"
    assert "a checksum of it (CRC-32) is wrong" in measured.message


@pytest.mark.parametrize(
    ("letters", "at", "value", "words"),
    [
        (b"strh", 8 + 24, 1, "two rates"),
        (b"avih", 8, 99999, "two rates"),
        (b"strh", 8 + 32, 7, "counts 7 pictures"),
        (b"strl", 0, 0x6C72F473, "counts 1 streams, it describes 0"),
        (b"idx1", 8 + 16 * 5 + 8, 4, "index (idx1)"),
        (b"movi", -4, 20, "longer than"),
    ],
)
def test_an_avi_file_that_contradicts_itself_is_refused(clips, measure, letters, at, value, words):
    measured = measure(put(clips["mpeg4-30hz.avi"].data, letters, at, [value], "<I"))
    assert measured.outcome == "unreadable"
    assert words in measured.message or "is missing" in measured.message


def test_an_unknown_codec_is_named_and_the_next_file_is_measured(clips, tmp_path):
    data = clips["h264-uneven.mp4"].data
    (tmp_path / "bad.mp4").write_bytes(
        put(data, b"avc1", 0, [0x7A7A7A31], nth=data[: data.index(b"stsd")].count(b"avc1"))
    )
    (tmp_path / "good.mp4").write_bytes(data)
    rows = list(measure_jobs([Job(name, tmp_path / name, OPTIONS) for name in ("bad.mp4", "good.mp4")]))
    assert [row["outcome"] for row in rows] == ["unreadable", "ok"]
    assert "the codec zzz1 is not read here" in rows[0]["message"]


def test_a_codec_that_is_known_but_not_promised_is_refused_by_name(tmp_path):
    path = film(tmp_path / "a.avi", SCREEN, paint, Clip(every(30, 0.2), "msmpeg4v2", {}, time_base=Fraction(1, 30)))
    measured = measure_screencast(path, OPTIONS)
    assert measured.outcome == "unreadable"
    assert "the codec msmpeg4v2 is not read here" in measured.message


def test_a_file_of_countless_pieces_is_given_up(clips, measure, monkeypatch):
    monkeypatch.setattr("analysis.video.containers.boxes.MOST_PIECES", 100)
    for name, piece in (("h264-uneven.mp4", b"\0\0\0\x08free"), ("mpeg4-30hz.avi", b"JUNK\0\0\0\0")):
        measured = measure(clips[name].data + piece * 101)
        assert measured.outcome == "unreadable"
        assert "more than 100 pieces" in measured.message


def last_duration_left_out(data):
    return put(data, b"mdhd", 20, [got(data, b"mdhd", 20) - 1500])


def trimmed_at_the_end(data):
    return put(put(data, b"elst", 12, [905]), b"tkhd", 24, [905])


def no_duration_in_its_head(data):
    return put(data, b"tkhd", 24, [0])


def device_data_behind_the_end(data):
    return data + b"\0\0\x30\x0c\x0a\0\0\0Samsung_Capture_Info" + b"SEFH\x01\0\0\0SEFT"


def media_data_up_to_the_end(data):
    """Move moov in front, as a streaming writer has it, and let mdat end with the file."""
    start = data.index(b"mdat") - 4
    size = struct.unpack_from(">I", data, start)[0]
    moved = data[:start] + data[start + size :] + data[start : start + size]
    first = got(moved, b"stco", 12)
    moved = put(moved, b"stco", 12, [first + len(data) - start - size])
    return put_at(moved, moved.rindex(b"mdat") - 4, bytes(4))


QUIRKS = [last_duration_left_out, trimmed_at_the_end, no_duration_in_its_head, device_data_behind_the_end,
          media_data_up_to_the_end]  # fmt: skip


@pytest.mark.parametrize("quirk", QUIRKS)
def test_what_real_recorders_write_is_measured_as_before(clips, measure, quirk):
    clip = clips["h264-uneven.mp4"]
    measured = measure(quirk(clip.data))
    assert measured.outcome == "ok", measured.message
    assert same(answer(measured), clip.answer)


def test_a_long_recording_may_be_trimmed_by_a_few_pictures(tmp_path, measure):
    times = [*(500.0 * step for step in range(120)), *(59_600.0 + 20 * step for step in range(6))]
    path = film(tmp_path / "a.mp4", SCREEN, lambda picture, time: None, Clip(times))
    trimmed = put(put(path.read_bytes(), b"elst", 12, [59_625]), b"tkhd", 24, [59_625])
    assert measure(trimmed).outcome == "no_response", measure(trimmed).message


@pytest.mark.parametrize(
    ("name", "muxing"),
    [
        ("a.mp4", {"movflags": "negative_cts_offsets"}),
        ("a.mp4", {"movflags": "frag_keyframe+default_base_moof+delay_moov"}),
        ("a.mp4", {"movflags": "frag_every_frame+empty_moov"}),
        ("a.mp4", {"movflags": "hybrid_fragmented"}),
        ("a.mp4", {"use_editlist": "0"}),
        ("a.mp4", {"video_track_timescale": "1000000"}),
        ("a.mp4", {"movflags": "faststart", "write_tmcd": "0"}),
        ("a.mov", {}),
        ("a.mkv", {"live": "1"}),
        ("a.mkv", {"write_crc32": "0"}),
        ("a.mkv", {"cluster_time_limit": "100"}),
        ("a.mkv", {"cues_to_front": "1"}),
    ],
)
def test_every_way_of_writing_a_container_is_read(tmp_path, name, muxing):
    times = [0.0, 40.0, 110.0, *(200.0 + 21 * step for step in range(15)), 700.0, 900.0]
    path = film(tmp_path / name, SCREEN, paint, Clip(times, b_frames=3, gop=9), muxing)
    measured = measure_screencast(path, OPTIONS)
    assert measured.outcome == "ok", measured.message
    assert measured.metrics["response_time_ms"] == pytest.approx(100, abs=1)


RATES = {
    "constant at 30 Hz": every(30, 1.5),
    "constant at 60 Hz": every(60, 1.5),
    "uneven": [23.0 * step + 4 * (step * step % 5) for step in range(60)],
    "sparse": [float(time) for time in np.cumsum([0, *([17, 250, 33, 900, 17, 17, 450] * 3)])],
    "after a pause": [0.0, *(673.7 + time for time in every(60, 0.37)), 2934.8],
}


@pytest.mark.parametrize("starts_ms", [0, 10, 12345.6])
@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("name", ["a.mp4", "a.mov", "a.mkv"])
def test_pictures_may_be_reordered_at_any_rate_and_begin_late(tmp_path, name, rate, starts_ms):
    times = [starts_ms + time for time in RATES[rate]]
    path = film(tmp_path / name, SCREEN, lambda picture, time: None, Clip(times, b_frames=2, gop=250))
    assert measure_screencast(path, OPTIONS).outcome == "no_response"


@pytest.mark.parametrize("muxing", [{"use_editlist": "0"}, {"movflags": "frag_keyframe+empty_moov"}])
def test_sound_may_begin_before_reordered_pictures(tmp_path, muxing):
    path = film(tmp_path / "a.mp4", SCREEN, lambda picture, time: None, Clip(RATES["uneven"], b_frames=2, gop=250))
    with av.open(str(path)) as read, av.open(str(tmp_path / "b.mp4"), "w", options=muxing) as written:
        video = written.add_stream_from_template(read.streams.video[0])
        sound = written.add_stream("aac", rate=48000)
        for packet in [packet for packet in read.demux(video=0) if packet.size]:
            packet.stream = video
            written.mux(packet)
        silence = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), "fltp", "mono")
        silence.rate, silence.pts = 48000, 0
        written.mux([*sound.encode(silence), *sound.encode()])
    assert measure_screencast(tmp_path / "b.mp4", OPTIONS).outcome == "no_response"


PRIMING_MS = 1000 * 1024 / 44100  # an encoder of AAC writes so much silence first, and the muxer waits for it


def test_a_track_that_begins_after_the_sound_is_read_as_older_android_writes_it(tmp_path, measure):
    """There the delay lies in the first duration of the time table, and not in the duration of the track."""
    path = film(tmp_path / "a.mp4", SCREEN, paint, Clip(every(60, 0.75)))
    with (
        av.open(str(path)) as read,
        av.open(str(tmp_path / "b.mp4"), "w", options={"use_editlist": "0"}) as written,
    ):
        video, sound = (
            written.add_stream_from_template(read.streams.video[0]),
            written.add_stream("aac", rate=44100),
        )
        packets = [packet for packet in read.demux(video=0) if packet.size]
        for index, packet in enumerate(packets):
            packet.stream = video
            delay = round(0.25 / packet.time_base) if index else 0
            packet.pts, packet.dts = packet.pts + delay, packet.dts + delay
            written.mux(packet)
        silence = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), "fltp", "mono")
        silence.rate, silence.pts = 44100, 0
        written.mux([*sound.encode(silence), *sound.encode()])
    data = (tmp_path / "b.mp4").read_bytes()
    scale, duration = got(data, b"mdhd", 16), got(data, b"mdhd", 20)
    head = round(1000 * (duration / scale - 0.25))
    measured = measure(
        put(put(data, b"mdhd", 20, [duration - scale // 4]), b"tkhd", 24, [head]),
        MeasureOptions(action_ms=350 + PRIMING_MS),
    )
    assert measured.outcome == "ok", measured.message
    assert measured.metrics["response_time_ms"] == pytest.approx(100, abs=1)
