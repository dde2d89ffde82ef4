"""Manifests and small screencasts for the tests of the intake."""

import csv
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

COLUMNS = ("os_version", "app", "interaction", "interaction_type", "repetition", "video", "action_ms")
ROW = {
    "os_version": "13.0.12",
    "app": "Mail",
    "interaction": "open inbox",
    "interaction_type": "tap",
    "repetition": "1",
    "video": "a.mp4",
    "action_ms": "500",
}


def write_manifest(folder: Path, rows: list[dict], *, columns=None, name="runs.csv") -> Path:
    """Write rows (each over ROW) with the columns that any of them has; a fake video for each that has none."""
    filled = [{**ROW, **row} for row in rows]
    path = folder / name
    names = columns or list(dict.fromkeys(key for row in filled for key in row))
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, names, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(filled)
    return path


MP4_HEAD = b"\0\0\0\x10ftypisom\0\0\0\0"


def fake_video(folder: Path, name: str = "a.mp4", content: bytes | None = None) -> Path:
    """Write bytes that stand for a video where nobody looks further than at the first ones."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if content is not None else MP4_HEAD + f"video {name}".encode())
    return path


def render_tap(
    path: Path, *, response_frame: int = 30, frames: int = 60, fps: int = 60, codec: str = "libx264"
) -> Path:
    """Render a grey screen on which a white square appears at one frame and stays."""
    with av.open(str(path), "w") as container:
        options = {"preset": "ultrafast", "qp": "0"} if codec == "libx264" else {}
        stream = container.add_stream(codec, rate=fps, options=options)
        stream.width, stream.height, stream.pix_fmt = 64, 128, "yuv420p"
        stream.time_base = Fraction(1, fps)
        for number in range(frames):
            picture = np.full((128, 64, 3), 90, np.uint8)
            if number >= response_frame:
                picture[32:96, 16:48] = 250
            frame = av.VideoFrame.from_ndarray(picture, "rgb24")
            frame.pts = number
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path
