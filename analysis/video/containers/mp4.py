"""Compare what the tables of an MP4 or MOV file say of the same thing: damage to one of them moves every time.

FFmpeg believes each table by itself and repairs in silence what it cannot believe. No library makes these checks:
those that read boxes (pymp4, mp4analyser) only list them, in Python objects a sample, and none is kept up.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import I64
from analysis.video.containers.boxes import Box, DamagedError, Source, number, top_boxes
from analysis.video.containers.samples import Samples, read_fragments, read_tables

# A box that is not known but for one letter was known before it was damaged.
CHILDREN = {
    "moov": "mvhd trak mvex udta meta iods free skip uuid cmov pssh clip rmra ctab prfl",
    "trak": "tkhd edts mdia tref tapt udta meta load imap matt kmat clip trgr free skip uuid txas",
    "edts": "elst free skip uuid",
    "mdia": "mdhd hdlr minf elng udta meta free skip uuid",
    "minf": "vmhd smhd hmhd nmhd sthd gmhd hdlr dinf stbl gmin free skip uuid",
    "stbl": "stsd stts ctts cslg stsc stsz stz2 stco co64 stss stps stsh sdtp padb stdp sbgp sgpd subs saiz saio"
    " free skip uuid",
}
OUTERMOST = "ftyp styp moov moof mdat sidx ssix mfra free skip wide uuid meta prft emsg pdin pnot"
UNKNOWN = (0, 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF)  # durations that stand for "not known"
NOT_KNOWN = -1
CLOCKS = (600, 1000, 12800, 15360, 30000, 60000, 90000, 1000000)  # units a second that nearly all writers choose


@dataclass(frozen=True, slots=True)
class Limits:
    """What real recorders' tables differ by."""

    rounding_s: float = 0.001  # writers round each time on its own; less than any moment is read to
    same_clock: float = 0.003  # share: durations in the movie's milliseconds tell a clock no better
    finest_clock: int = 10_000_000  # units a second: those of Windows
    reordered: int = 16  # pictures at the start whose decoding times an encoder squeezes: H.264 keeps 16 at most
    cut_s: float = 0.05  # before a picture an edit may begin: a trim between two frames of a constant rate
    odd_share: float = 0.1  # of pictures out of an order that all others keep: more have none


LIMITS = Limits()


def check_mp4(source: Source) -> str:
    """Return the four letters of the codec that the first video track names, empty if there is none.

    Raises DamagedError if the tables of the track contradict each other or the file.
    """
    tops = list(top_boxes(source))
    moov = next((box for box in tops if box.kind == "moov"), None)
    if moov is None:
        return ""  # opening it says so
    if moov.end > source.size:
        raise DamagedError(f"it is cut off: {moov.end - source.size} bytes of its tables (moov) are missing")
    _check_names(moov)
    tracks = moov.all("trak")
    video = next((track for track in tracks if _is_video(track)), None)
    if video is None:
        return ""  # no video: opening it says so
    if moov.find("mvex") is not None:
        _check_fragmented(tops, source)
    for box in (video, video.need("mdia"), video.need("mdia", "minf"), video.need("mdia", "minf", "stbl")):
        _check_names(box)
    _check_references(video)
    media = _Clock.of(video.need("mdia", "mdhd"), at=12)
    movie = _Clock.of(moov.need("mvhd"), at=12)
    stbl = video.need("mdia", "minf", "stbl")
    codec = stbl.need("stsd").data()[12:16].decode("latin-1").strip()
    listed = read_tables(stbl)
    fragments = read_fragments(tops, moov, _number(video), media.rounding)
    alone, edited = len(tracks) == 1, video.find("edts") is not None
    for samples in (listed, fragments):
        if samples and samples.count:
            _check_sizes(samples, tops)
            _check_order(samples, delayed=not alone and not edited)
            _check_edits(video, samples, media, movie, alone=alone)
    if fragments and not media.usual:
        raise DamagedError(f"its clock (mdhd) ticks {media.scale} times a second, which no recorder does")
    if listed.count:
        _check_durations(listed, media, alone=alone, edited=edited)
    return codec


