import av
import numpy as np
import pytest

from analysis.pictures.playindex import has_idr, read_index
from tests.numbered import read_number, render_numbered

TIMES_MS = [0, 16.7, 33.3, 100, 116.7, 700, 716.7, 733.3]


def test_index_of_a_plain_file_names_each_frame_by_its_time(tmp_path):
    index = read_index(render_numbered(tmp_path / "a.mp4", TIMES_MS, bf=0, g=4))

    assert index.time_ms == pytest.approx(TIMES_MS, abs=0.02)
    assert index.keys == (0, 4)
    assert index.codec.startswith("avc1.")
    assert (index.width_px, index.height_px) == (160, 240)


def test_index_points_at_the_bytes_of_each_frame(tmp_path):
    path = render_numbered(tmp_path / "a.mp4", TIMES_MS, bf=0, g=1)
    index = read_index(path)
    data = path.read_bytes()
    with av.open(str(path)) as container:
        decoder = av.CodecContext.create("h264", "r")
        decoder.extradata = container.streams.video[0].codec_context.extradata

    spans = [slice(at, at + size) for at, size in zip(index.offset, index.size, strict=True)]
    frames = [frame for span in spans for frame in decoder.decode(av.Packet(data[span]))] + decoder.decode(None)

    assert [read_number(frame.to_ndarray(format="rgb24")) for frame in frames] == list(range(len(TIMES_MS)))


@pytest.mark.parametrize(
    ("codec", "name", "options"),
    [
        ("libx264", "reordered.mp4", {"bf": 2}),
        ("libx265", "hevc.mp4", {"x265-params": "log-level=none"}),
        ("libvpx-vp9", "vp9.webm", {}),
    ],
)
def test_index_is_refused_where_a_page_cannot_decode_packet_by_packet(tmp_path, codec, name, options):
    path = render_numbered(tmp_path / name, np.arange(12) * 16.7, codec=codec, **options)

    assert read_index(path) is None


def test_index_of_no_video_is_refused(tmp_path):
    path = tmp_path / "note.mp4"
    path.write_bytes(b"no video at all")

    assert read_index(path) is None


@pytest.mark.parametrize(
    ("units", "expected"),
    [
        ([(6, 3), (5, 40)], True),  # supplemental information, then an IDR slice
        ([(1, 40)], False),  # an I picture that is no IDR has slices of type 1
        ([(6, 3), (1, 40)], False),
        ([], False),
    ],
)
def test_only_an_idr_picture_is_a_place_to_start(units, expected):
    data = b"".join((1 + size).to_bytes(4, "big") + bytes([0x60 | kind]) + bytes(size) for kind, size in units)

    assert has_idr(data, 4) is expected


@pytest.mark.parametrize(("gop", "quick"), [(5, True), (40, False)])
def test_steps_are_quick_only_with_key_frames_near(tmp_path, gop, quick):
    path = render_numbered(
        tmp_path / "a.mp4", np.arange(40) * 16.7, bf=0, g=gop, **{"x264-params": f"scenecut=0:keyint={gop}"}
    )

    assert read_index(path).steps_quickly is quick
