"""All that a decoding child can be asked for, by name."""

from __future__ import annotations

from pathlib import Path

import av
import cv2
import numpy as np

from analysis.isolation import measuring, picturing
from analysis.isolation.child import Jobs
from analysis.kernels.loading import load
from analysis.measure import measure_screencast
from analysis.options import MeasureOptions
from analysis.pictures.frames import NoSuchFrameError
from analysis.pictures.proxy import CannotEncodeError
from analysis.video.opening import UnreadableVideoError


def warm_up(folder: Path) -> None:
    """Load all that measuring loads when first used, by measuring a clip of eight pictures."""
    cv2.setNumThreads(1)  # children share the cores: each measures on its own
    load()
    clip = folder / "warm-up.mp4"
    with av.open(str(clip), "w") as out:
        stream = out.add_stream("libx264", rate=30, options={"preset": "ultrafast"})
        stream.width, stream.height, stream.pix_fmt = 64, 128, "yuv420p"
        for number in range(8):
            picture = np.full((128, 64, 3), 40 + 20 * (number // 4), np.uint8)
            out.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        out.mux(stream.encode())
    measured = measure_screencast(clip, MeasureOptions(), threads=1)
    clip.unlink()
    if measured.outcome != "ok":
        raise RuntimeError(f"the decoder does not measure a clip that it has made: {measured.message}")


JOBS = Jobs(
    work={
        "measure": measuring.measure,
        "still": picturing.still,
        "stills": picturing.stills,
        "times": picturing.times,
        "changes": picturing.changes,
        "index": picturing.index,
        "plays": picturing.plays,
        "proxy": picturing.proxy,
    },
    warm_up=warm_up,
    refusals=(UnreadableVideoError, NoSuchFrameError, CannotEncodeError),
)