def _check_names(box: Box) -> None:
    known = CHILDREN[box.kind].split()
    for child in box.children():
        near = [name for name in known if sum(a != b for a, b in zip(name, child.kind, strict=True)) == 1]
        if child.kind not in known and near:
            raise DamagedError(f"a box in {box.kind} is called {child.kind!r} in place of {near[0]}")


def _check_fragmented(tops: list[Box], source: Source) -> None:
    """Refuse a fragmented file with a gap or without its end: what lies there would be missed in silence."""
    unknown = [box.kind for box in tops if box.kind not in OUTERMOST.split()]
    if unknown:
        raise DamagedError(f"it holds a box {unknown[0]!r} between its fragments")
    if tops[-1].end != source.size:
        raise DamagedError("it is cut off, or its last fragment has another size than it says")


def _is_video(track: Box) -> bool:
    handler = track.need("mdia", "hdlr").data()[8:12]
    pictures = track.need("mdia", "minf").find("vmhd") is not None
    if pictures and handler not in (b"vide", b"auxv", b"pict"):  # also: depth or transparency; single pictures
        raise DamagedError("a track of pictures is marked as something else (hdlr)")
    return handler == b"vide"


def _number(track: Box) -> int:
    head = track.need("tkhd").data()
    return number(head, 20 if number(head, 0, size=1) == 1 else 12)


def _check_references(track: Box) -> None:
    """Refuse a track whose pictures lie in another file."""
    table = track.need("mdia", "minf").find("dinf")
    entries = table and table.find("dref")
    if not entries:
        return
    data = entries.data()
    at = 8
    for _ in range(number(data, 4)):
        size, flags = number(data, at), number(data, at + 8)
        if size < 12:
            raise DamagedError("the table dref has an entry without a size")
        if not flags & 1 and size > 12:
            raise DamagedError("its pictures lie in another file")
        at += size


@dataclass(frozen=True, slots=True)
class _Clock:
    """Units per second and the duration in them, as `mvhd` and `mdhd` say; NOT_KNOWN where they do not."""

    scale: int
    duration: int

    @classmethod
    def of(cls, box: Box, *, at: int) -> _Clock:
        data = box.data()
        wide = number(data, 0, size=1) == 1
        scale = number(data, at + 8 * wide)
        duration = number(data, at + 8 * wide + 4, size=8 if wide else 4)
        if not scale:
            raise DamagedError(f"{box.kind} says that a second has no units (timescale 0)")
        return cls(scale, NOT_KNOWN if duration in UNKNOWN[1:] else duration)

    @property
    def rounding(self) -> int:
        """Units that times may differ by."""
        return round(self.scale * LIMITS.rounding_s)

    @property
    def usual(self) -> bool:
        """Whether writers choose such a number of units: 2, 3 and 5 multiplied, with 37 for NTSC, 49 for sound.

        A flipped bit or byte hardly ever makes one of another.
        """
        rest = self.scale
        for factor in (2, 3, 5):
            while rest % factor == 0:
                rest //= factor
        return rest in (1, 37, 49) and self.scale <= LIMITS.finest_clock


def _check_sizes(samples: Samples, tops: list[Box]) -> None:
    """Refuse chunks that overlap or lie outside of the media data, whose end may be cut off."""
    order = np.argsort(samples.chunk_start, kind="stable")
    order = order[samples.chunk_start[order] >= 0]
    start, end = samples.chunk_start[order], samples.chunk_end[order]
    if (start[1:] < end[:-1]).any():
        raise DamagedError("pictures overlap (stco, stsz)")
    data = [(box.start, box.end) for box in tops if box.kind == "mdat"]
    within = np.zeros(len(start), bool)
    for first, last in data:
        within |= (start >= first) & (end <= last)
    if not within.all():
        raise DamagedError(f"{np.count_nonzero(~within)} groups of pictures lie outside of the media data (mdat)")


