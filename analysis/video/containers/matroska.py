"""Compare what a Matroska or WebM file says of its times and sizes (RFC 9559; EBML: RFC 8794).

Checksums settle everything where a writer has left them (FFmpeg and OBS do in Matroska, nobody in WebM). Else there
are the order of the blocks, the index (Cues), the sizes of the clusters, the duration, the grid of a constant rate.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from analysis.arrays import F64
from analysis.video.containers.boxes import DamagedError, Pieces, Source

SEGMENT, CLUSTER, INFO, TRACKS, CUES, CRC = 0x18538067, 0x1F43B675, 0x1549A966, 0x1654AE6B, 0x1C53BB6B, 0xBF
TOP_LEVEL = {CLUSTER, INFO, TRACKS, CUES, 0x114D9B74, 0x1941A469, 0x1043A770, 0x1254C367, 0xEC, CRC}
TIMESTAMP, SIMPLE_BLOCK, GROUP, BLOCK, PREVIOUS_SIZE, POSITION = 0xE7, 0xA3, 0xA0, 0xA1, 0xAB, 0xA7
IN_CLUSTER = {TIMESTAMP, SIMPLE_BLOCK, GROUP, PREVIOUS_SIZE, POSITION, 0x5854, 0xAF, 0xEC, CRC}
IN_GROUP = {BLOCK, 0x9B, 0xFB, 0xFD, 0xFA, 0xA4, 0x75A1, 0x75A2, 0x8E, 0xC8, 0xA2, 0xEC, CRC}
KEPT_ORDER = (b"V_VP8", b"V_VP9", b"V_AV1", b"V_MJPEG", b"V_FFV1", b"V_PRORES")  # shown in the order of the file
LACED, VIDEO, UNKNOWN_SIZE, NS = 0x06, 1, -1, 1_000_000_000
CHUNK = 1 << 20
GRID_ROUNDINGS = 8  # units of time that a picture must last for its grid to be told from any other
PAUSE_SLOTS = 2.5  # between two pictures: one whose time is wrong lies between its neighbours, so near both of them
ASIDE_SLOTS = 0.25  # a picture that a recorder writes a little late is not wrong by more than that,
ASIDE_S = 0.0085  # or half a slot of 60 Hz; the next one is as far away then, and never nearer than
CLOSEST_SLOTS = 0.45
ODD_SHARE = 0.05  # of times beside the grid that all others keep: a recorder without a grid leaves more


@dataclass(frozen=True, slots=True)
class Element:
    """An EBML element: where it begins, and where its contents begin and end in the file."""

    source: Source
    kind: int
    at: int
    start: int
    end: int

    def data(self) -> bytes:
        """Return the contents."""
        return self.source.read(self.start, self.end - self.start)

    def number(self) -> int:
        """Return the contents as an unsigned number."""
        if self.end - self.start > 8:
            raise DamagedError("a number of it has more than eight bytes")
        return int.from_bytes(self.data(), "big")

    def decimal(self) -> float:
        """Return the contents as a floating-point number."""
        data = self.data()
        if len(data) not in (4, 8):
            raise DamagedError("a decimal number of it has neither four nor eight bytes")
        value: float = struct.unpack(">f" if len(data) == 4 else ">d", data)[0]
        return value

    def children(self) -> Iterator[Element]:
        """Yield the elements inside, which must fill this one; a checksum in front must be right."""
        at, pieces = self.start, Pieces()
        while at < self.end:
            pieces.count()
            child = _element(self.source, at, self.end)
            if child.end > self.end:
                raise DamagedError("an element is longer than the one it lies in")
            if child.kind == CRC and at == self.start:
                _check_sum(child, self.end)
            yield child
            at = child.end


@dataclass(slots=True)
class _Track:
    """The video track, as far as times need it."""

    number: int
    codec: bytes = b""
    default_s: float = 0.0


def check_matroska(source: Source) -> str:
    """Return the name of the codec of the first video track, empty if there is none.

    Raises DamagedError if times, sizes, index or checksums of the file contradict each other.
    """
    segment = _segment(source)
    scale, duration = 1_000_000, 0.0
    tracks: dict[int, _Track | None] = {}
    video: _Track | None = None
    cues: list[tuple[int, int, int]] = []
    clusters: dict[int, list[int]] = {}
    previous = 0
    for element in _top_level(segment):
        if element.kind == INFO:
            scale, duration = _info(element)
        elif element.kind == TRACKS:
            tracks = _tracks(element)
            video = next(filter(None, tracks.values()), None)
        elif element.kind == CUES:
            cues += _cues(element)
        elif element.kind == CLUSTER and video is not None:
            times = _cluster(element, segment, tracks, video, previous)
            clusters[element.at - segment.start] = times
            previous = element.end - element.at
    if video is None:
        return ""
    units = [time for times in clusters.values() for time in times]
    if units:
        _check_cues(cues, clusters, video.number)
        _check_times(np.array(units, float) * scale / NS, duration * scale / NS, video, scale / NS)
    return video.codec.decode("latin-1").strip("\0 ")


def _segment(source: Source) -> Element:
    head = _element(source, 0, source.size)
    segment = _element(source, head.end, source.size)
    while segment.kind == 0xEC:
        segment = _element(source, segment.end, source.size)
    if segment.kind != SEGMENT:
        raise DamagedError("the recording (Segment) does not follow the head of the file")
    if segment.end > source.size:
        raise DamagedError(f"it is cut off: {segment.end - source.size} bytes are missing at its end")
    return segment


def _top_level(segment: Element) -> Iterator[Element]:
    for element in segment.children():
        if element.kind not in TOP_LEVEL:
            raise DamagedError(f"it holds bytes that are no element, at byte {element.at}")
        yield element


def _info(info: Element) -> tuple[int, float]:
    """Return nanoseconds for a unit of time, and the duration in units; 0 where it is not given."""
    scale, duration = 1_000_000, 0.0
    for element in info.children():
        if element.kind == 0x2AD7B1:
            scale = element.number()
        elif element.kind == 0x4489:
            duration = element.decimal()
    if str(scale).strip("0") != "1":
        raise DamagedError(f"its unit of time is {scale} ns (TimestampScale), which no recorder writes")
    if not 0 <= duration < 1e15:
        raise DamagedError("its duration is no number")
    return scale, duration


def _tracks(tracks: Element) -> dict[int, _Track | None]:
    """Return the tracks by their number: the video, or None for what is sound, text or another video."""
    found: dict[int, _Track | None] = {}
    for entry in tracks.children():
        if entry.kind != 0xAE:
            continue
        values = {element.kind: element for element in entry.children()}
        if 0xD7 not in values or 0x83 not in values:
            raise DamagedError("a track has no number or no type")
        number = values[0xD7].number()
        track = None
        if values[0x83].number() == VIDEO and not any(found.values()):
            track = _Track(number, values[0x86].data() if 0x86 in values else b"")
            track.default_s = values[0x23E383].number() / NS if 0x23E383 in values else 0.0
        if 0x23314F in values and values[0x23314F].decimal() != 1:
            raise DamagedError("a track runs at another speed than the file (TrackTimestampScale)")
        if number in found:
            raise DamagedError(f"two tracks have the number {number}")
        found[number] = track
    return found


def _cues(cues: Element) -> list[tuple[int, int, int]]:
    """Return (time in units, track, position of the cluster in the segment) of each entry of the index."""
    found = []
    for point in cues.children():
        if point.kind != 0xBB:
            continue
        time = 0
        for element in point.children():
            if element.kind == 0xB3:
                time = element.number()
            elif element.kind == 0xB7:
                places = {inner.kind: inner for inner in element.children()}
                if 0xF7 in places and 0xF1 in places:
                    found.append((time, places[0xF7].number(), places[0xF1].number()))
    return found


def _cluster(
    cluster: Element, segment: Element, tracks: dict[int, _Track | None], video: _Track, previous: int
) -> list[int]:
    """Return the times (units) of the video's blocks in a cluster."""
    base, times = None, []
    for element in _children_of_cluster(cluster):
        block = element
        if element.kind == TIMESTAMP:
            base = element.number()
        elif element.kind == POSITION and element.number() not in (0, cluster.at - segment.start):
            raise DamagedError("a cluster lies elsewhere than it says")
        elif element.kind == PREVIOUS_SIZE and element.number() != previous:
            raise DamagedError("a cluster follows one of another size than it says")
        if element.kind == GROUP:
            block = _block(element)
        elif element.kind != SIMPLE_BLOCK:
            continue
        if base is None:
            raise DamagedError("a cluster has no time")
        head = block.source.read(block.start, min(16, block.end - block.start))
        number, length = _vint(head, 0, keep_marker=False)
        if number not in tracks or len(head) < length + 3:
            raise DamagedError(f"a block belongs to a track ({number}) that is not described")
        if number != video.number:
            continue
        if head[length + 2] & LACED:
            raise DamagedError("a block holds several pictures (lacing)")
        times.append(base + int.from_bytes(head[length : length + 2], "big", signed=True))
    return times


