"""How it holds at the size of a phone maker: `python -m benchmarks.scale [--folder DIR]`.

3,000 interactions in 300 apps × 2 versions × 20 runs: 120,000 runs, imported through a manifest, in SQLite. Then
one interaction with 10,000 runs on each of two further versions. Every
step runs in a process of its own. With --folder the database is kept (UPREG_VAR_DIR=DIR opens it) and used again.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

STEPS = (
    ("fill", "import and measure all runs"),
    ("compare", "full comparison"),
    ("compare", "again, nothing changed"),
    ("exclude", "exclude one run"),
    ("compare", "again, one run changed"),
    ("gate", "release gate"),
    ("pages", "ranking page, 60 requests"),
    ("crowd", "10,000 runs a side"),
)


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
        if known:
            _in_child("forget", folder, options)
        for step, title in STEPS[known:]:
            _print(title, _in_child(step, folder, options))
    return 0


def _in_child(step: str, folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    sizes = [f"--{name}={getattr(options, name)}" for name in ("apps", "interactions", "runs")]
    command = [sys.executable, "-m", "benchmarks.scale", f"--step={step}", f"--folder={folder}", *sizes]
    environment = {**os.environ, "UPREG_VAR_DIR": str(folder), "UPREG_LOG_LEVEL": "WARNING"}
    answer = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(answer.stdout.splitlines()[-1])


def _one(options: argparse.Namespace) -> dict[str, Any]:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "upreg_site.settings")
    django.setup()
    from benchmarks import scale_steps

    step = getattr(scale_steps, f"step_{options.step}")
    if options.step == "fill":
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        step = partial(step, options.folder, options.apps, options.interactions, options.runs)
    return scale_steps.timed(step)


def _print(title: str, found: dict[str, Any]) -> None:
    numbers = [f"{found.pop('s'):7.2f} s", f"{found.pop('cpu'):6.2f} s CPU", f"{found.pop('MB'):5.0f} MB"]
    shown = {name: round(value) if isinstance(value, float) else value for name, value in found.items()}
    more = [f"{name} {value}" for name, value in shown.items()]
    print("  ".join([f"{title:28}", *numbers, ", ".join(more)]), flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, help="keep the database here")
    parser.add_argument("--apps", type=int, default=300)
    parser.add_argument("--interactions", type=int, default=3000)
    parser.add_argument("--runs", type=int, default=20, help="per interaction and version")
    parser.add_argument("--step", choices=[*dict(STEPS), "forget"], help=argparse.SUPPRESS)
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
