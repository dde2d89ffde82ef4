"""What damaged files do to measuring: `python -m benchmarks.mutations --count 5000 --seed 1`.

Renders ten short clips (MP4, MOV, fragmented MP4, MKV, WebM, AVI; constant and variable rate, with and without
reordered pictures), damages copies of them, measures each in a process of its own with a time limit, and prints a
table by kind of damage and one by clip. An answer may differ from that of the undamaged clip only if the pictures
do: if their bytes, or how these are to be decoded, are damaged or gone. WRONG is any other answer that differs, by
more than half a picture at 60 Hz or by a dropped frame.
Ends with 1 if there is one, an exception or a hang; `--keep FOLDER` keeps those files.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from fractions import Fraction
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Protocol

import pandas as pd

from analysis.measure import measure_screencast
from analysis.options import MeasureOptions
from analysis.video.opening import open_container
from tests.synthetic import Clip, Screen, every, film

LIMIT_S = 20.0  # a clip takes some 20 ms; the first one of a process also loads the kernels
SAME_MS = 8.5  # half a picture: so late a recorder may write one, and it is no damage
RESULTS = ("unreadable", "same answer", "other pictures", "WRONG", "exception", "hang")
BAD = RESULTS[3:]
OPTIONS = MeasureOptions(action_ms=100.0)
SCREEN = Screen(96, 176)
UNEVEN_MS = [0.0, 33.0, 50.0, 117.0, 184.0, *(200.0 + 17 * step for step in range(18)), 700.0, 850.0, 901.0]
X265 = {"x265-params": "log-level=none:bframes=3", "preset": "ultrafast"}
VPX = {"deadline": "realtime", "cpu-used": "8"}
FRAGMENTS = {"movflags": "frag_keyframe+empty_moov"}
CLIPS: dict[str, tuple[Clip, dict[str, str]]] = {
    "h264-60hz.mp4": (Clip(every(60, 0.75)), {}),
    "h264-uneven.mp4": (Clip(UNEVEN_MS), {}),
    "h264-reordered.mp4": (Clip(every(60, 0.75), b_frames=3), {"movflags": "faststart"}),
    "hevc-uneven.mov": (Clip(UNEVEN_MS, "libx265", X265, b_frames=3), {}),
    "h264-fragments.mp4": (Clip(UNEVEN_MS, gop=6), FRAGMENTS),
    "h264-60hz.mkv": (Clip(every(60, 0.75), gop=12), {}),
    "h264-uneven.mkv": (Clip(UNEVEN_MS, b_frames=3), {}),
    "vp9-60hz.webm": (Clip(every(60, 0.75), "libvpx-vp9", VPX), {}),
    "vp8-uneven.webm": (Clip(UNEVEN_MS, "libvpx", {"deadline": "good", "cpu-used": "4"}), {}),
    "mpeg4-30hz.avi": (Clip(every(30, 0.8), "mpeg4", {}, time_base=Fraction(1, 30)), {}),
}


@dataclass(frozen=True)
class Original:
    """A clip before it is damaged: its bytes, its pictures, how they are decoded, where none lie, its answer."""

    name: str
    data: bytes
    pictures: tuple[bytes, ...]
    described: bytes
    tables: tuple[tuple[int, int], ...]
    answer: Any


class Measures(Protocol):
    """What measures damaged files."""

    def measure(self, path: str) -> dict[str, Any] | str:
        """Return the answer for a file, or `exception: …` or `hang`."""


Damage = Callable[[random.Random, Original], bytes]


def main(argv: list[str] | None = None) -> int:
    """Damage, measure, print the tables."""
    options = _parser().parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        originals = render(Path(folder), options.clips)
        with ExitStack() as stack:
            measurers = [stack.enter_context(closing(Measurer(options.limit))) for _ in range(options.workers)]
            rows = list(run(originals, range(options.count), options.seed, measurers, options.keep))
    table = pd.DataFrame(rows)
    for column in ("damage", "clip"):
        counts = pd.crosstab(table[column], table["result"], margins=True, margins_name="all")
        print(
            counts.rename(columns={"all": "tries"}).reindex(columns=["tries", *RESULTS], fill_value=0).to_string()
        )
        print()
    for row in rows:
        if row["result"] in BAD:
            print(f"{row['result']}: {row['clip']} {row['number']} ({row['damage']}): {row['note']}")
    return int(table["result"].isin(BAD).any())


def render(folder: Path, names: Iterable[str] = CLIPS) -> list[Original]:
    """Render the clips and measure them as they are."""
    return [_original(folder / name, *CLIPS[name]) for name in names]


def run(
    originals: list[Original], numbers: Sequence[int], seed: int, measurers: Sequence[Measures], keep: str = ""
) -> Iterator[dict[str, Any]]:
    """Yield what came of each damaged file: number, clip, damage, result and a note; the same for the same seed."""
    free: SimpleQueue[Measures] = SimpleQueue()
    for measurer in measurers:
        free.put(measurer)

    def one(number: int) -> dict[str, Any]:
        rng = random.Random(seed * 1_000_003 + number)
        original, damage = originals[number % len(originals)], rng.choice(list(DAMAGES))
        data = DAMAGES[damage](rng, original)
        measurer = free.get()
        try:
            result, note = judge(original, data, measurer)
        finally:
            free.put(measurer)
        if keep and result in BAD:
            Path(keep, f"{number}-{original.name}").write_bytes(data)
        return {"number": number, "clip": original.name, "damage": damage, "result": result, "note": note}

    with ThreadPoolExecutor(len(measurers)) as pool:
        yield from pool.map(one, numbers)


def judge(original: Original, data: bytes, measurer: Measures) -> tuple[str, str]:
    """Return what came of a damaged file, and the answer where it is wrong."""
    with tempfile.NamedTemporaryFile(suffix=original.name) as file:
        file.write(data)
        file.flush()
        answer = measurer.measure(file.name)
    if isinstance(answer, str):
        return answer.split(":", 1)[0], answer
    if answer["outcome"] == "unreadable":
        return "unreadable", answer["message"]
    if same(answer, original.answer):
        return "same answer", ""
    if original.described not in data or not _holds(data, original.pictures):
        return "other pictures", ""
    return "WRONG", f"{answer}, not {original.answer}"


def same(answer: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two answers say the same; an answer that there is none (too short, no response) is one as well."""
    plain = answer["outcome"] == other["outcome"] and answer["settles"] == other["settles"]
    pairs = ((key, value, other["metrics"][key]) for key, value in answer["metrics"].items())
    return plain and all(_near(*pair, SAME_MS if key.endswith("_ms") else 0.0) for key, *pair in pairs)