def _children_of_cluster(cluster: Element) -> Iterator[Element]:
    for element in cluster.children():
        if element.kind not in IN_CLUSTER:
            raise DamagedError(f"a cluster holds bytes that are no element, at byte {element.at}")
        yield element


def _block(group: Element) -> Element:
    blocks = []
    for element in group.children():
        if element.kind not in IN_GROUP:
            raise DamagedError(f"a block holds bytes that are no element, at byte {element.at}")
        if element.kind == BLOCK:
            blocks.append(element)
    if len(blocks) != 1:
        raise DamagedError("a group of blocks has no block, or several")
    return blocks[0]


def _check_cues(cues: list[tuple[int, int, int]], clusters: dict[int, list[int]], video: int) -> None:
    """Refuse an index that names times which its clusters lack, but for some; who writes others always does."""
    own = [(time, at) for time, track, at in cues if track == video]
    right = sum(time in clusters.get(at, ()) for time, at in own)
    if len(own) > right >= len(own) / 2:
        raise DamagedError(f"{len(own) - right} of {len(own)} entries of its index (Cues) name times that it lacks")


def _check_times(times: F64, duration: float, video: _Track, unit_s: float) -> None:
    """Refuse times that go back in a codec that keeps its order, lie behind the end, or leave a constant rate."""
    gaps = np.diff(np.sort(times))
    if video.codec.rstrip(b"\0").startswith(KEPT_ORDER) and (np.diff(times) < 0).any():
        at = int(np.nonzero(np.diff(times) < 0)[0][0])
        raise DamagedError(f"the time of picture {at + 1} lies before that of the picture before it")
    usual = float(np.median(gaps)) if len(gaps) else 0.0
    if duration and times.max() > duration + usual + 2 * unit_s:
        raise DamagedError(f"it lasts {duration:.3f} s, but has a picture at {times.max():.3f} s")
    if video.default_s > GRID_ROUNDINGS * unit_s and len(times) * ODD_SHARE >= 1:
        _check_grid(np.sort(times), video.default_s, unit_s)