def _check_durations(samples: Samples, media: _Clock, *, alone: bool, edited: bool) -> None:
    """Refuse durations of samples that do not make the track's, but for what known writers do with the ends."""
    delta, shown = samples.delta, samples.shown
    if (delta >= 1 << 31).any():
        raise DamagedError("the time table (stts) goes back in time")
    if media.duration == NOT_KNOWN:
        return
    total, last, usual = int(delta.sum()), int(delta[-1]), int(np.median(delta))
    length = int((shown + delta).max())
    # Writers that leave out the last picture's duration, or give it another; that count what is shown.
    expected = (total, total - last, total - last + usual, length, length - int(shown.min()))
    if any(abs(media.duration - value) <= media.rounding for value in expected):
        return
    # Where pictures are reordered FFmpeg counts what is shown, from the first picture or from the decoder's start,
    # and no table tells how long the last one stays: not longer than any other.
    if samples.shift.any():
        stays = max(int(delta.max()), int(np.diff(np.sort(shown)).max(initial=0)))
        if int(np.ptp(shown)) - media.rounding <= media.duration <= int(shown.max()) + stays + media.rounding:
            return
    # Android until 9 puts the delay of a track behind the other one into its first duration, and not into mdhd.
    if not alone and not edited and total - int(delta[0]) <= media.duration <= total:
        return
    raise DamagedError(
        f"the time table (stts) lasts {total / media.scale:.3f} s, "
        f"the track (mdhd) {media.duration / media.scale:.3f} s"
    )


