from django.core.management import call_command

from reports.measuring.services import correct_run
from tests import factories


def test_labels_are_written_with_their_count(db, engineer, tmp_path, capsys):
    run = factories.run(metrics={"response_time_ms": 100.0}, original_name="videos/a.mp4")
    correct_run(run=run, moment="response", value_ms=150, user=engineer)

    call_command("export_labels", output=str(tmp_path / "labels.csv"))

    assert "1 labelled screencasts" in capsys.readouterr().out
    assert (tmp_path / "labels.csv").read_text().splitlines()[1].startswith("videos/a.mp4,150.0,,")


def test_labels_go_to_the_terminal_otherwise(db, capsys):
    call_command("export_labels")

    assert capsys.readouterr().out.startswith("video,response_ms,finish_ms")
