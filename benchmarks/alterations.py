"""What may become of a recording's pictures without its moments becoming others: dark, mirrored, in a frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from benchmarks.phones.captures import Alter, Capture
from benchmarks.phones.filming import Image

EXACT = Capture("plain", None, {"preset": "ultrafast", "qp": "0", "bf": "0", "g": "9999", "sc_threshold": "0"})
FRAME = (10, 8)  # so many times as high and as wide as what is added on each side


def _plain(picture: Image) -> Image:
    """Return it as it is: what else is new is that there is one key frame, and half as many colours as lights."""
    return picture


def _dark(picture: Image) -> Image:
    """Return dark for light and the same colours, as an app is in its dark theme."""
    parts = cv2.cvtColor(np.ascontiguousarray(picture), cv2.COLOR_RGB2YCrCb)
    parts[..., 0] = 255 - parts[..., 0]
    return cv2.cvtColor(parts, cv2.COLOR_YCrCb2RGB)


def _mirrored(picture: Image) -> Image:
    """Return left for right, as where people write to the left; no mouse cursor looks so."""
    return np.ascontiguousarray(picture[:, ::-1])


def _framed(picture: Image) -> Image:
    """Return it within black, as a site or an editor shows a phone."""
    above, aside = (side // times // 2 * 2 for side, times in zip(picture.shape[:2], FRAME, strict=True))
    return np.pad(picture, ((above, above), (aside, aside), (0, 0)))


ALTERATIONS: dict[str, Callable[[Image], Image]] = {
    "plain": _plain,
    "dark": _dark,
    "mirrored": _mirrored,
    "framed": _framed,
}


def altered(name: str) -> tuple[Capture, Alter]:
    """Return what writes an alteration, without loss and at the times of the recording, and the alteration."""
    change = ALTERATIONS[name]
    return replace(EXACT, name=name), lambda picture, _time_ms, _number: change(picture)
