"""Records apps once more, as other recorders do: `python -m benchmarks.recaptured OUT MANIFEST TRUTH [--seed N]`.

MANIFEST and TRUTH are those of recordings whose moments are known (benchmarks/accuracy.py), with a frame for each
change. Some are written again, each with something drawn over it (overlays.py) and by another kind of recorder; the
app's moments stay what they are, and which of them an eye still sees is told anew where the app becomes smaller.
The seed draws which recording comes with which overlay and recorder. Writes videos and `truth.csv` into OUT, for
`python -m benchmarks.accuracy --devices OUT`. Dropped frames are not told.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.phones.__main__ import keep_truth
from benchmarks.recaptured.overlays import dragging, finger
from benchmarks.recaptured.recording import DRAWN, RECORDERS, WAYS, record_again
from benchmarks.sharing import in_order

DRAGS = (dragging, finger)  # drawn over recordings in which a finger moves


def main(argv: list[str] | None = None) -> int:
    """Record each pair of an overlay and a recorder once."""
    asked = _parser().parse_args(argv)
    manifest = pd.read_csv(asked.manifest)
    usable = manifest[manifest["capture"].eq("vfr") | ~manifest["interaction"].isin(_at_variable_rate(manifest))]
    known = usable.merge(pd.read_csv(asked.truth), on="video")
    jobs = []
    for name, making in DRAWN.items():
        for recorder in (one for one in RECORDERS if asked.only in f"{name}+{one.name}"):
            random = np.random.default_rng(zlib.crc32(f"{asked.seed} {name} {recorder.name}".encode()))
            fitting = known[known["interaction_type"].isin(WAYS)] if making in DRAGS else known
            if not fitting.empty:
                row = fitting.iloc[int(random.integers(len(fitting)))]
                jobs.append((row, recorder, name, random))
    for said in in_order(partial(record_again, asked.manifest.parent, asked.out), jobs, asked.jobs):
        keep_truth(asked.out / "truth.csv", [said])
        print(said["video"], flush=True)
    return 0


def _at_variable_rate(manifest: pd.DataFrame) -> set[str]:
    return set(manifest.loc[manifest["capture"].eq("vfr"), "interaction"])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recaptured", description=__doc__)
    parser.add_argument("out", type=Path, help="folder for the videos and their truth")
    parser.add_argument("manifest", type=Path)
    parser.add_argument("truth", type=Path)
    parser.add_argument("--only", default="", help="part of an overlay's and a recorder's name, as in cursor+gif10")
    parser.add_argument("--seed", type=int, default=1, help="another one draws other recordings and other times")
    parser.add_argument("--jobs", type=int, default=1, help="so many processes")
    return parser


if __name__ == "__main__":
    sys.exit(main())
