"""Drive a bisection from a host that records: what to record next, or have it recorded until there is an answer."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable
from typing import Any

from upreg_client.comparing import FIRST_LOOK_S, LAST_LOOK_S, Waiting
from upreg_client.failures import ALL_IN, NOT_DECIDABLE, RUNS_WANTED, USAGE, CommandError, ServerError, UsageError
from upreg_client.server import Server

OPEN, FOUND, RANGE = "open", "found", "range"
SKIP = 125  # as `git bisect run`

Report = dict[str, Any]


def where_it_stands(server: Server, number: int, waiting: Waiting) -> Report:
    """Return where a bisection stands, once all that came in is measured and looked at.

    Raises ServerError when that takes longer than the timeout.
    """
    ends, look = waiting.now() + waiting.timeout_s, FIRST_LOOK_S
    while True:
        report = _json(server.ask("GET", _path(number)).json())
        if report["finished_at"] or not (report["stale"] or report["waiting"]):
            return report
        waits = report["waiting"]
        said = f"{waits} of the runs asked for still to be measured" if waits else "it is being computed"
        if waiting.now() >= ends:
            cure = "see that a worker is running, or wait longer with --timeout"
            raise ServerError(f"{said} after {waiting.timeout_s:g} s: {cure}")
        waiting.tell(said)
        server.wait(look)
        look = min(LAST_LOOK_S, look * 1.5)


def have_recorded(
    server: Server, number: int, command: str, waiting: Waiting, run: Callable[[list[str]], int] | None = None
) -> Report:
    """Call a command for one version after the other, until the server wants no more; return where it stands then.

    ``{version}`` and ``{runs}`` in it are filled in. It ends with 0 when it has brought runs in, with 125 where the
    version cannot be tested. Raises CommandError for anything else, and where it brings nothing that counts.
    """
    report = where_it_stands(server, number, waiting)
    while report["measure"]:
        asked = report["measure"][0]
        waiting.tell(asked["words"])
        code = (run or _run)(_filled(command, asked))
        if code == SKIP:
            skip(server, number, asked["version"], f"the command ended with {SKIP}")
        elif code:
            again = "it is as it was; call again to go on"
            raise CommandError(f"the command ended with {code} for {asked['version']}: {again}")
        report = where_it_stands(server, number, waiting)
        if asked in report["measure"]:
            raise CommandError(
                f"the command brought no run of {asked['version']} that counts: let it push runs of this "
                f"interaction and device, or end with {SKIP} where the version cannot be tested"
            )
    return report


def skip(server: Server, number: int, version: str, reason: str) -> None:
    """Leave a version out."""
    server.ask("POST", f"{_path(number)}skip/", json={"version": version, "reason": reason})


def finish(server: Server, number: int, waiting: Waiting) -> Report:
    """End a bisection with its answer; return it."""
    where_it_stands(server, number, waiting)
    return _json(server.ask("POST", f"{_path(number)}finish/").json())


def text_of(report: Report) -> str:
    """Say where a bisection stands, for a terminal."""
    lines = [report["sentence"], *report["lines"][1:], *(f"Record {each['words']}" for each in report["measure"])]
    lines += [*filter(None, [report["triaged"]]), *report["notes"], report["page"]]
    return "\n".join(lines)


def exit_code_of(report: Report) -> int:
    """Return what the command exits with."""
    if report["finished_at"]:
        return ALL_IN if len(report["suspects"]) == 1 else NOT_DECIDABLE
    return {FOUND: ALL_IN, RANGE: NOT_DECIDABLE, OPEN: RUNS_WANTED}.get(report["state"], USAGE)


def _filled(command: str, asked: Report) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"--run {command!r} cannot be read: {error}") from error
    if not words:
        raise UsageError("--run names no command")
    values = {"{version}": asked["version"], "{runs}": str(asked["runs"])}
    for sign, value in values.items():
        words = [word.replace(sign, value) for word in words]
    return words


def _run(words: list[str]) -> int:
    try:
        return subprocess.run(words, check=False).returncode
    except OSError as error:
        raise UsageError(f"--run: {words[0]} cannot be run: {error.strerror}") from error


def _path(number: int) -> str:
    return f"bisections/{number}/"


def _json(found: Any) -> Report:
    if not isinstance(found, dict) or "measure" not in found:
        raise ServerError("the server answers something else than expected: is it as new as this client?")
    return found
