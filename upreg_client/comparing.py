"""Ask for a comparison and for the gate, and wait until they are there."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from upreg_client.failures import ALL_IN, GATE_FAILED, NOT_DECIDABLE, ServerError
from upreg_client.server import Server, part

DECISIONS = {"pass": ALL_IN, "fail": GATE_FAILED, "not_enough_data": NOT_DECIDABLE}
OPEN = ("pending", "running")
DONE, FAILED = "done", "failed"
MISSING = 404
FIRST_LOOK_S, LAST_LOOK_S = 1.0, 15.0

Report = dict[str, Any]


@dataclass(frozen=True)
class Pair:
    """The two OS versions that are compared."""

    base: str
    new: str

    @property
    def path(self) -> str:
        """Where the server keeps their comparison."""
        return f"comparisons/{part(self.base)}/{part(self.new)}/"


@dataclass(frozen=True)
class Waiting:
    """How long to wait at most, in seconds, and whom to tell what is waited for."""

    timeout_s: float
    tell: Callable[[str], None] = lambda words: None
    now: Callable[[], float] = time.monotonic


def ask_for(server: Server, pair: Pair) -> Report:
    """Have two versions compared, unless their comparison is up to date; return how it stands."""
    return _json(server.ask("POST", "comparisons/", json={"base": pair.base, "new": pair.new}).json())


def wait_for(server: Server, pair: Pair, waiting: Waiting) -> Report:
    """Wait until all runs of both versions are measured and their comparison is computed from them.

    Reading is enough while the server, or somebody else, has it computed. Raises ServerError when it takes longer
    than the timeout.
    """
    ends, look, asked = waiting.now() + waiting.timeout_s, FIRST_LOOK_S, False
    while True:
        said = _measuring(server, pair)
        if not said:
            row = _standing(server, pair)
            status = row.get("status")
            if (status == DONE and not row["stale"]) or (status == FAILED and asked):
                return row
            if status not in OPEN:
                ask_for(server, pair)
                asked = True
            said = f"{pair.base} and {pair.new} are still being compared"
        if waiting.now() >= ends:
            cure = "see that a worker is running, or wait longer with --timeout"
            raise ServerError(f"{said} after {waiting.timeout_s:g} s: {cure}")
        waiting.tell(said)
        server.wait(look)
        look = min(LAST_LOOK_S, look * 1.5)


def _measuring(server: Server, pair: Pair) -> str:
    """Say which version has runs that are not measured yet, or nothing."""
    for version in (pair.base, pair.new):
        if any(_some(server, version, status) for status in OPEN):
            return f"runs of {version} are still being measured"
    return ""


def _standing(server: Server, pair: Pair) -> Report:
    """Return how the comparison stands; nothing if nobody has asked for it yet."""
    answer = server.ask("GET", pair.path, known=(MISSING,))
    return {} if answer.status_code == MISSING else _json(answer.json())


def _some(server: Server, version: str, status: str) -> bool:
    params = {"version": version, "status": status, "limit": 1}
    return bool(server.ask("GET", "runs/", params=params).json()["results"])


def gate_report(server: Server, pair: Pair, scope: str) -> Report:
    """Return what the gate says as things stand, with every reason and regression."""
    params = {"scope": scope} if scope else {}
    return _json(server.ask("GET", f"{pair.path}gate/", params=params).json())


def exit_code_of(report: Report) -> int:
    """Return what the command ``gate`` exits with."""
    return DECISIONS.get(str(report.get("decision")), NOT_DECIDABLE)


def _json(found: Any) -> Report:
    if not isinstance(found, dict):
        raise ServerError("the server answers something else than expected: is it as new as this client?")
    return found
