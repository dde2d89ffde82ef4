import cv2
import numpy as np
import pytest

from benchmarks import worst
from tests.analysis.scenes import SCENES
from tests.synthetic import Clip, Screen, every, film

HEAD = "video,action_ms,response_ms,finish_ms\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A flash comes at 100 and goes at 166 ms after the action; what is said to be true of a copy is not."""
    folder = tmp_path_factory.mktemp("judged")
    for name in ("right.mp4", "late.mp4"):
        film(folder / name, Screen(160, 240), SCENES["flash"].paint, Clip(every(60, 1.5)))
    (folder / "truth.csv").write_text(f"{HEAD}right.mp4,500,100,166\nlate.mp4,500,100,400\n")
    return folder


def has(picture, colour):
    return bool((np.abs(picture.astype(int) - colour).max(axis=2) < 3).any())


def test_a_recording_that_is_off_is_drawn_with_both_frames_marked(folder, tmp_path, capsys):
    assert worst.main([str(tmp_path), "--devices", str(folder)]) == 0
    [sheet] = tmp_path.glob("*.png")
    assert sheet.name == f"{folder.name}_1_late.png", "the other one is right"
    said = capsys.readouterr().out
    assert "response right (true 100 ms, measured 100 ms, ok), finish wrong (true 400 ms, measured 167 ms" in said
    picture = cv2.imread(str(sheet))
    assert has(picture, worst.TRUE)
    assert has(picture, worst.MEASURED)


def test_a_corpus_is_drawn_by_its_manifest(folder, tmp_path):
    (folder / "runs.csv").write_text("video,action_ms\nlate.mp4,500\n")
    assert worst.main([str(tmp_path), "--corpus", str(folder / "runs.csv"), str(folder / "truth.csv")]) == 0
    assert [sheet.name for sheet in tmp_path.glob("*.png")] == ["corpus_1_late.png"]
    with pytest.raises(SystemExit):
        worst.main([str(tmp_path)])
