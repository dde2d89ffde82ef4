"""What every issue tracker can do for us, and how GitHub, GitLab and Jira do it.

The contract is three calls: make an issue, find it by its marker, say how it stands. An adapter keeps nothing
and asks
no database. Sources: docs.github.com/en/rest/issues, docs.gitlab.com/api/issues,
developer.atlassian.com/cloud/jira/platform/rest/v2
(its version 2 takes text, and Jira Data Center speaks it, too).
"""

from abc import ABC, abstractmethod
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote, urlsplit

from django.conf import settings

from reports.models import IssueState, Tracker, TrackerKind
from reports.trackers.asking import Answer, NoAnswerError, ask
from reports.trackers.wiki import jira_markup
from reports.web.sealed import UnreadableSecretError, unseal

PAGES, PER_PAGE = 10, 100  # of what changed since an issue was asked for: as far as it is looked for
CLOCKS = timedelta(hours=1)  # so far the clock of a tracker may be behind ours
LONGEST_WAIT = timedelta(hours=1)  # that a tracker may ask for
_OTHER = "{} does not answer as the API of {} does: check the address."
_SAID = 160  # characters of what a tracker said


class TrackerError(Exception):
    """A tracker did not do it; the message tells people why, and the cure.

    ``again`` tells whether it may work the next time, ``pause`` how long the tracker wants to be left alone.
    """

    def __init__(self, words: str, *, again: bool = False, pause: timedelta = timedelta(0)) -> None:
        super().__init__(words)
        self.again, self.pause = again, pause


@dataclass(frozen=True)
class Draft:
    """An issue to be made. ``body`` is Markdown that holds the marker."""

    title: str
    body: str
    marker: str


@dataclass(frozen=True)
class Made:
    """An issue that is there: what the tracker calls it, where people see it, and how it stands."""

    number: str
    url: str
    state: str


class Adapter(ABC):
    """What is asked of a tracker. Every call may raise TrackerError."""

    def __init__(self, tracker: Tracker) -> None:
        self._tracker = tracker
        self._base = tracker.address.rstrip("/")

    @abstractmethod
    def create(self, draft: Draft) -> Made:
        """Make an issue."""

    @abstractmethod
    def find(self, marker: str, since: datetime) -> Made | None:
        """Return the issue that holds the marker, made after ``since``."""

    @abstractmethod
    def state(self, number: str) -> str:
        """Return how an issue stands: open, closed or gone."""

    @abstractmethod
    def _headers(self, token: str) -> dict[str, str]:
        """Return how the token is sent."""

    def _ask(self, method: str, path: str, *, params: Mapping[str, Any] | None = None, data: Any = None) -> Any:
        """Ask, and return what an answer of success holds; anything else is a TrackerError."""
        try:
            headers = {"User-Agent": f"UPReg/{settings.VERSION}", "Accept": "application/json"}
            headers |= self._headers(unseal(self._tracker.token))
            answer = ask(method, self._base + path, headers=headers, params=params, data=data)
        except UnreadableSecretError as error:
            raise TrackerError(str(error)) from error
        except NoAnswerError as error:
            raise TrackerError(str(error), again=error.again) from error
        data = answer.data if answer.status in (200, 201) else None
        if not isinstance(data, dict | list):
            raise _refusal(answer, self._tracker)
        return data

    def _ask_one(self, method: str, path: str, **more: Any) -> dict[str, Any]:
        """Ask for one thing."""
        data = self._ask(method, path, **more)
        if not isinstance(data, dict):
            raise TrackerError(_OTHER.format(self._tracker.address, self._tracker.get_kind_display()))
        return data

    def _look(self, path: str) -> dict[str, Any] | None:
        """Return one issue; None if it is gone."""
        try:
            return self._ask_one("GET", path)
        except GoneError:
            return None


class GoneError(TrackerError):
    """There is no such thing there, or the token may not see it."""


