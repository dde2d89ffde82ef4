import json

import pytest

from upreg_recorder import commandline, recording
from upreg_recorder.recording import newest


def test_plan_check_says_what_will_be_done(command, write_plan, capsys):
    assert command("plan", "check", write_plan(repetitions=20)) == 0

    said = capsys.readouterr().out
    assert "night: 40 trials, 1 interaction of 1 app (Mail)" in said
    assert "about 9 min and 18 MB, 1 lane side by side" in said
    assert "  old: 13.0.9 by fake\n  new: 13.0.13 by fake" in said


def test_plan_check_says_what_a_part_will_be(command, write_plan, capsys):
    assert command("plan", "check", write_plan(repetitions=20), "--only", "device=old", "--json") == 0

    assert json.loads(capsys.readouterr().out) == {"name": "night", "trials": 20, "seconds": pytest.approx(258.0)}


def test_plan_check_says_every_error_as_compilers_do(command, write_plan, capsys):
    plan = write_plan(words={"tries: 3": "tires: 3", "{tap: Inbox}": "{tapp: Inbox}"})

    assert command("plan", "check", plan) == 2

    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        f"{plan}:3: 'tires' is not known in the plan: do you mean 'tries'?",
        f"{plan}:15: 'tapp' is not known in action: do you mean 'tap'?",
    ]


def test_wrong_plan_records_nothing(record, write_plan, tmp_path, farm):
    assert record(write_plan(words={"tries: 3": "tires: 3"})) == 2
    assert farm.calls == []
    assert not (tmp_path / "night").exists()


def test_schema_is_printed_with_the_settings_of_the_drivers(command, capsys):
    assert command("plan", "schema") == 0

    schema = json.loads(capsys.readouterr().out)
    assert schema["$defs"]["device"]["properties"]["driver"]["enum"] == ["fake"]
    assert "serial" in schema["$defs"]["driver-fake"]["device"]["properties"]


def test_devices_are_opened_and_say_what_they_are_or_what_is_wrong(command, write_plan, farm, capsys):
    farm.unreachable["new"] = "new is offline: plug it in"

    assert command("devices", write_plan()) == 1

    assert capsys.readouterr().out.splitlines() == [
        "old: 13.0.9 by fake, Fake One, build 13.0.9.build, 72×128 at 60 Hz, 31.5 °C, battery 80 %, 900 MB free, "
        "board board of old",
        "new: new is offline: plug it in",
    ]
    assert farm.open == set()


def test_choice_that_leaves_nothing_is_told(record, write_plan, capsys):
    plan = write_plan(words={"- name: open inbox": "- {name: start, action: launch}\n      - name: open inbox"})

    assert record(plan, "--only", "interaction=start", "--only", "type=tap") == 2
    assert "nothing is chosen" in capsys.readouterr().err


def test_runs_that_a_ranking_needs_are_recorded_and_no_others(record, rows, write_plan, tmp_path):
    (tmp_path / "plan.csv").write_text(
        "os_version,device,app,package,interaction,repetition,video\n"
        "13.0.13,One,Mail,org.example.mail,open inbox,21,\n"
    )

    assert record(write_plan(), "--needs", tmp_path / "plan.csv") == 0
    assert [(row["os_version"], row["repetition"]) for row in rows()] == [("13.0.13", "21")]


def test_what_a_device_says_never_steers_the_terminal(record, write_plan, farm, capsys):
    farm.unreachable["new"] = "\x1b[2J[bold]gone"

    record(write_plan(repetitions=1))

    said = capsys.readouterr()
    assert "\x1b" not in said.out + said.err
    assert "\ufffd[2J[bold]gone" in said.out


def test_exit_codes_of_the_help_are_those_that_are_used():
    used = {getattr(recording, name) for name in vars(recording) if name.isupper()}

    assert {int(line.split()[0]) for line in commandline.EXIT_CODES.splitlines()[1:]} == used


@pytest.mark.parametrize(
    ("versions", "last"),
    [(["13.0.9", "13.0.13"], "13.0.13"), (["M120", "M99"], "M120"), (["a"], "a"), (["14", "14.1"], "14.1")],
)
def test_newest_version_is_that_with_the_greatest_numbers(versions, last):
    assert newest(versions) == newest(reversed(versions)) == last
