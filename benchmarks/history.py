"""How the history holds at the size of a phone maker: `python -m benchmarks.history [--folder DIR]`.

300 apps × 10 interactions × 60 versions × 20 runs: 3.6 million values in SQLite. Every step runs in a process of
its own, so that its peak memory is its own. With --folder the database is kept (UPREG_VAR_DIR=DIR opens it) and
used again.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

STEPS = (
    ("fill", "write all runs"),
    ("line", "history of all versions but the last"),
    ("one", "one more version"),
    ("again", "the same, nothing changed"),
    ("middle", "a version in the middle changed"),
    ("pages", "matrix, 60 requests"),
)
SIZES = {"apps": 300, "interactions": 10, "versions": 60, "runs": 20}


def main(argv: list[str] | None = None) -> int:
    """Run all steps, or (in a child process) one."""
    options = _parser().parse_args(argv)
    if options.step:
        print(json.dumps(_one(options)))
        return 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        known = (folder / "upreg.sqlite3").exists()
        for step, title in STEPS[known:]:
            _print(title, _in_child(step, folder, options))
    return 0


def _in_child(step: str, folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    sizes = [f"--{name}={getattr(options, name)}" for name in SIZES]
    command = [sys.executable, "-m", "benchmarks.history", f"--step={step}", *sizes]
    environment = {**os.environ, "UPREG_VAR_DIR": str(folder), "UPREG_LOG_LEVEL": "WARNING"}
    answer = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(answer.stdout.splitlines()[-1])


def _one(options: argparse.Namespace) -> dict[str, Any]:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "upreg_site.settings")
    django.setup()
    from benchmarks import history_steps
    from benchmarks.scale_steps import timed

    if options.step == "fill":
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        return timed(lambda: history_steps.step_fill(**{name: getattr(options, name) for name in SIZES}))
    return timed(getattr(history_steps, f"step_{options.step}"))


def _print(title: str, found: dict[str, Any]) -> None:
    numbers = [f"{found.pop('s'):7.2f} s", f"{found.pop('cpu'):6.2f} s CPU", f"{found.pop('MB'):5.0f} MB"]
    more = ", ".join(
        f"{name} {round(value) if isinstance(value, float) else value}" for name, value in found.items()
    )
    print("  ".join([f"{title:36}", *numbers, more]), flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, help="keep the database here")
    for name, size in SIZES.items():
        parser.add_argument(f"--{name}", type=int, default=size)
    parser.add_argument("--step", choices=list(dict(STEPS)), help=argparse.SUPPRESS)
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
