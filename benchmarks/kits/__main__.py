"""Films widgets of kits for the web, with known truth: `python -m benchmarks.kits OUT [--seed N] [--jobs N]`.

Many apps of phones are pages in a shell, made of such kits. Fetches Framework7, Ionic, Vant and Ant Design Mobile
from npm into `--cache` and serves pages that only put their widgets together; how they answer and move is the
kits'. Chromium draws them frame by frame of a clock that is ours, so that what changes when is known. The seed
draws light or dark, the colours, and the look of iOS or of Android where a kit has both. What Chromium itself
scrolls is left out: a frame that is begun from outside may not end then. Writes a recording without loss of each
interaction, `truth.csv` for `python -m benchmarks.accuracy --devices OUT` and for `benchmarks.rerecorded`, and
`runs.csv`: with that and `truth.csv`, `benchmarks.recaptured` records them with what systems draw over them. A
caret is no answer.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.flutter.filming import Look, NothingShownError, film
from benchmarks.flutter.keeping import Rows, keep_all, keep_film
from benchmarks.kits.browser import NEEDED, BrowserError, find_shell
from benchmarks.kits.filming import on_stage
from benchmarks.kits.serving import served
from upreg_recorder.drivers.chromium import npm
from upreg_recorder.failures import RecorderError

APPS = Path(__file__).with_name("apps")
KITS = ("framework7", "ionic", "vant", "antd")
PACKAGES = {  # what a page names, and what it is: all of them under the MIT licence
    "framework7": "framework7@9.2.0",
    "@ionic/core": "@ionic/core@9.0.5",
    "ionicons": "ionicons@8.1.0",
    "vant": "vant@4.10.2",
    "vue": "vue@3.5.45",
    "antd-mobile": "antd-mobile@5.43.0",
    "react": "react@18.3.1",
    "react-dom": "react-dom@18.3.1",
}


def main(argv: list[str] | None = None) -> int:
    """Fetch, serve, film, and write what is true; what is there of others is kept. Return 1 if any fails."""
    parser = _parser()
    asked = parser.parse_args(argv)
    executable = find_shell()
    if executable is None:
        raise SystemExit(NEEDED)
    try:
        folders = {name: npm.fetch(package, asked.cache) for name, package in PACKAGES.items()}
    except RecorderError as error:
        raise SystemExit(str(error)) from error
    with served({"apps": APPS, **folders}) as address:
        told = [one for kit in KITS for one in interactions(executable, address, kit) if asked.only in name_of(one)]
        if not told:
            parser.error(f"no interaction is called *{asked.only}*")
        asked.out.mkdir(parents=True, exist_ok=True)
        with ThreadPoolExecutor(asked.jobs) as pool:  # Chromium does most of it, in processes of its own
            begin = partial(pool.submit, filmed, asked.out, executable, address, asked.seed)
            under_way = [(name_of(one), begin(one).result) for one in told]
            silent = keep_all(asked.out, under_way, (NothingShownError, BrowserError))
    return 1 if silent else 0


def interactions(executable: str, address: str, kit: str) -> list[dict[str, Any]]:
    """Return what is done with a kit."""
    with on_stage(executable, page_of(address, kit), Look(False, False, 0, 0)) as stage:
        return [{"kit": kit, **one} for one in stage.interactions()]


def page_of(address: str, kit: str) -> str:
    """Return where the pages of a kit are served."""
    return f"{address}/apps/{kit}.html"


def name_of(told: dict[str, Any]) -> str:
    """Return what an interaction is called."""
    return f"{told['kit']}-{told['scene']}-{told['name']}"


def filmed(out: Path, executable: str, address: str, seed: int, told: dict[str, Any]) -> Rows:
    """Film one interaction and return its lines of the tables; raises NothingShownError if it cannot be."""
    name = name_of(told)
    look = Look.drawn(name, seed)
    with on_stage(executable, page_of(address, told["kit"]), look, told["scene"]) as stage:
        take = film(stage, told, look)
        at = None if told["gesture"][0] == "key" else stage.pressed
    return keep_film(out, take, name, take.about["type"], told["kit"], at)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kits", description=__doc__)
    parser.add_argument("out", type=Path, help="folder for the videos and their truth")
    parser.add_argument("--cache", type=Path, default=Path("var/kits"), help="folder for the packages")
    parser.add_argument("--only", default="", help="part of an interaction's name, as in ionic-dialogs-alert")
    parser.add_argument("--seed", type=int, default=1, help="another one draws other looks and other times")
    parser.add_argument("--jobs", type=int, default=2, help="so many pages at once")
    return parser


if __name__ == "__main__":
    sys.exit(main())
