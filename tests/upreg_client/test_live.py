"""The client against the real server: what the other tests hold against the contract is true of what answers."""

import json

import pytest

from reports.comparing.services import compute_comparison
from reports.measuring.extraction import extract_run
from reports.models import Batch, Comparison, Run
from reports.tokens.services import make_token
from tests import factories
from tests.intake import ROW, render_tap, write_manifest
from tests.reports.conftest import FAST, SLOW
from upreg_client import commandline

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def farm(live_server, engineer, tmp_path, monkeypatch):
    """Return what runs ``upreg`` with a token of some scope against the server."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def run(scope, *arguments):
        _, token = make_token(user=engineer, name="farm", scopes=[scope], days=1)
        return commandline.main(list(map(str, arguments)), {"UPREG_SERVER": live_server.url, "UPREG_TOKEN": token})

    return run


@pytest.fixture
def night(tmp_path):
    """Return a manifest of three lines, the second of which cannot be taken."""
    folder = tmp_path / "night"
    folder.mkdir()
    render_tap(folder / "a.mp4", response_frame=30)
    render_tap(folder / "b.mp4", response_frame=36)
    (folder / "a.log").write_text("started\n")
    rows = [{"log": "a.log"}, {"repetition": "2", "action_ms": "soon"}, {"repetition": "3", "video": "b.mp4"}]
    return write_manifest(folder, rows)


def test_push_makes_runs_that_can_be_measured_and_pushing_again_changes_nothing(farm, night, capsys):
    assert farm("read", "push", night) == 4
    assert "upload" in capsys.readouterr().err
    assert farm("upload", "push", night, "--batch", "night-47") == 1

    said = capsys.readouterr().out
    assert "2 new, 0 updated, 0 unchanged, 1 refused of 3 lines" in said
    assert ["3", "action_ms"] in [line.split()[:2] for line in said.splitlines()]
    runs = list(Run.objects.order_by("repetition"))
    assert [(run.repetition, run.original_name, bool(run.log_name)) for run in runs] == [
        (1, "a.mp4", True),
        (3, "b.mp4", False),
    ]
    batch = Batch.objects.get()
    assert (batch.name, batch.os_version.name, batch.runs.count()) == ("night-47", ROW["os_version"], 2)
    assert batch.completed_at
    extract_run(run_id=runs[0].pk)
    assert {row.metric: row.value for row in runs[0].measurements.all()}["response_time_ms"] == 0.0

    assert farm("upload", "push", night, "--batch", "night-47") == 1
    assert "0 new, 0 updated, 2 unchanged, 1 refused of 3 lines" in capsys.readouterr().out
    assert Run.objects.count() == 2


def test_comparison_is_asked_for_and_the_gate_says_what_its_page_says(farm, capsys):
    base, new = factories.os_version("13.0.9"), factories.os_version("13.0.13")
    interaction = factories.interaction("open inbox")
    factories.runs(FAST, version=base, of=interaction)
    factories.runs(SLOW, version=new, of=interaction)

    assert farm("upload", "compare", base, new) == 4
    assert farm("triage", "compare", base, "99.0") == 2
    assert "99.0" in capsys.readouterr().err
    assert farm("triage", "compare", base, new) == 0
    comparison = Comparison.objects.get()
    assert comparison.status == "pending"
    assert farm("read", "gate", base, new) == 11

    compute_comparison(comparison_id=comparison.pk)
    capsys.readouterr()
    assert farm("read", "gate", base, new, "--wait", "--json") == 10
    report = json.loads(capsys.readouterr().out)
    assert [row["interaction"] for row in report["regressions"]] == ["open inbox"]
    assert farm("read", "comment", base, new, "--print") == 0
    assert capsys.readouterr().out == f"<!-- upreg gate -->\n{report['markdown'].strip()}\n"
    assert farm("read", "gate", base, new) == 10
    assert report["sentence"] in capsys.readouterr().out
