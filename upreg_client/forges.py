"""The comment of a pull request on GitHub and a merge request on GitLab: found by its marker, written in place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote

import httpx

from upreg_client import VERSION
from upreg_client.failures import NotAllowedError, ServerError, UsageError

PAGE = 100
_PULL = re.compile(r"refs/pull/(\d+)/")
TRIES = 3  # transport failures alone, before a request was sent


@dataclass(frozen=True)
class Comment:
    """A comment that is there."""

    key: int
    body: str


class Forge(Protocol):
    """Where pull requests are discussed."""

    def comments(self) -> Iterator[Comment]:
        """Yield the comments of the pull request, oldest first."""

    def add(self, body: str) -> None:
        """Write a new comment."""

    def change(self, comment: Comment, body: str) -> None:
        """Write another text into a comment that is there."""


def post(forge: Forge, body: str, *, marker: str, quiet: bool) -> str:
    """Bring the one comment with that marker up to date; returns what was done, in words.

    ``quiet``: there is nothing to tell, so no comment is begun; one that is there is told that all is well.
    """
    mine = next((each for each in forge.comments() if each.body.startswith(marker)), None)
    if mine is None and quiet:
        return "nothing to say: no comment written"
    if mine is None:
        forge.add(body)
        return "comment written"
    if _same(mine.body, body):
        return "comment left as it is: nothing changed"
    forge.change(mine, body)
    return "comment brought up to date"


def _same(one: str, other: str) -> bool:
    """Tell whether two texts are the same; forges change line ends and what stands at the end."""
    return one.replace("\r\n", "\n").strip() == other.strip()


class GitHub:
    """Comments of a pull request, through the API of GitHub and with the token of the job."""

    def __init__(self, environment: Mapping[str, str], pull: int | None = None) -> None:
        repository = _needed(environment, "GITHUB_REPOSITORY", "it names the repository, as owner/name")
        token = _needed(environment, "GITHUB_TOKEN", "pass ${{ github.token }}, with pull-requests: write")
        number = pull or _pull_of(environment)
        base = environment.get("GITHUB_API_URL", "").rstrip("/") or "https://api.github.com"
        headers = {"Authorization": f"Bearer {token}", "Accept": "application/vnd.github+json"}
        self._http = _client(headers | {"X-GitHub-Api-Version": "2022-11-28"})
        self._repository = f"{base}/repos/{quote(repository)}"
        self._thread = f"{self._repository}/issues/{number}/comments"

    def comments(self) -> Iterator[Comment]:
        """Yield the comments of the pull request, oldest first."""
        page = 1
        while page:
            rows = _ask(self._http, "GET", self._thread, params={"per_page": PAGE, "page": page}).json()
            yield from (Comment(row["id"], row.get("body") or "") for row in rows)
            page = page + 1 if len(rows) == PAGE else 0

    def add(self, body: str) -> None:
        """Write a new comment."""
        _ask(self._http, "POST", self._thread, json={"body": body})

    def change(self, comment: Comment, body: str) -> None:
        """Write another text into a comment that is there."""
        _ask(self._http, "PATCH", f"{self._repository}/issues/comments/{comment.key}", json={"body": body})


class GitLab:
    """Notes of a merge request, through the API of GitLab; the token of a job may not write them."""

    def __init__(self, environment: Mapping[str, str], pull: int | None = None) -> None:
        base = _needed(environment, "CI_API_V4_URL", "it is the API's address")
        project = _needed(environment, "CI_PROJECT_ID", "it names the project")
        token = _needed(environment, "GITLAB_TOKEN", "make a project access token with the scope api")
        number = pull or _number(environment.get("CI_MERGE_REQUEST_IID", ""))
        if not number:
            raise UsageError("this is no merge request's pipeline: run it for one, or give --pull NUMBER")
        self._http = _client({"PRIVATE-TOKEN": token})
        self._thread = f"{base.rstrip('/')}/projects/{quote(project, safe='')}/merge_requests/{number}/notes"

    def comments(self) -> Iterator[Comment]:
        """Yield the notes of the merge request, oldest first."""
        page = "1"
        while page:
            params = {"per_page": PAGE, "page": page, "sort": "asc", "order_by": "created_at"}
            answer = _ask(self._http, "GET", self._thread, params=params)
            yield from (Comment(row["id"], row.get("body") or "") for row in answer.json() if not row.get("system"))
            page = answer.headers.get("X-Next-Page", "")

    def add(self, body: str) -> None:
        """Write a new note."""
        _ask(self._http, "POST", self._thread, json={"body": body})

    def change(self, comment: Comment, body: str) -> None:
        """Write another text into a note that is there."""
        _ask(self._http, "PUT", f"{self._thread}/{comment.key}", json={"body": body})


def _client(headers: dict[str, str]) -> httpx.Client:
    agent = {"User-Agent": f"upreg-client/{VERSION}"}
    return httpx.Client(headers=headers | agent, timeout=30.0, transport=httpx.HTTPTransport(retries=TRIES))


def _ask(http: httpx.Client, method: str, address: str, **request: Any) -> httpx.Response:
    try:
        answer = http.request(method, address, **request)
    except httpx.HTTPError as error:
        raise ServerError(f"{httpx.URL(address).host} cannot be reached ({error}): run the job again") from error
    if answer.is_success:
        return answer
    said = f"{answer.url.host} answers {answer.status_code} to {method} {answer.url.path}"
    if answer.status_code in (401, 403, 404):  # a token that may not see something is told that it is not there
        raise NotAllowedError(f"{said}: give the job a token that may write comments")
    raise ServerError(said)


def _needed(environment: Mapping[str, str], name: str, cure: str) -> str:
    if value := environment.get(name, "").strip():
        return value
    raise UsageError(f"{name} is empty: {cure}")


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else 0


def _pull_of(environment: Mapping[str, str]) -> int:
    """Return the number of the pull request for which a job of GitHub Actions runs."""
    if found := _PULL.match(environment.get("GITHUB_REF", "")):
        return int(found[1])
    try:
        event = json.loads(Path(environment["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
        return int(event["pull_request"]["number"])
    except (KeyError, TypeError, OSError, ValueError):
        raise UsageError("this is no pull request's job: run it on pull_request, or give --pull NUMBER") from None