def _check_grid(times: F64, default_s: float, unit_s: float) -> None:
    """Refuse single times beside the grid of the rate: n times in s, rising, each rounded to `unit_s`.

    The rate that is declared may be a rounded one: the grid is that of the times that lie near it. A recorder may
    be late with a picture; a wrong time that is off by as little does no harm to what is measured. What comes
    before or after a pause may come at any time, as the first and the last picture may: recorders that write only
    what changes are held to a grid from picture to picture, if at all.
    """
    steps = np.diff(times)
    lasting = steps[steps < PAUSE_SLOTS * default_s] / default_s
    uneven = np.abs(lasting - np.round(lasting)) * default_s > 2 * unit_s
    if uneven.sum() > 2 * ODD_SHARE * len(times):  # one picture beside the grid spoils two of them
        return
    slots = np.round((times - times[0]) / default_s)
    off = times - slots * default_s
    near = np.abs(off - np.median(off)) <= 2 * unit_s
    if not near.any() or np.ptp(slots[near]) == 0:
        return
    slope, begin = np.polyfit(slots[near], times[near], 1)
    gaps = np.diff(times, prepend=-np.inf, append=np.inf)  # so the first and the last are not bound
    bound = np.maximum(gaps[:-1], gaps[1:]) < PAUSE_SLOTS * default_s
    aside = np.where(bound, np.abs(times - begin - slope * slots), 0.0)
    close = bound & (np.minimum(gaps[:-1], gaps[1:]) < CLOSEST_SLOTS * default_s) & (aside > 1.01 * unit_s)
    wrong = (aside > max(1.01 * unit_s, ASIDE_S, ASIDE_SLOTS * default_s)) | close
    if wrong.any() and (aside > 1.01 * unit_s).sum() <= ODD_SHARE * len(times):
        at = int(np.nonzero(wrong)[0][0])
        raise DamagedError(f"picture {at} does not keep the rate of all others ({1 / default_s:.2f} Hz)")


def _check_sum(element: Element, end: int) -> None:
    """Compare a checksum (CRC-32) with the rest of the element that it stands first in."""
    value, at = 0, element.end
    while at < end:
        data = element.source.read(at, min(CHUNK, end - at))
        value, at = zlib.crc32(data, value), at + len(data)
    if element.data() != value.to_bytes(4, "little"):
        raise DamagedError("a checksum of it (CRC-32) is wrong")


def _element(source: Source, at: int, end: int) -> Element:
    head = source.read(at, min(12, end - at))
    kind, used = _vint(head, 0, keep_marker=True)
    size, length = _vint(head, used, keep_marker=False)
    start = at + used + length
    if size == UNKNOWN_SIZE:
        if kind not in (SEGMENT, CLUSTER):
            raise DamagedError("an element has no size")
        return Element(source, kind, at, start, end if kind == SEGMENT else _end_of_open(source, start, end))
    return Element(source, kind, at, start, start + size)


def _end_of_open(source: Source, at: int, end: int) -> int:
    """Return where a cluster without a size ends: before the first element that cannot lie in one."""
    pieces = Pieces()
    while at < end:
        pieces.count()
        head = source.read(at, min(12, end - at))
        kind, used = _vint(head, 0, keep_marker=True)
        if kind in TOP_LEVEL - {0xEC, CRC}:
            return at
        size, length = _vint(head, used, keep_marker=False)
        at += used + length + size
    return end


def _vint(data: bytes, at: int, *, keep_marker: bool) -> tuple[int, int]:
    """Return a number of variable length and how many bytes it takes; UNKNOWN_SIZE if all its bits are set."""
    if at >= len(data) or not data[at]:
        raise DamagedError("it holds bytes that are no element")
    length = 9 - data[at].bit_length()
    if at + length > len(data) or (keep_marker and length > 4):
        raise DamagedError("it holds bytes that are no element")
    value = int.from_bytes(data[at : at + length], "big")
    if keep_marker:
        return value, length
    value &= (1 << 7 * length) - 1
    return (UNKNOWN_SIZE if value == (1 << 7 * length) - 1 else value), length
