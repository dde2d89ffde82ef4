"""The pixels of a recording, for what blocks cannot tell: the file is decoded once more."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import av
import cv2
import numpy as np

from analysis.arrays import U8
from analysis.video.decode import Picture, pictures
from analysis.video.film import Film
from analysis.video.margins import cut_out
from analysis.video.opening import UnreadableVideoError, open_container
from analysis.video.recording import Recording

BLOCK_PX = 8  # of a block in what `lumas` returns
MOST_BYTES = 128 * 2**20  # of what differs: eight minutes of a cursor at 60 Hz, half a minute of pages that open
SAME_MS = 0.25  # frames no further apart are shown at one time
BEFORE = 1 / 3  # of them at most are for what comes before the picture that matters


def frames(path: str | Path, recording: Recording, threads: int, since: int = 0) -> Iterator[tuple[int, Picture]]:
    """Yield the frames of the recording with their index; of those at one time the last, as it counted there.

    They begin with the last key frame at or before picture `since`, or with the first of all.
    """
    key = int(max(np.flatnonzero(recording.key_frame[: since + 1]), default=0))
    begun = False
    try:
        for found in _frames_from(path, recording, threads, key):
            begun = True
            yield found
    except UnreadableVideoError:
        if begun or not key:
            raise
    if not begun and key:  # the file's index leads elsewhere, or to what cannot be decoded without what came before
        yield from _frames_from(path, recording, threads, 0)


def _frames_from(path: str | Path, recording: Recording, threads: int, key: int) -> Iterator[tuple[int, Picture]]:
    """Yield the same from one picture on, which is a key frame; nothing if decoding does not begin there."""
    start_ms = float(recording.picture_ms[key])
    held: tuple[int, Picture] | None = None
    screen = recording.grid.within
    with open_container(path) as container:
        if key and not _leads_to(container, recording.start_s + start_ms / 1000):
            return
        for number, (_, picture) in enumerate(pictures(container, threads)):
            time_ms = (picture.time_s - recording.start_s) * 1000
            if key and not number and time_ms > start_ms + SAME_MS:
                return
            if key and time_ms < start_ms - SAME_MS:
                continue
            frame = int(np.searchsorted(recording.time_ms, time_ms + SAME_MS, side="right")) - 1
            picture = picture if screen is None else cut_out(picture, screen)
            if held is not None and held[0] != frame:
                yield held
            held = frame, picture
    if held is not None:
        yield held


def _leads_to(container: av.container.InputContainer, time_s: float) -> bool:
    """Return whether the file was asked to go on with the key frame at or before a time; some cannot."""
    stream = container.streams.video[0]
    if stream.time_base is None:
        return False
    try:
        container.seek(round(time_s / stream.time_base), stream=stream)
    except av.FFmpegError:
        return False
    return True


def lumas(
    path: str | Path, threads: int, recording: Recording, wanted: Collection[int], around: int
) -> Mapping[int, U8]:
    """Return the luma of some pictures, each (height, width), so small that a block measures 8 × 8 px.

    Where they differ by more than memory is given to, those far from picture `around` are left out.
    """
    shown = {int(frame): picture for picture, frame in enumerate(recording.first_frame)}
    chosen, last = set(wanted), max(wanted, default=-1)
    film = Film()
    for frame, picture in frames(path, recording, threads, min(wanted, default=0)):
        number = shown.get(frame)
        if number in chosen:
            film.add(number, _luma(picture, recording.grid.size // BLOCK_PX))
            while number < around and film.size > MOST_BYTES * BEFORE and len(film) > 1:
                film.forget_first()
        if film.size > MOST_BYTES or (number is not None and number >= last):
            break
    return film


def _luma(picture: Picture, scale: int) -> U8:
    luma = picture.luma.samples[:, : picture.luma.width]
    if picture.bits > 8:
        luma = luma >> (picture.bits - 8)
    eight = luma.astype(np.uint8, copy=False)  # each copy of a whole picture costs as much as making it smaller
    if scale == 1:
        return eight
    height, width = (-(-length // scale) for length in eight.shape)
    beyond = height * scale - eight.shape[0], width * scale - eight.shape[1]
    if any(beyond):
        eight = cv2.copyMakeBorder(eight, 0, beyond[0], 0, beyond[1], cv2.BORDER_REPLICATE).astype(
            np.uint8, copy=False
        )
    return cv2.resize(eight, (width, height), interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