def _check_order(samples: Samples, *, delayed: bool) -> None:
    """Refuse single times out of order: encoders take decoding times from the sorted presentation times.

    `delayed`: the track may begin after the sound without an edit list that says so. Then FFmpeg adds the delay to
    the time between the first picture and the second.
    """
    if not samples.shift.any():
        return
    if np.ptp(samples.shift) > LIMITS.reordered * samples.delta.max():
        raise DamagedError(
            "the table of presentation times (ctts) moves a picture past more than an encoder may hold"
        )
    order = np.sort(samples.shown)
    delays = range(min(LIMITS.reordered, samples.count // 2))
    if any(not _apart(order, samples.decoded, delay).any() for delay in delays):
        return  # each is decoded just when one so many pictures before is shown, however uneven they are
    found = [_broken(order, samples.decoded, delay) for delay in delays] or [samples.shift[:0]]
    delay, broken = min(enumerate(found), key=lambda held: (held[0] + len(held[1]), len(held[1])))
    if (delayed and broken.tolist() == [0]) or _cut_off(order, samples.decoded, delay):
        return
    if 0 < len(broken) <= LIMITS.odd_share * samples.count:
        raise DamagedError(f"the table of presentation times (ctts) breaks its order at picture {broken[0]}")


def _cut_off(order: I64, decoded: I64, delay: int) -> bool:
    """Return whether decoding times are off among the last pictures alone, and always the same way.

    Who cuts a file without coding it anew leaves out what is decoded after the cut, whenever it is shown, or what
    is shown after it: then one of both runs ahead. A single time that is wrong runs ahead and comes back.
    """
    steps = np.diff(_apart(order, decoded, delay))
    places = np.flatnonzero(np.abs(steps) > 1)
    return bool(len(places) and places[0] >= len(order) - LIMITS.reordered and np.ptp(np.sign(steps[places])) == 0)


def _apart(order: I64, decoded: I64, delay: int) -> I64:
    """Return how far decoding times lie off the presentation times of `delay` pictures before, in their order."""
    apart: I64 = decoded[delay:] - order[: len(order) - delay]
    return apart


def _broken(order: I64, decoded: I64, delay: int) -> I64:
    """Return where decoding times are not the presentation times of `delay` pictures before, in their order.

    A picture far from its place moves all between: then the places count at which the difference changes.
    """
    apart = _apart(order, decoded, delay)
    values, counts = np.unique(apart, return_counts=True)
    single = np.nonzero(np.abs(apart - values[counts.argmax()]) > 1)[0]
    steps = np.nonzero(np.abs(np.diff(apart)) > 1)[0] + 1
    return min(single, steps, key=len)


def _check_edits(track: Box, samples: Samples, media: _Clock, movie: _Clock, *, alone: bool) -> None:
    """Refuse an edit list that shows what is not there, or not for as long as the head of the track says."""
    head = track.need("tkhd").data()
    wide = number(head, 0, size=1) == 1
    lasts = number(head, 28 if wide else 20, size=8 if wide else 4)
    lists = track.find("edts")
    begins, edits = _edits(lists.find("elst") if lists else None)
    tick = media.scale / movie.scale  # units of the track for one of the movie
    slack = media.rounding + 2 * tick
    start, end = int(samples.shown.min()), int((samples.shown + samples.delta).max())
    whole = {int(samples.delta.sum()), end - start, end - int(samples.delta[-1]), max(media.duration, 0)}
    if not edits:
        # Some writers give each track the duration of the longest one.
        foreign = not alone and lasts == movie.duration and media.usual and movie.usual
        if lasts not in UNKNOWN and not foreign and all(abs(lasts * tick - value) > slack for value in whole):
            raise DamagedError(
                f"the track lasts {lasts / movie.scale:.3f} s by its head (tkhd), "
                f"{end / media.scale:.3f} s by its pictures"
            )
        return
    shown_for = sum(duration for duration, _ in edits)
    open_end = any(duration == 0 for duration, _ in edits)  # up to the end, as fragmented files have it
    if (
        lasts not in UNKNOWN
        and not open_end
        and min(abs(shown_for - lasts), abs(begins + shown_for - lasts)) > len(edits) + bool(begins)
    ):
        raise DamagedError(
            f"the edit list (elst) lasts {(begins + shown_for) / movie.scale:.3f} s, "
            f"the track (tkhd) {lasts / movie.scale:.3f} s"
        )
    _check_cut(edits[0][1], samples, media)
    for duration, since in edits:
        until = since + duration * tick
        uncut = since <= start and duration * tick <= max(whole) + slack
        if since >= end or (until > end + slack and not uncut):
            raise DamagedError(
                f"the edit list (elst) asks for pictures until {until / media.scale:.3f} s, "
                f"there are some until {end / media.scale:.3f} s"
            )
        hidden = end - slack - int(samples.delta[-1]) - until
        if duration and hidden > 0 and _other_clock((end - since) / duration, media, movie):
            raise DamagedError(
                f"its clocks tick {media.scale} and {movie.scale} times a second (mdhd, mvhd), "
                "which leaves pictures over"
            )


def _check_cut(since: int, samples: Samples, media: _Clock) -> None:
    """Refuse an edit that begins while a picture stands: the decoder leaves it out and begins at the next one.

    Up to the usual gap between two pictures, that moves the first frame by no more than the recording can tell.
    """
    shown = np.sort(samples.shown)
    place = int(np.searchsorted(shown, since - media.rounding))
    gap = int(shown[place]) - since if 0 < place < samples.count else 0
    if gap > min(float(np.median(samples.delta)), LIMITS.cut_s * media.scale) + media.rounding:
        raise DamagedError(
            f"the edit list (elst) begins {gap / media.scale:.3f} s before the next picture, "
            "and the one that stands there would be left out"
        )


def _other_clock(tick: float, media: _Clock, movie: _Clock) -> bool:
    """Whether pictures are left over since a clock is wrong, not since somebody trimmed the recording.

    `tick` is how many units of the track one of the movie would last if nothing were left over.
    """
    if not (media.usual and movie.usual):
        return True
    # What each clock says, and what it would have to say, if the other is right, to leave nothing over.
    clocks = ((media.scale, tick * movie.scale), (movie.scale, media.scale / tick))
    return any(
        abs(needed / scale - 1) < LIMITS.same_clock for said, needed in clocks for scale in CLOCKS if scale != said
    )


def _edits(box: Box | None) -> tuple[int, list[tuple[int, int]]]:
    """Return how long nothing is shown, and (duration, begin) of each edit that shows pictures.

    Durations in units of the movie, begins in units of the track.
    """
    if box is None:
        return 0, []
    data = box.data()
    size = 8 if number(data, 0, size=1) == 1 else 4
    empty, found = 0, []
    for index in range(number(data, 4)):
        at = 8 + index * (2 * size + 4)
        duration, since = number(data, at, size=size), number(data, at + size, size=size)
        if since == (1 << 8 * size) - 1:
            empty += duration  # the track begins later
        else:
            found.append((duration, since))
    return empty, found