def _near(one: float | None, other: float | None, off: float) -> bool:
    return one is other if one is None or other is None else abs(one - other) <= off


def _holds(data: bytes, pictures: tuple[bytes, ...]) -> bool:
    """Whether the bytes of all pictures are still there, in their order."""
    at = 0
    for picture in pictures:
        found = data.find(picture, at)
        if found < 0:
            return False
        at = found + len(picture)
    return True


class Measurer:
    """A process that measures one file after another; it is replaced when it dies or takes too long."""

    def __init__(self, limit_s: float = LIMIT_S) -> None:
        self._limit_s = limit_s
        self._start()

    def measure(self, path: str) -> dict[str, Any] | str:
        """Return the answer for a file, or `exception: …` or `hang`."""
        try:
            self._pipe.send(path)
            if self._pipe.poll(self._limit_s):
                answer: dict[str, Any] | str = self._pipe.recv()
                return answer
        except (EOFError, OSError):
            self.close()
            code = self._process.exitcode
            self._start()
            return f"exception: the process died ({code})"
        self.close()
        self._start()
        return "hang"

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.join()
        self._pipe.close()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe: Connection
        self._pipe, theirs = context.Pipe()
        self._process: BaseProcess = context.Process(target=_measure_files, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()


def _measure_files(pipe: Connection) -> None:
    while True:
        try:
            path = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send(answer_of(Path(path)))
        except Exception as error:
            pipe.send(f"exception: {type(error).__name__}: {error}")


def answer_of(path: Path) -> dict[str, Any]:
    """Return what is measured on a file, as far as it is compared."""
    measured = measure_screencast(path, OPTIONS, threads=1)
    return {name: getattr(measured, name) for name in ("outcome", "message", "metrics", "settles")}


def _original(path: Path, clip: Clip, muxing: dict[str, str]) -> Original:
    film(path, SCREEN, paint, clip, {"fflags": "bitexact", **muxing})  # without: other random numbers in each file
    with open_container(path) as container:
        packets = [bytes(packet) for packet in container.demux(video=0) if packet.size]
        described = container.streams.video[0].codec_context.extradata or b""
    data, at, edges = path.read_bytes(), 0, [0]
    for packet in packets:
        at = data.index(packet, at)
        edges += [at, at := at + len(packet)]
    edges.append(len(data))
    tables = tuple((start, end) for start, end in zip(edges[::2], edges[1::2], strict=True) if end > start)
    return Original(path.name, data, tuple(packets), described, tables, answer_of(path))


def paint(picture: Any, time_ms: float) -> None:
    """Draw the clip's scene: a card opens at 200 ms, another slides until 480 ms."""
    if time_ms >= 200:
        picture[20:60, 10:40] = (170, 40, 40)
    if time_ms >= 300:
        picture[80:150, 30:80] = (40, 40, int(min(time_ms, 480) / 2))
    if 300 <= time_ms < 480:
        top = int(time_ms - 300) // 2
        picture[top : top + 30, 60:90] = 0


def _somewhere(rng: random.Random, original: Original) -> int:
    """Return a position outside of the pictures: one table after the other is as likely as it is long."""
    start, end = rng.choices(original.tables, [end - start for start, end in original.tables])[0]
    return rng.randrange(start, end)


def _stretch(rng: random.Random, data: bytes) -> tuple[int, int]:
    start = rng.randrange(len(data))
    return start, min(len(data), start + rng.choice((1, 4, 8, 16, 100, 1000, 5000)))


def _flip(rng: random.Random, original: Original) -> bytes:
    data = bytearray(original.data)
    for _ in range(rng.choice((1, 1, 2, 8))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def _flip_in_table(rng: random.Random, original: Original) -> bytes:
    data = bytearray(original.data)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        data[_somewhere(rng, original)] ^= 1 << rng.randrange(8)
    return bytes(data)


def _number_in_table(rng: random.Random, original: Original) -> bytes:
    data = bytearray(original.data)
    at, size = _somewhere(rng, original), rng.choice((1, 2, 4, 8))
    order: Any = rng.choice(("big", "little"))
    old = int.from_bytes(data[at : at + size], order)
    new = rng.choice(
        (0, 1, (1 << 8 * size) - 1, 1 << (8 * size - 1), old + 1, old - 1, old * 2, old // 2, rng.getrandbits(64))
    )
    data[at : at + size] = (new % (1 << 8 * size)).to_bytes(size, order)[: len(data) - at]
    return bytes(data)


def _swap_in_table(rng: random.Random, original: Original) -> bytes:
    data, size = bytearray(original.data), rng.choice((4, 8, 12))
    at = _somewhere(rng, original)
    other = min(len(data) - size, at + size * rng.randrange(1, 4))
    data[at : at + size], data[other : other + size] = data[other : other + size], data[at : at + size]
    return bytes(data)


def _cut(rng: random.Random, original: Original) -> bytes:
    return original.data[: rng.randrange(1, len(original.data))]


def _remove(rng: random.Random, original: Original) -> bytes:
    start, end = _stretch(rng, original.data)
    return original.data[:start] + original.data[end:]


def _repeat(rng: random.Random, original: Original) -> bytes:
    start, end = _stretch(rng, original.data)
    at = rng.choice((end, rng.randrange(len(original.data))))
    return original.data[:at] + original.data[start:end] + original.data[at:]


def _swap(rng: random.Random, original: Original) -> bytes:
    (a, b), (c, d) = sorted(_stretch(rng, original.data) for _ in range(2))
    b = min(b, c)
    data = original.data
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:]


def _blank(rng: random.Random, original: Original) -> bytes:
    start, end = _stretch(rng, original.data)
    return original.data[:start] + bytes([rng.choice((0, 255))]) * (end - start) + original.data[end:]


DAMAGES: dict[str, Damage] = {
    "bits flipped anywhere": _flip,
    "bits flipped in tables": _flip_in_table,
    "numbers changed in tables": _number_in_table,
    "entries swapped in tables": _swap_in_table,
    "end cut off": _cut,
    "bytes removed": _remove,
    "bytes repeated": _repeat,
    "regions swapped": _swap,
    "bytes blanked": _blank,
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=5000, help="damaged files to measure")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--limit", type=float, default=LIMIT_S, help="seconds that a file may take")
    parser.add_argument("--clips", nargs="+", default=list(CLIPS), choices=list(CLIPS), metavar="CLIP")
    parser.add_argument("--keep", default="", help="folder for the files that went wrong")
    return parser


if __name__ == "__main__":
    sys.exit(main())
