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
from pathlib import Path
from typing import Any

from benchmarks.flutter.__main__ import LOSSLESS, UNKNOWN
from benchmarks.flutter.filming import NothingShownError
from benchmarks.phones.__main__ import keep_truth, truth
from benchmarks.phones.captures import write
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
    silent = 0
    for one in told:
        try:
            rows = _filmed(asked.out, asked.seed, asked.apps, one)
        except NothingShownError as error:
            silent += 1
            print(f"{one.name}: {error}", file=sys.stderr, flush=True)
            continue
        except MissingError as error:
            raise SystemExit(str(error)) from error
        for file, row in rows.items():
            keep_truth(asked.out / file, [row])
        print(rows["truth.csv"]["video"], flush=True)
    return 1 if silent else 0


def _filmed(out: Path, seed: int, apps: str, told: Interaction) -> dict[str, dict[str, Any]]:
    """Film one interaction and return its lines of the tables; raises NothingShownError if it cannot be."""
    look, video = Look.drawn(told.name, seed), f"videos/{told.name}.mp4"
    take = film(told, look)
    write(take, LOSSLESS, out / video)
    said = {"video": video, **truth(take, list(take.times_ms)), **dict.fromkeys(UNKNOWN)}
    if not told.settles:
        said |= {"finish_ms": None, "finish_visible_ms": None}
    note = f"{told.name.replace('-', ' ').replace('_', ' ')}, {'cursor' if look.cursor else 'finger'}"
    kinds = {"interaction_type": told.kind, "class": apps, "recorded": "lossless", "note": note}
    x, y = (SCALE * each for each in told.gesture[1:3])
    row = {"video": video, "capture": "vfr", "interaction": told.name, "x": x, "y": y}
    return {"truth.csv": said | kinds, "runs.csv": row}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.phosh", description=__doc__)
    parser.add_argument("out", type=Path, help="folder for the videos and their truth")
    parser.add_argument("--apps", choices=APPS, default="gnome", help="whose: the shell's and GNOME's, or Qt's")
    parser.add_argument("--only", default="", help="part of an interaction's name, as in panel-tap")
    parser.add_argument("--seed", type=int, default=1, help="another one draws other looks and other times")
    return parser


if __name__ == "__main__":
    sys.exit(main())
