"""When each frame of a film of `screenrecord` was taken: a track of its own beside the pictures, since Android 11.

Two forms are written, both little endian (frameworks/av, cmds/screenrecord): the older has a mark, the number of
frames (u32), and for each the µs of BOOTTIME (u64); the newer has its mark, a version (u32), what REALTIME is ahead
of the stamps in ns (i64), the number (u32), and for each the ns (u64): of MONOTONIC in version 1, of BOOTTIME in 2.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

import av

from upreg_recorder.failures import TrialError
from upreg_recorder.films import opened

OLD, NEW = b"#VV1NSC0PET1ME!#", b"#VV1NSC0PET1ME2#"
MONOTONIC, BOOTTIME = 1, 2
MOST_FRAMES = 1_000_000
AGREE_MS = 2.0  # the stamps of a film and its timestamps tell the same, but for rounding


@dataclass(frozen=True)
class Stamps:
    """When the first frame was taken, ms of BOOTTIME or MONOTONIC."""

    first_ms: float
    monotonic: bool


@dataclass(frozen=True)
class Film:
    """What a film says: its frames' timestamps in ms, its size in px, and what its own track tells of them."""

    times_ms: tuple[float, ...]
    size: tuple[int, int]
    stamps: Stamps | None
    note: str = ""


def read_film(file: Path) -> Film:
    """Read a film; raises TrialError where there is nothing in it that can be played."""
    try:
        with opened(file) as container:
            if not container.streams.video:
                raise TrialError(f"{file.name} has no pictures: record again")
            stream = container.streams.video[0]
            size = (stream.codec_context.width, stream.codec_context.height)
            packets = [packet for packet in container.demux() if packet.size]
            video = sorted(
                float(packet.pts * packet.time_base) * 1000
                for packet in packets
                if packet.stream is stream and packet.pts is not None and packet.time_base is not None
            )
            others = [bytes(packet) for packet in packets if packet.stream is not stream]
    except (OSError, ValueError, av.error.FFmpegError) as error:
        raise TrialError(
            f"the film cannot be read: the recorder broke off before it was written ({error})"
        ) from error
    if not video:
        raise TrialError("the film has no frame: is the screen on, and does the app forbid recording?")
    return Film(tuple(time - video[0] for time in video), size, *_stamps(others, video))


def hold_last_frame(file: Path, until_ms: float) -> None:
    """Have the last frame last until `until_ms` after the first, as it did: a recorder of changes ends with it.

    The pictures are copied as they are; the tracks beside them, which were read, are left out.
    """
    whole = file.with_name(file.stem + ".whole" + file.suffix)
    try:
        with opened(file) as source, av.open(str(whole), "w", format="mp4") as target:
            stream = source.streams.video[0]
            copy = target.add_stream_from_template(stream)
            packets = [packet for packet in source.demux(stream) if packet.size and packet.pts is not None]
            last = max(packets, key=lambda packet: packet.pts or 0)
            if last.time_base is not None and last.pts is not None:
                first = min(packet.pts for packet in packets if packet.pts is not None)
                last.duration = max(
                    last.duration or 0, round(until_ms / 1000 / last.time_base) - (last.pts - first)
                )
            for packet in packets:
                packet.stream = copy
                target.mux(packet)
        whole.replace(file)
    except (OSError, ValueError, av.error.FFmpegError) as error:
        whole.unlink(missing_ok=True)
        raise TrialError(f"the film cannot be written to its end: {error}") from error


def _stamps(others: list[bytes], video: list[float]) -> tuple[Stamps | None, str]:
    """Return what the tracks beside the pictures say of the frames, the newer form before the older."""
    for mark in (NEW, OLD):
        for data in others:
            if mark in data:
                return _checked(_parsed(data[data.index(mark) :], mark), video)
    return None, "the film does not say when its frames were taken (screenrecord does since Android 11)"


def _parsed(data: bytes, mark: bytes) -> tuple[list[float], bool]:
    """Return the stamps in ms and whether they are of MONOTONIC; raises ValueError for what is cut or unknown."""
    head, unit = (struct.Struct("<IqI"), 1e6) if mark == NEW else (struct.Struct("<I"), 1e3)
    at = len(mark) + head.size
    if len(data) < at:
        return [], False
    told = head.unpack_from(data, len(mark))
    version, count = (told[0], told[2]) if mark == NEW else (BOOTTIME, told[0])
    if version not in (MONOTONIC, BOOTTIME) or count > MOST_FRAMES or len(data) < at + 8 * count:
        return [], False
    return [value / unit for value in struct.unpack_from(f"<{count}Q", data, at)], version == MONOTONIC


def _checked(told: tuple[list[float], bool], video: list[float]) -> tuple[Stamps | None, str]:
    """Take the stamps only if they tell of the very frames that are there."""
    stamps, monotonic = told
    apart = [abs((stamp - stamps[0]) - (time - video[0])) for stamp, time in zip(stamps, video, strict=False)]
    if len(stamps) != len(video) or max(apart) > AGREE_MS:
        return None, "what the film says of its frames does not fit them, so it was not used"
    return Stamps(stamps[0], monotonic), ""
