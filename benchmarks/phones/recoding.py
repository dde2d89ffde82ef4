"""What encoders do to a screen that rests: they code all of it anew, at once, without a key frame."""

from __future__ import annotations

import cv2
import numpy as np

from benchmarks.phones.captures import SOON, Alter
from benchmarks.phones.filming import Image


def recoded(at_ms: float, before: int, after: int, shift_px: int = 0) -> Alter:
    """Return an encoder's change of quality: at a time all is coded anew, with blocks that lie `shift_px` off.

    `before` and `after` are qualities of JPEG, 0 to 100: the same transform of blocks as in films.
    """

    def alter(image: Image, time_ms: float, number: int) -> Image:
        late = time_ms >= at_ms - SOON
        return _through_jpeg(image, after if late else before, shift_px if late else 0)

    return alter


def dithered(at_ms: float, before: int, after: int) -> Alter:
    """Return what a GIF's writer does: all is dithered in so many levels of each colour, then in others."""
    pattern = np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]], np.float32) / 16 - 15 / 32

    def alter(image: Image, time_ms: float, number: int) -> Image:
        late = time_ms >= at_ms - SOON
        step = 255 / ((after if late else before) - 1)
        offset = np.roll(pattern, 2 if late else 0, axis=0)
        rows, columns = (-(-length // 4) for length in image.shape[:2])
        tiled = np.tile(offset, (rows, columns))[: image.shape[0], : image.shape[1], None]
        return np.clip(np.rint(image / step + tiled) * step, 0, 255).astype(np.uint8)

    return alter


def _through_jpeg(image: Image, quality: int, shift_px: int) -> Image:
    padded = cv2.copyMakeBorder(np.ascontiguousarray(image), shift_px, 16, shift_px, 16, cv2.BORDER_REPLICATE)
    _, jpeg = cv2.imencode(".jpg", padded, [cv2.IMWRITE_JPEG_QUALITY, quality])
    whole = np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR))
    return whole[shift_px : shift_px + image.shape[0], shift_px : shift_px + image.shape[1]]
