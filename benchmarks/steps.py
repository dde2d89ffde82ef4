"""A benchmark in steps, each timed in a process of its own, so that its peak memory is its own.

The database is SQLite in a folder, which is kept and used again where one is named: `UPREG_VAR_DIR=DIR` opens it.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Found = dict[str, Any]


@dataclass(frozen=True)
class Stepwise:
    """A benchmark: the module that `python -m` runs, its docstring, its steps with their titles, its sizes.

    ``find`` gives the step of a name, once Django is set up; the step ``fill`` makes the database and is left out
    where there is one. There, ``before`` is done first, untold.
    """

    module: str
    doc: str
    steps: tuple[tuple[str, str], ...]
    sizes: dict[str, int]
    find: Callable[[argparse.Namespace], Callable[[], Found]]
    before: str = ""

    def main(self, argv: list[str] | None = None) -> int:
        """Run all steps, or (in a child process) one."""
        options = self._parser().parse_args(argv)
        if options.step:
            print(json.dumps(self._one(options)))
            return 0
        with tempfile.TemporaryDirectory() as temporary:
            folder = options.folder or Path(temporary)
            folder.mkdir(parents=True, exist_ok=True)
            known = (folder / "upreg.sqlite3").exists()
            if known and self.before:
                self._in_child(self.before, folder, options)
            for step, title in self.steps[known:]:
                _print(title, self._in_child(step, folder, options))
        return 0

    def _in_child(self, step: str, folder: Path, options: argparse.Namespace) -> Found:
        sizes = [f"--{name}={getattr(options, name)}" for name in self.sizes]
        command = [sys.executable, "-m", self.module, f"--step={step}", f"--folder={folder}", *sizes]
        environment = {**os.environ, "UPREG_VAR_DIR": str(folder), "UPREG_LOG_LEVEL": "WARNING"}
        answer = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
        return json.loads(answer.stdout.splitlines()[-1])

    def _one(self, options: argparse.Namespace) -> Found:
        import django

        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "upreg_site.settings")
        django.setup()
        if options.step == "fill":
            from django.core.management import call_command

            call_command("migrate", verbosity=0)
            call_command("collectstatic", interactive=False, verbosity=0)
        return _timed(self.find(options))

    def _parser(self) -> argparse.ArgumentParser:
        parser = argparse.ArgumentParser(
            prog=f"python -m {self.module}",
            description=self.doc,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        parser.add_argument("--folder", type=Path, help="keep the database here")
        for name, size in self.sizes.items():
            parser.add_argument(f"--{name}", type=int, default=size, help="%(default)s")
        parser.add_argument("--step", choices=[*dict(self.steps), self.before], help=argparse.SUPPRESS)
        return parser


def percentiles(seconds: list[float]) -> NDArray[np.float64]:
    """Return median, 95th percentile and maximum in ms."""
    return np.percentile(np.array(seconds) * 1000.0, [50, 95, 100])


def _timed(step: Callable[[], Found]) -> Found:
    """Run a step; add its wall and processor time in s and the peak memory of this process in MB."""
    started, worked = time.perf_counter(), time.process_time()
    found = step()
    seconds, cpu = time.perf_counter() - started, time.process_time() - worked
    return {"s": seconds, "cpu": cpu, "MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, **found}


def _print(title: str, found: Found) -> None:
    numbers = [f"{found.pop('s'):7.2f} s", f"{found.pop('cpu'):6.2f} s CPU", f"{found.pop('MB'):5.0f} MB"]
    shown = {name: round(value) if isinstance(value, float) else value for name, value in found.items()}
    more = [f"{name} {value}" for name, value in shown.items()]
    print("  ".join([f"{title:36}", *numbers, ", ".join(more)]), flush=True)
