"""When the frames of a recording come, read from its container."""

from fractions import Fraction

import av
import pytest

from analysis.pictures.frames import NoSuchFrameError, frame_times_us
from tests.intake import MP4_HEAD
from tests.numbered import numbered_picture, render_numbered

# A recorder that writes a frame only where something changes, on the ticks of 90 kHz that containers keep.
TICKS = (0, 1500, 3000, 4503, 9000, 48_000, 49_501, *range(60_000, 90_000, 1500))


@pytest.mark.parametrize(
    ("ending", "codec", "options", "unit_us"),
    [("mp4", "libx264", {"bf": 3}, 1), ("mkv", "libx264", {}, 1000), ("webm", "libvpx-vp9", {"cpu-used": 8}, 1000)],
)
def test_times_are_those_of_the_container(tmp_path, ending, codec, options, unit_us):
    film = render_numbered(tmp_path / f"film.{ending}", [tick / 90 for tick in TICKS], codec=codec, **options)

    assert frame_times_us(film) == pytest.approx([1000 * tick / 90 for tick in TICKS], abs=unit_us / 2)


def test_a_file_whose_packets_carry_no_times_is_decoded_for_them(tmp_path):
    with av.open(str(tmp_path / "film.avi"), "w") as container:
        stream = container.add_stream("mpeg4", rate=25, options={"bf": "2"})
        stream.width, stream.height, stream.pix_fmt = 160, 240, "yuv420p"
        for number in range(12):
            frame = av.VideoFrame.from_ndarray(numbered_picture(number), format="rgb24")
            frame.pts, frame.time_base = number, Fraction(1, 25)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())

    assert frame_times_us(tmp_path / "film.avi") == [40_000 * number for number in range(12)]


def test_what_is_no_recording_says_so(tmp_path):
    (tmp_path / "a.mp4").write_bytes(MP4_HEAD + b"nothing")

    with pytest.raises(NoSuchFrameError, match="cannot be read"):
        frame_times_us(tmp_path / "a.mp4")
