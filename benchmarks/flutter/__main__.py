"""Films Flutter's own widgets, with known truth: `python -m benchmarks.flutter OUT [--seed N] [--jobs N]`.

Fetches Flet, whose packages hold Flutter for browsers, into an environment of its own in `--cache`, and serves an
app that only puts widgets of Material and Cupertino together; how they answer and move is Flutter's. Chromium
shows it as on a phone, by a clock of ours, so that what changes when is known. The seed draws light or dark, the
colours and how pages open. Writes a recording without loss of each interaction, `truth.csv` for
`python -m benchmarks.accuracy --devices OUT` and for `benchmarks.rerecorded`, and `runs.csv`: with that and
`truth.csv`, `benchmarks.recaptured` records them with what systems draw over them. A caret is no answer.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import venv
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import sync_playwright

from benchmarks.flutter.filming import Look, NothingShownError, film, on_stage
from benchmarks.flutter.keeping import Rows, keep_all, keep_film
from benchmarks.phones.filming import FLAGS, SCALE
from tests.find_browser import find_browser

PACKAGES = ("flet==1.0.5", "flet-web==1.0.5")  # Apache 2.0; its wheels hold Flutter's engine and all widgets
ALONE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"  # Flet asks for more than it needs
ROOT = Path(__file__).parents[2]


def main(argv: list[str] | None = None) -> int:
    """Serve, film, and write what is true; what is there of others is kept. Return 1 if any does not answer."""
    parser = _parser()
    asked = parser.parse_args(argv)
    with _served(_environment(asked.cache)) as address:
        told = [one for one in httpx.get(f"{address}/interactions").json() if asked.only in _name(one)]
        if not told:
            parser.error(f"no interaction is called *{asked.only}*")
        asked.out.mkdir(parents=True, exist_ok=True)
        with ThreadPoolExecutor(asked.jobs) as pool:  # most of the time pages are waited for
            begin = partial(pool.submit, _filmed, asked.out, address, asked.seed)
            silent = keep_all(asked.out, [(_name(one), begin(one).result) for one in told], (NothingShownError,))
    return 1 if silent else 0


def _name(told: dict[str, Any]) -> str:
    return f"{told['scene']}-{told['name']}"


def _filmed(out: Path, address: str, seed: int, told: dict[str, Any]) -> Rows:
    """Film one interaction and return its lines of the tables; raises NothingShownError if it cannot be."""
    name = _name(told)
    look = Look.drawn(name, seed)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=[*FLAGS, ALONE])
        with on_stage(browser, address, name, look) as stage:
            take = film(stage, told, look)
        browser.close()
    at = None if told["gesture"][0] == "key" else [SCALE * each for each in told["gesture"][1:3]]
    return keep_film(out, take, name, take.about["type"], "flutter", at)


def _environment(cache: Path) -> Path:
    """Return the Python of an environment that has Flet; it is made unless it is there."""
    folder = cache.resolve() / "-".join(PACKAGES).replace("==", "-")
    python = folder / "bin" / "python"
    done = folder / "complete"
    if not done.exists():
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
        done.touch()
    return python


@contextmanager
def _served(python: Path) -> Iterator[str]:
    """Serve the app on a port that is free, and return its address."""
    command = [python, "-m", "benchmarks.flutter.app.server"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            port = process.stdout.readline().strip()
            if not port:
                raise SystemExit("the app does not start: what Python says of it is above")
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.flutter", description=__doc__)
    parser.add_argument("out", type=Path, help="folder for the videos and their truth")
    parser.add_argument("--cache", type=Path, default=Path("var/flutter"), help="folder for Flet")
    parser.add_argument("--only", default="", help="part of a scene's and an interaction's name, as in dialog-open")
    parser.add_argument("--seed", type=int, default=1, help="another one draws other looks and other times")
    parser.add_argument("--jobs", type=int, default=2, help="so many pages at once")
    return parser


if __name__ == "__main__":
    sys.exit(main())
