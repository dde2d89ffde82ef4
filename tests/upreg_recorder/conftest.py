"""A plan of two made-up devices of one lane, and what runs the command on it."""

import csv

import pytest

from tests.upreg_recorder.drivers.fake import Farm
from upreg_recorder import commandline

PLAN = """\
name: night
repetitions: {repetitions}
tries: 3
devices:
  - {{name: old, driver: fake, os_version: 13.0.9, model: One}}
  - {{name: new, driver: fake, os_version: 13.0.13, model: One}}
apps:
  - name: Mail
    package: org.example.mail
    category: productivity
    interactions:
      - name: open inbox
        scenario: Tap the inbox
        prepare: [launch]
        action: {{tap: Inbox}}
        lead_ms: 300
        watch_ms: 600
"""


@pytest.fixture
def farm():
    return Farm()


@pytest.fixture
def write_plan(tmp_path):
    """Return what writes a plan; words may replace others."""

    def write(repetitions=2, name="plan.yaml", **replaced):
        text = PLAN.format(repetitions=repetitions)
        for old, new in replaced.pop("words", {}).items():
            assert old in text
            text = text.replace(old, new)
        file = tmp_path / name
        file.write_text(text, encoding="utf-8")
        return file

    return write


@pytest.fixture
def command(farm, tmp_path, monkeypatch):
    """Return what runs ``upreg-record`` with made-up devices."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "HOME": str(tmp_path)}

    def run(*arguments, **more):
        return commandline.main([str(each) for each in arguments], environment | more, farm)

    return run


@pytest.fixture
def record(command, tmp_path):
    """Return what records a plan into the folder of the test."""

    def run(plan, *arguments, **more):
        return command("record", plan, "--into", tmp_path / "night", *arguments, **more)

    return run


@pytest.fixture
def rows(tmp_path):
    """Return what reads the manifest of the folder of the test."""

    def read():
        with (tmp_path / "night" / "runs.csv").open(newline="", encoding="utf-8") as stream:
            return list(csv.DictReader(stream))

    return read
