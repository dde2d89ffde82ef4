"""What measuring says of many recordings, kept and compared: `python -m benchmarks.golden NAME MANIFEST`.

A change that only moves code must leave every outcome, metric and piece of evidence as it was. A run with `--keep`
writes `benchmarks/golden/NAME.jsonl.gz`; every later run names what differs from it. The file is no truth: it says
what was measured, not what is right (benchmarks.accuracy says that).
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from analysis.batch import measure_jobs, read_jobs

FOLDER = Path(__file__).parent / "golden"
DIGITS = 2  # floats may differ in their last digits from one processor to the next


def main(argv: list[str] | None = None) -> int:
    """Measure, then keep or compare."""
    options = _parser().parse_args(argv)
    jobs = [job for job in read_jobs(options.manifest) if options.only in job.name]
    rows = list(_progress(map(rounded, measure_jobs(jobs, options.jobs)), len(jobs)))
    path = FOLDER / f"{options.name}.jsonl.gz"
    if options.keep:
        write_rows(path, rows)
        print(f"kept {len(rows)} rows in {path.name}")
        return 0
    known = {row["video"]: row for row in read_rows(path)}
    changed = [(row["video"], list(differences(known.get(row["video"], {}), row))) for row in rows]
    changed = [(video, lines) for video, lines in changed if lines]
    for video, lines in changed[: options.most]:
        print(video, *lines, sep="\n    ")
    print(f"{len(changed)} of {len(rows)} recordings differ from {path.name}")
    return 1 if changed else 0


def rounded(value: Any) -> Any:
    """Return a JSON value with its floats rounded."""
    if isinstance(value, dict):
        return {key: rounded(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(inner) for inner in value]
    return round(value, DIGITS) + 0.0 if isinstance(value, float) else value


def differences(known: dict[str, Any], now: dict[str, Any], place: str = "") -> Iterator[str]:
    """Yield a line for each value that differs, with its place."""
    for key in sorted({*known, *now}):
        before, after, name = known.get(key), now.get(key), f"{place}{key}"
        if isinstance(before, dict) and isinstance(after, dict):
            yield from differences(before, after, f"{name}.")
        elif before != after:
            yield f"{name}: {_short(before)} → {_short(after)}"


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Return the rows that were kept."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def write_rows(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Keep rows; the same rows make the same file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(row, ensure_ascii=False, sort_keys=True) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 100 else f"{text[:97]}…"


def _progress(rows: Iterable[dict[str, Any]], total: int) -> Iterator[dict[str, Any]]:
    for done, row in enumerate(rows, 1):
        print(f"\r{done}/{total}", end="", file=sys.stderr, flush=True)
        yield row
    print(file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.golden", description=__doc__)
    parser.add_argument("name", help="which golden file: samples, corpus")
    parser.add_argument("manifest")
    parser.add_argument("--keep", action="store_true", help="write the file instead of comparing with it")
    parser.add_argument("--only", default="", help="only videos whose name contains this")
    parser.add_argument("--jobs", type=int, default=1, help="videos measured at once")
    parser.add_argument("--most", type=int, default=20, help="how many recordings that differ to list")
    return parser


if __name__ == "__main__":
    sys.exit(main())
