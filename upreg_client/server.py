"""Speak with the server: its address, the token, further tries with growing pauses, problems as words."""

from __future__ import annotations

import random
import ssl
import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import count
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import httpx

from upreg_client import VERSION
from upreg_client.failures import (
    ClientError,
    Fault,
    NotAllowedError,
    PassingError,
    RefusedError,
    ServerError,
    StoppedError,
    UsageError,
)

API = "/api/v1/"
PROBLEM = "application/problem+json"
PASSING = frozenset({408, 423, 425, 429, 500, 502, 503, 504})
TOKEN_HEAD = "upreg_"


@dataclass(frozen=True)
class Patience:
    """How often one request is tried, and how long the pauses are.

    Parameters
    ----------
    tries : of one request, the first included.
    first_s, longest_s : the pause doubles from the one to the other; a random half of it is left out, so that
        many hosts do not come back at the same moment.
    asked_s : the longest pause that a server may ask for by ``Retry-After``.

    """

    tries: int = 8
    first_s: float = 0.5
    longest_s: float = 30.0
    asked_s: float = 600.0

    def pause_s(self, tried: int, asked_s: float | None, chance: float) -> float | None:
        """Return the pause after so many tries, or None when it is time to give up; ``chance`` is 0 to 1."""
        if tried >= self.tries or (asked_s or 0.0) > self.asked_s:
            return None
        own = min(self.longest_s, self.first_s * 2.0 ** (tried - 1))
        return asked_s + own * chance if asked_s is not None else own * (0.5 + chance / 2.0)


