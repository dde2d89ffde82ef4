from collections import Counter
from io import BytesIO

import pytest
from PIL import Image

from analysis.manifest.columns import TO_IMPORT
from analysis.manifest.reader import Line
from analysis.manifest.rows import parse_row
from analysis.video.opening import open_container
from benchmarks.recorder.__main__ import line_of, turns
from benchmarks.recorder.browsers import BUILDS
from benchmarks.recorder.filming import SIZE, Film, keep, kept, write_video
from benchmarks.recorder.scenes import SCENES


def picture(grey):
    out = BytesIO()
    Image.new("RGB", tuple(SIZE.values()), (grey,) * 3).save(out, "PNG")
    return out.getvalue()


@pytest.fixture
def run():
    pictures = tuple(
        (1000.0 + ms / 1000, picture(grey)) for ms, grey in ((0, 10), (516.7, 120), (533.4, 240), (1500, 240))
    )
    return Film(pictures, action=1000.4, recorded_at="2026-11-22T14:46:00Z")


def test_a_run_is_kept_as_it_came(tmp_path, run):
    keep(tmp_path / "launch" / "a.zip", run)
    assert kept(tmp_path / "launch" / "a.zip") == run


def test_every_picture_stands_at_its_own_instant(tmp_path, run):
    write_video(run, tmp_path / "a.mp4")

    with open_container(tmp_path / "a.mp4") as container:
        stream = container.streams.video[0]
        shown = [
            (float(frame.pts * stream.time_base) * 1000, frame.to_ndarray()[0, 0])
            for frame in container.decode(stream)
        ]

    assert [round(at, 1) for at, _ in shown] == [0, 516.7, 533.4, 1500]
    assert [grey for _, grey in shown] == sorted(grey for _, grey in shown)


def test_what_is_written_of_a_run_can_be_imported(run):
    cells = {name: str(value) for name, value in line_of(SCENES[0], BUILDS[0], run, name="chromium-112_03").items()}
    row, problems = parse_row(Line(2, cells), TO_IMPORT)
    assert problems == []
    assert (row.os_version, row.repetition, row.action_ms) == ("chromium-112", 3, 400)


def test_builds_take_turns_and_all_are_filmed_as_often():
    rounds = list(turns(len(BUILDS)))
    assert set(Counter((scene.slug, build.name) for _, scene, build in rounds).values()) == {len(BUILDS)}
    assert {build.name for _, _, build in rounds[:: len(BUILDS) * len(SCENES)]} == {build.name for build in BUILDS}
