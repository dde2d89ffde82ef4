"""What is asked of GitHub, GitLab and Jira and what they answer, written down from their public documentation.

docs.github.com/en/rest/issues/issues (version 2022-11-28), docs.gitlab.com/api/issues, and for Jira
developer.atlassian.com/cloud/jira/platform/rest/v2 and the REST reference of Jira Data Center. Long answers are
shortened to the
fields that are there in any case.
"""

import json
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl, urlsplit

MARKER = "upreg-0123456789abcdef01234567"
TOKEN = "a-token-of-the-tracker"


@dataclass
class Exchange:
    """One request as it must come, and the answer; ``sent`` and ``query`` hold what must be there at least."""

    asked: str  # method and path
    answer: Any = None
    status: int = 200
    sent: dict[str, Any] = field(default_factory=dict)
    query: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    answered: dict[str, str] = field(default_factory=dict)
    cut: bool = False  # the server does it, and its answer is lost on the way


@contextmanager
def served(exchanges):
    """Answer requests as written down, in order; yields the address. Whatever else is asked fails the test."""
    left, wrong = list(exchanges), []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            given = urlsplit(self.path)
            said = {
                "asked": f"{self.command} {given.path}",
                "query": dict(parse_qsl(given.query)),
                "sent": json.loads(body) if body else {},
                "headers": dict(self.headers),
            }
            if not left:
                wrong.append(f"nothing more was to be asked: {said}")
                self.send_error(599)
                return
            wanted = left.pop(0)
            if difference := _difference(wanted, said):
                wrong.append(difference)
            if wanted.cut:
                self.close_connection = True
                return
            text = wanted.answer if isinstance(wanted.answer, bytes) else json.dumps(wanted.answer).encode()
            self.send_response(wanted.status)
            for name, value in {"Content-Type": "application/json", **wanted.answered}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        do_POST = do_GET  # noqa: N815

        def log_message(self, *_):
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert wrong == []
    assert [each.asked for each in left] == [], "these were to be asked as well"


def _difference(wanted, said):
    if wanted.asked != said["asked"]:
        return f"{said['asked']} in the place of {wanted.asked}"
    for part in ("query", "sent", "headers"):
        for key, value in getattr(wanted, part).items():
            found = said[part].get(key)
            if found != value:
                return f"{wanted.asked}: {part} {key} is {found!r} in the place of {value!r}"
    return ""


def github_issue(number=1347, *, state="open", body="", **more):
    """Return an issue as GitHub does."""
    page = f"https://github.com/octocat/Hello-World/issues/{number}"
    return {
        "id": 1, "node_id": "MDU6SXNzdWUx", "number": number, "state": state, "title": "Found a bug", "body": body,
        "html_url": page, "locked": False, "comments": 0, "created_at": "2011-04-22T13:33:48Z", **more,
    }  # fmt: skip


def gitlab_issue(iid=14, *, state="opened", description=""):
    """Return an issue as GitLab does."""
    return {
        "id": 84, "iid": iid, "project_id": 4, "title": "Issues with auth", "description": description, "state":
        state,
        "created_at": "2016-01-07T12:44:33.959Z", "labels": ["bug"], "confidential": False, "due_date": None,
        "web_url": f"http://gitlab.example.com/my-group/my-project/issues/{iid}",
    }  # fmt: skip


def jira_issue(key="ED-24", *, category="new"):
    """Return an issue as Jira does when the field "status" is asked for."""
    status = {"name": "To Do", "statusCategory": {"id": 2, "key": category, "name": "To Do"}}
    return {"id": "10000", "key": key, "self": "https://x/rest/api/2/issue/10000", "fields": {"status": status}}


GITHUB = {
    "Authorization": f"Bearer {TOKEN}", "Accept": "application/vnd.github+json", "X-GitHub-Api-Version":
    "2022-11-28",
}  # fmt: skip
GITLAB = {"PRIVATE-TOKEN": TOKEN}
JIRA_CLOUD = {"Authorization": "Basic YUBsYWIuZXhhbXBsZTphLXRva2VuLW9mLXRoZS10cmFja2Vy"}  # a@lab.example:a-token-…
JIRA_SERVER = {"Authorization": f"Bearer {TOKEN}"}
GITHUB_PATH = "/repos/octocat/Hello-World/issues"
GITLAB_PATH = "/api/v4/projects/my-group%2Fmy-project/issues"
JIRA_CREATED = {"id": "10000", "key": "ED-24", "self": "https://x/rest/api/2/issue/10000"}
