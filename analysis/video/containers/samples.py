"""The samples of a track of an MP4 or MOV file: from its tables, or from the fragments beside its pictures."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from analysis.arrays import I64
from analysis.video.containers.boxes import Box, DamagedError, number, signed

BASE, DESCRIPTION, DURATION, SIZE, FLAGS = (
    0x01,
    0x02,
    0x08,
    0x10,
    0x20,
)  # what a fragment's head (tfhd) brings along
BASE_IS_MOOF, NOT_KNOWN = 0x020000, -(1 << 40)  # else a later track goes on where the one before ends
OFFSET, FIRST = 0x001, 0x004  # what a run (trun) brings along, besides a row of these for each sample:
IN_FRAGMENT = {
    "moof": "mfhd traf pssh meta free skip uuid",
    "traf": "tfhd tfdt trun sdtp sbgp sgpd subs saiz saio senc meta free skip uuid",
}
ROW = {"duration": 0x100, "size": 0x200, "flags": 0x400, "shift": 0x800}
MOST_SAMPLES = 2_000_000  # four hours at 120 Hz


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """The n samples of a track in decoding order, and the chunks of the file that they fill.

    Attributes
    ----------
    delta : (n,) until the next sample is decoded, in units of the track.
    shift : (n,) from decoding to presentation, in units of the track.
    chunk_start, chunk_end : (m,) bytes of the file; a start below 0 is not known.

    """

    delta: I64
    shift: I64
    chunk_start: I64
    chunk_end: I64

    @property
    def count(self) -> int:
        """Return n."""
        return len(self.delta)

    @property
    def decoded(self) -> I64:
        """(n,) when each sample is decoded."""
        return np.cumsum(self.delta) - self.delta

    @property
    def shown(self) -> I64:
        """(n,) when each sample is shown."""
        return self.decoded + self.shift


def read_tables(stbl: Box) -> Samples:
    """Return the samples that the tables list; raises DamagedError if these do not agree in number."""
    sizes = _sizes(stbl)
    count = len(sizes)
    times = stbl.need("stts").table(2)
    delta = _repeated(times[:, 1], times[:, 0], count, "the time table (stts)")
    shifts = stbl.find("ctts")
    shift = np.zeros(count, np.int64)
    if shifts and count:
        rows = shifts.table(2)
        shift = _repeated(signed(rows[:, 1]), rows[:, 0], count, "the table of presentation times (ctts)")
    start, held = _chunks(stbl, count)
    edges = np.concatenate([[0], np.cumsum(sizes)])
    ends = np.cumsum(held)
    return Samples(delta, shift, start, start + edges[ends] - edges[ends - held])


def _sizes(stbl: Box) -> I64:
    compact = stbl.find("stz2")
    if compact is not None:
        data = compact.data()
        bits, count = number(data, 7, size=1), number(data, 8)
        if bits not in (8, 16):
            raise DamagedError(f"the size table (stz2) has entries of {bits} bits")
        if len(data) < 12 + count * bits // 8:
            raise DamagedError("the size table (stz2) ends before its last entry")
        return np.frombuffer(data, f">u{bits // 8}", count, 12).astype(np.int64)
    box = stbl.need("stsz")
    data = box.data()
    one, count = number(data, 4), number(data, 8)
    if count > MOST_SAMPLES:
        raise DamagedError(f"the size table (stsz) lists {count} pictures")
    return np.full(count, one, np.int64) if one else box.table(1, after=12)[:, 0]


def _repeated(values: I64, counts: I64, expected: int, name: str) -> I64:
    total = int(counts.sum())
    if total != expected:
        raise DamagedError(f"{name} lists {total} pictures, the size table (stsz) {expected}")
    return np.repeat(values, counts)


def _chunks(stbl: Box, count: int) -> tuple[I64, I64]:
    """Return where each chunk of samples begins in the file, and how many samples it holds."""
    wide = stbl.find("co64")
    if wide is not None:
        halves = wide.table(2)
        if (halves[:, 0] >= 1 << 30).any():
            raise DamagedError("the table of chunks (co64) points behind any end")
        starts = halves[:, 0] * (1 << 32) + halves[:, 1]
    else:
        starts = stbl.need("stco").table(1)[:, 0]
    runs = stbl.need("stsc").table(3)
    kinds = number(stbl.need("stsd").data(), 4)
    first = runs[:, 0]
    if len(runs) and (first[0] != 1 or (np.diff(first) <= 0).any() or first[-1] > max(len(starts), 1)):
        raise DamagedError("the table of chunks (stsc) is out of order")
    if len(runs) and not ((runs[:, 2] >= 1) & (runs[:, 2] <= kinds)).all():
        raise DamagedError("the table of chunks (stsc) names a format that is not described (stsd)")
    held = np.repeat(runs[:, 1], np.diff(np.append(first, len(starts) + 1))) if len(runs) else runs[:, 1]
    if held.sum() != count or len(held) != len(starts) or (held == 0).any():
        raise DamagedError(
            f"the table of chunks (stsc, stco) holds {held.sum()} pictures, the size table (stsz) {count}"
        )
    return starts, held


@dataclass(slots=True)
class _Run:
    since: int
    start: int
    delta: I64
    size: I64
    shift: I64

    @property
    def until(self) -> int:
        return self.since + int(self.delta.sum())


def read_fragments(tops: list[Box], moov: Box, track: int, rounding: int) -> Samples | None:
    """Return the samples of a track that lie in fragments, or None if none do.

    Raises DamagedError where a fragment contradicts itself, or begins elsewhere than the one before ends (by more
    than `rounding` units) where most agree: a writer who has to guess a last duration guesses each time.
    """
    defaults = _defaults(moov, track)
    runs: list[_Run] = []
    last = None
    for moof in (box for box in tops if box.kind == "moof"):
        sequence = number(moof.need("mfhd").data(), 4)
        if last is not None and sequence != last + 1:
            raise DamagedError(f"its fragments (mfhd) are numbered {last}, then {sequence}")
        last = sequence
        _check_names(moof)
        for place, traf in enumerate(moof.all("traf")):
            runs += _runs(moof, traf, track, defaults, runs[-1].until if runs else 0, first=place == 0)
    if not runs:
        return None
    off = [after.since - before.until for before, after in pairwise(runs)]
    apart = sum(abs(gap) > rounding for gap in off)
    if 0 < apart <= len(off) / 2 or any(b.since < a.until - a.delta[-1] for a, b in pairwise(runs)):
        raise DamagedError(
            f"{apart} of its {len(runs)} fragments begin (tfdt) elsewhere than the one before ends (trun)"
        )
    for run, gap in zip(runs, off, strict=False):
        run.delta[-1] += gap
    return Samples(
        np.concatenate([run.delta for run in runs]),
        np.concatenate([run.shift for run in runs]),
        np.array([run.start for run in runs]),
        np.array([run.start + int(run.size.sum()) for run in runs]),
    )


def _check_names(fragment: Box) -> None:
    """Refuse boxes that no fragment holds: a damaged name would hide a part of it."""
    known = IN_FRAGMENT[fragment.kind].split()
    unknown = [box.kind for box in fragment.children() if box.kind not in known]
    if unknown:
        raise DamagedError(f"a fragment ({fragment.kind}) holds a box {unknown[0]!r}")


def _defaults(moov: Box, track: int) -> tuple[int, int]:
    """Return duration and size of a sample where no fragment says otherwise."""
    extends = moov.find("mvex")
    for box in extends.all("trex") if extends else ():
        data = box.data()
        if number(data, 4) == track:
            return number(data, 12), number(data, 16)
    return 0, 0


def _runs(moof: Box, traf: Box, track: int, defaults: tuple[int, int], since: int, *, first: bool) -> list[_Run]:
    head = traf.need("tfhd").data()
    flags = number(head, 0) & 0xFFFFFF
    if number(head, 4) != track:
        return []
    _check_names(traf)
    at, (duration, size) = 8, defaults
    base = moof.start - 8 if first or flags & BASE_IS_MOOF else NOT_KNOWN
    if flags & BASE:
        base, at = number(head, at, size=8), at + 8
    at += 4 * bool(flags & DESCRIPTION)
    if flags & DURATION:
        duration, at = number(head, at), at + 4
    if flags & SIZE:
        size, at = number(head, at), at + 4
    if at + 4 * bool(flags & FLAGS) != len(head):
        raise DamagedError("the head of a fragment (tfhd) is longer or shorter than it says")
    time = traf.find("tfdt")
    if time is not None:
        data = time.data()
        wide = number(data, 0, size=1) == 1
        if len(data) != (12 if wide else 8):
            raise DamagedError("the time of a fragment (tfdt) is longer or shorter than it says")
        since = number(data, 4, size=8 if wide else 4)
        if since >= 1 << 62:
            raise DamagedError("a fragment (tfdt) begins after all time")
    runs: list[_Run] = []
    start = base
    for box in traf.all("trun"):
        run = _run(box, base, start, since, duration, size)
        runs += [run] if len(run.delta) else []
        since, start = run.until, run.start + int(run.size.sum())
    return runs


def _run(box: Box, base: int, start: int, since: int, duration: int, size: int) -> _Run:
    data = box.data()
    flags, count = number(data, 0) & 0xFFFFFF, number(data, 4)
    at = 8
    if flags & OFFSET:
        offset = number(data, at)
        start, at = base + (offset - (1 << 32) if offset >= 1 << 31 else offset), at + 4
    at += 4 * bool(flags & FIRST)
    columns = [name for name, flag in ROW.items() if flags & flag]
    if at + 4 * len(columns) * count != len(data):
        raise DamagedError("a run of pictures (trun) is longer or shorter than it says")
    rows = np.frombuffer(data, ">u4", len(columns) * count, at).reshape(count, len(columns)).astype(np.int64)
    found = {name: rows[:, index] for index, name in enumerate(columns)}
    return _Run(
        since,
        start,
        found.get("duration", np.full(count, duration, np.int64)),
        found.get("size", np.full(count, size, np.int64)),
        signed(found.get("shift", np.zeros(count, np.int64))),
    )
