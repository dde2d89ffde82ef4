"""The comment of a pull request, against recorded exchanges of the two APIs."""

import json

import httpx
import pytest

from tests.upreg_client.fake import SITE
from tests.upreg_client.test_comparing import REPORT

GATE = f"{SITE}/api/v1/comparisons/13.0.12/13.0.13/gate/"
HUB = "https://api.github.com/repos/phones/os"
LAB = "https://gitlab.example.org/api/v4/projects/42/merge_requests/7/notes"
ON_GITHUB = {
    "GITHUB_REPOSITORY": "phones/os",
    "GITHUB_TOKEN": "ghs_secret",
    "GITHUB_REF": "refs/pull/7/merge",
    "GITHUB_API_URL": "https://api.github.com",
}
ON_GITLAB = {
    "CI_API_V4_URL": "https://gitlab.example.org/api/v4",
    "CI_PROJECT_ID": "42",
    "CI_MERGE_REQUEST_IID": "7",
    "GITLAB_TOKEN": "glpat-secret",
}
BODY = "<!-- upreg gate -->\n**✕ NO-GO** 13.0.12 → 13.0.13\n"
CALM = {"decision": "pass", "regressions": [], "markdown": "**✓ GO** 13.0.12 → 13.0.13: none of 7 regressed"}


@pytest.fixture
def says(router):
    """Let the gate say something."""

    def say(**report):
        router.get(GATE).mock(return_value=httpx.Response(200, json=REPORT | report))

    return say


def sent(route):
    [call] = route.calls
    return json.loads(call.request.read())["body"]


def test_comment_is_printed_and_not_posted(router, command, says, capsys):
    says()

    assert command("comment", "13.0.12", "13.0.13", "--print") == 0
    assert capsys.readouterr().out == BODY


def test_first_comment_is_written_on_github(router, command, says):
    says()
    listed = router.get(f"{HUB}/issues/7/comments").mock(
        return_value=httpx.Response(200, json=[{"id": 1, "body": "Looks good"}, {"id": 2, "body": None}])
    )
    written = router.post(f"{HUB}/issues/7/comments").mock(return_value=httpx.Response(201, json={"id": 3}))

    assert command("comment", "13.0.12", "13.0.13", "--github", **ON_GITHUB) == 0

    assert sent(written) == BODY
    assert listed.calls[0].request.headers["Authorization"] == "Bearer ghs_secret"


def test_comment_that_is_there_is_written_in_place_however_many_others_there_are(router, command, says):
    says()
    others = [{"id": number, "body": f"> {BODY}"} for number in range(100)]  # somebody who cites it is not it
    pages = {"1": others, "2": [{"id": 900, "body": "<!-- upreg gate -->\nof yesterday"}]}
    router.get(f"{HUB}/issues/7/comments").mock(
        side_effect=lambda request: httpx.Response(200, json=pages[request.url.params["page"]])
    )
    changed = router.patch(f"{HUB}/issues/comments/900").mock(return_value=httpx.Response(200, json={}))

    assert command("comment", "13.0.12", "13.0.13", "--github", **ON_GITHUB) == 0
    assert sent(changed) == BODY


def test_comment_that_says_the_same_is_left_alone(router, command, says, capsys):
    says()
    kept = BODY.strip().replace("\n", "\r\n")
    router.get(f"{HUB}/issues/7/comments").mock(return_value=httpx.Response(200, json=[{"id": 1, "body": kept}]))

    assert command("comment", "13.0.12", "13.0.13", "--github", **ON_GITHUB) == 0
    assert "nothing changed" in capsys.readouterr().out


def test_nothing_is_written_while_nothing_regressed(router, command, says, capsys):
    says(**CALM)
    router.get(f"{HUB}/issues/7/comments").mock(return_value=httpx.Response(200, json=[]))

    assert command("comment", "13.0.12", "13.0.13", "--github", **ON_GITHUB) == 0
    assert "no comment written" in capsys.readouterr().out


def test_comment_about_a_regression_that_is_gone_says_so(router, command, says):
    says(**CALM)
    router.get(f"{HUB}/issues/7/comments").mock(return_value=httpx.Response(200, json=[{"id": 1, "body": BODY}]))
    changed = router.patch(f"{HUB}/issues/comments/1").mock(return_value=httpx.Response(200, json={}))

    command("comment", "13.0.12", "13.0.13", "--github", **ON_GITHUB)

    assert sent(changed) == f"<!-- upreg gate -->\n{CALM['markdown']}\n"