def _refusal(answer: Answer, tracker: Tracker) -> TrackerError:
    said = _said(answer)
    if answer.status == 429 or (answer.status == 403 and _is_tired(answer)):
        return TrackerError(f"{tracker} asks to wait before it takes more.", again=True, pause=_pause(answer))
    if answer.status >= 500:
        return TrackerError(f"{tracker} had an error ({answer.status}).{said}", again=True)
    if answer.status == 401:
        return TrackerError(
            f"{tracker} does not take the token any more: enter a new one among the issue trackers."
        )
    if answer.status == 403:
        return TrackerError(
            f"The token may not do this in {tracker.project}: give it the right to write issues.{said}"
        )
    if answer.status in (404, 410):
        return GoneError(
            f"{tracker} has no project {tracker.project} that takes issues, or the token may not see it: "
            f"check both.{said}"
        )
    if 200 <= answer.status < 400:
        return TrackerError(_OTHER.format(tracker.address, tracker.get_kind_display()))
    return TrackerError(f"{tracker} refused it ({answer.status}).{said}")


def _is_tired(answer: Answer) -> bool:
    return "retry-after" in answer.headers or answer.headers.get("x-ratelimit-remaining") == "0"


def _pause(answer: Answer) -> timedelta:
    wanted = answer.headers.get("retry-after", "")
    seconds = int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) < 7 else 60
    return min(timedelta(seconds=seconds), LONGEST_WAIT)


def _said(answer: Answer) -> str:
    """Return what the tracker gave as its reason, as one short sentence to be put behind ours."""
    data = answer.data
    if not isinstance(data, dict):
        return ""
    parts = [data.get("message"), data.get("error")]
    for more in (data.get("errorMessages"), data.get("errors")):
        found = more.values() if isinstance(more, dict) else more if isinstance(more, list) else ()
        parts += [each.get("message") if isinstance(each, dict) else each for each in found]
    words = "; ".join(" ".join(str(part).split()) for part in parts if part)
    return f" It says: {words[:_SAID]}" if words else ""


def _made(number: Any, url: Any, *, closed: bool) -> Made:
    """Return an issue as it is kept; an address that no page could lead to is none."""
    if number in (None, ""):
        raise TrackerError("The answer of the tracker names no issue: check the address.", again=True)
    address = str(url or "")
    safe = len(address) <= 500 and urlsplit(address).scheme in ("http", "https")
    state = IssueState.CLOSED if closed else IssueState.OPEN
    return Made(str(number)[:60], address if safe else "", state)


def _rows(data: Any) -> list[dict[str, Any]]:
    return [row for row in data if isinstance(row, dict)] if isinstance(data, list) else []


class GitHub(Adapter):
    """github.com (https://api.github.com) or Enterprise (https://HOST/api/v3); the project is owner/repository."""

    def _headers(self, token: str) -> dict[str, str]:
        return {
            "Authorization": f"Bearer {token}",
            "Accept": "application/vnd.github+json",
            "X-GitHub-Api-Version": "2022-11-28",
        }

    @property
    def _issues(self) -> str:
        return f"/repos/{quote(self._tracker.project)}/issues"

    def create(self, draft: Draft) -> Made:
        """Make an issue."""
        return self._of(self._ask_one("POST", self._issues, data={"title": draft.title, "body": draft.body}))

    def find(self, marker: str, since: datetime) -> Made | None:
        """Look through what changed since: GitHub's search learns of an issue late, its list at once."""
        params = {"state": "all", "sort": "created", "direction": "desc", "per_page": PER_PAGE}
        params["since"] = (since - CLOCKS).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        for page in range(1, PAGES + 1):
            rows = _rows(self._ask("GET", self._issues, params=params | {"page": page}))
            for row in rows:
                if "pull_request" not in row and marker in str(row.get("body")):
                    return self._of(row)
            if len(rows) < PER_PAGE:
                break
        return None

    def state(self, number: str) -> str:
        """Return how an issue stands."""
        row = self._look(f"{self._issues}/{quote(number)}")
        return self._of(row).state if row else IssueState.GONE

    def _of(self, row: dict[str, Any]) -> Made:
        return _made(row.get("number"), row.get("html_url"), closed=row.get("state") == "closed")


