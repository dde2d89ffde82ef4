"""What is recorded, against the real importer and the real server."""

import json
from pathlib import Path

import pytest
from django.core.management import call_command

from reports.measuring.extraction import extract_run
from reports.models import Batch, Run
from reports.tokens.services import make_token
from tests.upreg_recorder.drivers.fake import FPS, RESPONSE_FRAMES

pytestmark = pytest.mark.django_db(transaction=True)


def test_folder_is_imported_as_it_is_and_its_runs_are_measured(record, write_plan, tmp_path, capsys):
    record(write_plan(repetitions=2), "--batch", "night-7")
    capsys.readouterr()

    call_command("import_runs", str(tmp_path / "night" / "runs.csv"), "--json")

    told = json.loads(capsys.readouterr().out)
    assert (told["new"], told["refused"], told["lines"]) == (4, 0, [])
    run = Run.objects.filter(os_version__name="13.0.9").order_by("repetition").first()
    assert (run.device.name, run.interaction.app.package, run.action_ms) == ("One", "org.example.mail", 300.0)
    assert run.metadata["os_build"] == "13.0.9.build"
    assert bool(run.log_name and run.trace_name)
    assert Batch.objects.get().name == "night-7"
    extract_run(run_id=run.pk)
    measured = {row.metric: row.value for row in run.measurements.all()}
    answered = pytest.approx(
        RESPONSE_FRAMES * 1000 / FPS, abs=1.0
    )  # the dot comes with the action, and goes after it
    assert (measured["response_time_ms"], measured["finish_time_ms"]) == (answered, answered)


def test_runs_are_pushed_to_the_server_as_they_are_made_and_again_changes_nothing(
    record, command, write_plan, live_server, engineer, tmp_path, capsys
):
    _, token = make_token(user=engineer, name="farm", scopes=["upload"], days=1)
    plan, more = write_plan(repetitions=1), ("--push", live_server.url, "--batch", "night-8")

    assert record(plan, *more, UPREG_TOKEN=token) == 0

    assert sorted(Run.objects.values_list("os_version__name", "repetition")) == [("13.0.13", 1), ("13.0.9", 1)]
    batch = Batch.objects.get()
    assert (batch.name, batch.os_version.name, batch.runs.count()) == ("night-8", "13.0.13", 2)
    assert batch.completed_at
    assert "2 new" in capsys.readouterr().out

    (tmp_path / "night").rename(tmp_path / "elsewhere")  # another host, whose journal knows nothing of this server
    journal = tmp_path / "elsewhere" / "journal.jsonl"
    lines = [line for line in journal.read_text().splitlines(keepends=True) if '"pushed"' not in line]
    journal.write_text("".join(lines))
    assert command("deliver", Path(tmp_path / "elsewhere"), "--push", live_server.url, UPREG_TOKEN=token) == 0
    assert "2 unchanged" in capsys.readouterr().out
    assert Run.objects.count() == 2


def test_token_that_may_only_read_ends_with_its_code(record, write_plan, live_server, engineer, capsys):
    _, token = make_token(user=engineer, name="farm", scopes=["read"], days=1)

    assert record(write_plan(repetitions=1), "--push", live_server.url, UPREG_TOKEN=token) == 4
    assert "upload" in capsys.readouterr().out
