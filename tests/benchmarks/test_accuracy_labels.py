"""The labels that people make in the drill-down are a truth table for the accuracy benchmark."""

import pytest

from benchmarks.accuracy import main
from reports.measuring.selectors import label_lines
from reports.measuring.services import correct_run
from tests import factories

MANIFEST = (
    "video,interaction,interaction_type,capture\nvideos/a.mp4,open inbox,tap,vfr\nvideos/b.mp4,open inbox,tap,vfr\n"
)
MEASURED = (
    "video,outcome,response_time_ms,finish_time_ms,launch_time_ms,dropped_frames,settles\n"
    "videos/a.mp4,ok,120,600,,0,True\nvideos/b.mp4,ok,90,500,,0,True\n"
)


@pytest.fixture
def labels(db, engineer):
    run = factories.run(metrics={"response_time_ms": 120.0}, original_name="videos/a.mp4")
    correct_run(run=run, moment="response", value_ms=150, user=engineer)
    return "".join(label_lines())


def test_accuracy_is_measured_against_what_people_said(labels, tmp_path, capsys):
    for name, text in (("manifest", MANIFEST), ("measured", MEASURED), ("labels", labels)):
        (tmp_path / f"{name}.csv").write_text(text)

    main(
        [str(tmp_path / "manifest.csv"), str(tmp_path / "labels.csv"), "--measured", str(tmp_path / "measured.csv")]
    )

    [line] = [row for row in capsys.readouterr().out.splitlines() if row.split()[:2] == ["response_time_ms", "all"]]
    assert line.split()[2:4] == ["1", "30.0"], "one labelled screencast, 30 ms off"