class GitLab(Adapter):
    """gitlab.com or a server of one's own; the project is its path (group/project) or its number."""

    def _headers(self, token: str) -> dict[str, str]:
        return {"PRIVATE-TOKEN": token}

    @property
    def _issues(self) -> str:
        return f"/api/v4/projects/{quote(self._tracker.project, safe='')}/issues"

    def create(self, draft: Draft) -> Made:
        """Make an issue."""
        data = {"title": draft.title, "description": draft.body}
        return self._of(self._ask_one("POST", self._issues, data=data))

    def find(self, marker: str, since: datetime) -> Made | None:
        """Search the descriptions: GitLab does so in its database."""
        params = {"search": marker, "in": "description", "state": "all", "per_page": PER_PAGE}
        for row in _rows(self._ask("GET", self._issues, params=params)):
            if marker in str(row.get("description")):
                return self._of(row)
        return None

    def state(self, number: str) -> str:
        """Return how an issue stands."""
        row = self._look(f"{self._issues}/{quote(number)}")
        return self._of(row).state if row else IssueState.GONE

    def _of(self, row: dict[str, Any]) -> Made:
        return _made(row.get("iid"), row.get("web_url"), closed=row.get("state") == "closed")


class Jira(Adapter):
    """Jira Cloud, where the token is an account's, or Data Center, where it stands alone; the project is a key."""

    @property
    def _is_cloud(self) -> bool:
        return bool(self._tracker.account)

    def _headers(self, token: str) -> dict[str, str]:
        if self._is_cloud:
            return {"Authorization": _basic(self._tracker.account, token)}
        return {"Authorization": f"Bearer {token}"}

    def create(self, draft: Draft) -> Made:
        """Make an issue; its label is the marker, by which Jira finds it."""
        fields = {
            "project": {"key": self._tracker.project},
            "issuetype": {"name": self._tracker.issue_type or "Bug"},
            "summary": draft.title,
            "description": jira_markup(draft.body),
            "labels": [draft.marker],
        }
        return self._of(self._ask_one("POST", "/rest/api/2/issue", data={"fields": fields}).get("key"), {})

    def find(self, marker: str, since: datetime) -> Made | None:
        """Search by the label."""
        jql = f'project = "{self._tracker.project}" AND labels = "{marker}"'
        path = "/rest/api/2/search/jql" if self._is_cloud else "/rest/api/2/search"
        found = self._ask_one("GET", path, params={"jql": jql, "fields": "status", "maxResults": 1})
        rows = _rows(found.get("issues"))
        return self._of(rows[0].get("key"), rows[0]) if rows else None

    def state(self, number: str) -> str:
        """Return how an issue stands: closed in every status of the category "done"."""
        row = self._look(f"/rest/api/2/issue/{quote(number)}?fields=status")
        return self._of(number, row).state if row else IssueState.GONE

    def _of(self, key: Any, row: dict[str, Any]) -> Made:
        status = (row.get("fields") or {}).get("status") or {}
        closed = (status.get("statusCategory") or {}).get("key") == "done"
        return _made(key, f"{self._base}/browse/{quote(str(key))}", closed=closed)


def _basic(name: str, secret: str) -> str:
    return f"Basic {b64encode(f'{name}:{secret}'.encode()).decode()}"


ADAPTERS: Mapping[str, type[Adapter]] = {
    TrackerKind.GITHUB: GitHub,
    TrackerKind.GITLAB: GitLab,
    TrackerKind.JIRA: Jira,
}


def adapter_of(tracker: Tracker) -> Adapter:
    """Return the adapter that speaks a tracker's protocol."""
    return ADAPTERS[tracker.kind](tracker)
