"""The pixels of a recording, for what blocks cannot tell: the file is decoded once more."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

import cv2
import numpy as np

from analysis.arrays import U8
from analysis.video.decode import Picture, pictures
from analysis.video.opening import open_container
from analysis.video.recording import Recording

BLOCK_PX = 8  # of a block in what `lumas` returns


def frames(path: str | Path, recording: Recording, threads: int) -> Iterator[tuple[int, Picture]]:
    """Yield the frames of the recording with their index; of those at one time the last, as it counted there."""
    start, held = None, None
    with open_container(path) as container:
        for _, picture in pictures(container, threads):
            start = picture.time_s if start is None else start
            time_ms = (picture.time_s - start) * 1000
            frame = int(np.searchsorted(recording.time_ms, time_ms + 0.25, side="right")) - 1
            if held is not None and held[0] != frame:
                yield held
            held = frame, picture
    if held is not None:
        yield held


def lumas(path: str | Path, threads: int, recording: Recording, wanted: Collection[int]) -> dict[int, U8]:
    """Return the luma of some pictures, each (height, width), so small that a block measures 8 × 8 px."""
    shown = {int(frame): picture for picture, frame in enumerate(recording.first_frame)}
    chosen, last = set(wanted), max(wanted, default=-1)
    found: dict[int, U8] = {}
    for frame, picture in frames(path, recording, threads):
        number = shown.get(frame)
        if number in chosen:
            found[number] = _luma(picture, recording.grid.size // BLOCK_PX)
        if number is not None and number >= last:
            break
    return found


def _luma(picture: Picture, scale: int) -> U8:
    luma = picture.luma.samples[:, : picture.luma.width]
    if picture.bits > 8:
        luma = luma >> (picture.bits - 8)
    eight = luma.astype(np.uint8)
    if scale == 1:
        return eight
    height, width = (-(-length // scale) for length in eight.shape)
    whole = cv2.copyMakeBorder(
        eight, 0, height * scale - eight.shape[0], 0, width * scale - eight.shape[1], cv2.BORDER_REPLICATE
    )
    return cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA).astype(np.uint8)
