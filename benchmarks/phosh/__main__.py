"""Films a phone's own shell and apps as they run: `python -m benchmarks.phosh OUT [--seed N] [--only NAME]`.

Runs Phosh, the shell of phones on which Debian runs, with its keyboard and apps of GNOME on a screen of 720 × 1440
px that is nowhere, uses them, and keeps each picture that is shown, with the time at which it came. So what changes
when is known, to the slot of the screen. Nothing stands still meanwhile: frames are late and dropped as they are.
With `--apps qt` it uses apps of two other systems for phones instead, Plasma Mobile and Ubuntu Touch.
The seed draws light or dark, a finger or a cursor, and how long a film is before the action. Writes a recording
without loss of each interaction, `truth.csv` for `python -m benchmarks.accuracy --devices OUT` and for
`benchmarks.rerecorded`, and `runs.csv`: with that and `truth.csv`, `benchmarks.recaptured` records them with what
systems draw over them. A caret and the minutes of the bar's clock are no answer. Leave the machine alone while it
films.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path

from benchmarks.flutter.filming import NothingShownError
from benchmarks.flutter.keeping import Rows, keep_all, keep_film
from benchmarks.phosh import qt
from benchmarks.phosh.filming import Look, film
from benchmarks.phosh.interactions import INTERACTIONS, Interaction
from benchmarks.phosh.session import SCALE, MissingError

APPS = {"gnome": INTERACTIONS, "qt": qt.INTERACTIONS}


def main(argv: list[str] | None = None) -> int:
    """Film, and write what is true; what is there of others is kept. Return 1 if any does not answer."""
    parser = _parser()
    asked = parser.parse_args(argv)
    told = [one for one in APPS[asked.apps] if asked.only in one.name]
    if not told:
        parser.error(f"no interaction is called *{asked.only}*")
    asked.out.mkdir(parents=True, exist_ok=True)
    films = [(one.name, partial(_filmed, asked.out, asked.seed, asked.apps, one)) for one in told]
    try:
        return 1 if keep_all(asked.out, films, (NothingShownError,)) else 0
    except MissingError as error:
        raise SystemExit(str(error)) from error


def _filmed(out: Path, seed: int, apps: str, told: Interaction) -> Rows:
    """Film one interaction and return its lines of the tables; raises NothingShownError if it cannot be."""
    look = Look.drawn(told.name, seed)
    at = [SCALE * each for each in told.gesture[1:3]]
    rows = keep_film(out, film(told, look), told.name, told.kind, apps, at)
    said = rows["truth.csv"]
    said["note"] += f", {'cursor' if look.cursor else 'finger'}"
    if not told.settles:
        said |= {"finish_ms": None, "finish_visible_ms": None}
    return rows


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.phosh", description=__doc__)
    parser.add_argument("out", type=Path, help="folder for the videos and their truth")
    parser.add_argument("--apps", choices=APPS, default="gnome", help="whose: the shell's and GNOME's, or Qt's")
    parser.add_argument("--only", default="", help="part of an interaction's name, as in panel-tap")
    parser.add_argument("--seed", type=int, default=1, help="another one draws other looks and other times")
    return parser


if __name__ == "__main__":
    sys.exit(main())
