"""Runs are brought to a server as they are made; one that is away, or refuses, stops no recording."""

import hashlib
import importlib.util
import json
import re
import time
from functools import partial

import httpx
import pytest
import respx

from tests.upreg_client.fake import SITE, TOKEN, FakeServer, problem
from upreg_client.server import Server
from upreg_recorder.delivering import pushing, through_client

PATIENCE_S = 60  # ends a test that hangs; nothing is measured against it


@pytest.fixture
def router():
    with respx.mock(assert_all_called=False) as router:
        yield router


@pytest.fixture
def fake(router, monkeypatch):
    """Return the made-up server of the client; no pause takes time."""
    monkeypatch.setattr(through_client, "Server", partial(Server, wait=lambda seconds: None))
    fake = FakeServer(router)
    router.get(f"{SITE}/api/v1/versions/").mock(return_value=httpx.Response(200, json={"results": []}))
    return fake


@pytest.fixture
def push(record):
    return partial(record, UPREG_TOKEN=TOKEN)


def films(rows, folder):
    return {hashlib.sha256((folder / row["video"]).read_bytes()).hexdigest() for row in rows}


def test_runs_are_pushed_as_they_are_made(fake, push, rows, write_plan, tmp_path, capsys):
    assert push(write_plan(repetitions=2), "--push", SITE) == 0

    assert len(fake.runs) == 4
    assert set(fake.runs.values()) == films(rows(), tmp_path / "night")
    assert {seen["os_build"] for seen in fake.seen} == {"13.0.9.build", "13.0.13.build"}
    assert all(fake.uploads[seen["log_upload"]] and fake.uploads[seen["trace_upload"]] for seen in fake.seen)
    assert "on the server: 4 new" in capsys.readouterr().out


def test_first_run_is_pushed_before_the_last_is_made(fake, push, write_plan, farm, capsys):
    """The second film does not end before the first run is on the server."""
    ends = time.monotonic() + PATIENCE_S

    def wait(video):
        while not fake.runs:
            assert time.monotonic() < ends
            time.sleep(0.01)

    farm.mishaps["old"] = [lambda video: None, wait]

    assert push(write_plan(repetitions=2), "--push", SITE, "--only", "device=old", "--json") == 0
    assert len(fake.runs) == 2
    assert json.loads(capsys.readouterr().out)["pushed"]["new"] == 2


def test_what_is_in_is_not_pushed_again(fake, router, push, write_plan):
    plan = write_plan(repetitions=1)
    push(plan, "--push", SITE)
    before = len(fake.seen)

    assert push(plan, "--push", SITE) == 0
    assert len(fake.seen) == before


def test_what_was_recorded_before_is_pushed_too(fake, push, record, write_plan):
    plan = write_plan(repetitions=1)
    record(plan)

    assert push(plan, "--push", SITE) == 0
    assert len(fake.runs) == 2


def test_server_in_the_environment_does(fake, push, write_plan):
    assert push(write_plan(repetitions=1), "--push", UPREG_SERVER=SITE) == 0
    assert len(fake.runs) == 2


def test_batch_is_opened_about_the_newest_version_filled_and_completed(fake, push, rows, write_plan):
    assert push(write_plan(repetitions=1), "--push", SITE, "--batch", "night-7") == 0

    assert fake.batches == {"night-7": {"os_version": "13.0.13", "complete": True}}
    assert {seen["batch"] for seen in fake.seen} == {row["batch"] for row in rows()} == {"night-7"}


@pytest.mark.parametrize("more", [["--keep-open"], []])
def test_batch_stays_open_where_more_comes_in(fake, push, write_plan, farm, more):
    if not more:
        farm.mishaps["old"] = ["gone"]

    push(write_plan(repetitions=1), "--push", SITE, "--batch", "night-7", *more)

    assert fake.batches["night-7"]["complete"] is False


def test_server_that_is_away_stops_no_recording_and_gets_it_later(
    fake, router, push, command, rows, write_plan, tmp_path, capsys
):
    away = router.post(f"{SITE}/api/v1/runs/").mock(side_effect=httpx.ConnectError("refused"))

    assert push(write_plan(repetitions=2), "--push", SITE, "--batch", "night-7") == 3

    said = capsys.readouterr()
    assert len(rows()) == 4
    assert "4 runs not in yet" in said.out
    assert "cannot be reached" in said.out
    assert said.err.count("It records on") == 1  # told once, not for every run
    assert fake.batches["night-7"]["complete"] is False

    away.mock(side_effect=fake.run)
    night = tmp_path / "night"
    assert command("deliver", night, "--push", SITE, "--batch", "night-7", UPREG_TOKEN=TOKEN) == 0
    assert set(fake.runs.values()) == films(rows(), night)
    assert fake.batches["night-7"]["complete"] is True


