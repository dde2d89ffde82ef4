"""The command ``upreg``: push recordings, ask for a comparison, ask the gate, comment on a pull request."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from upreg_client import VERSION, bisecting, words
from upreg_client.comparing import (
    FAILED,
    Pair,
    Waiting,
    ask_for,
    exit_code_of,
    gate_report,
    wait_for,
)
from upreg_client.failures import (
    ALL_IN,
    INTERRUPTED,
    NOT_DECIDABLE,
    ClientError,
    NotAllowedError,
    UsageError,
)
from upreg_client.forges import GitHub, GitLab, post
from upreg_client.progress import push_and_show
from upreg_client.server import Patience, Server

EXIT_CODES = """\
exit codes:
  0   done: all lines are in; the gate passes; bisect: the version is found
  1   some lines were refused (they are listed with their cure); bisect: the command that records failed
  2   called wrongly: an option, the manifest, a name that the server does not know
  3   the server cannot be reached, is at fault, or took too long: the same command goes on where it stopped
  4   the token is missing, expired, or may not do this
  10  gate: the new version fails
  11  gate: not decidable, there is not enough data; compare: nothing can be compared; bisect: only a range
  12  bisect: runs are wanted
  130 interrupted: the same command goes on where it stopped
"""
MAX_PARALLEL, MAX_TRIES = 32, 100


def main(arguments: Sequence[str] | None = None, environment: Mapping[str, str] = os.environ) -> int:
    """Run one command; returns its exit code."""
    options = _parser().parse_args(arguments)
    try:
        with _server(options, environment) as server:
            code: int = options.run(server, options, environment)
            return code
    except ClientError as error:
        print(f"upreg: {words.harmless(str(error))}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("upreg: interrupted; the same command goes on where it stopped", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # `upreg … | head`
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - Python flushes it when it ends
        return ALL_IN


def _push(server: Server, options: argparse.Namespace, environment: Mapping[str, str]) -> int:
    return push_and_show(
        server,
        options.manifest,
        batch=options.batch,
        batch_version=options.batch_version,
        keep_open=options.keep_open,
        parallel=options.parallel,
        refused_file=options.refused,
    )


def _compare(server: Server, options: argparse.Namespace, environment: Mapping[str, str]) -> int:
    pair = Pair(options.base, options.new)
    row = wait_for(server, pair, _waiting(options)) if options.wait else ask_for(server, pair)
    if options.json:
        _print(_as_json(row))
    elif row["status"] == FAILED:
        _print(f"{pair.base} → {pair.new} cannot be compared: {row.get('error', '')}")
    else:
        gate = row.get("gate") or {}
        _print(f"{pair.base} → {pair.new}: {gate.get('sentence') or row['status']}")
        _print(str(row.get("page") or ""))
    return NOT_DECIDABLE if row["status"] == FAILED else ALL_IN


def _gate(server: Server, options: argparse.Namespace, environment: Mapping[str, str]) -> int:
    pair = Pair(options.base, options.new)
    if options.wait:
        wait_for(server, pair, _waiting(options))
    report = gate_report(server, pair, options.scope)
    drift = words.drift_of(report)
    if options.wait and drift.get("state") == "waits":
        wait_for(server, Pair(drift["pinned"], pair.new), _waiting(options))
        report = gate_report(server, pair, options.scope)
    _print(_as_json(report) if options.json else words.gate_text(report))
    return exit_code_of(report)


def _comment(server: Server, options: argparse.Namespace, environment: Mapping[str, str]) -> int:
    forge = None  # what it lacks is told before anything is asked
    if not options.print:
        forge = (GitHub if options.github else GitLab)(environment, options.pull)
    report = gate_report(server, Pair(options.base, options.new), options.scope)
    body = words.comment(report, options.scope)
    if forge is None:
        _print(body)
    else:
        _print(post(forge, body, marker=words.marker(options.scope), quiet=words.is_quiet(report)))
    return ALL_IN


def _bisect_next(server: Server, options: argparse.Namespace, environment: Mapping[str, str]) -> int:
    number, waiting = options.id, _waiting(options)
    if options.run_command is None:
        return _bisection(bisecting.where_it_stands(server, number, waiting), options)
    return _bisection(bisecting.have_recorded(server, number, options.run_command, waiting), options)


def _bisect_skip(server: Server, options: argparse.Namespace, environment: Mapping[str, str]) -> int:
    bisecting.skip(server, options.id, options.version, options.reason)
    return ALL_IN


def _bisect_finish(server: Server, options: argparse.Namespace, environment: Mapping[str, str]) -> int:
    return _bisection(bisecting.finish(server, options.id, _waiting(options)), options)


def _bisection(report: dict[str, Any], options: argparse.Namespace) -> int:
    _print(_as_json(report) if options.json else bisecting.text_of(report))
    return bisecting.exit_code_of(report)


def _as_json(found: dict[str, Any]) -> str:
    return json.dumps(found, indent=1)  # in ASCII: whatever a name holds, a script reads it as it is


def _print(text: str) -> None:
    print(words.harmless(text).rstrip("\n"), flush=True)


def _teller(before: str = "") -> Callable[[str], None]:
    """Return what tells something on standard error, each thing once: the log of a job is read by people."""
    errors = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
    told = [""]

    def tell(said: str) -> None:
        if told[-1] != said:
            told[-1] = said
            errors.print(before + words.harmless(said))

    return tell


def _waiting(options: argparse.Namespace) -> Waiting:
    return Waiting(options.timeout, _teller("waiting: "))


def _server(options: argparse.Namespace, environment: Mapping[str, str]) -> Server:
    address = options.server or environment.get("UPREG_SERVER", "")
    if not address:
        raise UsageError("no server: give --server https://… or set UPREG_SERVER")
    token = _token(options.token_file, environment)
    return Server(address, token, patience=Patience(tries=options.tries), tell=_teller())


def _token(file: Path | None, environment: Mapping[str, str]) -> str:
    if file is None:
        return environment.get("UPREG_TOKEN", "")
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise NotAllowedError(f"--token-file {file} cannot be read: {error}") from error


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="upreg",
        description="Bring recordings to UPReg, and ask it whether an OS update is felt.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"upreg {VERSION}")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--server", default="", metavar="URL", help="address of the site (default: UPREG_SERVER)")
    common.add_argument(
        "--token-file", type=Path, metavar="FILE", help="file that holds the token (default: UPREG_TOKEN holds it)"
    )
    common.add_argument(
        "--tries", type=_whole(MAX_TRIES), default=8, metavar="N", help="tries of a request, with growing pauses"
    )
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    push = commands.add_parser("push", parents=[common], help="bring the recordings of a manifest in")
    push.add_argument("manifest", type=Path, help="CSV with a line for each recording")
    push.add_argument("--batch", default="", metavar="NAME", help="put the runs into this batch and complete it")
    push.add_argument(
        "--batch-version", default="", metavar="NAME", help="the OS version that it is about, if there are several"
    )
    push.add_argument("--keep-open", action="store_true", help="leave the batch open: other hosts push into it")
    push.add_argument("--parallel", type=_whole(MAX_PARALLEL), default=4, metavar="N", help="lines at once (4)")
    push.add_argument("--refused", type=Path, metavar="FILE", help="write all refused lines to this CSV")
    push.set_defaults(run=_push)

    pair = argparse.ArgumentParser(add_help=False)
    pair.add_argument("base", help="the old OS version")
    pair.add_argument("new", help="the updated OS version")
    waits = argparse.ArgumentParser(add_help=False)
    waits.add_argument("--wait", action="store_true", help="until all runs are measured and compared")
    waits.add_argument("--timeout", type=_seconds, default=3600.0, metavar="S", help="wait so many seconds (3600)")
    waits.add_argument("--json", action="store_true", help="print JSON")
    scoped = argparse.ArgumentParser(add_help=False)
    scoped.add_argument("--scope", default="", metavar="NAME", help="judge this saved part only")

    commands.add_parser("compare", parents=[pair, waits, common], help="have two versions compared").set_defaults(
        run=_compare
    )
    commands.add_parser("gate", parents=[pair, scoped, waits, common], help="may it be released?").set_defaults(
        run=_gate
    )
    comment = commands.add_parser("comment", parents=[pair, scoped, common], help="comment on a pull request")
    place = comment.add_mutually_exclusive_group(required=True)
    place.add_argument("--github", action="store_true", help="the pull request of this job of GitHub Actions")
    place.add_argument("--gitlab", action="store_true", help="the merge request of this pipeline of GitLab")
    place.add_argument("--print", action="store_true", help="print the Markdown and post nothing")
    comment.add_argument(
        "--pull", type=_whole(2**31), metavar="NUMBER", help="of another pull request than the job's"
    )
    comment.set_defaults(run=_comment)
    _bisect_parsers(commands.add_parser("bisect", help="which version made it slower?"), common)
    return parser


def _bisect_parsers(parser: argparse.ArgumentParser, common: argparse.ArgumentParser) -> None:
    whats = parser.add_subparsers(title="what", required=True, metavar="WHAT")
    which = argparse.ArgumentParser(add_help=False)
    which.add_argument("id", type=_whole(2**31), help="number of the bisection, as its page and the API tell it")
    told = argparse.ArgumentParser(add_help=False)
    told.add_argument("--timeout", type=_seconds, default=3600.0, metavar="S", help="wait so many seconds (3600)")
    told.add_argument("--json", action="store_true", help="print JSON")
    following = whats.add_parser("next", parents=[which, told, common], help="what to record next")
    following.add_argument(
        "--run",
        dest="run_command",
        metavar="COMMAND",
        help="record and push by this command until there is an answer; {version} and {runs} in it are filled in; "
        "it ends with 0, or with 125 where the version cannot be tested",
    )
    following.set_defaults(run=_bisect_next)
    skip = whats.add_parser("skip", parents=[which, common], help="leave a version out that cannot be tested")
    skip.add_argument("version")
    skip.add_argument("--reason", required=True, metavar="TEXT", help="why")
    skip.set_defaults(run=_bisect_skip)
    whats.add_parser("finish", parents=[which, told, common], help="end it, and keep its answer").set_defaults(
        run=_bisect_finish
    )


def _whole(most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and 1 <= int(text) <= most):
            raise argparse.ArgumentTypeError(f"{text!r}: give a whole number from 1 to {most}")
        return int(text)

    return read


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0.0 <= seconds <= 1e7:
        raise argparse.ArgumentTypeError(f"{text!r}: give seconds, 0 or more")
    return seconds
