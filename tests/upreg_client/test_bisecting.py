import json
import sys

import httpx
import pytest

from tests.upreg_client.fake import SITE, problem

MINE = f"{SITE}/api/v1/bisections/3/"
ASKED = {"version": "14.0.4", "runs": 5, "why": "first", "words": "14.0.4: 5 more runs (nearest to the middle)"}


def stands(state="open", *, measure=(), lines=("7 builds between.",), **more):
    row = {
        "id": 3, "state": state, "sentence": lines[0] if lines else "", "lines": list(lines), "notes": [],
        "measure": list(measure), "stale": False, "waiting": 0, "finished_at": None, "suspects": [], "triaged": "",
        "page": f"{SITE}/history/bisections/3/",
    }  # fmt: skip
    return httpx.Response(200, json=row | more)


def recorder(tmp_path, code):
    """Return a command that notes what it was called with, and ends with this code."""
    script = tmp_path / "record.py"
    script.write_text(
        f"import sys\nopen({str(tmp_path / 'called')!r}, 'a').write(str(sys.argv[1:]))\nsys.exit({code})"
    )
    return f"{sys.executable} {script} {{version}} {{runs}}"


@pytest.mark.parametrize(
    ("found", "code", "words"),
    [
        (stands(measure=[ASKED]), 12, "Record 14.0.4: 5 more runs (nearest to the middle)"),
        (stands("found", lines=["First bad version: 14.0.3"]), 0, "First bad version: 14.0.3"),
        (stands("range", lines=["one of 2", "Up to 14.0.2 it is good."]), 11, "Up to 14.0.2 it is good."),
        (stands("refused", lines=[], sentence="It cannot go on: no regression"), 2, "no regression"),
        (stands("found", finished_at="2026-11-22T12:00:00Z", suspects=["14.0.3"]), 0, ""),
        (stands("open", finished_at="2026-11-22T12:00:00Z"), 11, ""),
    ],
)  # fmt: skip
def test_next_says_what_to_record_and_ends_as_it_stands(router, command, capsys, found, code, words):
    router.get(MINE).mock(return_value=found)

    assert command("bisect", "next", 3) == code
    assert words in capsys.readouterr().out


def test_next_waits_until_what_came_in_is_measured_and_looked_at(router, command, capsys):
    looks = [stands(waiting=2), stands(stale=True), stands("found", lines=["First bad version: 14.0.3"])]
    router.get(MINE).mock(side_effect=looks)

    assert command("bisect", "next", 3, "--json") == 0

    told = capsys.readouterr()
    assert json.loads(told.out)["state"] == "found"
    assert "2 of the runs asked for still to be measured" in told.err


def test_waiting_ends_after_the_timeout(router, command, capsys):
    router.get(MINE).mock(return_value=stands(stale=True))

    assert command("bisect", "next", 3, "--timeout", 0) == 3
    assert "see that a worker is running" in capsys.readouterr().err


def test_a_command_is_called_until_there_is_an_answer(router, command, tmp_path):
    looks = [
        stands(measure=[ASKED]),
        stands(stale=True),
        stands(measure=[ASKED | {"version": "14.0.2"}]),
        stands("found"),
    ]
    router.get(MINE).mock(side_effect=looks)

    assert command("bisect", "next", 3, "--run", recorder(tmp_path, 0)) == 0
    assert (tmp_path / "called").read_text() == "['14.0.4', '5']['14.0.2', '5']"


def test_a_command_that_ends_with_125_skips_the_version(router, command, tmp_path):
    router.get(MINE).mock(side_effect=[stands(measure=[ASKED]), stands("range")])
    skipped = router.post(f"{MINE}skip/").mock(return_value=stands())

    assert command("bisect", "next", 3, "--run", recorder(tmp_path, 125)) == 11
    assert json.loads(skipped.calls[0].request.read()) == {
        "version": "14.0.4", "reason": "the command ended with 125"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("code", "words"),
    [(7, "the command ended with 7 for 14.0.4"), (0, "the command brought no run of 14.0.4 that counts")],
)
def test_a_command_that_fails_or_brings_nothing_stops(router, command, capsys, tmp_path, code, words):
    router.get(MINE).mock(return_value=stands(measure=[ASKED]))

    assert command("bisect", "next", 3, "--run", recorder(tmp_path, code)) == 1
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("run", "words"),
    [("/no/such/command", "/no/such/command cannot be run"), ("", "names no command"), ("'", "cannot be read")],
)
def test_a_command_that_is_none_is_told(router, command, capsys, run, words):
    router.get(MINE).mock(return_value=stands(measure=[ASKED]))

    assert command("bisect", "next", 3, "--run", run) == 2
    assert words in capsys.readouterr().err


def test_a_version_is_skipped_and_the_bisection_finished(router, command, capsys):
    skipped = router.post(f"{MINE}skip/").mock(return_value=stands())
    router.get(MINE).mock(return_value=stands("found"))
    ended = {"finished_at": "2026-11-22T12:00:00Z", "suspects": ["14.0.3"], "triaged": "It is assigned to anna."}
    router.post(f"{MINE}finish/").mock(return_value=stands("found", **ended))

    assert command("bisect", "skip", 3, "14.0.4", "--reason", "does not boot") == 0
    assert command("bisect", "finish", 3) == 0

    assert json.loads(skipped.calls[0].request.read()) == {"version": "14.0.4", "reason": "does not boot"}
    assert "It is assigned to anna." in capsys.readouterr().out


def test_what_the_server_refuses_is_told_with_its_cure(router, command, capsys):
    refused = problem(422, ("version", "14.0.8 is an end of the bisection."))
    router.post(f"{MINE}skip/").mock(return_value=refused)

    assert command("bisect", "skip", 3, "14.0.8", "--reason", "x") == 2
    assert "14.0.8 is an end of the bisection." in capsys.readouterr().err