class Server:
    """One UPReg server. It may be used by several threads at once."""

    def __init__(
        self,
        address: str,
        token: str,
        *,
        patience: Patience | None = None,
        tell: Callable[[str], None] = lambda words: None,
        wait: Callable[[float], object] | None = None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self.address = checked_address(address)
        self.stopped = threading.Event()
        self._patience = patience or Patience()
        self._tell, self._wait, self._chance = tell, wait or self.stopped.wait, chance
        headers = {
            "Authorization": f"Bearer {checked_token(token)}",
            "Accept": "application/json, application/problem+json",
            "User-Agent": f"upreg-client/{VERSION}",
        }
        times = httpx.Timeout(300.0, connect=10.0)  # the last part of 4 GB is answered when the whole is hashed
        self._http = httpx.Client(base_url=self.address + API, headers=headers, timeout=times)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.close()

    def ask(self, method: str, path: str, *, known: Collection[int] = (), **request: Any) -> httpx.Response:
        """Return the answer to a request that may be repeated, after as many tries as it takes.

        ``known`` are the statuses beside 2xx that the caller understands. Raises a ClientError for all others.
        """
        for tried in count(1):
            try:
                return self.once(method, path, known=known, **request)
            except PassingError as failure:
                self.rest(tried, failure)
        raise AssertionError("the loop above ends by returning or raising")

    def once(self, method: str, path: str, *, known: Collection[int] = (), **request: Any) -> httpx.Response:
        """Ask one single time; raises PassingError for what another try may mend."""
        if self.stopped.is_set():
            raise StoppedError("stopped")
        try:
            answer = self._http.request(method, path, **request)
        except httpx.TransportError as error:
            raise _unreachable(self.address, error) from error
        if answer.is_success or answer.status_code in known:
            return answer
        raise _failure(answer)

    def rest(self, tried: int, failure: PassingError) -> None:
        """Pause before the next try; raises the failure itself when there have been enough."""
        pause = self._patience.pause_s(tried, failure.asked_s, self._chance())
        if pause is None:
            raise failure
        self._tell(f"{failure} Trying again.")
        self._wait(pause)

    def wait(self, seconds: float) -> None:
        """Pause between two looks at something that takes its time."""
        self._wait(seconds * (0.75 + self._chance() / 2.0))


def checked_address(address: str) -> str:
    """Return the address of a server without a slash at its end; raises UsageError with the cure."""
    try:
        url = httpx.URL(address)
        proper = url.scheme in ("http", "https") and bool(url.host) and not url.userinfo
    except httpx.InvalidURL:
        proper = False
    if not proper:
        raise UsageError(f"--server {address!r} is no address: write it like https://upreg.example.org")
    return address.rstrip("/")


def checked_token(token: str) -> str:
    """Return a token that can be one; raises NotAllowedError with the cure."""
    token = token.strip()
    if not token:
        raise NotAllowedError("no token: make one under Your account, and give it in UPREG_TOKEN or --token-file")
    if not (token.startswith(TOKEN_HEAD) and token.isascii() and token.isprintable() and " " not in token):
        raise NotAllowedError("this is no token of UPReg: it begins with upreg_ and is one line")
    return token


def part(name: str) -> str:
    """Return a name as one part of an address."""
    return quote(name, safe="")


def _unreachable(address: str, error: httpx.TransportError) -> ServerError:
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            cure = "have the server's certificate mended, or name the authority that signed it in SSL_CERT_FILE"
            return ServerError(f"{address} has a certificate that is not trusted ({cause.verify_message}): {cure}")
    said = "does not answer in time" if isinstance(error, httpx.TimeoutException) else "cannot be reached"
    return PassingError(f"{address} {said} ({str(error) or type(error).__name__}).")


def _causes(error: BaseException) -> list[BaseException]:
    """Return an error and what led to it, each once: an error that is raised again may lead to itself."""
    found: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in found:
        found.append(cause)
        cause = cause.__cause__ or cause.__context__
    return found


def _failure(answer: httpx.Response) -> ClientError:
    """Return what an answer that is no success means."""
    status, problem = answer.status_code, _problem(answer)
    faults = faults_of(problem)
    words = RefusedError(status, faults).args[0] if faults else f"{status} {answer.reason_phrase}"
    if status in PASSING:
        return PassingError(f"{answer.url.host} says: {words.rstrip('.')}.", _asked_s(answer))
    if status in (401, 403):
        return NotAllowedError(words)
    if status >= 500:
        return ServerError(f"{answer.url.host} says: {words}")
    if answer.is_redirect:
        there = answer.headers.get("Location", "another address")
        return UsageError(f"the server sends us on to {there}: give --server the address that it has now")
    if not problem and status == 413:
        cure = "have its limit raised (client_max_body_size of nginx) to 8 MB"
        return UsageError(f"a proxy before {answer.url.host} takes no request of this size: {cure}")
    if not problem:
        return UsageError(f"{answer.url} is no address of UPReg ({words}): check --server")
    return RefusedError(status, faults or (Fault("", words),))


def _problem(answer: httpx.Response) -> dict[str, Any]:
    if not answer.headers.get("Content-Type", "").startswith((PROBLEM, "application/json")):
        return {}
    try:
        found = answer.json()
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def faults_of(problem: dict[str, Any]) -> tuple[Fault, ...]:
    """Return what a problem says (RFC 9457): one fault for each field, or one for the whole."""
    cure, errors = str(problem.get("cure") or ""), problem.get("errors") or []
    found = [Fault(str(each.get("field") or ""), str(each.get("message") or "")) for each in errors]
    if not found and (said := problem.get("detail") or problem.get("title")):
        found = [Fault("", str(said))]
    if len(found) == 1 and cure and cure not in found[0].message:
        found = [Fault(found[0].field, found[0].message, cure)]
    return tuple(found)


def _asked_s(answer: httpx.Response) -> float | None:
    """Return how long ``Retry-After`` asks to wait: seconds or a date."""
    said = answer.headers.get("Retry-After", "")
    if said.isdecimal():
        return float(said)
    try:
        then = parsedate_to_datetime(said)
    except ValueError:
        return None
    then = then.replace(tzinfo=UTC) if then.tzinfo is None else then
    return max(0.0, (then - datetime.now(UTC)).total_seconds())
