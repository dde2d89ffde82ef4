"""The command ``upreg-record``: check a plan, look at its devices, record it, deliver what was recorded."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from upreg_recorder import VERSION, recording, showing
from upreg_recorder.delivering import folder as folders
from upreg_recorder.delivering.pushing import token_of
from upreg_recorder.drivers.registry import Drivers, Installed
from upreg_recorder.engine.lanes import words_of
from upreg_recorder.failures import PlanError, RecorderError, ServerRefusesError
from upreg_recorder.plans.reading import read_plan
from upreg_recorder.plans.schema import plan_schema
from upreg_recorder.plans.trials import lanes
from upreg_recorder.recording import INTERRUPTED, USAGE, Wishes, cache_of, exit_code_of

EXIT_CODES = """\
exit codes:
  0   done: all is recorded, and in where it was to be pushed; the plan is right; all devices answer
  1   some trials were given up or left, a device vanished, or the server refused some runs; each is told
  2   called wrongly: an option, the plan, a folder of another plan
  3   the server is away or at fault: what is not in yet is brought in by `deliver`
  4   the token is missing, expired, or may not do this
  5   the disk is full: make room and call again, it goes on where it stopped
  130 interrupted: the same command goes on where it stopped
"""


def main(
    arguments: Sequence[str] | None = None,
    environment: Mapping[str, str] = os.environ,
    drivers: Drivers | None = None,
) -> int:
    """Run one command; returns its exit code."""
    options = _parser().parse_args(arguments)
    before = signal.getsignal(signal.SIGTERM)
    try:
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # a job that is ended closes its devices, too
        code: int = options.run(options, environment, drivers or Installed())
        return code
    except PlanError as error:
        file = getattr(options, "plan", None)
        said = [f"{file}:{line}: {text}" if line and file else text for line, text in error.problems]
        print(showing.harmless("\n".join(said)), file=sys.stderr)
        return USAGE
    except ServerRefusesError as error:
        print(showing.harmless(f"upreg-record: {error}"), file=sys.stderr)
        return error.code
    except RecorderError as error:
        print(showing.harmless(f"upreg-record: {error}"), file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        print("upreg-record: interrupted; the same command goes on where it stopped", file=sys.stderr, flush=True)
        return INTERRUPTED
    except BrokenPipeError:  # `upreg-record … | head`
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - Python flushes it when it ends
        return 0
    finally:
        signal.signal(signal.SIGTERM, before)


def _check(options: argparse.Namespace, environment: Mapping[str, str], drivers: Drivers) -> int:
    plan = read_plan(options.plan, drivers.settings())
    trials = recording.chosen_trials(plan, _wishes(options, environment))
    if options.json:
        trials_s = [showing.seconds_of(trial) for trial in trials]
        print(showing.as_json({"name": plan.name, "trials": len(trials), "seconds": sum(trials_s)}))
    else:
        print(showing.harmless(showing.plan_text(plan, lanes(trials))))
    return 0


def _schema(options: argparse.Namespace, environment: Mapping[str, str], drivers: Drivers) -> int:
    print(showing.as_json(plan_schema(drivers.settings())))
    return 0


def _record(options: argparse.Namespace, environment: Mapping[str, str], drivers: Drivers) -> int:
    plan = read_plan(options.plan, drivers.settings())
    wishes = _wishes(options, environment)
    trials = recording.chosen_trials(plan, wishes)
    with folders.opened(options.into) as folder:
        outcome, pushed = recording.record(plan, trials, folder, wishes, drivers)
        if options.json:
            print(showing.as_json(showing.summary(outcome, pushed, str(folder.manifest))))
        else:
            print(showing.harmless(showing.outcome_text(outcome, pushed)), flush=True)
            print(showing.harmless(f"manifest: {folder.manifest}"))
    return exit_code_of(outcome, pushed)


def _devices(options: argparse.Namespace, environment: Mapping[str, str], drivers: Drivers) -> int:
    plan = read_plan(options.plan, drivers.settings())
    wrong = 0
    for device in plan.devices:
        try:
            with closing(drivers.open_device(device, options.cache or cache_of(environment))) as driver:
                facts, vitals = driver.facts, driver.vitals()
        except Exception as error:  # whatever a library raises is what is wrong with this device
            wrong += 1
            print(showing.harmless(f"{device.name}: {words_of(error)}"))
            continue
        print(showing.harmless(showing.device_text(device, facts, vitals)))
    return int(wrong > 0)


def _deliver(options: argparse.Namespace, environment: Mapping[str, str], drivers: Drivers) -> int:
    with folders.opened(options.folder, new=False) as folder:
        pushed = recording.deliver(folder, _wishes(options, environment))
        if options.json:
            print(showing.as_json(showing.summary(None, pushed, str(folder.manifest))))
        else:
            print(showing.harmless(showing.pushed_text(pushed)))
    return exit_code_of(None, pushed)


def _wishes(options: argparse.Namespace, environment: Mapping[str, str]) -> Wishes:
    """Return what a command was called with; the server may stand in the environment."""
    said = vars(options)
    server = said.get("server") or said.get("push") or environment.get("UPREG_SERVER", "")
    kept = {
        key: said[key] for key in ("only", "scope", "needs", "batch", "batch_version", "keep_open") if key in said
    }
    return Wishes(
        **kept,
        server=server,
        push=said.get("push") is not None,
        token=token_of(said.get("token_file"), environment),
        cache=said.get("cache") or cache_of(environment),
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="upreg-record",
        description="Run the same apps on the old and the new OS version, film them, and deliver it to UPReg.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"upreg-record {VERSION}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    plan = commands.add_parser("plan", help="check a plan, or print the schema of plans")
    whats = plan.add_subparsers(title="what", required=True, metavar="WHAT")
    check = whats.add_parser("check", parents=[_plan(), _choice(), _token()], help="say every error with its line")
    check.add_argument("--json", action="store_true", help="print JSON")
    check.set_defaults(run=_check)
    whats.add_parser("schema", help="print the JSON Schema of plans, for an editor").set_defaults(run=_schema)

    devices = commands.add_parser(
        "devices", parents=[_plan(), _cache()], help="open each device, and say what it is"
    )
    devices.set_defaults(run=_devices)

    parents = [_plan(), _choice(), _token(), _push(), _cache()]
    record = commands.add_parser("record", parents=parents, help="record a plan, on from where it stopped")
    record.add_argument("--into", type=Path, required=True, metavar="FOLDER", help="where films and runs.csv go")
    record.set_defaults(run=_record)

    deliver = commands.add_parser("deliver", parents=[_token(), _push()], help="push what is not on the server yet")
    deliver.add_argument("folder", type=Path, metavar="FOLDER", help="what was recorded into")
    deliver.set_defaults(run=_deliver, push="")
    return parser


def _plan() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("plan", type=Path, help="a plan, a file of YAML")
    return parser


def _choice() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="this part alone: app, interaction, type, category, device or version; several values with commas",
    )
    parser.add_argument("--scope", default="", metavar="NAME", help="what a saved scope of the server holds alone")
    parser.add_argument("--needs", type=Path, metavar="CSV", help="the very runs that plan.csv of a ranking names")
    parser.add_argument("--server", default="", metavar="URL", help="address of the site (default: UPREG_SERVER)")
    return parser


def _token() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument(
        "--token-file", type=Path, metavar="FILE", help="file that holds the token (default: UPREG_TOKEN holds it)"
    )
    return parser


def _push() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument(
        "--push",
        nargs="?",
        const="",
        metavar="SERVER",
        help="bring runs in as they are made (to UPREG_SERVER)",
    )
    parser.add_argument("--batch", default="", metavar="NAME", help="put the runs into this batch and complete it")
    parser.add_argument(
        "--batch-version", default="", metavar="NAME", help="the OS version that it is about (default: the newest)"
    )
    parser.add_argument("--keep-open", action="store_true", help="leave the batch open: other hosts push into it")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")
    return parser


def _cache() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="where drivers keep what they download")
    return parser