def test_server_that_comes_back_gets_all_at_the_end(fake, router, push, write_plan, capsys):
    away = router.post(f"{SITE}/api/v1/runs/").mock(side_effect=httpx.ConnectError("refused"))
    asked = []

    def back(request):
        asked.append(request)
        if len(asked) <= pushing.MEANWHILE_TRIES:
            raise httpx.ConnectError("refused")
        return fake.run(request)

    away.mock(side_effect=back)

    assert push(write_plan(repetitions=2), "--push", SITE) == 0
    assert len(fake.runs) == 4


def test_wrong_token_is_told_before_anything_is_recorded(fake, router, push, write_plan, farm, capsys):
    router.get(f"{SITE}/api/v1/versions/").mock(return_value=problem(401, title="The token is expired."))

    assert push(write_plan(), "--push", SITE) == 4
    assert "The token is expired." in capsys.readouterr().err
    assert farm.calls == []


def test_token_that_may_not_upload_ends_the_pushing_and_not_the_recording(
    fake, router, push, rows, write_plan, capsys
):
    route = router.post(f"{SITE}/api/v1/runs/").mock(return_value=problem(403, title="This token may only read."))

    assert push(write_plan(repetitions=2), "--push", SITE) == 4
    assert len(rows()) == 4
    assert route.call_count == 1
    assert "This token may only read." in capsys.readouterr().out


def test_refused_runs_are_told_and_tried_again_by_deliver_alone(fake, push, command, write_plan, tmp_path, capsys):
    words = {"name: Mail": "name: Refused"}

    assert push(write_plan(repetitions=1, words=words), "--push", SITE, "--json") == 1
    told = json.loads(capsys.readouterr().out)
    assert told["pushed"]["refused"][0] == {
        "trial": "old/org.example.mail/open inbox/1",
        "because": "action_ms: 'soon' is not a finite number (give milliseconds)",
    }
    assert told["pushed"]["waits"] == []

    assert command("deliver", tmp_path / "night", "--push", SITE, UPREG_TOKEN=TOKEN) == 1


@pytest.mark.parametrize(
    ("arguments", "environment", "code", "words"),
    [
        (("--push", SITE), {"UPREG_TOKEN": ""}, 4, "no token"),
        (("--push", "upreg"), {}, 2, "is no address"),
        (("--push",), {}, 2, "no server"),
        (("--push", SITE, "--token-file", "none.txt"), {}, 2, "none.txt"),
    ],
)
def test_what_is_missing_is_told_first(fake, push, write_plan, farm, capsys, arguments, environment, code, words):
    assert push(write_plan(), *arguments, **environment) == code
    assert words in capsys.readouterr().err
    assert farm.calls == []


def test_host_without_the_client_is_told_how_to_get_it(push, write_plan, monkeypatch, capsys, farm):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)

    assert push(write_plan(), "--push", SITE) == 2
    assert "pip install ./upreg_client" in capsys.readouterr().err
    assert farm.calls == []


def test_folder_of_something_else_is_not_delivered(fake, command, tmp_path, capsys):
    assert command("deliver", tmp_path, "--push", SITE, UPREG_TOKEN=TOKEN) == 2
    assert "no folder of recordings" in capsys.readouterr().err


def test_saved_scope_of_the_server_chooses(fake, router, push, rows, write_plan, capsys):
    said = {"name": "Work", "apps": ["org.example.mail"], "interaction_types": [], "seen": ""}
    router.get(f"{SITE}/api/v1/scopes/Work/").mock(return_value=httpx.Response(200, json=said))
    router.get(re.compile(f"{SITE}/api/v1/scopes/Play/")).mock(
        return_value=httpx.Response(404, json={"detail": "No scope is called Play; known are: Work."})
    )

    assert push(write_plan(repetitions=1), "--scope", "Work", "--server", SITE) == 0
    assert len(rows()) == 2
    assert push(write_plan(repetitions=1), "--scope", "Play", "--server", SITE) == 2
    assert "known are: Work" in capsys.readouterr().err


def test_film_that_is_made_again_is_pushed_again(fake, push, rows, write_plan, tmp_path):
    plan = write_plan(repetitions=1)
    push(plan, "--push", SITE)
    (tmp_path / "night" / rows()[0]["video"]).unlink()
    before = len(fake.seen)

    push(plan, "--push", SITE)

    assert len(fake.seen) == before + 1