def test_gate_that_cannot_be_decided_is_not_passed_over_in_silence(router, command, says):
    says(decision="not_enough_data", regressions=[])
    router.get(f"{HUB}/issues/7/comments").mock(return_value=httpx.Response(200, json=[]))
    written = router.post(f"{HUB}/issues/7/comments").mock(return_value=httpx.Response(201, json={}))

    command("comment", "13.0.12", "13.0.13", "--github", **ON_GITHUB)

    assert written.called


def test_each_scope_has_a_comment_of_its_own(router, command, says, capsys):
    says(scope="Mail -->")

    command("comment", "13.0.12", "13.0.13", "--print", "--scope", "Mail -->")

    assert capsys.readouterr().out.startswith("<!-- upreg gate Mail%20--%3E -->\n")


def test_pull_request_is_read_from_the_event_where_the_ref_is_none(router, command, says, tmp_path):
    says()
    event = tmp_path / "event.json"
    event.write_text(json.dumps({"pull_request": {"number": 7}}))
    router.get(f"{HUB}/issues/7/comments").mock(return_value=httpx.Response(200, json=[]))
    written = router.post(f"{HUB}/issues/7/comments").mock(return_value=httpx.Response(201, json={}))
    place = ON_GITHUB | {"GITHUB_REF": "refs/heads/main", "GITHUB_EVENT_PATH": str(event)}

    assert command("comment", "13.0.12", "13.0.13", "--github", **place) == 0
    assert written.called


def test_merge_request_of_gitlab_is_commented_in_place(router, command, says):
    says()
    pages = {
        "1": [{"id": 1, "body": "merged", "system": True}],
        "2": [{"id": 5, "body": "<!-- upreg gate -->\nold"}],
    }
    listed = router.get(LAB).mock(
        side_effect=lambda request: httpx.Response(
            200,
            json=pages[request.url.params["page"]],
            headers={"X-Next-Page": "2" if request.url.params["page"] == "1" else ""},
        )
    )
    changed = router.put(f"{LAB}/5").mock(return_value=httpx.Response(200, json={}))

    assert command("comment", "13.0.12", "13.0.13", "--gitlab", **ON_GITLAB) == 0

    assert sent(changed) == BODY
    assert listed.calls[0].request.headers["PRIVATE-TOKEN"] == "glpat-secret"


def test_first_comment_is_written_on_gitlab(router, command, says):
    says()
    router.get(LAB).mock(return_value=httpx.Response(200, json=[]))
    written = router.post(LAB).mock(return_value=httpx.Response(201, json={}))

    assert command("comment", "13.0.12", "13.0.13", "--gitlab", **ON_GITLAB) == 0
    assert sent(written) == BODY


@pytest.mark.parametrize(
    ("forge", "environment", "lacks"),
    [
        ("--github", ON_GITHUB, "GITHUB_TOKEN"),
        ("--github", ON_GITHUB, "GITHUB_REPOSITORY"),
        ("--gitlab", ON_GITLAB, "GITLAB_TOKEN"),
        ("--gitlab", ON_GITLAB, "CI_PROJECT_ID"),
    ],
)
def test_job_that_lacks_something_is_told_its_name(router, command, capsys, forge, environment, lacks):
    assert command("comment", "13.0.12", "13.0.13", forge, **environment | {lacks: ""}) == 2
    assert lacks in capsys.readouterr().err
    assert not router.calls


@pytest.mark.parametrize(
    ("forge", "environment"),
    [("--github", ON_GITHUB | {"GITHUB_REF": ""}), ("--gitlab", ON_GITLAB | {"CI_MERGE_REQUEST_IID": ""})],
)
def test_job_of_no_pull_request_is_told_how_to_name_one(router, command, capsys, forge, environment):
    assert command("comment", "13.0.12", "13.0.13", forge, **environment) == 2
    assert "--pull NUMBER" in capsys.readouterr().err


@pytest.mark.parametrize(("status", "code"), [(403, 4), (404, 4), (500, 3)])
def test_forge_that_refuses_is_told_with_its_status(router, command, says, capsys, status, code):
    says()
    router.get(f"{HUB}/issues/7/comments").mock(return_value=httpx.Response(status, json={"message": "no"}))

    assert command("comment", "13.0.12", "13.0.13", "--github", **ON_GITHUB) == code
    assert f"answers {status}" in capsys.readouterr().err


def test_forge_that_cannot_be_reached_ends_as_a_network_error(router, command, says, capsys):
    says()
    router.get(f"{HUB}/issues/7/comments").mock(side_effect=httpx.ConnectError("refused"))

    assert command("comment", "13.0.12", "13.0.13", "--github", **ON_GITHUB) == 3
    assert "api.github.com cannot be reached" in capsys.readouterr().err
